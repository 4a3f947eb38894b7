// Having the snap: who is asked, when, and how often.
import { createProvider } from '../../../src/provider';
import type { Provider, ProviderOptions } from '../../../src/provider';
import { errorOf } from '../../support/error-of';
import { createFakeWallet, createSnapRow, SNAP_ID } from '../../support/fake-wallet';
import type { FakeWallet } from '../../support/fake-wallet';
import { createGate, settle } from '../../support/gate';

function setup(options: ProviderOptions = {}): FakeWallet & { provider: Provider } {
  const wallet = createFakeWallet();
  const provider = createProvider({ ethereum: wallet.ethereum, ...options });
  wallet.snapAnswers.eth_requestAccounts = () => ['0xa'];
  return { ...wallet, provider };
}

const askedFor = ({ asked }: FakeWallet): unknown[] =>
  asked
    .filter(({ method }) => method === 'wallet_requestSnaps')
    .map(({ params }) => params);

const connect = async ({ provider }: { provider: Provider }): Promise<unknown> =>
  provider.request({ method: 'eth_requestAccounts' });

it('asks for no installation of a snap that is there', async () => {
  const world = setup({ version: '^0.1.0' });
  expect(await connect(world)).toStrictEqual(['0xa']);
  expect(askedFor(world)).toStrictEqual([]);
});

it.each([
  ['it is not there', {}],
  ['another snap is', { 'npm:other': { version: '0.1.0' } }],
  ['it is turned off', createSnapRow('0.1.0', { enabled: false })],
  ['it is blocked', createSnapRow('0.1.0', { blocked: true })],
  ['the wallet lists none', null],
])('has it installed if %s', async (_name, snaps) => {
  const world = setup();
  world.answers.wallet_getSnaps = () => snaps;
  expect(await connect(world)).toStrictEqual(['0xa']);
  expect(askedFor(world)).toStrictEqual([{ [SNAP_ID]: {} }]);
});

it('has an outdated one updated, by the version that is wanted', async () => {
  const world = setup({ version: '^0.2.0' });
  world.answers.wallet_requestSnaps = () => createSnapRow('0.2.3');
  expect(await world.provider.install()).toBe('0.2.3');
  expect(askedFor(world)).toStrictEqual([{ [SNAP_ID]: { version: '^0.2.0' } }]);
});

it.each([
  ['another version', createSnapRow('0.1.0')],
  ['none', {}],
  ['an error', { [SNAP_ID]: { error: { code: -32000, message: 'No such version.' } } }],
])('fails if the wallet installs %s', async (_name, installed) => {
  const world = setup({ version: '^0.2.0' });
  world.answers.wallet_requestSnaps = () => installed;
  expect(await errorOf(async () => connect(world))).toMatchObject({
    code: 4200,
    message: `The wallet did not install ${SNAP_ID} ^0.2.0.`,
  });
  expect(world.askedSnap).toStrictEqual([]);
});

it('asks once, however many wait for it', async () => {
  const world = setup();
  world.answers.wallet_getSnaps = () => ({});
  const many = await Promise.all([connect(world), connect(world), connect(world)]);
  expect(many).toStrictEqual([['0xa'], ['0xa'], ['0xa']]);
  expect(askedFor(world)).toHaveLength(1);
});

it('tells a refusal, and asks anew at the next request', async () => {
  const world = setup();
  world.answers.wallet_getSnaps = () => ({});
  const refused = { code: 4001, message: 'User rejected the request.' };
  world.answers.wallet_requestSnaps = () => {
    throw Object.assign(new Error(), refused);
  };
  expect(await errorOf(async () => connect(world))).toMatchObject(refused);
  world.answers.wallet_requestSnaps = () => createSnapRow();
  expect(await connect(world)).toStrictEqual(['0xa']);
  expect(askedFor(world)).toHaveLength(2);
});

it('has one that was removed meanwhile installed again', async () => {
  const world = setup();
  await connect(world);
  world.answers.wallet_getSnaps = () => ({});
  world.snapAnswers.eth_requestAccounts = () => {
    throw new Error('The snap is not there any more.');
  };
  await errorOf(async () => connect(world));
  world.snapAnswers.eth_requestAccounts = () => ['0xb'];
  expect(await connect(world)).toStrictEqual(['0xb']);
  expect(askedFor(world)).toHaveLength(1);
});

it('is asked for once more, however many found it removed', async () => {
  const world = setup();
  const late = createGate();
  await connect(world);
  world.snapAnswers.personal_sign = async () => {
    await late.opened;
    throw new Error('The snap is not there any more.');
  };
  const sign = { method: 'personal_sign', params: [] };
  const failing = errorOf(async () => world.provider.request(sign));
  await settle();
  const asking = createGate();
  world.answers.wallet_getSnaps = () => ({});
  world.answers.wallet_requestSnaps = async () => {
    await asking.opened;
    return createSnapRow();
  };
  world.snapAnswers.eth_requestAccounts = () => {
    throw new Error('The snap is not there any more.');
  };
  await errorOf(async () => connect(world));
  world.snapAnswers.eth_requestAccounts = () => ['0xb'];
  const again = connect(world);
  await settle();
  late.open();
  await failing;
  const meanwhile = connect(world);
  await settle();
  asking.open();
  expect(await Promise.all([again, meanwhile])).toStrictEqual([['0xb'], ['0xb']]);
  expect(askedFor(world)).toHaveLength(1);
});

it('uses the snap of the id that is given', async () => {
  const snapId = 'local:http://localhost:8080';
  const world = setup({ snapId });
  world.answers.wallet_requestSnaps = () => ({ [snapId]: { version: '1.0.0' } });
  await connect(world);
  expect(askedFor(world)).toStrictEqual([{ [snapId]: {} }]);
  expect(world.asked.at(-1)).toStrictEqual({
    method: 'wallet_invokeSnap',
    params: { snapId, request: { method: 'eth_requestAccounts' } },
  });
});

describe('where the snap is not there', () => {
  it.each([
    ['eth_accounts', []],
    ['wallet_getPermissions', []],
  ])('answers %s without asking the user', async (method, answer) => {
    const world = setup();
    world.answers.wallet_getSnaps = () => ({});
    expect(await world.provider.request({ method })).toStrictEqual(answer);
    expect(askedFor(world)).toStrictEqual([]);
  });

  it('has the wallet look up what it can', async () => {
    const world = setup();
    world.answers.wallet_getSnaps = () => ({});
    world.answers.eth_getTransactionReceipt = (params) => ({ of: params });
    const request = { method: 'eth_getTransactionReceipt', params: ['0x1'] };
    expect(await world.provider.request(request)).toStrictEqual({ of: ['0x1'] });
    expect(askedFor(world)).toStrictEqual([]);
  });

  it('does not ask for it again to see whether accounts changed', async () => {
    const world = setup();
    world.provider.on('accountsChanged', () => undefined);
    world.answers.wallet_getSnaps = () => ({});
    world.answers.wallet_requestSnaps = () => {
      throw Object.assign(new Error('No.'), { code: 4001 });
    };
    await errorOf(async () =>
      world.provider.request({ method: 'wallet_requestPermissions', params: [] }),
    );
    expect(askedFor(world)).toHaveLength(1);
  });
});
