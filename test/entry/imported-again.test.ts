// A recovery phrase that was removed from MetaMask and imported again gets a new ID there.
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

/** Sets up a wallet whose second phrase can be imported again, under another ID. */
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
      const request = { account: id, method: 'personal_sign', params };
      const answer = await callersOf(bench.app).submit(request);
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

const storedSource = ({ app }: RestoreBench, { id }: { id: string }): unknown => {
  const { accounts } = app.edges.backend.document as {
    accounts: Record<string, { key: { entropySource?: string } }>;
  };
  return accounts[id]?.key.entropySource;
};

const phraseMissing = ({ address }: { address: string }): object => ({
  code: -32002,
  message:
    `MetaMask has no Secret Recovery Phrase with the id that the account ${address} was ` +
    'created with. Import the phrase into MetaMask if it is not there, then restore its ' +
    "accounts on Tollkeeper's home page: this account stays the same.",
});

const withSource = (
  account: KeyringAccount,
  entropySource: string,
): KeyringAccount => ({
  ...account,
  options: { ...account.options, entropySource },
});

describe('an account whose phrase was imported again', () => {
  it('signs nothing, and the error names the account and the remedy', async () => {
    const bench = setup();
    const account = await bench.add({ entropySource: OLD });
    expect(await bench.sign(account)).toBe(true);
    bench.restart();
    bench.remove();
    expect(await refusalOf(bench.sign(account))).toStrictEqual(phraseMissing(account));
    bench.importAgain();
    expect(await refusalOf(bench.sign(account))).toStrictEqual(phraseMissing(account));
    const owned = await bench.add({ ...smart, entropySource: NEW });
    bench.phrases.delete(NEW);
    bench.restart();
    expect(await refusalOf(bench.exportKey(owned))).toStrictEqual(phraseMissing(owned));
  });

  const ways: [string, (bench: Bench, made: KeyringAccount) => Promise<unknown>][] = [
    ['is created again', async ({ add }) => add({ index: 0, entropySource: NEW })],
    ['is skipped for the next account', async ({ add }) => add({ entropySource: NEW })],
    [
      'is created again by MetaMask',
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
    expect(await bench.list()).toContainEqual(withSource(account, NEW));
    bench.restart();
    expect(await bench.sign(account)).toBe(true);
    expect(bench.unsettledIds()).toStrictEqual([]);
  });

  it.each(ways.filter(([how]) => !how.includes('by MetaMask')))(
    'is announced to MetaMask with its new phrase ID when it %s',
    async (_how, act) => {
      const bench = setup();
      const account = await bench.add({ entropySource: OLD });
      bench.importAgain();
      await act(bench, account);
      const held = bench.metamask.accounts.get(account.id);
      expect(held).toStrictEqual(withSource(account, NEW));
    },
  );

  it('is restored even with a far index, a salt, or the owner of the first smart accounts', async () => {
    const bench = setup();
    const far = await bench.add({ index: 70, entropySource: OLD });
    const salted = await bench.add({ ...smart, salt: '0x7', entropySource: OLD });
    const old = smartRecord({
      owner: lower(await createLegacyOwner(bench)),
      key: { kind: 'derived', index: 3, entropySource: OLD },
    });
    await bench.app.services.repository.ensure(old);
    bench.importAgain();
    await bench.restore({ entropySource: NEW, gap: 1 });
    for (const account of [far, salted, old]) {
      expect(storedSource(bench, account)).toBe(NEW);
      expect(await bench.exportKey(account)).toMatch(/^0x/u);
    }
  });

  it('keeps its phrase ID while MetaMask knows it', async () => {
    const bench = setup();
    const account = await bench.add({});
    await bench.add({ index: 0, entropySource: 'primary' });
    await bench.restore({ entropySource: 'primary' });
    bench.phrases.set(NEW, 'second');
    const other = await bench.add({ entropySource: OLD });
    await bench.add({ index: 0, entropySource: NEW });
    expect(storedSource(bench, account)).toBeUndefined();
    expect(storedSource(bench, other)).toBe(OLD);
  });

  it('is found if its phrase became the primary one, and vice versa', async () => {
    const bench = setup();
    const account = await bench.add({ entropySource: OLD });
    const first = await bench.add({});
    bench.restart();
    bench.phrases.clear();
    bench.phrases.set('primary', 'second').set(NEW, 'first');
    await bench.restore();
    await bench.restore({ entropySource: NEW });
    expect(storedSource(bench, account)).toBeUndefined();
    expect(storedSource(bench, first)).toBe(NEW);
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
    expect(storedSource(bench, account)).toBe(OLD);
    expect(await refusalOf(bench.sign(account))).toStrictEqual(phraseMissing(account));
  });

  it('signs nothing if its phrase ID now belongs to another phrase', async () => {
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

/** Derives the owner of the first smart accounts: the ordinary account with the same index. */
async function createLegacyOwner({ app, add }: Bench): Promise<string> {
  const { id, address } = await add({ index: 3, entropySource: OLD });
  await app.services.keyring.deleteAccount(id);
  return address;
}
