// Signing: the CPU time of our functions beside micro-eth-signer, in one process, in turns, where
// both sides must sign the same; and what filling and sending a transaction asks of servers, by the
// built snap (`npm run build:dev`). What whole requests take is in the bench of peers.
import { Common, Hardfork } from '@ethereumjs/common-4';
import { TransactionFactory } from '@ethereumjs/tx-5';
import { SignTypedDataVersion } from '@metamask/eth-sig-util';
import { hexToBytes, type Json } from '@metamask/utils';

import { type TypedData } from '../../src/core/typed-data';
import { parseMessage } from '../../src/eth/message';
import { parseTransactionRequest } from '../../src/eth/transaction';
import { parseTypedData } from '../../src/eth/typed-data';
import { completeTransaction } from '../../src/fees/fill-transaction';
import { signMessage, signTransaction, signTypedData } from '../signing';
import { funded } from '../stack/accounts';
import type { Wallet } from '../wallet/wallet';
import { measureCpuCases, type Bench, type CpuCase } from './measure';
import {
  DYNAMIC,
  LEGACY,
  MAIL,
  PERMIT2,
  SEAPORT,
  signDocument,
  signPlain,
  signText,
  TEXT,
} from './signing-cases';
import { countFills, countSends } from './trips';

const KEY = hexToBytes(funded.privateKey);

const cases: readonly CpuCase[] = [
  [
    'personal_sign',
    {
      ours: () => signMessage(parseMessage(TEXT), KEY),
      theirs: () => signText(TEXT, KEY),
    },
    { repeats: 100, atMost: 1.15 },
  ],
  [
    'typed data: mail',
    { ours: () => signTyped(MAIL), theirs: () => signDocument(MAIL, KEY) },
    { repeats: 60, atMost: 2 },
  ],
  [
    'typed data: Seaport order of 12 items',
    { ours: () => signTyped(SEAPORT), theirs: () => signDocument(SEAPORT, KEY) },
    { repeats: 20, atMost: 3.35 },
  ],
  [
    'transaction of type 0x0',
    { ours: () => signSent(LEGACY), theirs: () => signPlain(LEGACY, KEY) },
    { repeats: 60, atMost: 1.65 },
  ],
  [
    'transaction of type 0x2',
    { ours: () => signSent(DYNAMIC), theirs: () => signPlain(DYNAMIC, KEY) },
    { repeats: 60, atMost: 1.65 },
  ],
];

export async function* benchSigning(): Bench {
  yield {
    name: 'CPU time of signing',
    ours: 'tollkeeper',
    theirs: 'micro-eth-signer',
    rows: await measureCpuCases(cases),
  };
  yield {
    name: 'filling a transaction',
    ours: 'counted',
    theirs: 'allowed',
    rows: await countFills(),
  };
  yield {
    name: 'sending a transaction that was approved',
    ours: 'counted',
    theirs: 'nonce first',
    // With a receipt that is waited for, and without.
    rows: [...(await countSends(2)), ...(await countSends(12))],
  };
}

function signTyped(document: TypedData): string {
  return signTypedData(parseTypedData(document, 'data'), KEY);
}

function signSent(transaction: typeof LEGACY | typeof DYNAMIC): string {
  const sent = { ...transaction, from: funded.address };
  const request = parseTransactionRequest(sent, 'transaction');
  const { chainId = 0n, nonce = 0n, gasLimit = 0n } = request;
  const complete = completeTransaction({ ...request, chainId, nonce, gasLimit });
  return signTransaction(complete, KEY).raw;
}

type TypedMessage = Parameters<Wallet['keyring']['signTypedData']>[1];

const common = new Common({ chain: 1, hardfork: Hardfork.London });

/** Creates what MetaMask asks a snap to sign, for an account of any snap. */
// oxlint-disable-next-line typescript/explicit-module-boundary-types -- the names are the type
export function createRequests({ keyring }: Pick<Wallet, 'keyring'>, address: string) {
  const transaction = TransactionFactory.fromTxData(
    { ...DYNAMIC, type: 2 },
    { common },
  );
  const version = { version: SignTypedDataVersion.V4 };
  const signTyped = (document: TypedData) => async (): Promise<unknown> =>
    keyring.signTypedData(address, document as TypedMessage, version);
  return {
    personal_sign: async (): Promise<unknown> =>
      keyring.signPersonalMessage(address, TEXT),
    'eth_signTypedData_v4: mail': signTyped(MAIL),
    'eth_signTypedData_v4: Permit2': signTyped(PERMIT2),
    'eth_signTypedData_v4: Seaport order': signTyped(SEAPORT),
    'eth_signTransaction of type 0x2': async (): Promise<unknown> =>
      keyring.signTransaction(address, transaction),
  };
}

/** Asks a snap for its accounts, as MetaMask does. */
export async function listAccounts(wallet: Wallet): Promise<Json> {
  const id = crypto.randomUUID();
  const frame = { jsonrpc: '2.0', id, method: 'keyring_listAccounts' };
  return wallet.metamaskKeyring(frame);
}
