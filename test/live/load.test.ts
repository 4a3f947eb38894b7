// Many sites and many stored transactions: every site gets answers or refusals, none floods the
// user with dialogs, and the stored state stays within its limits.
import type { Json } from '@metamask/utils';
import { type Hex, recoverMessageAddress, stringToHex } from 'viem';

import { createSnapSite, type SnapSite } from '../../dev/demo/world';
import { type Case, openCase, poll } from '../../dev/faults/bench';
import { type TestServers, startTestServers } from '../../dev/faults/servers';
import { type Dialog, leaveOpen } from '../../dev/wallet/user';
import { waitFor } from '../fixtures/stack/requests';
import { hashOf, PENDING, SENT } from '../support/sent-transactions';

const SITES = 50;

/** The requests that each site sends at once: 14 reads and 6 signatures. */
const READS = ['eth_accounts', 'wallet_getPermissions'];
const SIGNATURES = 6;
const REQUESTS = 20;

/** Maximum open dialogs, in total and per site. */
const LIMITS = { all: 20, site: 5 };

/** Time limit of a wave, long enough for a busy machine. */
const WAVE_MS = 150_000;

const MESSAGE = 'One of many.';

let ground: TestServers;
let bench: Case;
let origins: string[];

beforeAll(async () => {
  ground = await startTestServers();
});
beforeEach(async () => {
  bench = await openCase(ground);
  origins = Array.from(
    { length: SITES },
    (_none, site) => `https://site-${site}.example`,
  );
});
afterEach(async () => bench?.end());
afterAll(async () => ground?.stop());

type State = {
  grants: Record<string, string[]>;
  activity: Record<string, Json>;
};

async function editState(edit: (state: State) => void): Promise<void> {
  const { wallet } = bench;
  await wallet.stopSnap();
  const state = (await wallet.state()).encrypted as unknown as State;
  edit(state);
  await wallet.controller.updateSnapState(wallet.snapId, state, true);
}

type Outcome = { result: Json } | { code: number };

function request(site: SnapSite, method: string, params: Json = []): Promise<Outcome> {
  return site.snap(method, params).then(
    (result) => ({ result }),
    (error: { code: number }) => ({ code: error.code }),
  );
}

function requestAll(origin: string) {
  const { address } = ground.kept;
  bench.wallet.connect(origin);
  const site = createSnapSite(bench.wallet, origin);
  const reads = Array.from({ length: REQUESTS - SIGNATURES }, (_none, nth) =>
    request(site, READS[nth % READS.length] as string),
  );
  const signed = Array.from({ length: SIGNATURES }, () =>
    request(site, 'personal_sign', [stringToHex(MESSAGE), address]),
  );
  return { reads, signed };
}

function openDialogs(): Dialog[] {
  return bench.wallet.user.dialogs.filter(({ isOpen }) => isOpen);
}

/**
 * Sends the requests of all sites at once, and approves the open dialogs once all other requests
 * are refused.
 */
async function runWave() {
  bench.wallet.user.onDialog = leaveOpen;
  let answered = 0;
  const requested = origins.map(requestAll);
  const signing = requested.flatMap(({ signed }) => signed);
  for (const each of signing) void each.then(() => (answered += 1));
  await waitFor(() => answered >= signing.length - LIMITS.all, WAVE_MS);
  await waitFor(() => openDialogs().length === LIMITS.all, WAVE_MS);
  const open = openDialogs();
  const perSite = origins.map(
    (origin) => open.filter(({ text }) => text.includes(new URL(origin).host)).length,
  );
  for (const dialog of open) await dialog.approve();
  return {
    reads: await Promise.all(requested.flatMap(({ reads }) => reads)),
    signed: await Promise.all(signing),
    mostPerSite: Math.max(...perSite),
  };
}

it('answers 1,000 concurrent requests from 50 sites, 20 of them after a dialog', async () => {
  const { kept } = ground;
  await editState(({ grants }) => {
    for (const origin of origins) grants[origin] = [kept.id];
  });
  for (let wave = 0; wave < 3; wave += 1) {
    const { reads, signed, mostPerSite } = await runWave();
    expect(reads).toHaveLength(SITES * (REQUESTS - SIGNATURES));
    expect(reads.filter((each) => !('result' in each))).toStrictEqual([]);
    const signatures = signed.flatMap((each) =>
      'result' in each ? [each.result] : [],
    );
    expect(signatures).toHaveLength(LIMITS.all);
    for (const signature of signatures as Hex[]) {
      const signer = await recoverMessageAddress({ message: MESSAGE, signature });
      expect(signer.toLowerCase()).toBe(kept.address);
    }
    const refused = signed.filter((each) => !('result' in each));
    expect(refused).toStrictEqual(refused.map(() => ({ code: -32005 })));
    expect(mostPerSite).toBeLessThanOrEqual(LIMITS.site);
    expect(openDialogs()).toStrictEqual([]);
    // Frees the memory of the test's own records.
    bench.wallet.user.dialogs.length = 0;
    bench.wallet.calls.length = 0;
  }
}, 500_000);

it('trims 10,000 stored transactions to 100, and keeps the pending one', async () => {
  const { address, id } = ground.kept;
  const own = { account: id, from: address, chain: 'eip155:31337' };
  const settled = Array.from({ length: 10_000 }, (_none, nth) => {
    const hash = hashOf(nth + 100);
    return [hash, { ...SENT, ...own, hash, sentAt: nth + 100 }] as const;
  });
  const waiting = hashOf(7);
  const now = bench.world.time.now();
  const pending = { ...PENDING, ...own, hash: waiting, nonce: '0x63', sentAt: now };
  await editState((state) => {
    state.activity = { ...Object.fromEntries(settled), [waiting]: pending };
  });
  const page = await bench.get(bench.wallet.openHomePage());
  expect(page.text).not.toBe('');
  const transfer = { from: address, to: address, value: '0x1' };
  const hash = await bench.get(bench.dapp.snap('eth_sendTransaction', [transfer]));
  await bench.node.mine({ blocks: 1 });
  await poll(bench);
  const state = (await bench.wallet.state()).encrypted as unknown as State;
  // Sending removed the oldest settled transactions.
  expect(Object.keys(state.activity)).toHaveLength(100);
  expect(state.activity).toMatchObject({
    [waiting]: { status: 'pending' },
    [hash as Hex]: { status: 'included' },
    [hashOf(10_099)]: { status: 'included' },
  });
});
