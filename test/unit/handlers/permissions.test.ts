import { KeyringRpcMethod } from '@metamask/keyring-api';
import { SnapError } from '@metamask/snaps-sdk';

import {
  assertPermitted,
  classifyOrigin,
  permissions,
} from '../../../src/handlers/permissions';
import { keyringMethods } from '../../../src/keyring/dispatch';
import { methods } from '../../../src/methods';
import { expected } from '../../fixtures/permissions';
import { callersOf } from '../../support/callers';
import type { Callers } from '../../support/callers';
import { createFakeMetaMask } from '../../support/fake-metamask';
import { refusalIn } from '../../support/refusal';
import { COMPANION, createTestApp, DAPP } from '../../support/test-app';
import type { TestApp } from '../../support/test-app';

const classes = {
  metamask: ['metamask'],
  companion: [COMPANION],
  dapp: [
    DAPP,
    'http://dapp.example',
    'http://localhost:8001',
    'https://localhost:8000',
    'http://localhost:8000/',
    'http://localhost:8000.dapp.example',
    'https://metamask',
    'https://metamask.io',
    'METAMASK',
    'null',
    '',
  ],
  snap: ['npm:tollkeeper-snap', 'local:http://localhost:8080', 'Tollkeeper'],
} as const;

type Caller = keyof typeof classes;

const unknown = [
  'eth_sendBundle',
  'keyring_exportKey',
  'snap_getEntropy',
  'toString',
  '',
];

const names = [
  ...Object.keys(expected.rpc),
  ...Object.keys(expected.keyring),
  ...[...unknown, 'tollkeeper_exportAccount', '__proto__'],
];

const matrix = (['rpc', 'keyring'] as const).flatMap((route) =>
  names.flatMap((method) =>
    (Object.keys(classes) as Caller[]).map(
      (caller) => [route, method, caller] as const,
    ),
  ),
);

describe('the table of permissions', () => {
  it('holds the methods that are written down here, and no more', () => {
    expect(permissions).toStrictEqual(expected);
  });

  it('has a row for each method that is answered, and all of the keyring API', () => {
    const signing = methods.map(({ name }) => name);
    expect(Object.keys(permissions.rpc)).toEqual(expect.arrayContaining(signing));
    const rows = Object.keys(permissions.keyring).sort();
    expect(rows).toStrictEqual([...keyringMethods].sort());
    expect(rows).toStrictEqual(Object.values<string>(KeyringRpcMethod).sort());
  });
});

/** A snap whose MetaMask holds no account, and whose chain has seen none. */
function setup(): { app: TestApp } & Callers {
  const app = createTestApp();
  app.edges.events.take = createFakeMetaMask().take;
  Object.assign(app.edges.wallet.answers, {
    eth_getTransactionCount: '0x0',
    eth_getBalance: '0x0',
    eth_getCode: '0x',
  });
  return { app, ...callersOf(app) };
}

describe('a call through the entry point', () => {
  // Without params, a call that is let in fails for another reason or succeeds.
  it.each(matrix)(
    'by %s of %j from a caller of class %s',
    async (route, method, caller) => {
      const rows = expected[route];
      const allowed = Object.hasOwn(rows, method) ? rows[method] : undefined;
      for (const origin of classes[caller]) {
        const { app, [route]: call } = setup();
        const outcome: unknown = await call(origin, method).catch(
          (error: unknown) => error,
        );
        const { code, message } =
          outcome instanceof SnapError ? outcome : { code: 0, message: '' };
        if (!allowed) {
          expect({ code, message }).toStrictEqual({
            code: 4200,
            message: `The method ${JSON.stringify(method)} is unknown.`,
          });
        } else if (allowed.includes(caller)) {
          expect(message).not.toMatch(/is not open to this origin|is unknown/u);
        } else {
          expect({ code, message }).toStrictEqual({
            code: 4100,
            message: `${method} is not open to this origin.`,
          });
          expect(app.edges.backend.loads).toBe(0);
        }
      }
    },
  );
});

describe('classifyOrigin', () => {
  const origins = Object.entries(classes).flatMap(([caller, list]) =>
    list.map((origin): [string, string] => [origin, caller]),
  );

  it.each(origins)('takes %j for %s', (origin, caller) => {
    expect(classifyOrigin(origin, COMPANION)).toBe(caller);
  });
});

describe('assertPermitted', () => {
  it('caps the name of a method that it does not know', async () => {
    const refused = refusalIn(() => assertPermitted('rpc', 'x'.repeat(10_000), 'dapp'));
    expect(await refused).toStrictEqual({
      code: 4200,
      message: `The method "${'x'.repeat(64)}" is unknown.`,
    });
  });
});
