import { createProvider } from '../../../src/provider';
import type { Status } from '../../../src/provider';
import { errorOf } from '../../support/error-of';
import { createFakeWallet, createSnapRow } from '../../support/fake-wallet';
import type { FakeAnswer } from '../../support/fake-wallet';

async function statusOf(answers: Record<string, FakeAnswer>): Promise<Status> {
  const wallet = createFakeWallet();
  Object.assign(wallet.answers, answers);
  const { ethereum } = wallet;
  const status = await createProvider({ ethereum, version: '^0.2.0' }).status();
  expect(wallet.asked.map(({ method }) => method)).not.toContain('wallet_requestSnaps');
  return status;
}

const fail = (code: number): never => {
  throw Object.assign(new Error('It failed.'), { code });
};

it.each<[Status, Record<string, FakeAnswer>]>([
  [
    { state: 'ready', version: '0.2.1' },
    { wallet_getSnaps: () => createSnapRow('0.2.1') },
  ],
  [
    { state: 'outdated', version: '0.1.9' },
    { wallet_getSnaps: () => createSnapRow('0.1.9') },
  ],
  [
    { state: 'disabled', version: '0.2.0' },
    { wallet_getSnaps: () => createSnapRow('0.2.0', { enabled: false }) },
  ],
  [
    { state: 'disabled', version: '0.2.0' },
    { wallet_getSnaps: () => createSnapRow('0.2.0', { blocked: true }) },
  ],
  [
    { state: 'not-installed' },
    {
      wallet_getSnaps: () => ({}),
      web3_clientVersion: () => 'MetaMask/v13.5.0-flask.0',
    },
  ],
  [{ state: 'not-installed' }, { wallet_getSnaps: () => ({}) }],
  [
    { state: 'no-flask' },
    { wallet_getSnaps: () => ({}), web3_clientVersion: () => 'MetaMask/v13.5.0' },
  ],
  [{ state: 'no-flask' }, { wallet_getSnaps: () => fail(-32601) }],
])('finds %j', async (expected, answers) => {
  expect(await statusOf(answers)).toStrictEqual(expected);
});

it('tells what the wallet says if it cannot tell', async () => {
  const answers = { wallet_getSnaps: () => fail(-32002) };
  expect(await errorOf(async () => statusOf(answers))).toMatchObject({ code: -32002 });
});
