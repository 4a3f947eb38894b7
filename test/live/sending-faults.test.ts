// Transactions from a dapp's request to their receipts: the built snap in a wallet made of
// MetaMask's packages, and the development service for a chain that mines on demand. Even if the
// service fails or the snap is stopped, no transaction may be sent twice or forgotten.
import type { Json } from '@metamask/utils';
import {
  createTestClient,
  encodeErrorResult,
  http,
  parseAbi,
  parseEther,
  parseTransaction,
  publicActions,
} from 'viem';
import type { Hash, Hex, PublicActions, TestClient } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { foundry } from 'viem/chains';

import { createSnapSite, type SnapSite } from '../../dev/demo/world';
import {
  KEY,
  SECRET,
  type ServiceBench,
  startServiceBench,
} from '../../dev/stack/service-bench';
import { COMPANION_ORIGIN } from '../../dev/wallet/options';
import { approveAll } from '../../dev/wallet/user';
import { startWallet, type Wallet } from '../../dev/wallet/wallet';
import { pollServers, waitFor } from '../fixtures/stack/requests';
import { faultNames, startFaultyService } from '../support/faulty-service';
import type { FaultName, FaultyService } from '../support/faulty-service';
import { listSent } from '../support/sent-transactions';
import { BLOB_HASH } from '../support/transactions';

const DAPP = 'https://dapp.example';

let bench: ServiceBench;
let faulty: FaultyService;
let wallet: Wallet;
let node: TestClient & PublicActions;
let address: Hex;
let companion: SnapSite;
let dapp: SnapSite;

beforeAll(async () => {
  bench = await startServiceBench();
  faulty = await startFaultyService(bench.service.url, 50);
  const transport = http(bench.nodeUrl);
  node = createTestClient({ mode: 'anvil', chain: foundry, transport }).extend(
    publicActions,
  );
  wallet = await startWallet({ chain: { url: bench.nodeUrl } });
  wallet.connect(DAPP);
  companion = createSnapSite(wallet, COMPANION_ORIGIN);
  dapp = createSnapSite(wallet, DAPP);
  const { url } = faulty;
  const keys = { apiKey: KEY, apiKeySecret: SECRET };
  await companion.snap('tollkeeper_setChain', [
    { chainId: 31_337, rpcUrl: url, gasBaseUrl: url, ...keys },
  ]);
  const created = await companion.keyring('keyring_createAccount', { options: {} });
  ({ address } = created as { address: Hex });
  await node.setBalance({ address, value: parseEther('100') });
  await dapp.snap('eth_requestAccounts');
});

afterAll(async () => {
  await wallet?.stop();
  await faulty?.stop();
  await bench?.stop();
});

/** Sends 1 wei from the account to itself, with changes to the fields. */
async function send(fields: Record<string, Json> = {}): Promise<Hash> {
  const transfer = { from: address, to: address, value: '0x1', ...fields };
  return (await dapp.snap('eth_sendTransaction', [transfer])) as Hash;
}

const mine = async () => node.mine({ blocks: 1 });

const poll = async () => pollServers(wallet);

const activity = async () => listSent(wallet);

/** Stops the snap, and makes its stored activity older. */
async function age(ms: number): Promise<void> {
  await wallet.stopSnap();
  const state = (await wallet.state()).encrypted as {
    activity: Record<string, { sentAt: number; absentSince?: number }>;
  };
  for (const entry of Object.values(state.activity)) {
    entry.sentAt -= ms;
    if (entry.absentSince !== undefined) entry.absentSince -= ms;
  }
  await wallet.controller.updateSnapState(wallet.snapId, state, true);
}

async function listPool(): Promise<Hash[]> {
  const { pending, queued } = await node.getTxpoolContent();
  const all = [...Object.values(pending), ...Object.values(queued)];
  return all.flatMap((byNonce) => Object.values(byNonce).map(({ hash }) => hash));
}

