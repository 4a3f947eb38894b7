// What must hold whoever calls: nothing secret shows up anywhere.
import { generatePrivateKey } from 'viem/accounts';

import {
  connect,
  createAccount,
  type DemoAccount,
  startWorld,
  type World,
} from '../../dev/demo/world';
import { answerChain } from '../support/answer-rpc';
import { failureOf } from '../support/error-of';
import { startHttpServer } from '../support/http-server';

const API_KEY = 'k3y-that-nobody-may-see';
const API_KEY_SECRET = 's3cret-that-nobody-may-see';
const BUNDLER_KEY = 'bundl3r-key-that-nobody-may-see';

let world: World;
let account: DemoAccount;

beforeAll(async () => {
  world = await startWorld();
  account = await createAccount(world, { type: 'eip155:eoa' });
  await connect(world, world.dapp, [account]);
});

afterAll(async () => {
  await world?.stop();
});

const seeError = async (call: Promise<unknown>) => failureOf(async () => call);

it('shows no secret in an answer, error, dialog, log or the public state', async () => {
  const { wallet, companion, dapp, stack } = world;
  const privateKey = generatePrivateKey();
  const seen: unknown[] = [];
  const secrets = {
    apiKey: API_KEY,
    apiKeySecret: API_KEY_SECRET,
    bundlerApiKey: BUNDLER_KEY,
  };
  // A server that is taken, one that is there and refuses, and a port where nothing is.
  const server = await startHttpServer(answerChain(5));
  const urls = [server.url, stack.service.url, 'http://127.0.0.1:9'];
  const options = { privateKey };
  seen.push(await companion.keyring('keyring_createAccount', { options }));
  seen.push(await seeError(companion.keyring('keyring_createAccount', { options })));
  const wrong = { options: { privateKey: `${privateKey}00` } };
  seen.push(await seeError(companion.keyring('keyring_createAccount', wrong)));
  const request = { from: account.address, to: account.address, chainId: 5 };
  for (const url of urls) {
    const row = { chainId: 5, rpcUrl: url, gasBaseUrl: url, bundlerUrl: url };
    const params = [{ ...row, ...secrets }];
    const setting = companion.snap('tollkeeper_setChain', params);
    seen.push(await (url === server.url ? setting : seeError(setting)));
    const odd = [{ ...params[0], x: 1 }];
    seen.push(await seeError(companion.snap('tollkeeper_setChain', odd)));
    seen.push(await seeError(dapp.snap('eth_signTransaction', [request])));
  }
  await server.stop();
  seen.push(await seeError(dapp.snap('eth_signTransaction', [request])));
  seen.push(await companion.snap('tollkeeper_getChains'));
  seen.push(await companion.keyring('keyring_listAccounts'));
  seen.push(wallet.keyring.listAccounts(), wallet.console());
  seen.push(wallet.user.dialogs.map(({ text }) => text));
  seen.push((await wallet.state()).unencrypted, await wallet.disk());
  const text = JSON.stringify(seen).toLowerCase();
  for (const secret of [API_KEY, API_KEY_SECRET, BUNDLER_KEY, privateKey.slice(2)]) {
    expect(text).not.toContain(secret.toLowerCase());
  }
  expect(JSON.stringify((await wallet.state()).encrypted)).toContain(API_KEY);
});
