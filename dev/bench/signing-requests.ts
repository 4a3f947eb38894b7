// What a whole request takes by MetaMask's route: SnapKeyring, SnapController, the worker
// with the built snap, and back. Beside a request that signs nothing: what is left of its
// time is MetaMask's own.
import { Common, Hardfork } from '@ethereumjs/common-4';
import { TransactionFactory } from '@ethereumjs/tx-5';
import { SignTypedDataVersion } from '@metamask/eth-sig-util';

import { funded } from '../stack/accounts';
import { startWallet, type Wallet } from '../wallet/wallet';
import { compare, type Contestant, type Row, takeTimes, undisturbed } from './measure';
import { type Document, DYNAMIC, MAIL, PERMIT2, SEAPORT, TEXT } from './signing-cases';

type TypedMessage = Parameters<Wallet['keyring']['signTypedData']>[1];

type Request = () => Promise<unknown>;

const ROUNDS = 15;

/** How often a request is made in a turn. */
const REPEATS = 5;

// Nothing here asks a chain.
const NO_CHAIN = { url: 'http://127.0.0.1:1' };

const common = new Common({ chain: 1, hardfork: Hardfork.London });

/** Measure every request; the yardstick is the empty one. */
export async function measureSigningRequests(): Promise<Row[]> {
  const wallet = await startWallet({ chain: NO_CHAIN });
  try {
    const { keyring, snapId } = wallet;
    const { address } = await keyring.createAccount(snapId, {});
    const { privateKey } = funded;
    const imported = await keyring.createAccount(snapId, { privateKey });
    const { empty, ...signing } = await measure({
      empty: async () => listAccounts(wallet),
      ...createRequests(wallet, address),
      // Without snap_getEntropy, for which MetaMask derives the key anew every time.
      'personal_sign, imported key': async () =>
        keyring.signPersonalMessage(imported.address, TEXT),
    });
    return Object.entries(signing).map(([what, ours]) => ({
      what,
      ours,
      theirs: empty,
      unit: 'ms',
    }));
  } finally {
    await wallet.stop();
  }
}

/** Create what MetaMask asks a snap to sign, for an account of any snap. */
export function createRequests(
  { keyring }: Pick<Wallet, 'keyring'>,
  address: string,
): Record<
  | 'personal_sign'
  | 'eth_signTypedData_v4: mail'
  | 'eth_signTypedData_v4: Permit2'
  | 'eth_signTypedData_v4: Seaport order'
  | 'eth_signTransaction of type 0x2',
  Request
> {
  const transaction = TransactionFactory.fromTxData(
    { ...DYNAMIC, type: 2 },
    { common },
  );
  const version = { version: SignTypedDataVersion.V4 };
  const signTyped = (document: Document) => async (): Promise<unknown> =>
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

async function listAccounts(wallet: Wallet): Promise<unknown> {
  const id = crypto.randomUUID();
  const frame = { jsonrpc: '2.0', id, method: 'keyring_listAccounts' };
  return wallet.metamaskKeyring(frame);
}

async function measure<Name extends string>(
  requests: Record<Name, Request>,
): Promise<Record<Name, number>> {
  const contestants = Object.entries<Request>(requests).map(([name, request]) => [
    name,
    async () => takeTimes(request, REPEATS),
  ]);
  const byName = Object.fromEntries(contestants) as Record<Name, Contestant>;
  return compare(byName, ROUNDS, undisturbed);
}
