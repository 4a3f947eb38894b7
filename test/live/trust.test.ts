// Invariants for every caller: the snap signs nothing without a grant and an approval, and never
// reveals a server's key. accounts-secrets.test.ts covers account keys, and fuzz.test.ts malformed
// requests.
import { connect, createSnapSite, type DemoAccount } from '../../dev/demo/world';
import { leaveOpen } from '../../dev/wallet/user';
import { entryPoints } from '../../src/core/entry-points';
import { gasAnswer } from '../fixtures/client/gas-answer';
import { failureOf } from '../support/error-of';
import { answerJson, startHttpServer } from '../support/http-server';
import { refusalOf } from '../support/refusal';
import { answerBy } from '../support/service-node';
import { setupWalletWorld } from '../support/smart-world';

const world = setupWalletWorld();
let account: DemoAccount;

beforeAll(async () => {
  account = await world.createAccount({ type: 'eip155:eoa' });
  await connect(world, world.dapp, [account]);
});

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
    expect(await refusalOf(call)).toEqual({
      code: 4100,
      message:
        'This origin was not granted that account. Ask for it with wallet_requestPermissions.',
    });
  }
  await expect(stranger.snap('eth_accounts')).resolves.toEqual([]);
  expect(wallet.user.dialogs).toHaveLength(dialogs);
});

it('signs nothing before the user answers', async () => {
  const { wallet, dapp } = world;
  const policy = wallet.user.onDialog;
  wallet.user.onDialog = leaveOpen;
  const opened = wallet.user.nextDialog();
  const call = refusalOf(dapp.snap('personal_sign', ['hello', account.address]));
  const dialog = await opened;
  expect(dialog.text).toContain(dapp.origin);
  expect(dialog.text).toContain('hello');
  await dialog.close();
  expect(await call).toEqual({ code: 4001, message: 'The user refused the request.' });
  wallet.user.onDialog = policy;
});

const wholeError = async (call: Promise<unknown>) => failureOf(async () => call);

it('reveals no server key in answers, errors, dialogs, logs or public state', async () => {
  const { wallet, companion, dapp, stack } = world;
  const seen: unknown[] = [];
  const secrets = {
    apiKey: 'k3y-that-is-secret',
    apiKeySecret: 's3cret-that-is-secret',
    bundlerApiKey: 'bundl3r-key-that-is-secret',
  };
  // A working server, one that refuses, and a port without a server.
  const answerCalls = answerBy({
    eth_chainId: '0x5',
    eth_supportedEntryPoints: [entryPoints['0.6'].entryPoint],
  });
  const server = await startHttpServer((response, arrived) =>
    (arrived.body === '' ? answerJson(gasAnswer) : answerCalls)(response, arrived),
  );
  const urls = [server.url, stack.service.url, 'http://127.0.0.1:9'];
  const request = { from: account.address, to: account.address, chainId: 5 };
  for (const url of urls) {
    const row = { chainId: 5, rpcUrl: url, gasBaseUrl: url, bundlerUrl: url };
    const params = [{ ...row, ...secrets }];
    const setting = companion.snap('tollkeeper_setChain', params);
    seen.push(await (url === server.url ? setting : wholeError(setting)));
    const malformed = [{ ...params[0], x: 1 }];
    seen.push(await wholeError(companion.snap('tollkeeper_setChain', malformed)));
    seen.push(await wholeError(dapp.snap('eth_signTransaction', [request])));
  }
  await server.stop();
  seen.push(await wholeError(dapp.snap('eth_signTransaction', [request])));
  seen.push(await companion.snap('tollkeeper_getChains'));
  seen.push(await companion.keyring('keyring_listAccounts'));
  seen.push(wallet.keyring.listAccounts(), wallet.console());
  seen.push(wallet.user.dialogs.map(({ text }) => text));
  seen.push((await wallet.state()).unencrypted, await wallet.disk());
  const text = JSON.stringify(seen).toLowerCase();
  for (const secret of Object.values(secrets)) {
    expect(text).not.toContain(secret.toLowerCase());
  }
  expect(JSON.stringify((await wallet.state()).encrypted)).toContain(secrets.apiKey);
});
