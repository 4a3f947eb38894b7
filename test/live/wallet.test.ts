// The wallet itself, with a fixture snap: what a snap and a website meet in MetaMask,
// which every other live test relies on.
import { failOnce, hangOnce } from '../../dev/wallet/faults';
import { COMPANION_ORIGIN } from '../../dev/wallet/options';
import { approveAll, closeAll, leaveOpen, refuseAll } from '../../dev/wallet/user';
import { ADDRESS, failure, PHRASE, setupBench } from '../fixtures/wallet/harness';

const bench = setupBench();
const { call, entropy, invokeKeyring, open, platform, start } = bench;

describe('a website', () => {
  it('is told the result of the snap, which is told its true origin', async () => {
    const { site, snapId } = bench.wallet;
    const snaps = await site(COMPANION_ORIGIN).request({ method: 'wallet_getSnaps' });
    expect(snaps).toHaveProperty([snapId, 'version'], '1.0.0');
    const echo = { origin: COMPANION_ORIGIN, params: { a: 1 } };
    expect(await call('echo', { a: 1 })).toStrictEqual(echo);
  });

  it('is refused until it is connected', async () => {
    const { wallet } = bench;
    const { origin, request } = wallet.site('https://stranger.example');
    const params = { snapId: wallet.snapId, request: { method: 'echo' } };
    const ask = () => request({ method: 'wallet_invokeSnap', params });
    expect(await failure(ask())).toHaveProperty('code', 4100);
    wallet.connect(origin);
    expect(await ask()).toHaveProperty('origin', origin);
  });

  it('gets code, message and data of a SnapError', async () => {
    expect(await failure(call('refuse'))).toStrictEqual({
      code: 4001,
      message: 'The user refused.',
      data: { reason: 'test', cause: null },
    });
  });

  it('finds the snap alive again after a plain Error killed it', async () => {
    const failures = [failure(call('wait', { ms: 10_000 })), failure(call('crash'))];
    const [cancelled, crash] = await Promise.all(failures);
    expect(crash).toStrictEqual({ code: -32603, message: 'Boom.', data: undefined });
    expect(cancelled?.message).toMatch(/terminated|was stopped/u);
    expect(bench.wallet.isRunning()).toBe(false);
    expect(await call('echo')).toHaveProperty('origin');
  });

  it('reaches the chain by the methods that MetaMask knows', async () => {
    const { request } = bench.wallet.site(COMPANION_ORIGIN);
    expect(await request({ method: 'eth_chainId' })).toBe('0x7a69');
    const unknown = await failure(request({ method: 'anvil_mine' }));
    expect(unknown.code).toBe(-32601);
  });
});

