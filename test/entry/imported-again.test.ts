// A recovery phrase that was removed from MetaMask and imported again has another id there.
import type { KeyringAccount } from '@metamask/keyring-api';
import { verifyMessage } from 'viem';
import type { Hex } from 'viem';

import { callersOf } from '../support/callers';
import { entropyOf } from '../support/entropy';
import { asPlain } from '../support/fake-metamask';
import { openHome } from '../support/home-bench';
import { createRestoreBench } from '../support/keyring-bench';
import type { RestoreBench } from '../support/keyring-bench';
import { lower, smartRecord } from '../support/records';
import { refusalOf } from '../support/refusal';

const OLD = '01-old';
const NEW = '01-new';

const smart = { type: 'eip155:erc4337', scopes: ['eip155:1'] };

/** A wallet whose second phrase is imported under an id, and again under another. */
function setup() {
  const bench = createRestoreBench();
  const { entropy } = bench.app.edges;
  const phrases = new Map([
    ['primary', 'first'],
    [OLD, 'second'],
  ]);
  entropy.getEntropy = async (salt, source = 'primary') => {
    const phrase = phrases.get(source);
    if (phrase !== undefined) return Promise.resolve(entropyOf(salt, phrase));
    const message = `Entropy source with ID "${source}" not found.`;
    return Promise.reject(asPlain(message));
  };
  return Object.assign(bench, {
    phrases,
    remove: () => phrases.delete(OLD),
    importAgain: (phrase = 'second') => {
      phrases.delete(OLD);
      phrases.set(NEW, phrase);
    },
    sign: async ({ id, address }: { id: string; address: string }) => {
      const params = ['0x12', address];
      const asked = { account: id, method: 'personal_sign', params };
      const answer = await callersOf(bench.app).submit(asked);
      const signature = (answer as { result: Hex }).result;
      const message = { raw: '0x12' } as const;
      return verifyMessage({ address: address as Hex, message, signature });
    },
    exportKey: async ({ id }: { id: string }) => {
      const exported = await bench.call('keyring_exportAccount', { id });
      return (exported as { privateKey: Hex }).privateKey;
    },
  });
}

type Bench = ReturnType<typeof setup>;

const sourceIn = ({ app }: RestoreBench, { id }: { id: string }): unknown => {
  const { accounts } = app.edges.backend.document as {
    accounts: Record<string, { key: { entropySource?: string } }>;
  };
  return accounts[id]?.key.entropySource;
};

const missing = ({ address }: { address: string }): object => ({
  code: -32002,
  message:
    `MetaMask has no Secret Recovery Phrase with the id that the account ${address} was ` +
    'created with. Import the phrase into MetaMask if it is not there, then restore its ' +
    "accounts on Tollkeeper's home page: this account stays the same.",
});

const withId = (account: KeyringAccount, entropySource: string): KeyringAccount => ({
  ...account,
  options: { ...account.options, entropySource },
});

