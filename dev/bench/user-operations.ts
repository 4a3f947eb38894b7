// User operations: hashing and signing beside viem, by CPU time, and what a preparation asks of
// servers beside MetaMask's example, with the built snap (`npm run build:dev`).
import { hexToBytes } from '@metamask/utils';
import type { Hex } from 'viem';
import { getUserOperationHash } from 'viem/account-abstraction';
import { privateKeyToAccount } from 'viem/accounts';

import {
  entryPoints,
  type EntryPointVersion,
  entryPointVersions,
  hashesByEip712,
} from '../../src/core/entry-points';
import { hashUserOperation } from '../../src/core/operation';
import { type UserOperation } from '../../src/core/payload';
import { signUserOperation } from '../signing';
import { funded } from '../stack/accounts';
import { measureCpuCases, type Bench, type CpuCase } from './measure';
import { countPreparations } from './trips';

const CHAIN_ID = 31_337;
const KEY = hexToBytes(funded.privateKey);
const OWNER = privateKeyToAccount(funded.privateKey);

/** A transfer of a token by a deployed account. */
export const OPERATION: UserOperation = {
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

export async function* benchUserOperations(): Bench {
  yield {
    name: 'CPU time of user operations',
    ours: 'tollkeeper',
    theirs: 'viem',
    rows: await measureCpuCases(entryPointVersions.flatMap(toCases)),
  };
  yield {
    name: 'preparing a user operation',
    ours: 'tollkeeper',
    theirs: "MetaMask's example",
    rows: await countPreparations(),
  };
}

function toCases(version: EntryPointVersion): CpuCase[] {
  const domain = { chainId: BigInt(CHAIN_ID), entryPoint: version };
  const hash = (): Hex => hashByViem(version);
  const sign = async (): Promise<string> =>
    hashesByEip712(version)
      ? OWNER.sign({ hash: hash() })
      : OWNER.signMessage({ message: { raw: hash() } });
  return [
    [
      `hash, EntryPoint ${version}`,
      { ours: () => hashUserOperation(OPERATION, domain), theirs: hash },
      { repeats: 200, atMost: hashesByEip712(version) ? 4 : 1 },
    ],
    [
      `sign, EntryPoint ${version}`,
      { ours: () => signUserOperation(OPERATION, domain, KEY), theirs: sign },
      { repeats: 60, atMost: hashesByEip712(version) ? 2 : 1.15 },
    ],
  ];
}

/** Hashes {@link OPERATION} by viem, which takes neither of the packed fields empty from 0.7 on. */
export function hashByViem(version: EntryPointVersion): Hex {
  const { initCode, paymasterAndData, ...fields } = OPERATION;
  const packed = version === '0.6' ? { initCode, paymasterAndData } : {};
  return getUserOperationHash({
    chainId: CHAIN_ID,
    entryPointAddress: entryPoints[version].entryPoint,
    entryPointVersion: version,
    userOperation: { ...fields, ...packed },
  });
}
