// The snap's input and output: size limits, failures, the log and exported keys.
import { SnapError } from '@metamask/snaps-sdk';
import type { Json } from '@metamask/utils';
import type { Hex } from 'viem';
import { privateKeyToAddress } from 'viem/accounts';

import { callersOf } from '../support/callers';
import { keyOfIndex, ownerKeyOfIndex } from '../support/entropy';
import { errorOf, toWholeText } from '../support/error-of';
import { IMPORTED_KEY, lower } from '../support/records';
import { expectRefusal, refusalOf } from '../support/refusal';
import {
  COMPANION,
  createAccount,
  createTestApp,
  DAPP,
  refuse,
  whileDialogOpen,
  RELEASE,
  approve,
} from '../support/test-app';
import type { TestApp } from '../support/test-app';
import { createEdges } from '../support/test-edges';
import { textOf, textsOf, writeView } from '../support/view';

const SECRET = '5ec4e7'.repeat(10);

const MAX = 5_000_000;

const logOf = ({ edges }: TestApp): Json[] =>
  edges.lines.map((line) => JSON.parse(line) as Json);

/** Nests arrays deeper than a call stack allows. */
function nest(depth: number): unknown {
  let value: unknown = 'core';
  for (let level = 0; level < depth; level += 1) value = [value];
  return value;
}

describe('the size limit of a request', () => {
  it.each<[string, unknown]>([
    ['a message of a million bytes', [`0x${'ab'.repeat(1_000_000)}`, '0x']],
    ['a million numbers', Array.from({ length: 1_000_000 }, () => 1)],
    ['deeply nested arrays', nest(100_000)],
    ['the maximum number of characters', ['x'.repeat(MAX - 6)]],
  ])('allows %s', async (_what, params) => {
    const { rpc } = callersOf(createTestApp());
    const { message } = await refusalOf(rpc(DAPP, 'personal_sign', params));
    expect(message).not.toContain('too large');
  });

  it('is checked before the params are read, on both routes', async () => {
    const app = createTestApp();
    const { rpc, keyring } = callersOf(app);
    for (const params of [
      ['x'.repeat(MAX - 5)],
      [{ ['x'.repeat(MAX)]: 1 }],
      Array.from({ length: 1_000_000 }, () => 'xxx'),
      nest(1_700_000),
    ] as Json[]) {
      const refused = (method: string): unknown => ({
        code: -32602,
        message: `${method}: params are too large: at most 5000000 characters are accepted.`,
      });
      const signing = rpc(DAPP, 'personal_sign', params);
      expect(await refusalOf(signing)).toStrictEqual(refused('personal_sign'));
      const method = 'keyring_submitRequest';
      const submitting = keyring('metamask', method, params);
      expect(await refusalOf(submitting)).toStrictEqual(refused(method));
    }
    // The state is read only to check whether the site has to wait.
    expect(app.edges.backend.loads).toBe(1);
  });
});

describe('an internal failure', () => {
  const internal = {
    code: -32603,
    message: 'An internal error occurred in Tollkeeper.',
  };
  const hostile = Object.defineProperty(new Error(), 'message', {
    get: () => {
      throw new Error(SECRET);
    },
  });

  it.each<[string, unknown]>([
    ['an Error', new TypeError(SECRET)],
    ['a string', SECRET],
    ['undefined', undefined],
    ['null', null],
    ['an object that looks like our error', { code: 4001, message: SECRET }],
    ['a frozen Error', Object.freeze(new Error(SECRET))],
    ['an Error whose message cannot be read', hostile],
    ['an object without a prototype', Object.create(null)],
    ['a SnapError of another SDK', Object.assign(new Error(SECRET), { code: 4001 })],
    ['a symbol', Symbol('s')],
  ])(
    'becomes a SnapError without details, and the next request succeeds: %s',
    async (_what, thrown) => {
      const before = createTestApp();
      const { address } = await createAccount(before);
      await callersOf(before).rpc(DAPP, 'eth_requestAccounts');
      const app = createTestApp(before.edges);
      const { backend } = app.edges;
      const { load } = backend;
      backend.load = () => {
        throw thrown;
      };
      const { rpc } = callersOf(app);
      const error = await errorOf(() => rpc(DAPP, 'eth_accounts'));
      expect(error).toBeInstanceOf(SnapError);
      expect(error).toMatchObject({ ...internal, data: undefined });
      expect(toWholeText(error) + app.edges.lines.join('')).not.toContain(SECRET);
      backend.load = load;
      expect(await rpc(DAPP, 'eth_accounts')).toStrictEqual([address]);
    },
  );

  it('hides its details if the log causes it', async () => {
    const app = createTestApp();
    app.edges.lines.push = () => {
      throw new Error(SECRET);
    };
    const { rpc } = callersOf(app);
    expect(await refusalOf(rpc(DAPP, 'eth_chainId'))).toStrictEqual(internal);
  });

  it('is a SnapError if an entry point gets invalid arguments', async () => {
    const { entry } = createTestApp();
    const handlers = Object.values(entry) as ((args: unknown) => Promise<unknown>)[];
    for (const handle of handlers) {
      for (const args of [undefined, null, 7, 'text', {}]) {
        const outcome = await handle(args).catch((error: unknown) => error);
        if (outcome instanceof Error) expect(outcome).toBeInstanceOf(SnapError);
      }
    }
    expect(handlers).toHaveLength(12);
  });
});

