// Who may call what: the origin reported by the platform decides, on both routes, before any state
// is read.
import { KeyringRpcMethod } from '@metamask/keyring-api';
import { KeyringSnapRpcMethod } from '@metamask/keyring-api/v2';

import { callersOf } from '../support/callers';
import { errorOf } from '../support/error-of';
import { createFakeMetaMask } from '../support/fake-metamask';
import { UNUSED_ACCOUNT_ANSWERS } from '../support/keyring-bench';
import { refusalOf } from '../support/refusal';
import { COMPANION, createTestApp, DAPP } from '../support/test-app';
import type { TestApp } from '../support/test-app';

type Caller = 'metamask' | 'companion' | 'dapp' | 'snap';

const origins: Record<Caller, readonly string[]> = {
  metamask: ['metamask'],
  companion: [COMPANION],
  dapp: [
    DAPP,
    'http://localhost:8001',
    'https://localhost:8000',
    'http://localhost:8000/',
    'http://localhost:8000.dapp.example',
    'https://metamask',
    'METAMASK',
    'null',
    '',
  ],
  snap: ['npm:tollkeeper-snap', 'local:http://localhost:8080', 'Tollkeeper'],
};

/** The snap's own methods that every site may call; its other methods are for management. */
const SITE_METHODS = [
  'tollkeeper_replaceTransaction',
  'tollkeeper_getFeeLevels',
  'tollkeeper_getPermissions',
  'tollkeeper_revoke',
];

/** Keyring methods for both MetaMask and the companion page; the rest are for MetaMask alone. */
const COMPANION_METHODS =
  /_(listAccounts|getAccount|createAccount|updateAccount|deleteAccount|exportAccount|filterAccountChains|listRequests|getRequest|approveRequest|rejectRequest)$/u;

const allowed = {
  rpc: (method: string): Caller[] =>
    method.startsWith('tollkeeper_') && !SITE_METHODS.includes(method)
      ? ['companion']
      : ['dapp', 'companion'],
  keyring: (method: string): Caller[] =>
    COMPANION_METHODS.test(method) ? ['metamask', 'companion'] : ['metamask'],
};

/** Creates a snap with no accounts in MetaMask and none used on chain. */
function setup(): TestApp {
  const app = createTestApp();
  app.edges.events.take = createFakeMetaMask().take;
  Object.assign(app.edges.wallet.answers, UNUSED_ACCOUNT_ANSWERS);
  return app;
}

async function listMethods(): Promise<Record<'rpc' | 'keyring', string[]>> {
  const document = await callersOf(setup()).rpc(DAPP, 'rpc.discover');
  const { methods } = document as { methods: { name: string }[] };
  return {
    rpc: methods.map(({ name }) => name),
    keyring: Object.values<string>({ ...KeyringRpcMethod, ...KeyringSnapRpcMethod }),
  };
}

const matrix = (['rpc', 'keyring'] as const).flatMap((route) =>
  (Object.keys(origins) as Caller[]).map((caller) => [route, caller] as const),
);

describe.each(matrix)('over %s, a %s caller', (route, caller) => {
  it('is refused every forbidden method before any state is read', async () => {
    const { [route]: methods } = await listMethods();
    const closed = methods.filter((method) => !allowed[route](method).includes(caller));
    for (const origin of origins[caller]) {
      const app = setup();
      const { [route]: call } = callersOf(app);
      for (const method of closed) {
        expect(await refusalOf(call(origin, method))).toStrictEqual({
          code: 4100,
          message: `${method} is not open to this origin.`,
        });
      }
      expect(app.edges.backend.loads).toBe(0);
    }
  });

  it('may call its allowed methods', async () => {
    const { [route]: methods } = await listMethods();
    const open = methods.filter((method) => allowed[route](method).includes(caller));
    // An allowed call without params succeeds, or fails for another reason.
    for (const method of open) {
      const { [route]: call } = callersOf(setup());
      const calling = call(origins[caller][0] ?? '', method);
      const outcome = await calling.then(() => 'answered', String);
      expect(outcome).not.toMatch(/is not open to this origin|is unknown/u);
    }
  });

  it('gets an error that quotes an unknown method, shortened if it is long', async () => {
    const { [route]: own, ...others } = await listMethods();
    const names = Object.values(others).flat() as string[];
    const unknown = ['eth_sendBundle', 'snap_getEntropy', 'toString', '__proto__', ''];
    const { [route]: call } = callersOf(setup());
    for (const method of [...unknown, ...names]) {
      expect(own).not.toContain(method);
      expect(await refusalOf(call(origins[caller][0] ?? '', method))).toStrictEqual({
        code: 4200,
        message: `The method ${JSON.stringify(method)} is unknown.`,
      });
    }
    const long = await errorOf(async () =>
      call(origins[caller][0] ?? '', 'x'.repeat(9_000)),
    );
    expect(long.message).toBe(`The method "${'x'.repeat(64)}" is unknown.`);
  });
});

describe('rpc.discover', () => {
  it('returns the shipped document from a single file read, without reading state', async () => {
    const app = createTestApp();
    const { edges } = app;
    const { rpc } = callersOf(app);
    const paths: string[] = [];
    edges.shipped.read = async (path) => {
      paths.push(path);
      return Promise.resolve('{"openrpc":"1.3.2"}');
    };
    expect(await rpc(DAPP, 'rpc.discover')).toStrictEqual({ openrpc: '1.3.2' });
    expect(await rpc(DAPP, 'rpc.discover')).toStrictEqual({ openrpc: '1.3.2' });
    expect(paths).toStrictEqual(['openrpc.json']);
    const { backend, publicBackend, dialogs } = edges;
    expect([backend.loads, publicBackend.loads, dialogs.shown]).toStrictEqual([
      0,
      0,
      [],
    ]);
  });

  it.each<[string, () => Promise<string | null>]>([
    ['is missing', async () => Promise.resolve(null)],
    ['cannot be read', async () => Promise.reject(new Error('no file'))],
    ['is truncated', async () => Promise.resolve('{"openrpc":')],
    ['is not a JSON object', async () => Promise.resolve('"1.3.2"')],
  ])('reports that the file %s, and rereads it next time', async (_what, read) => {
    const app = createTestApp();
    const { shipped } = app.edges;
    const discover = async () => callersOf(app).rpc(DAPP, 'rpc.discover');
    shipped.read = read;
    expect(await refusalOf(discover())).toStrictEqual({
      code: -32002,
      message:
        'The description of the methods (openrpc.json) cannot be read: reinstall Tollkeeper.',
    });
    shipped.read = async () => Promise.resolve('{}');
    expect(await discover()).toStrictEqual({});
  });
});