const DELEGATE = `0x${'de'.repeat(20)}` as const;

const types = [
  ['with type 0x0', { type: '0x0' }],
  ['with type 0x1', { type: '0x1', accessList: [] }],
  ['with type 0x2', { type: '0x2' }],
  ['to create a contract', { to: null, value: '0x0', data: '0x600a600c' }],
] as const;

describe('a transaction', () => {
  it('is reported by a notification on inclusion, without a request', async () => {
    const before = wallet.notifications.length;
    const hash = await send();
    await mine();
    await waitFor(() => wallet.notifications.length > before);
    const { type, message } = wallet.notifications.at(-1) ?? {};
    expect(type).toBe('inApp');
    expect(message).toContain(
      `${hash.slice(0, 10)}…${hash.slice(-6)} on eip155:31337 was confirmed`,
    );
  });

  it.each(types)('%s is sent, included and found', async (_name, fields) => {
    const hash = await send(fields as never);
    await mine();
    const receipt = await dapp.snap('eth_getTransactionReceipt', [hash]);
    expect(receipt).toMatchObject({ transactionHash: hash, status: '0x1' });
    await poll();
    const [newest] = await activity();
    expect(newest).toMatchObject({
      hash,
      status: 'included',
      inclusion: { success: true },
    });
    expect(await dapp.snap('eth_getTransactionByHash', [hash])).toMatchObject({
      hash,
    });
  });

  it('with type 0x4 sets the code of the authorizing account', async () => {
    const authority = privateKeyToAccount(`0x${'47'.repeat(32)}`);
    const signed = await authority.signAuthorization({
      chainId: 31_337,
      address: DELEGATE,
      nonce: 0,
    });
    const { chainId, nonce, yParity = 0, r, s } = signed;
    const entry = { chainId, nonce, yParity, r, s, address: DELEGATE };
    const hash = await send({ authorizationList: [entry] });
    await mine();
    const receipt = await dapp.snap('eth_getTransactionReceipt', [hash]);
    expect(receipt).toMatchObject({ status: '0x1', type: '0x4' });
    await poll();
    const code = await node.getCode({ address: authority.address });
    expect(code).toBe(`0xef0100${DELEGATE.slice(2)}`);
  });

  it('with type 0x3 is signed with a filled-in blob fee and without blobs', async () => {
    const transfer = {
      from: address,
      to: address,
      blobVersionedHashes: [BLOB_HASH],
    };
    const { raw } = (await dapp.snap('eth_signTransaction', [transfer])) as {
      raw: Hex;
    };
    const parsed = parseTransaction(raw);
    expect(parsed).toMatchObject({ type: 'eip4844', blobVersionedHashes: [BLOB_HASH] });
    expect(parsed.sidecars).toBeUndefined();
    expect(parsed.maxFeePerBlobGas).toBeGreaterThan(0n);
  });

  it('that reverts is shown with the reason, and sent if the user approves', async () => {
    const abi = parseAbi(['error Error(string)']);
    const error = encodeErrorResult({ abi, args: ['no'] }).slice(2);
    const size = (error.length / 2).toString(16).padStart(2, '0');
    // Copies the error, which follows the code, to memory and reverts with it.
    const code = `0x60${size}600c60003960${size}6000fd${error}` as Hex;
    const creation = { from: address, to: null, value: '0x0', data: code };
    const dialogs = wallet.user.dialogs.length;
    await expect(dapp.snap('eth_fillTransaction', [creation])).rejects.toMatchObject({
      code: 3,
      message: expect.stringContaining('no') as string,
    });
    expect(wallet.user.dialogs).toHaveLength(dialogs);
    const hash = await send(creation);
    expect(wallet.user.dialogs.at(-1)?.text).toContain('charged anyway: no');
    await mine();
    const receipt = await dapp.snap('eth_getTransactionReceipt', [hash]);
    expect(receipt).toHaveProperty('status', '0x0');
  });
});

