// The Account Management API: every method of keyring-api, signing requests, requests that wait for
// approval, and requests about assets and addresses.
import { type KeyringAccount, KeyringRpcMethod } from '@metamask/keyring-api';
import { KeyringSnapRpcMethod } from '@metamask/keyring-api/v2';
import { assert } from '@metamask/superstruct';
import type { Json } from '@metamask/utils';
import { type Hex, recoverMessageAddress } from 'viem';

import { requestsFor } from '../../dev/wallet/keyring-requests';
import { brokenOf, SECRET } from '../support/broken-requests';
import { callersOf } from '../support/callers';
import { errorOf, toWholeText } from '../support/error-of';
import {
  createKeyringBench,
  createRequestBench,
  requestIdOf,
} from '../support/keyring-bench';
import { operationOf } from '../support/operations';
import { lower } from '../support/records';
import { expectRefusal, refusalOf } from '../support/refusal';
import { COMPANION, createAccount } from '../support/test-app';

const UNKNOWN = '11111111-1111-4111-8111-111111111111';

const UNSUPPORTED = ['keyring_discoverAccounts'];

const SMART = { type: 'eip155:erc4337', scopes: ['eip155:5'] };

describe('a method of the API', () => {
  const methods = { ...KeyringRpcMethod, ...KeyringSnapRpcMethod };
  const answered = Object.values<string>(methods).filter(
    (method) => !UNSUPPORTED.includes(method),
  );

  // Callers do not know the validator's type names.
  const jargon = / (?:union|literal|enums|tuple|nonempty|[A-Z]\w+)\.$/u;

  it.each(answered)('gets a valid answer, or a clear error: %s', async (method) => {
    const { app, account, submit } = await createRequestBench();
    await submit('9c190a38-8a7c-4f84-a390-53cd8b5f758b');
    const { rpc } = callersOf(app);
    await rpc(COMPANION, 'tollkeeper_setSettings', [{ approvalMode: 'synchronous' }]);
    const row = requestsFor(account)[method];
    if (!row) throw new Error(`There is no request of ${method}.`);
    const ask = async (request: unknown): Promise<Json> =>
      app.entry.onKeyringRequest({ origin: 'metamask', request: request as never });
    for (const broken of brokenOf(row.request)) {
      const error = await errorOf(async () => ask(broken));
      expect(error).toHaveProperty('code', -32602);
      expect(error.message).toMatch(/^(?:keyring_|personal_sign: ).*\.$/u);
      expect(error.message).not.toMatch(jargon);
      expect(toWholeText(error)).not.toContain(SECRET);
    }
    assert(await ask(row.request), row.response);
  });

  it.each(UNSUPPORTED)('is refused with the reason: %s', async (method) => {
    const { keyring } = callersOf(createKeyringBench().app);
    for (const params of [undefined, {}, { options: { type: 'bip44:derive-index' } }]) {
      await expectRefusal(
        keyring('metamask', method, params),
        4200,
        /is not offered: keys come from snap_getEntropy/u,
      );
    }
  });

  it.each(['keyring_nope', 'toString', '__proto__', ''])(
    'is refused if it is unknown: %j',
    async (method) => {
      const { keyring } = callersOf(createKeyringBench().app);
      await expectRefusal(keyring('metamask', method), 4200);
    },
  );
});

describe('a signing request', () => {
  type SigningRequest = { method: string; params?: Json; scope?: string };

  function setup() {
    const bench = createKeyringBench();
    return Object.assign(bench, {
      submit: async ({ id }: KeyringAccount, request: SigningRequest) =>
        callersOf(bench.app).submit({ account: id, params: [], ...request }),
    });
  }

  const unverifiable =
    /SimpleAccount, does not support ERC-1271, so its signatures cannot be verified/u;

  it.each<[string, object, number, RegExp]>([
    [
      'eth_signTypedData_v2',
      {},
      4200,
      /^eth_signTypedData_v2 is not a signing method/u,
    ],
    ['toString', {}, 4200, /^toString is not a signing method/u],
    ['eth_fillTransaction', {}, 4200, /is not a signing method/u],
    ['eth_sendTransaction', {}, 4200, /is not a signing method/u],
    ['eth_sign', {}, 4200, /signs a hash that cannot be read .* Use personal_sign/u],
    ['personal_sign', SMART, 4200, unverifiable],
    ['eth_signTypedData_v1', SMART, 4200, unverifiable],
    ['eth_signTypedData_v3', SMART, 4200, unverifiable],
    ['eth_signTypedData_v4', SMART, 4200, unverifiable],
    ['eth_signTransaction', SMART, 4200, /does not offer eth_signTransaction\.$/u],
    ['eth_prepareUserOperation', {}, 4200, /eoa and does not offer/u],
    ['eth_patchUserOperation', {}, 4200, /eoa and does not offer/u],
    ['eth_signUserOperation', {}, 4200, /eoa and does not offer/u],
  ])(
    'is refused if %s is requested for an account with the options %j',
    async (method, options, ...[code, message]) => {
      const { app, submit, create } = setup();
      const account = await create(options as never);
      await expectRefusal(submit(account, { method }), code, message);
      expect(app.edges.dialogs.shown).toStrictEqual([]);
    },
  );

  it('is refused for an unknown account, and for a chain that the account does not support', async () => {
    const { submit, create } = setup();
    const account = await create(SMART);
    const method = 'eth_patchUserOperation';
    const elsewhere = submit(account, { method, scope: 'eip155:1' });
    expect(await refusalOf(elsewhere)).toStrictEqual({
      code: -32602,
      message: `The account ${account.address} serves eip155:5, not eip155:1.`,
    });
    const other = submit({ ...account, id: UNKNOWN }, { method });
    await expectRefusal(other, -32001);
  });
});

