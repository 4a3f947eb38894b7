import type { KeyringAccount } from '@metamask/keyring-api';
import { privateKeyToAddress } from 'viem/accounts';

import { callersOf } from '../../support/callers';
import { keyOfIndex } from '../../support/entropy';
import { createFakeMetaMask } from '../../support/fake-metamask';
import type { FakeMetaMask } from '../../support/fake-metamask';
import { createGate, settle } from '../../support/gate';
import { createMemoryBackend } from '../../support/memory-backend';
import { lower } from '../../support/records';
import { refusalOf } from '../../support/refusal';
import { COMPANION, createTestApp } from '../../support/test-app';
import type { Edges, TestApp } from '../../support/test-app';

type Answer = { accounts: KeyringAccount[] } & Record<string, unknown>;

type Bench = {
  edges: Edges;
  metamask: FakeMetaMask;
  /** Call as the companion does. */
  manage: (method: string, params?: unknown) => Promise<unknown>;
  create: (params: unknown) => Promise<Answer>;
};

function setup({ edges }: TestApp = createTestApp()): Bench {
  const app = createTestApp(edges);
  const metamask = createFakeMetaMask();
  edges.events.take = metamask.take;
  // A chain that has seen nothing.
  Object.assign(edges.wallet.answers, {
    eth_getTransactionCount: '0x0',
    eth_getBalance: '0x0',
    eth_getCode: '0x',
  });
  const manage: Bench['manage'] = (method, params) =>
    callersOf(app).rpc(COMPANION, `tollkeeper_${method}`, params);
  const create: Bench['create'] = async (params) =>
    (await manage('createAccounts', params)) as Answer;
  return { edges, metamask, manage, create };
}

const addressOf = (index: number): string =>
  lower(privateKeyToAddress(keyOfIndex(index)));

const nameOf = (index: number): unknown => ({
  name: `Tollkeeper ${index + 1}`,
  address: addressOf(index),
});

const none = { declined: [], failed: [], skipped: [] };

const busy = {
  code: -32005,
  message:
    'Accounts are being created or restored already; see tollkeeper_getProgress.',
};

describe('tollkeeper_createAccounts', () => {
  it.each([
    ['in an array', [{ count: 3 }]],
    ['alone', { from: 0, count: 3 }],
  ])('makes the accounts of a range that is named %s', async (_how, params) => {
    const { create, metamask } = setup();
    const { accounts, ...others } = await create(params);
    expect(accounts.map(({ address }) => address)).toStrictEqual(
      [0, 1, 2].map(addressOf),
    );
    expect(others).toStrictEqual(none);
    expect([...metamask.accounts.values()]).toStrictEqual(accounts);
  });

  it('tells which were declined, and asks about the others', async () => {
    const { create, metamask } = setup();
    metamask.decide = () => Promise.resolve(metamask.asked.length !== 2);
    const { accounts, ...others } = await create({ count: 3 });
    expect(accounts.map(({ options }) => options.index)).toStrictEqual([0, 2]);
    expect(others).toStrictEqual({ ...none, declined: [nameOf(1)] });
  });

  const root = 'tollkeeper_createAccounts: params';
  const count = 'an integer from 1 to 100';
  const index = 'an integer from 0 to 2147483647';

  it.each([
    [[], `.count is missing: it must be ${count}.`],
    [[7], ' must be an object.'],
    [[{ count: 1 }, 1], ' must be one object.'],
    [{}, `.count is missing: it must be ${count}.`],
    [{ count: 0 }, `.count must be ${count}.`],
    [{ count: 101 }, `.count must be ${count}.`],
    [{ count: '1' }, `.count must be ${count}.`],
    [{ count: 1, from: -1 }, `.from must be ${index}.`],
    [{ count: 2, from: 2 ** 31 - 1 }, `: the last index must be ${index}.`],
    [{ count: 1, index: 0 }, '.index is not expected here.'],
    [{ count: 1, privateKey: 'ab'.repeat(32) }, '.privateKey is not expected here.'],
    [{ count: 1, metamask: { correlationId: 'c' } }, '.metamask is not expected here.'],
    [{ count: 1, colour: 'red' }, '.colour is not expected here.'],
    [{ count: 1, salt: '0x1' }, ': salt is for accounts of type eip155:erc4337.'],
  ])('refuses %j by name, and creates nothing', async (params, reason) => {
    const { create, edges } = setup();
    expect(await refusalOf(create(params))).toStrictEqual({
      code: -32602,
      message: `${root}${reason}`,
    });
    expect(edges.events.emitted).toStrictEqual([]);
  });
});

describe('tollkeeper_restoreAccounts', () => {
  it.each([[[]], [[{ gap: 2 }]], [{ gap: 2 }]])(
    'recovers what MetaMask holds and the snap has lost (params %j)',
    async (params) => {
      const { create, edges, metamask } = setup();
      const { accounts } = await create({ count: 2 });
      edges.backend.document = createMemoryBackend().document;
      const later = setup(createTestApp(edges));
      edges.events.take = metamask.take;
      expect(await later.manage('restoreAccounts', params)).toStrictEqual({
        ...none,
        accounts: [],
        unchanged: [],
        unchecked: [],
        recovered: accounts,
        unreachable: [],
        isComplete: true,
      });
      expect(metamask.asked).toHaveLength(2);
    },
  );

  const root = 'tollkeeper_restoreAccounts: params';

  it.each([
    [{ gap: 0 }, `${root}.gap must be an integer from 1 to 100.`],
    [[{ gap: 101 }], `${root}.gap must be an integer from 1 to 100.`],
    [
      { entropySource: 7 },
      `${root}.entropySource must be a string of at most 256 characters.`,
    ],
    [{ colour: 'red' }, `${root}.colour is not expected here.`],
    [[7], `${root} must be an object.`],
    ['text', `${root} must be an object.`],
    [[{}, {}], `${root} must be one object.`],
  ])('refuses %j by name, and asks nobody', async (params, message) => {
    const { manage, edges } = setup();
    expect(await refusalOf(manage('restoreAccounts', params))).toStrictEqual({
      code: -32602,
      message,
    });
    expect(edges.events.emitted).toStrictEqual([]);
  });
});

describe('the progress', () => {
  it('is told while accounts are made, which nothing else may be meanwhile', async () => {
    const { create, manage, metamask } = setup();
    const { opened, open } = createGate();
    metamask.decide = async () => {
      await opened;
      return true;
    };
    expect(await manage('getProgress')).toBeNull();
    expect(await manage('cancelProgress')).toBe(false);
    const creating = create({ count: 2 });
    await settle();
    await settle();
    expect(await manage('getProgress')).toStrictEqual({
      phase: 'announcing',
      done: 0,
      total: 2,
    });
    expect(await refusalOf(create({ count: 1 }))).toStrictEqual(busy);
    expect(await refusalOf(manage('restoreAccounts'))).toStrictEqual(busy);
    expect(await manage('cancelProgress')).toBe(true);
    open();
    const { accounts, ...others } = await creating;
    expect(accounts).toHaveLength(1);
    expect(others).toStrictEqual({ ...none, skipped: [nameOf(1)] });
    expect(await manage('getProgress')).toBeNull();
  });
});