describe('two quick transactions', () => {
  it('get consecutive nonces and are both included', async () => {
    const hashes = await Promise.all([send(), send({ value: '0x2' })]);
    const [second, first] = await activity();
    expect(BigInt(second?.nonce ?? 0) - BigInt(first?.nonce ?? 0)).toBe(1n);
    await mine();
    await poll();
    const shown = (await activity()).slice(0, 2);
    expect(shown.map(({ status }) => status)).toStrictEqual(['included', 'included']);
    expect(shown.map(({ hash }) => hash).sort()).toStrictEqual(hashes.sort());
  });
});

type Outcome = { hash: Hash } | { code: number; data?: { transactionHash?: Hash } };

async function outcomeOf(sending: Promise<Hash>): Promise<Outcome> {
  return sending.then(
    (hash) => ({ hash }),
    (error: unknown) => error as Outcome,
  );
}

/** Compares the site's result, the node's pool and the activity, before and after mining. */
async function settle(outcome: Outcome | undefined): Promise<void> {
  const pool = await listPool();
  const pending = (await activity()).filter(({ status }) => status === 'pending');
  expect(pool.length).toBeLessThanOrEqual(1);
  expect(pending.map(({ hash }) => hash)).toEqual(expect.arrayContaining(pool));
  if (outcome && 'hash' in outcome) expect(pool).toStrictEqual([outcome.hash]);
  if (outcome && 'code' in outcome && pool.length > 0) {
    expect(outcome.data?.transactionHash).toBe(pool[0]);
  }
  await mine();
  await poll();
  // After some time, the snap gives up on a transaction that never arrived.
  for (let times = 0; times < 2 && (await countPending()) > 0; times += 1) {
    await age(120_000);
    await poll();
  }
  expect(await countPending()).toBe(0);
  const after = await activity();
  const included = after.filter(({ status }) => status === 'included');
  expect(included.map(({ hash }) => hash)).toEqual(expect.arrayContaining(pool));
}

async function countPending(): Promise<number> {
  return (await activity()).filter(({ status }) => status === 'pending').length;
}

async function nextNonce(): Promise<number> {
  return node.getTransactionCount({ address });
}

beforeEach(() => {
  wallet.user.onDialog = approveAll;
  wallet.onSnapCall = undefined;
});

// Another test covers stalled answers, which last until the client's time limit.
const quick = faultNames.filter((name) => !name.startsWith('stalled'));

describe.each(quick)('the service fault %s', (name: FaultName) => {
  afterEach(() => faulty.clear());

  it('causes a clear error or no failure at all while filling', async () => {
    faulty.next(name);
    const outcome = await outcomeOf(send());
    if ('code' in outcome) expect(await listPool()).toStrictEqual([]);
    faulty.clear();
    await settle(outcome);
  });

  it('neither repeats nor loses a transaction while sending', async () => {
    wallet.user.onDialog = (dialog) => {
      faulty.next(name);
      return dialog.approve();
    };
    const outcome = await outcomeOf(send({ nonce: await nextNonce() }));
    faulty.clear();
    await settle(outcome);
  });

  it('delays only the outcome of a transaction while polling', async () => {
    const hash = await send();
    await mine();
    faulty.next(name);
    await poll();
    faulty.clear();
    await poll();
    expect((await activity())[0]).toMatchObject({ hash, status: 'included' });
  });
});

describe('a snap that stops while it sends', () => {
  it('still follows a transaction that arrived before the node answered', async () => {
    wallet.user.onDialog = (dialog) => {
      faulty.next('stalled-headers');
      return dialog.approve();
    };
    const outcome = outcomeOf(send({ nonce: await nextNonce() }));
    while ((await listPool()).length === 0) await new Promise(setImmediate);
    await wallet.stopSnap();
    await outcome;
    faulty.clear();
    await settle(undefined);
  });
});