describe('a request that waits for approval', () => {
  const decide = (decision: 'approve' | 'reject', id: string): [string, Json] =>
    decision === 'approve'
      ? ['keyring_approveRequest', { id, data: {} }]
      : ['keyring_rejectRequest', { id }];

  it('is listed, and MetaMask gets the URL where the user decides', async () => {
    const { submit, companion, account } = await createRequestBench();
    expect(await submit(requestIdOf(1))).toStrictEqual({
      pending: true,
      redirect: {
        message: "Approve or reject this request on Tollkeeper's page.",
        url: `${COMPANION}/?request=${requestIdOf(1)}`,
      },
    });
    const request = {
      id: requestIdOf(1),
      account: account.id,
      origin: 'metamask',
      scope: '',
      request: { method: 'personal_sign', params: ['0x12', account.address] },
    };
    expect(await companion('keyring_listRequests')).toStrictEqual([request]);
    const one = await companion('keyring_getRequest', { id: requestIdOf(1) });
    expect(one).toStrictEqual(request);
  });

  it('is signed when approved, even after a restart, and not signed when rejected', async () => {
    const { submit, companion, metamask, account, ids, restart } =
      await createRequestBench();
    await submit(requestIdOf(1));
    await submit(requestIdOf(2));
    restart();
    expect(await ids()).toStrictEqual([requestIdOf(1), requestIdOf(2)]);
    expect(await companion(...decide('approve', requestIdOf(1)))).toBeNull();
    const signature = metamask.requests.get(requestIdOf(1)) as Hex;
    const signer = await recoverMessageAddress({ message: { raw: '0x12' }, signature });
    expect(lower(signer)).toBe(account.address);
    expect(await companion(...decide('reject', requestIdOf(2)))).toBeNull();
    expect(metamask.requests.get(requestIdOf(2))).toBe('rejected');
    expect(await ids()).toStrictEqual([]);
  });

  it('is dropped unsigned when MetaMask no longer waits for it', async () => {
    const { submit, companion, metamask, ids } = await createRequestBench();
    await submit(requestIdOf(1));
    metamask.requests.clear();
    expect(
      await refusalOf(companion(...decide('approve', requestIdOf(1)))),
    ).toStrictEqual({
      code: -32001,
      message: 'MetaMask does not know this account or request.',
    });
    expect(await ids()).toStrictEqual([]);
  });

  it.each(['approve', 'reject'] as const)(
    'keeps waiting if MetaMask cannot be notified: %s',
    async (decision) => {
      const { submit, companion, app, metamask, ids } = await createRequestBench();
      await submit(requestIdOf(1));
      app.edges.events.take = () => Promise.reject(new Error('lost'));
      const failing = companion(...decide(decision, requestIdOf(1)));
      await expectRefusal(failing, -32002);
      expect(await ids()).toStrictEqual([requestIdOf(1)]);
      app.edges.events.take = metamask.take;
      await companion(...decide(decision, requestIdOf(1)));
      expect(await ids()).toStrictEqual([]);
    },
  );

  it.each<[string, Json]>([
    ['keyring_getRequest', { id: requestIdOf(9) }],
    decide('reject', requestIdOf(9)),
    decide('approve', requestIdOf(9)),
  ])('must exist for %s', async (method, params) => {
    const { companion } = await createRequestBench();
    expect(await refusalOf(companion(method, params))).toStrictEqual({
      code: -32001,
      message: `No request with the id ${requestIdOf(9)} waits for approval.`,
    });
  });

  it.each<[string, { method?: string; params?: Json }, number]>([
    ['if its address is invalid', { params: ['0x12', 'no address'] }, -32602],
    ['if its method is not offered', { method: 'eth_sign' }, 4200],
    ['if its method is for other accounts', { method: 'eth_signUserOperation' }, 4200],
    ['if its method signs nothing', { method: 'eth_prepareUserOperation' }, 4200],
    [
      'if it is too large',
      { params: ['x'.repeat(1_000_001), `0x${'0'.repeat(40)}`] },
      -32602,
    ],
  ])('is not stored %s', async (_what, request, code) => {
    const { submit, ids } = await createRequestBench();
    await expectRefusal(submit(requestIdOf(1), request), code);
    expect(await ids()).toStrictEqual([]);
  });

  it('needs a new ID, and waits with at most 49 others', async () => {
    const { submit, ids } = await createRequestBench();
    for (let n = 0; n < 50; n += 1) await submit(requestIdOf(n));
    expect(await refusalOf(submit(requestIdOf(50)))).toStrictEqual({
      code: -32005,
      message:
        '50 requests are already waiting for approval; approve or reject them first.',
    });
    expect(await refusalOf(submit(requestIdOf(1)))).toStrictEqual({
      code: -32602,
      message: `keyring_submitRequest: params.id must be new: ${requestIdOf(1)} is already waiting.`,
    });
    expect(await ids()).toHaveLength(50);
  });
});

