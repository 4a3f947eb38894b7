// What our functions take to read and sign, beside `@noble/curves` with the encoding alone:
// in one process, in turns, by CPU time. Both sides must sign the same.
import { hexToBytes } from '@metamask/utils';

import { parseMessage, signMessage } from '../../src/eth/message';
import { signTransaction } from '../../src/eth/sign-transaction';
import { parseTransactionRequest } from '../../src/eth/transaction-request';
import { parseTypedData, signTypedData } from '../../src/eth/typed-data';
import { completeTransaction } from '../../src/fees/fill-transaction';
import { funded } from '../stack/accounts';
import { measureCpuCases, type CpuCase, type Row } from './measure';
import { DYNAMIC, LEGACY, MAIL, SEAPORT, TEXT, type Document } from './signing-cases';
import { signDocument, signDynamic, signLegacy, signText } from './signing-plain';

const KEY = hexToBytes(funded.privateKey);

const cases: readonly CpuCase[] = [
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
  return measureCpuCases(cases);
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
