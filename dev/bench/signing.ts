// Signing: the CPU time of our functions beside `@noble/curves` with the encoding alone, in one
// process, in turns, where both sides must sign the same; whole requests beside an empty one;
// and what filling a transaction asks of servers. The last two run the built snap
// (`npm run build:dev`).
import { Common, Hardfork } from '@ethereumjs/common-4';
import { TransactionFactory } from '@ethereumjs/tx-5';
import { SignTypedDataVersion } from '@metamask/eth-sig-util';
import { hexToBytes, type Json } from '@metamask/utils';

import { parseMessage, signMessage } from '../../src/eth/message';
import { signTransaction } from '../../src/eth/sign-transaction';
import { parseTransactionRequest } from '../../src/eth/transaction';
import {
  parseTypedData,
  signTypedData,
  type TypedData,
} from '../../src/eth/typed-data';
import { completeTransaction } from '../../src/fees/fill-transaction';
import { funded } from '../stack/accounts';
import { withStopped } from '../stack/server';
import { startWallet, type Wallet } from '../wallet/wallet';
import {
  compare,
  inTurns,
  measureCpuCases,
  undisturbed,
  type Bench,
  type CpuCase,
  type Row,
} from './measure';
import { DYNAMIC, LEGACY, MAIL, PERMIT2, SEAPORT, TEXT } from './signing-cases';
import { signDocument, signDynamic, signLegacy, signText } from './signing-plain';
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
    { repeats: 60, atMost: 2.25 },
  ],
  [
    'typed data: Seaport order of 12 items',
    { ours: () => signTyped(SEAPORT), theirs: () => signDocument(SEAPORT, KEY) },
    { repeats: 20, atMost: 4.9 },
  ],
  [
    'transaction of type 0x0',
    { ours: () => signSent(LEGACY), theirs: () => signLegacy(LEGACY, KEY) },
    { repeats: 60, atMost: 2.25 },
  ],
  [
    'transaction of type 0x2',
    { ours: () => signSent(DYNAMIC), theirs: () => signDynamic(DYNAMIC, KEY) },
    { repeats: 60, atMost: 2.25 },
  ],
];

export async function* benchSigning(): Bench {
  yield {
    name: 'CPU time of signing',
    ours: 'tollkeeper',
    theirs: 'noble',
    rows: await measureCpuCases(cases),
  };
  yield {
    name: "a whole request, MetaMask's route",
    ours: 'tollkeeper',
    theirs: 'keyring_listAccounts',
    rows: await measureRequests(),
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

// Nothing here asks a chain.
const NO_CHAIN = { url: 'http://127.0.0.1:1' };
const common = new Common({ chain: 1, hardfork: Hardfork.London });

// SnapKeyring, SnapController, the worker with the built snap, and back; beside a request that
// signs nothing: what is left of its time is MetaMask's own.
async function measureRequests(): Promise<Row[]> {
  return withStopped(startWallet({ chain: NO_CHAIN }), async (wallet) => {
    const { keyring, snapId } = wallet;
    const { address } = await keyring.createAccount(snapId, {});
    const { privateKey } = funded;
    const imported = await keyring.createAccount(snapId, { privateKey });
    const sides = {
      empty: async () => listAccounts(wallet),
      ...createRequests(wallet, address),
      // Without snap_getEntropy, for which MetaMask derives the key anew every time.
      'personal_sign, imported key': async () =>
        keyring.signPersonalMessage(imported.address, TEXT),
    };
    const times = await compare(inTurns(sides, 5), {
      rounds: 15,
      summarize: undisturbed,
    });
    const { empty: theirs, ...signing } = times;
    return Object.entries(signing).map(([what, ours]) => ({
      what,
      ours,
      theirs,
      unit: 'ms',
    }));
  });
}

/** What MetaMask asks a snap to sign. */
export type SigningRequest =
  | 'personal_sign'
  | 'eth_signTypedData_v4: mail'
  | 'eth_signTypedData_v4: Permit2'
  | 'eth_signTypedData_v4: Seaport order'
  | 'eth_signTransaction of type 0x2';

/** Creates what MetaMask asks a snap to sign, for an account of any snap. */
export function createRequests(
  { keyring }: { keyring: Wallet['keyring'] },
  address: string,
): Record<SigningRequest, () => Promise<unknown>> {
  const transaction = TransactionFactory.fromTxData(
    { ...DYNAMIC, type: 2 },
    { common },
  );
  const version = { version: SignTypedDataVersion.V4 };
  const signTyped = (document: TypedData) => async (): Promise<unknown> =>
    keyring.signTypedData(address, document as TypedMessage, version);
  return {
    personal_sign: async () => keyring.signPersonalMessage(address, TEXT),
    'eth_signTypedData_v4: mail': signTyped(MAIL),
    'eth_signTypedData_v4: Permit2': signTyped(PERMIT2),
    'eth_signTypedData_v4: Seaport order': signTyped(SEAPORT),
    'eth_signTransaction of type 0x2': async () =>
      keyring.signTransaction(address, transaction),
  };
}

/** Asks a snap for its accounts, as MetaMask does. */
export async function listAccounts(wallet: Wallet): Promise<Json> {
  const id = crypto.randomUUID();
  const frame = { jsonrpc: '2.0', id, method: 'keyring_listAccounts' };
  return wallet.metamaskKeyring(frame);
}