describe('an account whose phrase was imported again', () => {
  it('signs nothing, and reports which account it is and what to do', async () => {
    const bench = setup();
    const account = await bench.add({ entropySource: OLD });
    expect(await bench.sign(account)).toBe(true);
    bench.restart();
    bench.remove();
    expect(await refusalOf(bench.sign(account))).toStrictEqual(missing(account));
    bench.importAgain();
    expect(await refusalOf(bench.sign(account))).toStrictEqual(missing(account));
    const owned = await bench.add({ ...smart, entropySource: NEW });
    bench.phrases.delete(NEW);
    bench.restart();
    expect(await refusalOf(bench.exportKey(owned))).toStrictEqual(missing(owned));
  });

  const ways: [string, (bench: Bench, made: KeyringAccount) => Promise<unknown>][] = [
    [
      'is created by its number',
      async ({ add }) => add({ index: 0, entropySource: NEW }),
    ],
    ['is passed over for the next', async ({ add }) => add({ entropySource: NEW })],
    [
      'is created by MetaMask',
      async ({ app }) =>
        callersOf(app).keyring('metamask', 'keyring_createAccounts', {
          options: { type: 'custom', index: 0, entropySource: NEW },
        }),
    ],
    ['is restored', async ({ restore }) => restore({ entropySource: NEW })],
  ];

  it.each(ways)('signs again once it %s', async (_how, act) => {
    const bench = setup();
    const account = await bench.add({ entropySource: OLD });
    const key = await bench.exportKey(account);
    bench.restart();
    bench.importAgain();
    await act(bench, account);
    expect(await bench.sign(account)).toBe(true);
    expect(await bench.exportKey(account)).toBe(key);
    expect(await bench.list()).toContainEqual(withId(account, NEW));
    bench.restart();
    expect(await bench.sign(account)).toBe(true);
    expect(bench.notes()).toStrictEqual([]);
  });

  it.each(ways.filter(([how]) => !how.includes('by MetaMask')))(
    'is announced to MetaMask with its new id when it %s',
    async (_how, act) => {
      const bench = setup();
      const account = await bench.add({ entropySource: OLD });
      bench.importAgain();
      await act(bench, account);
      const held = bench.metamask.accounts.get(account.id);
      expect(held).toStrictEqual(withId(account, NEW));
    },
  );

  it('is restored with another salt, an unused index and the old owner', async () => {
    const bench = setup();
    const far = await bench.add({ index: 70, entropySource: OLD });
    const salted = await bench.add({ ...smart, salt: '0x7', entropySource: OLD });
    const old = smartRecord({
      // As the first smart accounts have it.
      owner: lower(await ownerOfOldTimes(bench)),
      key: { kind: 'derived', index: 3, entropySource: OLD },
    });
    await bench.app.services.repository.ensure(old);
    bench.importAgain();
    await bench.restore({ entropySource: NEW, gap: 1 });
    for (const account of [far, salted, old]) {
      expect(sourceIn(bench, account)).toBe(NEW);
      expect(await bench.exportKey(account)).toMatch(/^0x/u);
    }
  });

  it('keeps its id if that is still known, whatever other name it is given', async () => {
    const bench = setup();
    const account = await bench.add({});
    await bench.add({ index: 0, entropySource: 'primary' });
    await bench.restore({ entropySource: 'primary' });
    bench.phrases.set(NEW, 'second');
    const other = await bench.add({ entropySource: OLD });
    await bench.add({ index: 0, entropySource: NEW });
    expect(sourceIn(bench, account)).toBeUndefined();
    expect(sourceIn(bench, other)).toBe(OLD);
  });

  it('is found if its phrase became the first one, and vice versa', async () => {
    const bench = setup();
    const account = await bench.add({ entropySource: OLD });
    const first = await bench.add({});
    bench.restart();
    bench.phrases.clear();
    bench.phrases.set('primary', 'second').set(NEW, 'first');
    await bench.restore();
    await bench.restore({ entropySource: NEW });
    expect(sourceIn(bench, account)).toBeUndefined();
    expect(sourceIn(bench, first)).toBe(NEW);
    for (const each of [account, first]) expect(await bench.sign(each)).toBe(true);
  });

  it('is not mistaken for an account of another phrase', async () => {
    const bench = setup();
    const account = await bench.add({ entropySource: OLD });
    bench.restart();
    bench.importAgain('third');
    const other = await bench.add({ index: 0, entropySource: NEW });
    await bench.restore({ entropySource: NEW });
    expect(other.id).not.toBe(account.id);
    expect(sourceIn(bench, account)).toBe(OLD);
    expect(await refusalOf(bench.sign(account))).toStrictEqual(missing(account));
  });

  it('has its key compared if its id now belongs to another phrase', async () => {
    const bench = setup();
    const account = await bench.add({ entropySource: OLD });
    bench.restart();
    bench.phrases.set(OLD, 'third');
    const refusal = await refusalOf(bench.sign(account));
    expect(refusal.message).toContain(
      `another address for the account ${account.address}`,
    );
  });

  it('is restored on the home page', async () => {
    const bench = setup();
    const account = await bench.add({ entropySource: OLD });
    bench.importAgain();
    bench.app.edges.entropy.sources = ['primary', NEW].map((id, index) => ({
      id,
      name: `Phrase ${index}`,
      type: 'mnemonic',
      primary: index === 0,
    }));
    const home = await openHome(bench.app, 'accounts');
    await home.click('home.accounts.step:restore');
    await home.submit('home.accounts.restore', { gap: '1', phrase: NEW });
    expect(await bench.sign(account)).toBe(true);
  });
});

async function ownerOfOldTimes({ app, add }: Bench): Promise<string> {
  const { id, address } = await add({ index: 3, entropySource: OLD });
  await app.services.keyring.deleteAccount(id);
  return address;
}
