// Runs a sample of the property tests with the built bundle in the real SnapController. The
// bundled libraries must produce the same signatures as viem, byte for byte.
import { randomUUID } from 'node:crypto';

import type { Json } from '@metamask/utils';
import fc from 'fast-check';
import { parseTransaction, toHex } from 'viem';
import type { Hex, TypedDataDefinition } from 'viem';

import { createSnapSite, type SnapSite } from '../../dev/demo/world';
import { COMPANION_ORIGIN } from '../../dev/wallet/options';
import { startWallet } from '../../dev/wallet/wallet';
import type { Wallet } from '../../dev/wallet/wallet';
import { owner, privateKey } from '../fixtures/eth/owner';
import type { Document } from '../fixtures/eth/typed-data';
import { startAnvil } from '../fixtures/wallet/anvil';
import type { TestChain } from '../fixtures/wallet/anvil';
import { runs } from '../support/runs';
import {
  signByViem,
  spelling,
  toRequest,
  transactionsOf,
} from '../support/transaction-arbitraries';
import type { ViemTransaction, ViemType } from '../support/transaction-arbitraries';
import { forViem, typedDataCases, typedLists } from '../support/typed-data-arbitraries';

const SAMPLE = 60;

/** Stays below the limit of 120 signatures per site in ten seconds. */
const SITE_SAMPLE = 20;

const DAPP = 'https://dapp.example';

let chain: TestChain;
let wallet: Wallet;
let dapp: SnapSite;
let account: string;

beforeAll(async () => {
  chain = await startAnvil();
  wallet = await startWallet({ chain });
  wallet.connect(DAPP);
  dapp = createSnapSite(wallet, DAPP);
  const companion = createSnapSite(wallet, COMPANION_ORIGIN);
  const options = { privateKey: `0x${Buffer.from(privateKey).toString('hex')}` };
  const created = await companion.keyring('keyring_createAccount', { options });
  account = (created as { id: string }).id;
  await dapp.snap('eth_requestAccounts');
});

afterAll(async () => {
  await wallet?.stop();
  chain?.stop();
});

async function signForMetaMask(method: string, params: Json[]): Promise<Json> {
  const request = { method, params };
  const answer = await wallet.metamaskKeyring({
    method: 'keyring_submitRequest',
    params: {
      id: randomUUID(),
      origin: 'metamask',
      scope: '',
      account,
      request,
    },
  });
  return (answer as { result: Json }).result;
}

async function signatureByViem(transaction: ViemTransaction) {
  const { v, yParity, r, s } = parseTransaction(await signByViem(owner, transaction));
  const recovery = transaction.type === 'legacy' ? v : yParity;
  const pad = (hex: Hex | undefined): string => `0x${hex?.slice(2).padStart(64, '0')}`;
  return { v: `0x${recovery?.toString(16)}`, r: pad(r), s: pad(s) };
}

describe.each<[ViemType, number]>([
  ['legacy', SAMPLE],
  ['eip2930', SAMPLE],
  ['eip1559', SAMPLE],
  ['eip4844', SITE_SAMPLE],
  ['eip7702', SITE_SAMPLE],
])('a transaction of type %s', (type, count) => {
  it('is signed by the bundle as viem signs it', async () => {
    const both = fc.tuple(transactionsOf[type], spelling);
    for (const [transaction, spelt] of fc.sample(both, runs(count))) {
      const params = [toRequest(transaction, spelt, owner.address) as Json];
      const isForDapps = type === 'eip4844' || type === 'eip7702';
      const signature = isForDapps
        ? await dapp.snap('eth_signTransaction', params)
        : await signForMetaMask('eth_signTransaction', params);
      expect(signature).toStrictEqual(await signatureByViem(transaction));
    }
  });
});

// eth_signTypedData_v4 refuses larger chain IDs, although EIP-712 can encode them.
function hasSmallChainId({ domain }: Document): boolean {
  const chainId = domain?.chainId as string | number | undefined;
  return chainId === undefined || BigInt(chainId) < 2n ** 62n;
}

describe('a typed-data document', () => {
  it('is signed by the bundle as viem signs it', async () => {
    const accepted = typedDataCases.filter(({ document }) => hasSmallChainId(document));
    for (const { document, plain } of fc.sample(accepted, runs(SAMPLE))) {
      const params = [owner.address, document as unknown as Json];
      const signature = await signForMetaMask('eth_signTypedData_v4', params);
      const typed = forViem(plain) as unknown as TypedDataDefinition;
      expect(signature).toBe(await owner.signTypedData(typed));
    }
  });
});

describe('a version 1 list of typed data', () => {
  it('is signed by the bundle as viem signs its hash', async () => {
    for (const { entries, hash } of fc.sample(typedLists, runs(SAMPLE))) {
      const params = [owner.address, entries];
      const signature = await signForMetaMask('eth_signTypedData_v1', params);
      expect(signature).toBe(await owner.sign({ hash }));
    }
  });
});

describe('a message', () => {
  it('is signed by the bundle as viem signs it', async () => {
    const messages = fc.oneof(
      fc.string({ unit: 'binary' }).filter((text) => !text.startsWith('0x')),
      fc.uint8Array().map((bytes) => ({ raw: toHex(bytes) })),
    );
    for (const message of fc.sample(messages, runs(SAMPLE))) {
      const written = typeof message === 'string' ? message : message.raw;
      const signature = await signForMetaMask('personal_sign', [
        written,
        owner.address,
      ]);
      expect(signature).toBe(await owner.signMessage({ message }));
    }
  });
});