describe('an account', () => {
  afterEach(async () => {
    const { keyring } = bench.wallet;
    for (const each of await keyring.getAccounts()) await keyring.removeAccount(each);
  });

  it('is created through the SnapKeyring, signs, and is removed', async () => {
    const { keyring, snapId } = bench.wallet;
    await keyring.createAccount(snapId, {});
    expect(await keyring.getAccounts()).toStrictEqual([ADDRESS]);
    expect(await keyring.signPersonalMessage(ADDRESS, '0x12')).toMatch(/^0x11/u);
    await keyring.removeAccount(ADDRESS);
    expect(await keyring.getAccounts()).toStrictEqual([]);
  });

  it('is created by the companion site, and by no other', async () => {
    const created = await invokeKeyring('keyring_createAccount');
    expect(created).toHaveProperty('address', ADDRESS);
    const request = { method: 'keyring_listAccounts' };
    expect(await bench.wallet.metamaskKeyring(request)).toStrictEqual([created]);
    bench.wallet.connect('https://other.example');
    const other = invokeKeyring('keyring_listAccounts', 'https://other.example');
    expect((await failure(other)).message).toMatch(/is not permitted/u);
    const submit = await failure(invokeKeyring('keyring_submitRequest'));
    expect(submit.code).toBe(-32600);
  });

  it('is not created when the user declines', async () => {
    bench.wallet.user.confirmAccounts = false;
    const declined = await failure(invokeKeyring('keyring_createAccount'));
    expect(declined.message).toBe('User denied account creation');
    expect(await bench.wallet.keyring.getAccounts()).toStrictEqual([]);
  });

  it('cannot be announced while another announcement waits', async () => {
    const { keyring, snapId, user } = bench.wallet;
    const { hook, reached, release } = hangOnce('creation');
    user.confirmAccounts = async ({ type }) => (await hook({ method: type }), true);
    const first = failure(keyring.createAccount(snapId, { index: 1 }));
    await reached;
    const second = await failure(keyring.createAccount(snapId, { index: 2 }));
    expect(second.message).toMatch(/confirmAccountCreation' already pending/u);
    release();
    // The second one's plain Error killed the worker.
    expect((await first).message).toMatch(/was stopped|terminated/u);
  });
});

describe('a dialog', () => {
  it.each<[string, typeof approveAll, unknown]>([
    ['custom', approveAll, 'yes'],
    ['custom', refuseAll, 'no'],
    ['custom', closeAll, null],
    ['confirmation', approveAll, true],
    ['confirmation', refuseAll, false],
    ['prompt', (dialog) => dialog.approve('words'), 'words'],
  ])('of type %s returns what the person chose', async (type, onDialog, answer) => {
    bench.wallet.user.onDialog = onDialog;
    expect(await call('dialog', { type })).toBe(answer);
    const dialog = bench.wallet.user.dialogs.at(-1);
    expect(dialog).toMatchObject({ type, isOpen: false });
    expect(dialog?.text).toContain('Really?\nNetwork\nTest');
  });

  it('takes what is typed, and submits it', async () => {
    bench.wallet.user.onDialog = async (dialog) => {
      await dialog.fill('sure', true);
      await dialog.fill('amount', '12');
      expect(dialog.values).toStrictEqual({ form: { amount: '12' }, sure: true });
      await expect(dialog.click('maybe')).rejects.toThrow(/only: amount, send, sure/u);
      await dialog.click('send');
    };
    expect(await call('dialog', { type: 'custom' })).toStrictEqual({ amount: '12' });
  });

  it('waits beside another one if it is custom, and fails if it is not', async () => {
    bench.wallet.user.onDialog = leaveOpen;
    const [first, second] = [await open('custom'), await open('custom')];
    await second.dialog.click('no');
    await first.dialog.click('yes');
    expect([await first.answer, await second.answer]).toStrictEqual(['yes', 'no']);
    await open('alert');
    await open('confirmation');
    const again = await failure(call('dialog', { type: 'confirmation' }));
    expect(again.message).toMatch(/already pending/u);
  });
});

describe('the platform', () => {
  it('keeps both states over a stop and on disk, the secret one encrypted', async () => {
    const value = { key: 'secret-of-the-snap' };
    await platform('snap_setState', { key: 'a', value });
    await platform('snap_setState', { key: 'b', value: 'open', encrypted: false });
    await bench.wallet.stopSnap();
    expect(bench.wallet.isRunning()).toBe(false);
    expect(await platform('snap_getState', { key: 'a' })).toStrictEqual(value);
    const disk = await bench.wallet.disk();
    expect(disk.snaps.unencryptedSnapStates[bench.wallet.snapId]).toContain('open');
    expect(JSON.stringify(disk)).not.toContain(value.key);
    const reopened = await start({ disk });
    expect(await reopened.state()).toHaveProperty('encrypted.a', value);
    await reopened.stop();
  });

  it('derives the same entropy after the snap was removed and installed', async () => {
    const before = await entropy();
    await bench.wallet.removeSnap();
    await bench.wallet.install();
    expect(await entropy()).toBe(before);
    expect(await bench.wallet.state()).toHaveProperty('encrypted', null);
  });

  it('lets the snap read the network, the chain and its files', async () => {
    const fetched = await call('fetch', { url: bench.chain.url, timeout: 60_000 });
    expect(fetched).toHaveProperty('status', 400);
    expect(await call('chain', { method: 'eth_chainId' })).toBe('0x7a69');
    const file = { path: 'words.json', encoding: 'utf8' };
    expect(await platform('snap_getFile', file)).toContain('Good day');
  });

  it('fails and hangs on demand', async () => {
    bench.wallet.onSnapCall = failOnce('snap_getState');
    const failed = await failure(platform('snap_getState'));
    expect(failed.message).toBe('snap_getState was made to fail.');
    const { hook, reached, release } = hangOnce('snap_getState');
    bench.wallet.onSnapCall = hook;
    const waiting = platform('snap_getState');
    await reached;
    release();
    expect(await waiting).toBeNull();
  });

  it('opens the home page and keeps what the snap prints', async () => {
    expect((await bench.wallet.openHomePage()).text).toContain('Home');
    await call('log', { text: 'printed' });
    await call('wait', { ms: 50 });
    expect(bench.wallet.console().join()).toContain('localhost:8080] printed');
  });

  it('exists several times side by side', async () => {
    const wallets = await Promise.all([start(), start({ mnemonic: PHRASE })]);
    const entropies = wallets.map(entropy);
    expect(new Set(await Promise.all(entropies)).size).toBe(2);
    await Promise.all(wallets.map((each) => each.stop()));
  });
});
