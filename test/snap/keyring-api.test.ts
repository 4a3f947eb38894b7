// The whole keyring API on the built bundle: every method answered as keyring-api 24 wants
// it or refused with a code, for every class of callers, and nothing crashes it.
import type { KeyringAccount } from '@metamask/keyring-api';
import { assert } from '@metamask/superstruct';

import {
  REQUEST_ID,
  requestsFor,
  signingRequest,
} from '../../dev/wallet/keyring-requests';
import { findRoute, listMethods } from '../../src/routes';
import {
  COMPANION,
  DAPP,
  installBench,
  press,
  refusalIn,
  resultIn,
  type SnapBench,
} from '../support/snap-bench';

type Params = Parameters<SnapBench['keyring']>[1];

const REFUSED = ['keyring_discoverAccounts'];

/** Methods that change an account or a request. */
const changing = [
  'keyring_createAccount',
  'keyring_createAccounts',
  'keyring_updateAccount',
  'keyring_deleteAccount',
  'keyring_submitRequest',
  'keyring_approveRequest',
  'keyring_rejectRequest',
];

const reading = listMethods('keyring').filter(
  (method) => ![...REFUSED, ...changing, 'keyring_exportAccount'].includes(method),
);

type Bench = SnapBench & {
  account: KeyringAccount;
  /** Choose how requests are approved. */
  choose: (approvalMode: string) => Promise<void>;
};

async function setup(): Promise<Bench> {
  const bench = await installBench();
  bench.snap.mockJsonRpc({ method: 'eth_getBalance', result: '0x1' });
  const account = await bench.create();
  const choose = async (approvalMode: string): Promise<void> => {
    await bench.manage('tollkeeper_setSettings', [{ approvalMode }]);
  };
  return { ...bench, account, choose };
}

/** Have a request wait. */
async function keepOne({ account, keyring, choose }: Bench): Promise<unknown> {
  await choose('asynchronous');
  const { method, params } = signingRequest(account);
  const answer = resultIn(await keyring(method, params as Params));
  await choose('synchronous');
  return answer;
}

async function answer(method: string, bench: Bench): Promise<void> {
  const row = requestsFor(bench.account)[method];
  const params = row?.request.params as Params;
  const { response } = row ?? {};
  const given = resultIn(await bench.keyring(method, params));
  if (response) assert(given, response);
}

async function exportKey(button: string, { snap, account }: Bench): Promise<unknown> {
  const asking = snap.onKeyringRequest({
    origin: COMPANION,
    method: 'keyring_exportAccount',
    params: { id: account.id },
  });
  const dialog = await asking.getInterface();
  await press(dialog, button);
  const { response } = await asking;
  return response;
}

// Each of these has an installation of its own, with a request that waits.
it.each(changing)('answers %s as keyring-api wants it', async (method) => {
  const bench = await setup();
  await keepOne(bench);
  await answer(method, bench);
});

describe('what changes nothing', () => {
  let bench: Bench;

  beforeAll(async () => {
    bench = await setup();
    await keepOne(bench);
  });

  it.each(reading)('is answered as keyring-api wants it: %s', async (method) => {
    await answer(method, bench);
  });

  it('is answered with the key, if its user agrees: keyring_exportAccount', async () => {
    expect(await exportKey('approve', bench)).toMatchObject({
      result: { privateKey: expect.stringMatching(/^0x[0-9a-f]{64}$/u) as string },
    });
  });

  it('gives no key away if its user refuses', async () => {
    expect(await exportKey('refuse', bench)).toMatchObject({ error: { code: 4001 } });
  });
});

// What is refused changes nothing: an installation serves all of these.
describe('a refusal', () => {
  let bench: Bench;

  beforeAll(async () => {
    bench = await setup();
  });

  it.each(REFUSED)('of %s says why', async (method) => {
    const { keyring } = bench;
    expect(refusalIn(await keyring(method, {}))).toStrictEqual({
      code: 4200,
      message: expect.stringContaining('not from a BIP-44 path') as string,
    });
  });

  it.each(
    listMethods('keyring').map((name) => [name, findRoute(name)?.by ?? []] as const),
  )('meets all who call %s but %j', async (method, origins) => {
    const { keyring, account } = bench;
    const params = requestsFor(account)[method]?.request.params as Params;
    const closed = [
      ...(origins.includes('metamask') ? [] : ['metamask']),
      ...(origins.includes('companion') ? [] : [COMPANION]),
      DAPP,
      'npm:other-snap',
      'https://metamask.io',
    ];
    for (const origin of closed) {
      expect(refusalIn(await keyring(method, params, origin))).toStrictEqual({
        code: 4100,
        message: `${method} is not open to this origin.`,
      });
    }
  });

  it.each(['keyring_nope', 'keyring_', 'toString', '__proto__', ''])(
    'of the unknown method %j names it',
    async (method) => {
      const { keyring } = bench;
      expect(refusalIn(await keyring(method))).toStrictEqual({
        code: 4200,
        message: `The method ${JSON.stringify(method)} is unknown.`,
      });
    },
  );
});

describe('a request that waits', () => {
  it('is listed, and forgotten when the client has started anew', async () => {
    const bench = await setup();
    const { keyring, snap } = bench;
    expect(await keepOne(bench)).toStrictEqual({
      pending: true,
      redirect: {
        message: "Approve or reject this request on Tollkeeper's page.",
        url: `${COMPANION}/?request=${REQUEST_ID}`,
      },
    });
    const list = async (): Promise<unknown> =>
      resultIn(await keyring('keyring_listRequests', undefined, COMPANION));
    expect(await list()).toMatchObject([{ id: REQUEST_ID }]);
    await snap.onStart();
    expect(await list()).toStrictEqual([]);
  });
});
