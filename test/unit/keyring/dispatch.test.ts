import { KeyringRpcMethod } from '@metamask/keyring-api';
import type { KeyringAccount } from '@metamask/keyring-api';
import { assert } from '@metamask/superstruct';
import type { Json } from '@metamask/utils';

import { requestsFor, signingRequest } from '../../../dev/fuzz/keyring-rows';
import type { KeyringRow } from '../../../dev/fuzz/keyring-rows';
import { keyringRpc, submission } from '../../../dev/wallet/keyring-requests';
import { dispatchKeyringRequest, keyringMethods } from '../../../src/keyring/dispatch';
import { approveUnseen } from '../../../src/methods';
import type { MethodServices } from '../../../src/methods';
import { brokenOf, SECRET } from '../../support/broken-requests';
import { errorOf, toWholeText } from '../../support/error-of';
import { refusalOf } from '../../support/refusal';
import { SETTINGS } from '../../support/stored-accounts';
import { agreeing, createTestApp } from '../../support/test-app';

const MESSAGE = '0x68656c6c6f';

type Bench = {
  account: KeyringAccount;
  dispatch: (request: { method: string }) => Promise<Json>;
};

async function setup(): Promise<Bench> {
  const { services, edges } = createTestApp();
  const { keyring, methodServices, requests, assets, store } = services;
  edges.wallet.answers.eth_getBalance = '0x1';
  const account = await agreeing(keyring).createAccount({});
  // One that waits, for the rows that need one.
  const asynchronous = { approvalMode: 'asynchronous' } as const;
  const call = {
    keyring,
    requests,
    assets,
    confirmAccount: () => Promise.resolve(),
    confirmExport: () => Promise.resolve(),
    methodServices: {
      ...methodServices,
      requireConsent: (async (asking) =>
        Promise.resolve(approveUnseen(asking))) as MethodServices['requireConsent'],
      confirmsItself: false,
      isFromDapp: false,
      mayHoldSecrets: true,
    },
  };
  await store.update((state) => ({
    ...state,
    settings: { ...SETTINGS, ...asynchronous },
  }));
  await dispatchKeyringRequest(signingRequest(account), call);
  await store.update((state) => ({ ...state, settings: SETTINGS }));
  return {
    account,
    dispatch: async (request) => dispatchKeyringRequest(request, call),
  };
}

const REFUSED = ['keyring_createAccounts', 'keyring_discoverAccounts'];

const answered = keyringMethods.filter((method) => !REFUSED.includes(method));

const rowOf = (method: string, account: KeyringAccount): KeyringRow => {
  const row = requestsFor(account)[method];
  if (row) return row;
  throw new Error(`There is no request of ${method}.`);
};

describe('dispatchKeyringRequest', () => {
  it('has a row for every method of keyring-api, and no other', () => {
    expect([...keyringMethods].sort()).toStrictEqual(
      Object.values(KeyringRpcMethod).sort(),
    );
  });

  it.each(answered)('answers %s as keyring-api wants it', async (method) => {
    const { account, dispatch } = await setup();
    const { request, response } = rowOf(method, account);
    assert(await dispatch(request), response);
  });

  it.each(REFUSED)(
    'refuses %s with the reason, however it is formed',
    async (method) => {
      const { dispatch } = await setup();
      for (const params of [
        undefined,
        {},
        { options: { type: 'bip44:derive-index' } },
      ]) {
        expect(await refusalOf(dispatch(keyringRpc(method, params)))).toStrictEqual({
          code: 4200,
          message:
            `${method} is not offered: keys come from snap_getEntropy, not from a BIP-44 ` +
            'path. Use keyring_createAccount, or create and restore accounts on ' +
            "Tollkeeper's home page in MetaMask.",
        });
      }
    },
  );

  it.each(answered)(
    'refuses every malformed %s, and quotes nothing',
    async (method) => {
      const { account, dispatch } = await setup();
      const { request } = rowOf(method, account);
      for (const broken of brokenOf(request)) {
        const error = await errorOf(() => dispatch(broken));
        expect(error).toMatchObject({ name: 'InvalidParamsError', code: -32602 });
        expect(error.message).toMatch(/^(?:keyring_|personal_sign: ).*\.$/u);
        expect(toWholeText(error)).not.toContain(SECRET);
      }
    },
  );

  // The validator's own names mean nothing to a caller.
  const jargon = / (?:union|literal|enums|tuple|nonempty|[A-Z]\w+)\.$/u;

  it.each(answered)('says in words what %s expects', async (method) => {
    const { account, dispatch } = await setup();
    const broken = brokenOf(rowOf(method, account).request);
    const messages = await Promise.all(
      broken.map(async (request) => (await refusalOf(dispatch(request))).message),
    );
    const unclear = messages.filter((message) => jargon.test(message));
    expect([...new Set(unclear)]).toStrictEqual([]);
  });

  it.each(['keyring_nope', 'keyring_', 'toString', '__proto__', 'constructor', ''])(
    'refuses the method %j, which is not answered',
    async (method) => {
      const { dispatch } = await setup();
      expect(await refusalOf(dispatch(keyringRpc(method)))).toStrictEqual({
        code: 4200,
        message: `${method} is not a method of this keyring.`,
      });
    },
  );
});

describe('the scope of a request', () => {
  it.each(['', 'eip155:1', 'eip155:0x1', 'eip155:11155111'])(
    'may be %j',
    async (scope) => {
      const { account, dispatch } = await setup();
      const { id, address } = account;
      const params = [MESSAGE, address];
      const request = submission({
        account: id,
        method: 'personal_sign',
        params,
        scope,
      });
      expect(await dispatch(request)).toHaveProperty('pending', false);
    },
  );

  it.each([
    'eip155:',
    'eip155:x',
    'solana:mainnet',
    'mainnet',
    'eip155:-1',
    'eip155:1.5',
  ])('must not be %j', async (scope) => {
    const { account, dispatch } = await setup();
    const params = [MESSAGE, account.address];
    const signing = { account: account.id, method: 'personal_sign', params };
    expect(await refusalOf(dispatch(submission({ ...signing, scope })))).toStrictEqual({
      code: -32602,
      message:
        'keyring_submitRequest: params.scope must be a chain id (hex, decimal or CAIP-2 ' +
        'such as "eip155:1").',
    });
  });
});
