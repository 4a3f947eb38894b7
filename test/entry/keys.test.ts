// Every account has its own key. An account that would share a key with another one is refused,
// whether it is created, imported or restored.
import type { KeyringAccount } from '@metamask/keyring-api';
import type { Json } from '@metamask/utils';
import type { Hex } from 'viem';
import { privateKeyToAddress } from 'viem/accounts';

import type { Restored } from '../../src/accounts/restore';
import { entryPointVersions } from '../../src/core/entry-points';
import type { EntryPointVersion } from '../../src/core/entry-points';
import type { AccountRecord } from '../../src/state/account-record';
import { callersOf } from '../support/callers';
import { keyOfIndex, ownerKeyOfIndex } from '../support/entropy';
import { createGate, settle } from '../support/gate';
import { createRestoreBench } from '../support/keyring-bench';
import {
  derivedRecord,
  IMPORTED_KEY,
  importedRecord,
  lower,
  smartRecord,
} from '../support/records';
import { refusalOf, expectRefusal } from '../support/refusal';
import type { Refusal } from '../support/refusal';
import { stateOf } from '../support/stored-accounts';
import { COMPANION } from '../support/test-app';

type Options = Record<string, Json>;

const smart = (entryPoint: EntryPointVersion, more: Options = {}): Options => ({
  type: 'eip155:erc4337',
  entryPoint,
  scopes: ['eip155:1'],
  ...more,
});

const imported = { privateKey: IMPORTED_KEY };

function setup() {
  const bench = createRestoreBench();
  const exportKey = async ({ id }: { id: string }) => {
    const exported = await bench.call('keyring_exportAccount', { id });
    return (exported as { privateKey: Hex }).privateKey;
  };
  const companion = async (method: string, params: Json) =>
    callersOf(bench.app).rpc(COMPANION, method, params);
  return Object.assign(bench, { exportKey, companion });
}

const sharedKeyRefusal = ({ address, id }: KeyringAccount, name: string): Refusal => ({
  code: -32602,
  message:
    `The account ${address} has the same key: ${name} (${id}). Accounts must not share ` +
    'a key: a signature by one could be valid for the other. Use another index or key, ' +
    'or delete that account first.',
});

describe('account keys', () => {
  it('are all different', async () => {
    const { add, exportKey } = setup();
    const keys: Hex[] = [];
    for (const index of [0, 1]) {
      const eoa = await add({ index });
      expect(await exportKey(eoa)).toBe(keyOfIndex(index));
      expect(eoa.address).toBe(lower(privateKeyToAddress(keyOfIndex(index))));
      keys.push(await exportKey(eoa));
      for (const version of entryPointVersions) {
        const account = await add(smart(version, { index }));
        const key = ownerKeyOfIndex(index, version);
        expect(await exportKey(account)).toBe(key);
        expect(account.options.owner).toBe(lower(privateKeyToAddress(key)));
        keys.push(key);
      }
    }
    expect(new Set(keys).size).toBe(10);
  });
});

describe('an account that would share a key', () => {
  const pairs: [string, Options, Options][] = [
    [
      'an imported account and a smart account whose owner has the same key',
      imported,
      smart('0.7', imported),
    ],
    ['the same imported owner', smart('0.6', imported), smart('0.8', imported)],
    [
      'the same imported owner with another salt',
      smart('0.7', imported),
      smart('0.7', { ...imported, salt: '0x1' }),
    ],
    [
      'a derived account and its key',
      { index: 2 },
      smart('0.7', { privateKey: keyOfIndex(2) }),
    ],
    [
      'a derived owner and its key',
      smart('0.7', { index: 2 }),
      { privateKey: ownerKeyOfIndex(2, '0.7') },
    ],
    [
      'a derived owner and a smart account of another EntryPoint that imports its key',
      smart('0.8', { index: 0 }),
      smart('0.6', { privateKey: ownerKeyOfIndex(0, '0.8') }),
    ],
    [
      'an account from another entropy source and a smart account that imports its key',
      { index: 1, entropySource: 'second' },
      smart('0.8', { privateKey: keyOfIndex(1, 'second') }),
    ],
    [
      'the same index with another salt',
      smart('0.6', { index: 0 }),
      smart('0.6', { index: 0, salt: '0x1' }),
    ],
  ];

  const bothWays = pairs.flatMap(([name, one, other]) => [
    [name, one, other] as const,
    [`${name}, in reverse order`, other, one] as const,
  ]);

  it.each(bothWays)('is rejected for %s', async (_name, first, second) => {
    const { add, metamask, listBothSides, unsettledIds, app } = setup();
    const account = await add(first);
    const refusal = await refusalOf(add(second));
    expect(refusal.code).toBe(-32602);
    expect(refusal.message).toContain(
      `The account ${account.address} has the same key: `,
    );
    expect(refusal.message).not.toMatch(/[0-9a-f]{64}/u);
    expect(metamask.asked).toHaveLength(1);
    expect(unsettledIds()).toStrictEqual([]);
    expect((await listBothSides()).snap).toStrictEqual([account.id]);
    expect(JSON.stringify(app.edges.lines)).not.toMatch(/[0-9a-f]{64}/u);
  });

  it('is rejected with the name of the other account, and accepted once the other is deleted', async () => {
    const { add, remove } = setup();
    const eoa = await add(imported);
    const refusal = await refusalOf(add(smart('0.7', imported)));
    expect(refusal).toStrictEqual(sharedKeyRefusal(eoa, 'Tollkeeper (imported)'));
    await remove(eoa);
    expect(await add(smart('0.7', imported))).toHaveProperty('type', 'eip155:erc4337');
  });

  it('is skipped when the next free index is chosen', async () => {
    const { add } = setup();
    await add(smart('0.7', { privateKey: keyOfIndex(0) }));
    await add({ privateKey: ownerKeyOfIndex(0, '0.8') });
    expect((await add({})).options.index).toBe(1);
    expect((await add(smart('0.8'))).options.index).toBe(1);
    expect((await add(smart('0.7'))).options.index).toBe(0);
  });

  it('is rejected while the user is still deciding on the other', async () => {
    const { add, metamask, listBothSides } = setup();
    const { opened, open } = createGate();
    metamask.decide = async () => opened.then(() => true);
    const creating = Promise.allSettled([
      add(imported),
      add(smart('0.6', imported)),
      add(smart('0.7', imported)),
    ]);
    await settle();
    open();
    const states = (await creating).map(({ status }) => status);
    expect(states).toStrictEqual(['fulfilled', 'rejected', 'rejected']);
    expect((await listBothSides()).snap).toHaveLength(1);
  });

  it('is rejected while it is unknown whether MetaMask accepted the other', async () => {
    const bench = setup();
    const { metamask, add, restart, unsettledIds } = bench;
    metamask.decide = () => new Promise(() => undefined);
    void add(imported).catch(() => undefined);
    await settle();
    await settle();
    restart();
    expect(unsettledIds()).toHaveLength(1);
    metamask.decide = () => Promise.resolve(true);
    const reason = 'has the same key: Tollkeeper (imported)';
    await expectRefusal(add(smart('0.7', imported)), -32602, reason);
  });
});