describe('the log', () => {
  it('contains only the caller, the method, the duration and the result', async () => {
    const app = createTestApp();
    const { edges } = app;
    const { rpc } = callersOf(app);
    const { address } = await createAccount(app);
    await rpc(DAPP, 'eth_requestAccounts');
    edges.lines.length = 0;
    whileDialogOpen(edges, () => (edges.clock.time += 5));
    await rpc(DAPP, 'personal_sign', [`0x${SECRET}`, address]);
    await refusalOf(rpc(DAPP, 'personal_sign', [{ [SECRET]: SECRET }]));
    await refusalOf(rpc(DAPP, 'x'.repeat(100_000)));
    const common = { event: 'onRpcRequest', method: 'personal_sign', origin: DAPP };
    const [, signed, refused, unknown] = logOf(app);
    expect(signed).toStrictEqual({ level: 'info', ...common, ms: 5 });
    expect(refused).toStrictEqual({ level: 'error', ...common, ms: 0, code: -32602 });
    expect(unknown).toMatchObject({ code: 4200 });
    expect(edges.lines.join('').length).toBeLessThan(1_000);
  });

  it.each([
    [[], 'off'],
    [['error'], 'error'],
    [['info', 'error'], 'info'],
    [['info', 'error'], 'debug'],
  ] as const)('contains lines of %j at level %s', async (levels, logLevel) => {
    const app = createTestApp(createEdges(), { ...RELEASE, logLevel });
    const { rpc } = callersOf(app);
    await rpc(DAPP, 'eth_accounts');
    await refusalOf(rpc(DAPP, 'unknown'));
    expect(logOf(app).map((line) => (line as { level: string }).level)).toStrictEqual(
      levels,
    );
  });
});

describe('exporting a key', () => {
  const EXPORT = 'keyring_exportAccount';
  const ID = '9c190a38-8a7c-4f84-a390-53cd8b5f758b';
  const SMART = { type: 'eip155:erc4337', entryPoint: '0.6' };

  const toExported = (privateKey: Hex): object => {
    return { type: 'private-key', privateKey, encoding: 'hexadecimal' };
  };

  async function setup(options: Record<string, Json> = {}) {
    const app = createTestApp();
    const { keyring } = callersOf(app);
    const account = await createAccount(app, options);
    const exportKey = async (id = account.id) => keyring(COMPANION, EXPORT, { id });
    return { app, account, exportKey };
  }

  it.each<[string, Record<string, Json>, Hex]>([
    ['a derived account', { index: 3 }, keyOfIndex(3)],
    [
      'an account of another recovery phrase',
      { entropySource: 'second' },
      keyOfIndex(0, 'second'),
    ],
    ['an imported account', { privateKey: IMPORTED_KEY }, IMPORTED_KEY],
    ['the owner of a smart account', { ...SMART, index: 1 }, ownerKeyOfIndex(1, '0.6')],
    ['an imported owner', { ...SMART, privateKey: IMPORTED_KEY }, IMPORTED_KEY],
  ])(
    'gives the companion page the key of %s, and writes it nowhere else',
    async (_what, options, key) => {
      const { exportKey, app, account } = await setup(options);
      const { events, dialogs, lines, publicBackend, network, wallet } = app.edges;
      expect(await exportKey()).toStrictEqual(toExported(key));
      const { owner } = account.options;
      expect(lower(privateKeyToAddress(key))).toBe(owner ?? account.address);
      const texts = textsOf(dialogs.shown);
      const expected = [textOf('export.title'), textOf('export.warning'), COMPANION];
      expect(texts).toEqual(expect.arrayContaining([...expected, account.address]));
      const at = texts.indexOf(textOf('field.owner'));
      expect(at < 0 ? undefined : texts[at + 1]).toBe(owner);
      dialogs.answer = refuse;
      const refusal = await refusalOf(exportKey());
      expect(refusal).toHaveProperty('code', 4001);
      const asked = [
        network.sent,
        wallet.calls,
        dialogs.shown,
        dialogs.shown.map(writeView),
      ];
      const all = [refusal, events.emitted, lines, publicBackend.document, ...asked];
      expect(lines).toHaveLength(5);
      expect(JSON.stringify(all).toLowerCase()).not.toContain(key.slice(2));
    },
  );

  it('fails if the dialog is closed, or if the account is unknown or removed in the meantime', async () => {
    const { exportKey, app, account } = await setup();
    await expectRefusal(exportKey(ID), -32001);
    await expectRefusal(exportKey('no id'), -32602);
    expect(app.edges.dialogs.shown).toStrictEqual([]);
    app.edges.dialogs.answer = async () => Promise.resolve(null);
    await expectRefusal(exportKey(), 4001);
    app.edges.dialogs.answer = approve;
    whileDialogOpen(app.edges, async () =>
      app.services.keyring.deleteAccount(account.id),
    );
    await expectRefusal(exportKey(), -32001);
  });
});
