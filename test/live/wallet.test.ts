// What other live tests rely on and our snap never shows: a snap that prints, one that an error
// kills, and a site that is not connected.
import { jest } from '@jest/globals';

import { startWallet } from '../../dev/wallet/wallet';
import type { Wallet } from '../../dev/wallet/wallet';
import { startAnvil } from '../fixtures/wallet/anvil';
import type { TestChain } from '../fixtures/wallet/anvil';
import { prepareSnap } from '../fixtures/wallet/prepare';
import type { PreparedSnap } from '../fixtures/wallet/prepare';
import { refusalOf } from '../support/refusal';

const DAPP = 'https://dapp.example';

let chain: TestChain;
let snap: PreparedSnap;
let wallet: Wallet;

beforeAll(async () => {
  [chain, snap] = await Promise.all([startAnvil(), prepareSnap()]);
  wallet = await startWallet({ snapFolder: snap.folder, chain });
});

afterAll(async () => {
  await wallet?.stop();
  await snap?.remove();
  chain?.stop();
});

const call = async (method: string): Promise<unknown> =>
  wallet.site(DAPP).request({
    method: 'wallet_invokeSnap',
    params: { snapId: wallet.snapId, request: { method } },
  });

it('refuses a site until it is connected, and passes its origin to the snap', async () => {
  expect(await refusalOf(call('echo'))).toHaveProperty('code', 4100);
  wallet.connect(DAPP);
  expect(await call('echo')).toBe(DAPP);
});

it('ends a snap that lets a plain error out, with all that it does, and starts it again', async () => {
  // MetaMask logs every crash of a snap.
  jest.spyOn(console, 'error').mockReturnValue();
  wallet.connect(DAPP);
  const [waiting, crash] = await Promise.all([
    refusalOf(call('wait')),
    refusalOf(call('crash')),
  ]);
  expect(crash).toStrictEqual({ code: -32603, message: 'Boom.' });
  expect(waiting.message).toMatch(/terminated|was stopped/u);
  expect(wallet.isRunning()).toBe(false);
  expect(await call('echo')).toBe(DAPP);
});

it('keeps what the snap prints', async () => {
  wallet.connect(DAPP);
  await call('print');
  while (!wallet.console().join().includes('localhost:8080] printed')) {
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
});
