// Every Keyring API request in each version that MetaMask has used, built and checked with that
// version's structs; and the features of version 2.
import * as bundled from '@metamask/keyring-api';
import * as v2OfBundled from '@metamask/keyring-api/v2';
import * as api21 from '@metamask/keyring-api-21';
import * as api22 from '@metamask/keyring-api-22';
import { assert } from '@metamask/superstruct';
import type { Struct } from '@metamask/superstruct';
import type { Json } from '@metamask/utils';

import { keyringRpc, REQUEST_ID, requestsFor } from '../../dev/wallet/keyring-requests';
import { callersOf } from '../support/callers';
import { storeSettings } from '../support/given';
import { createKeyringBench, createRequestBench } from '../support/keyring-bench';
import { expectRefusal, refusalOf } from '../support/refusal';
import { refuse } from '../support/test-edges';
import { textOf, textsOf } from '../support/view';

const METAMASK = 'metamask';

const METADATA = {
  transport: 'WalletConnect',
  selfReportedOrigin: 'https://uniswap.org\u202e',
};

type Pair = { method: string; request: Struct<unknown>; response: Struct<unknown> };

// keyring-api has had structs for version 2 requests since version 23. `npm run newest` replaces
// the bundled version with the newest one.
const versions: [string, object][] = [
  ['21.6 v1', api21],
  ['22 v1', api22],
  ['bundled v1', bundled],
  ['bundled v2', v2OfBundled],
];

/** Pairs a version's exports, such as `GetAccountRequestStruct` and `GetAccountResponseStruct`. */
function listPairs(exported: object): Pair[] {
  const structs = new Map<string, unknown>(Object.entries(exported));
  return [...structs].flatMap(([name, response]) => {
    const [, base] = /^(\w+)ResponseStruct$/u.exec(name) ?? [];
    const request = structs.get(`${base}RequestStruct`) ?? structs.get(`${base}Struct`);
    if (!isStruct(request) || !isStruct(response)) return [];
    const { method } = request.schema as { method?: Struct<unknown, string> };
    return method ? [{ method: method.schema, request, response }] : [];
  });
}

// `instanceof` would fail, because each version may have its own superstruct.
function isStruct(value: unknown): value is Struct<unknown> {
  return typeof value === 'object' && value !== null && 'schema' in value;
}

const matrix = versions.flatMap(([version, exported]) =>
  listPairs(exported).map((pair) => [version, pair.method, pair] as const),
);

const EXPORT = 'keyring_exportAccount';
const KEY = `0x${'1f'.repeat(32)}`;

/** Lists the params to test: the usual ones, unless a method accepts several variants. */
function listVariants(method: string, version: string, usual: Json): Json[] {
  const isVersion1 = version.endsWith('v1');
  if (method === 'keyring_discoverAccounts') {
    return [{ scopes: ['eip155:1'], entropySource: 'primary', groupIndex: 0 }];
  }
  if (method === 'keyring_createAccounts') {
    const variants = [
      { type: 'custom' },
      { type: 'custom', accountType: 'eip155:eoa', index: 4 },
      { type: 'private-key:import', privateKey: KEY, encoding: 'hexadecimal' },
    ];
    return isVersion1 ? variants.map((options) => ({ options })) : variants;
  }
  const options = { type: 'private-key', encoding: 'hexadecimal' };
  const isExport = method === EXPORT && !isVersion1;
  return isExport ? [usual, { ...(usual as object), options }] : [usual];
}

it.each(matrix)('answers keyring-api %s: %s', async (version, method, pair) => {
  const { account, app, submit } = await createRequestBench();
  await submit(REQUEST_ID);
  await storeSettings(app, { approvalMode: 'synchronous' });
  const usual = requestsFor(account)[method]?.request.params as Json;
  for (const params of listVariants(method, version, usual)) {
    const request = keyringRpc(method, params);
    assert(request, pair.request);
    const answer = app.entry.onKeyringRequest({
      origin: 'metamask',
      request: request as never,
    });
    if (method === 'keyring_discoverAccounts') {
      await expectRefusal(answer, 4200);
    } else assert(await answer, pair.response);
  }
});

describe('features of version 2 only', () => {
  it.each([
    [{ type: 'bip44:derive-index', entropySource: 'primary', groupIndex: 0 }, 4200],
    [{ type: 'bip44:discover', entropySource: 'primary', groupIndex: 0 }, 4200],
    [{ type: 'private-key:import', privateKey: KEY, encoding: 'base58' }, -32602],
    [{ type: 'custom', path: "m/44'" }, -32602],
    [{ type: 'custom', accountType: 'solana:data-account' }, -32602],
    [{ type: 'nope' }, -32602],
  ])('are refused for new accounts: %j', async (options, code) => {
    const { app, listBothSides } = createKeyringBench();
    for (const params of [options, { options }] as Json[]) {
      const answer = callersOf(app).keyring(METAMASK, 'keyring_createAccounts', params);
      const refusal = await refusalOf(answer);
      expect(refusal).toHaveProperty('code', code);
      expect(refusal.message).toMatch(/^keyring_createAccounts/u);
      expect(refusal.message).not.toContain(KEY);
    }
    expect(await listBothSides()).toStrictEqual({ metamask: [], snap: [] });
  });

  it('are refused for exports, which use hex and need approval', async () => {
    const { app, create } = createKeyringBench();
    const { id } = await create();
    const { keyring } = callersOf(app);
    const options = { type: 'private-key', encoding: 'base58' };
    expect(await refusalOf(keyring(METAMASK, EXPORT, { id, options }))).toStrictEqual({
      code: -32602,
      message:
        'keyring_exportAccount: params.options.encoding must be one of "hexadecimal".',
    });
    expect(app.edges.dialogs.shown).toStrictEqual([]);
    app.edges.dialogs.answer = refuse;
    await expectRefusal(keyring(METAMASK, EXPORT, { id }), 4001);
  });
});

describe('self-reported origins of sites', () => {
  it("are shown below MetaMask's origin, and not returned by keyring_listRequests", async () => {
    const { app, account, submit, companion } = await createRequestBench();
    await storeSettings(app, { secondConfirmation: true });
    const params = ['0x12', account.address];
    const request = { account: account.id, method: 'personal_sign', params };
    await submit(REQUEST_ID);
    const id = '9c190a38-8a7c-4f84-a390-53cd8b5f7580';
    await callersOf(app).submit(request, { id, originMetadata: METADATA });
    const waiting = await companion('keyring_listRequests');
    assert(waiting, api21.ListRequestsResponseStruct);
    assert(
      await companion('keyring_getRequest', { id }),
      api21.GetRequestResponseStruct,
    );
    const { dialogs, events } = app.edges;
    events.take = async () => Promise.resolve();
    for (const each of [REQUEST_ID, id]) {
      await companion('keyring_approveRequest', { id: each, data: {} });
    }
    const [plain, second] = dialogs.shown.slice(-2).map(textsOf);
    expect(plain).not.toContain(textOf('field.selfReported'));
    const at = second?.indexOf(textOf('field.originTold')) ?? -1;
    expect(second?.slice(at + 1, at + 4)).toStrictEqual([
      'metamask',
      textOf('field.selfReported'),
      'WalletConnect: https://uniswap.org\\u{202e}',
    ]);
  });
});