describe('an asset or address request', () => {
  const scopes = ['eip155:1', 'eip155:5'];

  function setup() {
    const bench = createKeyringBench();
    bench.app.edges.wallet.answers.eth_getBalance = '0x14d1120d7b160000';
    return Object.assign(bench, {
      ask: async (method: string, params: Json) =>
        callersOf(bench.app).keyring('metamask', method, params),
    });
  }

  it.each<[object, string[]]>([
    [{}, ['eip155:1/slip44:60']],
    [{ ...SMART, scopes }, ['eip155:1/slip44:60']],
    [SMART, []],
  ])('finds native currency on reachable chains: %j', async (options, assets) => {
    const { ask, create } = setup();
    const { id } = await create(options as never);
    expect(await ask('keyring_listAccountAssets', { id })).toStrictEqual(assets);
    const balances = assets.map((each) => [each, { amount: '1.5', unit: 'ETH' }]);
    expect(await ask('keyring_getAccountBalances', { id, assets })).toStrictEqual(
      Object.fromEntries(balances),
    );
    const params = { id, pagination: { limit: 5 } };
    const listed = await ask('keyring_listAccountTransactions', params);
    expect(listed).toStrictEqual({ data: [], next: null });
  });

  it.each([
    ['keyring_listAccountAssets', {}],
    ['keyring_getAccountBalances', { assets: [] }],
    ['keyring_listAccountTransactions', { pagination: { limit: 5 } }],
  ])('is refused for an unknown account: %s', async (method, rest) => {
    const request = setup().ask(method, { id: UNKNOWN, ...rest });
    await expectRefusal(request, -32001);
  });

  it("is answered with the account of a site's request", async () => {
    const { ask, app } = setup();
    const { address } = await createAccount(app);
    const { address: sender } = await createAccount(app, SMART);
    const resolve = async (method: string, params: Json, scope = 'eip155:1') => {
      const request = { jsonrpc: '2.0', id: 1, method, params };
      const answer = ask('keyring_resolveAccountAddress', { scope, request });
      return answer.catch(({ code }: { code: number }) => code);
    };
    const operation = [operationOf(sender)];
    expect([
      await resolve('personal_sign', ['0x12', address]),
      await resolve('personal_sign', ['0x12', `0x${'12'.repeat(20)}`]),
      await resolve('personal_sign', ['0x12', 'nobody']),
      await resolve('personal_sign', ['0x12', address], 'solana:x'),
      await resolve('eth_signUserOperation', operation),
      await resolve('eth_signUserOperation', operation, 'eip155:5'),
      await resolve('eth_chainId', []),
    ]).toStrictEqual([
      { address: `eip155:1:${address}` },
      null,
      -32602,
      -32602,
      null,
      { address: `eip155:5:${sender}` },
      null,
    ]);
  });

  it('is answered with null if it selects accounts, which are not stored', async () => {
    const { ask, app } = setup();
    const { saves } = app.edges.backend;
    const selected = await ask('keyring_setSelectedAccounts', { accounts: [UNKNOWN] });
    expect([selected, app.edges.backend.saves]).toStrictEqual([null, saves]);
  });
});
