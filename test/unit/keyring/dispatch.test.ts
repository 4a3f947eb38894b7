import { KeyringRpcMethod } from '@metamask/keyring-api';
import type { KeyringAccount } from '@metamask/keyring-api';
import { isObject } from '@metamask/utils';
import type { Json } from '@metamask/utils';

import { dispatchKeyringRequest, keyringMethods } from '../../../src/keyring/dispatch';
import { errorOf, toWholeText } from '../../support/error-of';
import { keyringRpc, submission } from '../../support/keyring-requests';
import type { KeyringRpc } from '../../support/keyring-requests';
import { refusalOf } from '../../support/refusal';
import { createTestApp } from '../../support/test-app';

const SECRET = 'ab'.repeat(32);
const MESSAGE = '0x68656c6c6f';

type Bench = {
  account: KeyringAccount;
  dispatch: (request: { method: string }) => Promise<Json>;
};

async function setup(): Promise<Bench> {
  const { keyring, methodServices } = createTestApp().services;
  const account = await keyring.createAccount({});
  const services = {
    ...methodServices,
    requireConsent: () => Promise.resolve(),
    mayHoldSecrets: true,
  };
  return {
    account,
    dispatch: (request) =>
      dispatchKeyringRequest(request, { keyring, methodServices: services }),
  };
}

/** A well-formed request of each row. */
function requestsFor(account: KeyringAccount): Record<string, KeyringRpc> {
  const { id, address } = account;
  const rows = [
    keyringRpc('keyring_listAccounts'),
    keyringRpc('keyring_getAccount', { id }),
    keyringRpc('keyring_createAccount', { options: {} }),
    keyringRpc('keyring_updateAccount', { account }),
    keyringRpc('keyring_filterAccountChains', { id, chains: ['eip155:1', 'x'] }),
    submission({ account: id, method: 'personal_sign', params: [MESSAGE, address] }),
    keyringRpc('keyring_deleteAccount', { id }),
  ];
  return Object.fromEntries(rows.map((row) => [row.method, row]));
}

describe('dispatchKeyringRequest', () => {
  it('answers every row of the table', async () => {
    const { account, dispatch } = await setup();
    const requests = requestsFor(account);
    expect(Object.keys(requests).sort()).toStrictEqual([...keyringMethods].sort());
    expect(await dispatch(requests.keyring_listAccounts as KeyringRpc)).toStrictEqual([
      account,
    ]);
    expect(await dispatch(requests.keyring_getAccount as KeyringRpc)).toStrictEqual(
      account,
    );
    expect(await dispatch(requests.keyring_createAccount as KeyringRpc)).toMatchObject({
      options: { index: 1 },
    });
    expect(await dispatch(requests.keyring_updateAccount as KeyringRpc)).toBeNull();
    expect(
      await dispatch(requests.keyring_filterAccountChains as KeyringRpc),
    ).toStrictEqual(['eip155:1']);
    expect(await dispatch(requests.keyring_submitRequest as KeyringRpc)).toStrictEqual({
      pending: false,
      result: expect.stringMatching(/^0x[0-9a-f]{130}$/u) as string,
    });
    expect(await dispatch(requests.keyring_deleteAccount as KeyringRpc)).toBeNull();
    expect(await dispatch(requests.keyring_listAccounts as KeyringRpc)).toHaveLength(1);
  });

  it.each(keyringMethods)(
    'refuses every malformed %s, and quotes nothing',
    async (method) => {
      const { account, dispatch } = await setup();
      const request = requestsFor(account)[method] as KeyringRpc;
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

  it.each(keyringMethods)('says in words what %s expects', async (method) => {
    const { account, dispatch } = await setup();
    const broken = brokenOf(requestsFor(account)[method] as KeyringRpc);
    const messages = await Promise.all(
      broken.map(async (request) => (await refusalOf(dispatch(request))).message),
    );
    const unclear = messages.filter((message) => jargon.test(message));
    expect([...new Set(unclear)]).toStrictEqual([]);
  });

  const served: readonly string[] = keyringMethods;
  const others = Object.values(KeyringRpcMethod).filter(
    (name) => !served.includes(name),
  );

  it.each([...others, 'keyring_', 'toString', '__proto__', 'constructor', ''])(
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

/** Everything that can be wrong with one field of a request, at any depth. */
function brokenOf(request: KeyringRpc): KeyringRpc[] {
  const { jsonrpc, id, method, params } = request;
  const frames = [
    { id, method, params },
    { jsonrpc: '1.0', id, method, params },
    { jsonrpc, id: { [SECRET]: SECRET }, method, params },
    { ...request, [SECRET]: SECRET },
  ];
  const broken =
    params === undefined ? [[SECRET]] : [...brokenParams(params), undefined];
  return [
    ...frames,
    ...broken.map((wrong) => ({ ...request, params: wrong })),
  ] as KeyringRpc[];
}

// What the API's structs leave free, or what is checked further in.
const FREE = ['options', 'address', 'methods', 'method', 'scope', 'origin'];

function brokenParams(params: Json): Json[] {
  if (!isObject(params) || Array.isArray(params)) return [];
  const fields = params as Record<string, Json>;
  return [
    SECRET,
    null,
    { ...fields, [SECRET]: SECRET },
    ...Object.entries(fields).flatMap(([name, value]) => [
      Object.fromEntries(Object.entries(fields).filter(([other]) => other !== name)),
      ...(FREE.includes(name)
        ? []
        : [
            { ...fields, [name]: 7 },
            { ...fields, [name]: SECRET },
          ]),
      ...brokenParams(value).map((wrong) => ({ ...fields, [name]: wrong })),
    ]),
  ];
}
