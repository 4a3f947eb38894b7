// What our functions take to read and sign, beside `@noble/curves` with the encoding alone:
// in one process, in turns, by CPU time. Both sides must sign the same.
import { hexToBytes } from '@metamask/utils';

import { parseMessage, signMessage } from '../../src/eth/message';
import { signTransaction } from '../../src/eth/sign-transaction';
import { parseTransactionRequest } from '../../src/eth/transaction-request';
import { parseTypedData, signTypedData } from '../../src/eth/typed-data';
import { completeTransaction } from '../../src/fees/complete-transaction';
import { funded } from '../stack/accounts';
import { compare, measureCpu } from './rounds';
import { DYNAMIC, LEGACY, MAIL, SEAPORT, TEXT } from './signing-cases';
import type { Document } from './signing-cases';
import { signDocument, signDynamic, signLegacy, signText } from './signing-plain';
import type { Row } from './table';

/** One thing to sign; both sides answer with the same text. */
type Case = {
  what: string;
  ours: () => string;
  theirs: () => string;
  /** How often it is signed in a turn. */
  repeats: number;
  atMost: number;
};

const KEY = hexToBytes(funded.privateKey);

const ROUNDS = 15;

/** How often a case is measured that seems to miss its bound. */
const TRIES = 3;

const cases: readonly Case[] = [
  {
    what: 'personal_sign',
    ours: () => signMessage(parseMessage(TEXT), KEY),
    theirs: () => signText(TEXT, KEY),
    repeats: 100,
    atMost: 1.15,
  },
  {
    what: 'typed data: mail',
    ours: () => signTyped(MAIL),
    theirs: () => signDocument(MAIL, KEY),
    repeats: 60,
    atMost: 2.25,
  },
  {
    what: 'typed data: Seaport order of 12 items',
    ours: () => signTyped(SEAPORT),
    theirs: () => signDocument(SEAPORT, KEY),
    repeats: 20,
    atMost: 4.9,
  },
  {
    what: 'transaction of type 0x0',
    ours: () => signSent(LEGACY),
    theirs: () => signLegacy(LEGACY, KEY),
    repeats: 60,
    atMost: 2.25,
  },
  {
    what: 'transaction of type 0x2',
    ours: () => signSent(DYNAMIC),
    theirs: () => signDynamic(DYNAMIC, KEY),
    repeats: 60,
    atMost: 2.25,
  },
];

/** Measure every case. */
export async function measureSigningCpu(): Promise<Row[]> {
  const rows: Row[] = [];
  for (const each of cases) rows.push(await measureCase(each));
  return rows;
}

function signTyped(document: Document): string {
  return signTypedData(parseTypedData(document, 'data'), KEY);
}

function signSent(transaction: typeof LEGACY | typeof DYNAMIC): string {
  const sent = { ...transaction, from: funded.address };
  const request = parseTransactionRequest(sent, 'transaction');
  const { chainId = 0n, nonce = 0n, gasLimit = 0n } = request;
  const complete = completeTransaction({ ...request, chainId, nonce, gasLimit });
  return signTransaction(complete, KEY).raw;
}

async function measureCase({ what, atMost, ...sides }: Case): Promise<Row> {
  assertSame(what, sides);
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
  const contest = (side: () => string) => async (): Promise<number> => {
    const all = await measureCpu(() => {
      for (let done = 0; done < repeats; done += 1) side();
      return Promise.resolve();
    });
    return all / repeats;
  };
  return compare({ ours: contest(ours), theirs: contest(theirs) }, ROUNDS);
}

function assertSame(
  what: string,
  { ours, theirs }: Pick<Case, 'ours' | 'theirs'>,
): void {
  if (ours() !== theirs()) throw new Error(`${what}: the two sides sign differently.`);
}