describe("a key that does not match its account's address", () => {
  const other = importedRecord(`0x${'2e'.repeat(32)}`);

  it.each<[string, AccountRecord, RegExp]>([
    [
      'derived',
      { ...derivedRecord(), address: other.address },
      /^MetaMask derives the key of another address for the account 0x[0-9a-f]{40}\. Use/u,
    ],
    [
      'imported',
      { ...importedRecord(), address: other.address },
      /^The stored key of the account 0x[0-9a-f]{40} belongs to another/u,
    ],
    [
      'imported and invalid',
      {
        ...other,
        key: { kind: 'imported', privateKey: `0x${'0'.repeat(64)}` } as never,
      },
      /^The stored key of the account 0x[0-9a-f]{40} belongs to another/u,
    ],
    [
      'derived, with another owner in the record',
      smartRecord({ owner: other.address }),
      /^MetaMask derives the key of another address for the account 0x[0-9a-f]{40}\. Use/u,
    ],
  ])('causes an error that names the account: %s', async (_kind, record, expected) => {
    const { app, exportKey } = setup();
    app.edges.backend.document = stateOf({ accounts: [record] }) as Json;
    const { code, message } = await refusalOf(exportKey(record));
    expect(code).toBe(-32002);
    expect(message).toMatch(expected);
    expect(message).toContain(record.address);
    expect(message).not.toMatch(/[0-9a-f]{64}/u);
    expect(await app.services.repository.list()).toHaveLength(1);
  });
});

describe('restoring', () => {
  it('finds the accounts of every EntryPoint, each with its own owner', async () => {
    const { add, restore, loseState, used, metamask, exportKey } = setup();
    const made: KeyringAccount[] = [];
    for (const version of entryPointVersions) {
      made.push(await add(smart(version, { index: 1 })));
    }
    made.forEach(({ address }) => used.add(address));
    metamask.accounts.clear();
    loseState();
    const { accounts } = await restore();
    expect(accounts).toStrictEqual(made);
    for (const [index, version] of entryPointVersions.entries()) {
      const account = accounts[index] as KeyringAccount;
      expect(await exportKey(account)).toBe(ownerKeyOfIndex(1, version));
    }
  });

  it('reports a used account whose key was imported', async () => {
    const { add, restore, used, listBothSides } = setup();
    const account = await add(smart('0.7', { privateKey: keyOfIndex(0) }));
    used.add(privateKeyToAddress(keyOfIndex(0)).toLowerCase());
    const { accounts, failed } = await restore();
    expect(accounts).toStrictEqual([]);
    expect(failed).toMatchObject([
      {
        name: 'Tollkeeper 1',
        ...sharedKeyRefusal(account, 'Tollkeeper Smart (imported)'),
      },
    ]);
    expect((await listBothSides()).snap).toStrictEqual([account.id]);
  });

  it('reports an account that MetaMask holds and whose key was imported', async () => {
    const { add, restore, loseState, listBothSides } = setup();
    const lost = [await add({ index: 0 }), await add({ index: 1 })];
    loseState();
    const account = await add(smart('0.7', { privateKey: keyOfIndex(0) }));
    const restored: Restored = await restore();
    expect(restored.recovered).toStrictEqual([lost[1]]);
    expect(restored.failed).toMatchObject([
      {
        name: 'Tollkeeper 1',
        ...sharedKeyRefusal(account, 'Tollkeeper Smart (imported)'),
      },
    ]);
    const { snap } = await listBothSides();
    expect(snap).toStrictEqual([account.id, lost[1]?.id].sort());
  });
});
