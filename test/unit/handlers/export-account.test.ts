import type { KeyringAccount } from '@metamask/keyring-api';
import type { Json } from '@metamask/utils';
import type { Hex } from 'viem';
import { privateKeyToAddress } from 'viem/accounts';

import { callersOf } from '../../support/callers';
import { keyOfIndex, ownerKeyOfIndex } from '../../support/entropy';
import { createGate, settle } from '../../support/gate';
import { IMPORTED_KEY, lower } from '../../support/records';
import { refusalOf } from '../../support/refusal';
import {
  COMPANION,
  createAccount,
  createTestApp,
  DAPP,
  refuse,
} from '../../support/test-app';
import type { Edges } from '../../support/test-app';
import { textOf, textsOf, writeView } from '../../support/view';

const EXPORT = 'keyring_exportAccount';
const ID = '9c190a38-8a7c-4f84-a390-53cd8b5f758b';

const SMART = { type: 'eip155:erc4337', entryPoint: '0.6' };

/** Accounts, and the keys that they must give. */
const kinds: [string, Record<string, Json>, Hex][] = [
  ['a derived account', { index: 3 }, keyOfIndex(3)],
  [
    'a derived account of another source',
    { entropySource: 'second' },
    keyOfIndex(0, 'second'),
  ],
  ['an imported account', { privateKey: IMPORTED_KEY }, IMPORTED_KEY],
  ['a smart account, which is that of its owner,', SMART, ownerKeyOfIndex(0, '0.6')],
  [
    'a smart account of an imported owner',
    { ...SMART, privateKey: IMPORTED_KEY },
    IMPORTED_KEY,
  ],
];

type Bench = {
  edges: Edges;
  account: KeyringAccount;
  /** Ask for the key of the account, or of another. */
  exportKey: (origin: string, id?: string) => Promise<Json>;
};

async function setup(options: Record<string, Json> = {}): Promise<Bench> {
  const app = createTestApp();
  const { keyring } = callersOf(app);
  const account = await createAccount(app, options);
  const exportKey: Bench['exportKey'] = (origin, id = account.id) =>
    keyring(origin, EXPORT, { id });
  return { edges: app.edges, account, exportKey };
}

describe('exporting a key', () => {
  it.each(kinds)('gives the companion that of %s', async (_what, options, key) => {
    const { exportKey, account } = await setup(options);
    expect(await exportKey(COMPANION)).toStrictEqual({ privateKey: key });
    const { owner = account.address } = account.options;
    expect(lower(privateKeyToAddress(key))).toBe(owner);
  });

  it.each(kinds)('writes that of %s nowhere else', async (_what, options, key) => {
    const { exportKey, edges } = await setup(options);
    const { events, dialogs, lines, publicBackend, network, wallet } = edges;
    await exportKey(COMPANION);
    dialogs.answer = refuse;
    const refusal = await refusalOf(exportKey(COMPANION));
    const all = [
      refusal,
      events.emitted,
      lines,
      publicBackend.document,
      network.sent,
      wallet.calls,
      dialogs.shown.map(writeView),
      JSON.stringify(dialogs.shown),
    ];
    expect(dialogs.shown).toHaveLength(2);
    expect(lines).toHaveLength(4);
    expect(JSON.stringify(all).toLowerCase()).not.toContain(key.slice(2));
  });

  it('shows the user who asks for the key of which account', async () => {
    const { exportKey, edges, account } = await setup({ index: 6 });
    await exportKey(COMPANION);
    const [content, ...others] = edges.dialogs.shown;
    expect(others).toStrictEqual([]);
    const texts = textsOf(content);
    for (const text of [
      textOf('export.title'),
      textOf('export.warning'),
      COMPANION,
      account.address,
      'Tollkeeper 7',
    ]) {
      expect(texts).toContain(text);
    }
    expect(texts).not.toContain(textOf('field.owner'));
  });

  it('shows the owner of a smart account, whose key it is', async () => {
    const { exportKey, edges, account } = await setup({ ...SMART, index: 1 });
    await exportKey(COMPANION);
    const texts = textsOf(edges.dialogs.shown);
    expect(texts).toContain('Tollkeeper Smart 2');
    expect(texts).toContain(account.address);
    const at = texts.indexOf(textOf('field.owner'));
    expect(texts[at + 1]).toBe(account.options.owner);
  });

  it('gives nothing before the user has agreed', async () => {
    const { exportKey, edges } = await setup();
    const { opened, open } = createGate();
    let isAnswered = false;
    edges.dialogs.answer = async () => {
      await opened;
      return { approved: true, values: {} };
    };
    const exporting = exportKey(COMPANION).then((answer) => {
      isAnswered = true;
      return answer;
    });
    await settle();
    expect(isAnswered).toBe(false);
    open();
    expect(await exporting).toStrictEqual({ privateKey: keyOfIndex(0) });
  });

  it.each<[string, Json]>([
    ['refuses', { approved: false, values: {} }],
    ['closes the dialog', null],
  ])('gives nothing if the user %s', async (_how, answer) => {
    const { exportKey, edges } = await setup();
    edges.dialogs.answer = () => Promise.resolve(answer);
    expect(await refusalOf(exportKey(COMPANION))).toStrictEqual({
      code: 4001,
      message: 'The user refused the request.',
    });
  });

  it.each([DAPP, 'metamask', 'npm:other-snap', 'http://localhost:8001'])(
    'is open to the companion alone, not to %s',
    async (origin) => {
      const { exportKey, edges } = await setup();
      expect(await refusalOf(exportKey(origin))).toStrictEqual({
        code: 4100,
        message: 'keyring_exportAccount is not open to this origin.',
      });
      expect(edges.dialogs.shown).toStrictEqual([]);
    },
  );

  it('asks nobody for an account that is not there', async () => {
    const { exportKey, edges } = await setup();
    expect(await refusalOf(exportKey(COMPANION, ID))).toHaveProperty('code', -32001);
    expect(await refusalOf(exportKey(COMPANION, 'no id'))).toStrictEqual({
      code: -32602,
      message: 'keyring_exportAccount.params.id must be an account id (UUIDv4).',
    });
    expect(edges.dialogs.shown).toStrictEqual([]);
  });
});
