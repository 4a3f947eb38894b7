// What must hold whoever calls: nothing is signed without a grant and a yes, and no request,
// however malformed, takes the worker down.
import {
  configureChain,
  connect,
  createAccount,
  createSnapSite,
  type DemoAccount,
  startWorld,
  type World,
} from '../../dev/demo/world';
import { leaveOpen } from '../../dev/wallet/user';
import type { SiteError } from '../../dev/wallet/wallet';

let world: World;
let account: DemoAccount;

beforeAll(async () => {
  world = await startWorld();
  await configureChain(world);
  account = await createAccount(world, { type: 'eip155:eoa' });
  await connect(world, world.dapp, [account]);
});

afterAll(async () => {
  await world?.stop();
});

async function seeError(call: Promise<unknown>) {
  const { code, message } = await call.then(
    () => ({ code: 0, message: 'no error' }),
    (error: SiteError) => error,
  );
  return { code, message };
}

it('signs nothing for an origin without a grant', async () => {
  const { wallet } = world;
  wallet.connect('https://stranger.example');
  const stranger = createSnapSite(wallet, 'https://stranger.example');
  const dialogs = wallet.user.dialogs.length;
  const { address, id } = account;
  const calls = [
    stranger.snap('personal_sign', ['hello', address]),
    stranger.snap('personal_sign', { account: id, params: ['hello', address] }),
    stranger.snap('eth_signTransaction', [{ from: address, to: address }]),
  ];
  for (const call of calls) {
    expect(await seeError(call)).toEqual({
      code: 4100,
      message:
        'This origin was not granted that account. Ask for it with wallet_requestPermissions.',
    });
  }
  await expect(stranger.snap('eth_accounts')).resolves.toEqual([]);
  expect(wallet.user.dialogs).toHaveLength(dialogs);
});

it('signs nothing before the user answered', async () => {
  const { wallet, dapp } = world;
  const policy = wallet.user.onDialog;
  wallet.user.onDialog = leaveOpen;
  const opened = wallet.user.nextDialog();
  const call = seeError(dapp.snap('personal_sign', ['hello', account.address]));
  const dialog = await opened;
  expect(dialog.text).toContain(dapp.origin);
  expect(dialog.text).toContain('hello');
  await dialog.close();
  expect(await call).toEqual({ code: 4001, message: 'The user refused the request.' });
  wallet.user.onDialog = policy;
});

it('keeps both of two accounts that are created at once', async () => {
  const { companion, wallet } = world;
  const created = (await Promise.all(
    [1, 2].map(async () => companion.keyring('keyring_createAccount', { options: {} })),
  )) as DemoAccount[];
  const listed = (await companion.keyring('keyring_listAccounts')) as DemoAccount[];
  const held = wallet.keyring.listAccounts().map(({ id }) => id);
  expect(new Set(created.map(({ address }) => address)).size).toBe(2);
  for (const { id } of created) {
    expect(listed.map((each) => each.id)).toContain(id);
    expect(held).toContain(id);
  }
});

it('leaves nothing behind of an account that the user declined', async () => {
  const { companion, wallet } = world;
  const before = await companion.keyring('keyring_listAccounts');
  wallet.user.confirmAccounts = false;
  const call = companion.keyring('keyring_createAccount', { options: { index: 77 } });
  expect(await seeError(call)).toEqual({
    code: 4001,
    message: 'The user declined it in MetaMask.',
  });
  wallet.user.confirmAccounts = true;
  await expect(companion.keyring('keyring_listAccounts')).resolves.toEqual(before);
  expect(wallet.isRunning()).toBe(true);
});

it('deletes an account on both sides', async () => {
  const { companion, wallet } = world;
  const { id, address } = await createAccount(world, {});
  await companion.keyring('keyring_deleteAccount', { id });
  expect(wallet.keyring.getAccountByAddress(address)).toBeUndefined();
  const listed = (await companion.keyring('keyring_listAccounts')) as DemoAccount[];
  expect(listed.map((each) => each.id)).not.toContain(id);
});

it('survives malformed requests on every route, and loses nothing', async () => {
  const { wallet, dapp, companion } = world;
  const before = await companion.keyring('keyring_listAccounts');
  const junk = [
    null,
    [],
    {},
    [null],
    [[]],
    [{}],
    ['0x'],
    'x',
    { params: 1 },
    [{ from: 1 }],
  ];
  const rpcMethods = [
    'personal_sign',
    'eth_signTransaction',
    'eth_signTypedData_v1',
    'eth_signTypedData_v3',
    'eth_signTypedData_v4',
  ];
  const others = [
    'eth_fillTransaction',
    'eth_sendTransaction',
    'eth_sendRawTransaction',
    'tollkeeper_replaceTransaction',
    'eth_getTransactionReceipt',
    'eth_getUncleByBlockHashAndIndex',
    'rollup_estimateGas',
    'gas_suggestedGasFees',
    'eth_prepareUserOperation',
    'eth_signUserOperation',
    'eth_requestAccounts',
  ];
  const keyringMethods = [
    'keyring_submitRequest',
    'keyring_createAccount',
    'keyring_nope',
  ];
  for (const params of junk) {
    for (const method of [...rpcMethods, ...others, 'toString', '__proto__', '']) {
      await seeError(dapp.snap(method, params));
      expect(wallet.isRunning()).toBe(true);
    }
    await seeError(companion.snap('tollkeeper_setChain', params));
    for (const method of keyringMethods) {
      await seeError(wallet.metamaskKeyring({ method, params: params as never }));
      expect(wallet.isRunning()).toBe(true);
    }
  }
  await expect(companion.keyring('keyring_listAccounts')).resolves.toEqual(before);
});
