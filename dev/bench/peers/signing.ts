// Signatures by MetaMask's route, of an account that each side has made by itself.
import { bytesToHex } from '@metamask/utils';
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { keccak_256 } from '@noble/hashes/sha3.js';

import { compare, measureTime } from '../measure';
import { DYNAMIC, MAIL, PERMIT2, SEAPORT, TEXT } from '../signing-cases';
import { signDocument, signDynamic, signText } from '../signing-plain';
import { createRequests } from '../signing-requests';
import { compareTimes, type Figure } from './figure';
import type { Side, Sides } from './side';

type Requests = ReturnType<typeof createRequests>;

const KEY = secp256k1.utils.randomSecretKey();

/** What is signed, and how it is signed without a snap. */
const cases: Record<keyof Requests, () => string> = {
  personal_sign: () => signText(TEXT, KEY),
  'eth_signTypedData_v4: mail': () => signDocument(MAIL, KEY),
  'eth_signTypedData_v4: Permit2': () => signDocument(PERMIT2, KEY),
  'eth_signTypedData_v4: Seaport order': () => signDocument(SEAPORT, KEY),
  'eth_signTransaction of type 0x2': () => signDynamic(DYNAMIC, KEY),
};

const FIRST = 'first transaction of a fresh worker';

/** Measure both sides: signatures, accounts that are made, and the first of a worker. */
export async function measureSigning({ ours, theirs }: Sides): Promise<Figure[]> {
  const own = await createRequestsOf(ours);
  const other = await createRequestsOf(theirs);
  const figures: Figure[] = [];
  for (const what of Object.keys(cases) as (keyof Requests)[]) {
    const contest = { ours: own[what], theirs: other[what], floor: cases[what] };
    const times = await compareTimes(contest, { rounds: 15, repeats: 5 });
    figures.push({ what, unit: 'ms', ...times });
  }
  const first = 'eth_signTransaction of type 0x2';
  const times = await compare(
    {
      ours: async () => takeFirst(ours, own[first]),
      theirs: async () => takeFirst(theirs, other[first]),
    },
    9,
  );
  return [
    ...figures,
    { what: FIRST, unit: 'ms', ...times },
    await measureCreation({ ours, theirs }),
    await countCalls({ ours, theirs }, { ours: own, theirs: other }),
  ];
}

async function createRequestsOf({ wallet, createAccount }: Side): Promise<Requests> {
  const { address } = await createAccount({});
  // As MetaMask names accounts; the simple keyring knows no other way.
  return createRequests(wallet, address.toLowerCase());
}

async function takeFirst(
  { wallet }: Side,
  request: () => Promise<unknown>,
): Promise<number> {
  await wallet.stopSnap();
  const [, time] = await measureTime(request);
  return time;
}

async function measureCreation({ ours, theirs }: Sides): Promise<Figure> {
  const contest = {
    ours: async () => ours.createAccount({}),
    theirs: async () => theirs.createAccount({}),
    floor: createKey,
  };
  const times = await compareTimes(contest, { rounds: 15 });
  return { what: 'createAccount', unit: 'ms', ...times };
}

function createKey(): string {
  const { publicKey } = secp256k1.keygen();
  const point = secp256k1.Point.fromBytes(publicKey).toBytes(false);
  return bytesToHex(keccak_256(point.subarray(1)).subarray(12));
}

// Every worker has signed before.
async function countCalls(
  sides: Sides,
  requests: { ours: Requests; theirs: Requests },
): Promise<Figure> {
  const count = async (side: 'ours' | 'theirs'): Promise<number> => {
    const { calls } = sides[side].wallet;
    await requests[side].personal_sign();
    calls.length = 0;
    await requests[side].personal_sign();
    return calls.length;
  };
  return {
    what: 'personal_sign: calls of the platform',
    unit: '',
    ours: await count('ours'),
    theirs: await count('theirs'),
  };
}
