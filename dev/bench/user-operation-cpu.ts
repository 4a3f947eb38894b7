// What hashing and signing a user operation takes beside viem: in one process, in turns, by
// CPU time. Both sides must give the same hash and the same signature.
import { hexToBytes } from '@metamask/utils';
import { getUserOperationHash } from 'viem/account-abstraction';
import type { UserOperation as ViemOperation } from 'viem/account-abstraction';
import { privateKeyToAccount } from 'viem/accounts';

import { entryPoints, entryPointVersions } from '../../src/eth/entry-point';
import type { EntryPointVersion } from '../../src/eth/entry-point';
import {
  hashUserOperation,
  signUserOperation,
} from '../../src/eth/sign-user-operation';
import type { UserOperation } from '../../src/eth/user-operation';
import { funded } from '../stack/accounts';
import { compare, measureCpu } from './rounds';
import type { Row } from './table';

const CHAIN_ID = 31_337;

const KEY = hexToBytes(funded.privateKey);

const OWNER = privateKeyToAccount(funded.privateKey);

const ROUNDS = 15;

/** How often a case is measured that seems to miss its bound. */
const TRIES = 3;

/** One thing to do; both sides answer with the same text. */
type Case = {
  what: string;
  ours: () => string | Promise<string>;
  theirs: () => string | Promise<string>;
  /** How often it is done in a turn. */
  repeats: number;
  atMost: number;
};

/** A transfer of a token by a deployed account. */
const OPERATION: UserOperation = {
  sender: '0x751e4c143bff69edb4d9056b1475e42f2814a8e9',
  nonce: 7n,
  initCode: '0x',
  callData: `0xb61d27f6${'00'.repeat(12)}${'12'.repeat(20)}${'00'.repeat(160)}`,
  callGasLimit: 100_000n,
  verificationGasLimit: 200_000n,
  preVerificationGas: 50_000n,
  maxFeePerGas: 2_000_000_000n,
  maxPriorityFeePerGas: 1_000_000_000n,
  paymasterAndData: '0x',
  signature: '0x',
};

/** Measure hashing and signing for every version. */
export async function measureOperationCpu(): Promise<Row[]> {
  const rows: Row[] = [];
  for (const each of entryPointVersions.flatMap(toCases)) {
    rows.push(await measureCase(each));
  }
  return rows;
}

function toCases(version: EntryPointVersion): Case[] {
  const domain = { chainId: BigInt(CHAIN_ID), entryPoint: version };
  const hash = (): `0x${string}` =>
    getUserOperationHash({
      chainId: CHAIN_ID,
      entryPointAddress: entryPoints[version].entryPoint,
      entryPointVersion: version,
      userOperation: toViem(version),
    });
  return [
    {
      what: `hash, EntryPoint ${version}`,
      ours: () => hashUserOperation(OPERATION, domain),
      theirs: hash,
      repeats: 200,
      atMost: version === '0.8' ? 4 : 1,
    },
    {
      what: `sign, EntryPoint ${version}`,
      ours: () => signUserOperation(OPERATION, domain, KEY),
      theirs: async () =>
        version === '0.8'
          ? OWNER.sign({ hash: hash() })
          : OWNER.signMessage({ message: { raw: hash() } }),
      repeats: 60,
      atMost: version === '0.8' ? 2 : 1.15,
    },
  ];
}

// viem takes neither of the packed fields empty from 0.7 on.
function toViem(version: EntryPointVersion): ViemOperation {
  const { initCode, paymasterAndData, ...fields } = OPERATION;
  const packed = version === '0.6' ? { initCode, paymasterAndData } : {};
  return { ...fields, ...packed };
}

async function measureCase({ what, atMost, ...sides }: Case): Promise<Row> {
  if ((await sides.ours()) !== (await sides.theirs())) {
    throw new Error(`${what}: the two sides differ.`);
  }
  let least = await compareOnce(sides);
  for (let tries = 1; tries < TRIES; tries += 1) {
    if (least.ours <= least.theirs * atMost) break;
    const again = await compareOnce(sides);
    least = {
      ours: Math.min(least.ours, again.ours),
      theirs: Math.min(least.theirs, again.theirs),
    };
  }
  return { what, ...least, unit: 'µs', bound: { atMost } };
}

async function compareOnce({
  ours,
  theirs,
  repeats,
}: Pick<Case, 'ours' | 'theirs' | 'repeats'>): Promise<Pick<Row, 'ours' | 'theirs'>> {
  const contest = (side: Case['ours']) => async (): Promise<number> => {
    const all = await measureCpu(async () => {
      for (let done = 0; done < repeats; done += 1) await side();
    });
    return all / repeats;
  };
  return compare({ ours: contest(ours), theirs: contest(theirs) }, ROUNDS);
}
