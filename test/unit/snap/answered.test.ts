// The platform that does not answer: nobody waits for ever, but for a person.
import { jest } from '@jest/globals';
import { KeyringEvent } from '@metamask/keyring-api';

import { showDialog } from '../../../src/snap/dialogs';
import { getEntropy } from '../../../src/snap/entropy';
import { emitKeyringEvent } from '../../../src/snap/keyring-events';
import { notify } from '../../../src/snap/notifications';
import { createStateBackend } from '../../../src/snap/state-backend';
import { errorOf } from '../../support/error-of';
import { pass, useFakeClock } from '../../support/fake-clock';
import { createFakePlatform } from '../../support/platform';
import type { FakePlatform } from '../../support/platform';
import { refusalOf } from '../../support/refusal';

useFakeClock();

let platform: FakePlatform;
let isLocked: boolean;

const never = async (): Promise<never> => new Promise(() => undefined);

beforeEach(() => {
  platform = createFakePlatform();
  isLocked = false;
  platform.answers.snap_getClientStatus = async () =>
    Promise.resolve({ locked: isLocked, active: true });
  Object.assign(globalThis, { snap: platform });
});

const { load, save } = createStateBackend(true, () => 0);

it.each([
  ['snap_notify', async () => notify('Done.')],
  ['snap_getState', async () => load()],
  ['snap_setState', async () => save({ version: 1 })],
  ['snap_getEntropy', async () => getEntropy('salt')],
  [
    'snap_manageAccounts',
    async () => emitKeyringEvent(KeyringEvent.RequestApproved, { id: '1' }),
  ],
])('gives up on %s after 15 s', async (method, ask) => {
  platform.answers[method] = never;
  const refused = refusalOf(ask());
  await pass(15_000);
  expect(await refused).toStrictEqual({
    code: -32002,
    message: `MetaMask did not answer ${method} within 15 s; try again.`,
  });
});

it.each([
  ['snap_notify', async () => notify('Done.')],
  ['snap_getState', async () => load()],
  ['snap_setState', async () => save({ version: 1 })],
  ['snap_dialog', async () => showDialog('id')],
])(
  'says that %s failed, and keeps what MetaMask said to itself',
  async (method, ask) => {
    const cause = new Error('A word of its own.');
    platform.answers[method] = async () => Promise.reject(cause);
    const error = await errorOf(ask);
    expect(error).toMatchObject({
      code: -32002,
      message: `MetaMask failed ${method}; try again.`,
      context: {},
      cause,
    });
  },
);

it('gives up too if not even the lock is told', async () => {
  platform.answers.snap_getState = never;
  platform.answers.snap_getClientStatus = never;
  const refused = refusalOf(load());
  await pass(30_000);
  expect(await refused).toMatchObject({ code: -32002 });
});

it('waits for a locked wallet as long as it takes', async () => {
  let answer: (value: null) => void = () => undefined;
  platform.answers.snap_getState = async () =>
    new Promise((resolve) => (answer = resolve));
  isLocked = true;
  const loaded = load();
  await pass(600_000);
  answer(null);
  expect(await loaded).toBeNull();
});

it('waits for the user whom MetaMask asks about an account', async () => {
  let answer: (value: null) => void = () => undefined;
  platform.answers.snap_manageAccounts = async () =>
    new Promise((resolve) => (answer = resolve));
  const told = emitKeyringEvent(KeyringEvent.AccountCreated, {});
  await pass(600_000);
  answer(null);
  expect(await told).toBeUndefined();
});

it('leaves no timer behind', async () => {
  await load();
  expect(jest.getTimerCount()).toBe(0);
});
