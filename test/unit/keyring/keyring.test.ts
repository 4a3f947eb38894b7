import type { KeyringAccount } from '@metamask/keyring-api';
import type { Json } from '@metamask/utils';

import { refusalOf } from '../../support/refusal';
import { agreeing, createTestApp } from '../../support/test-app';
import type { AgreeingKeyring, Edges } from '../../support/test-app';

const SMART = { type: 'eip155:erc4337' };
const UNKNOWN = '11111111-1111-4111-8111-111111111111';

type Bench = {
  keyring: AgreeingKeyring;
  events: Edges['events'];
  stored: () => Record<'accounts' | 'unsettled', Record<string, Json>> | null;
};

function setup(): Bench {
  const { services, edges } = createTestApp();
  return {
    keyring: agreeing(services.keyring),
    events: edges.events,
    stored: () => edges.backend.document as ReturnType<Bench['stored']>,
  };
}

const declined = (): Promise<never> =>
  Promise.reject(new Error('User denied account creation'));

describe('creating an account', () => {
  it('stores it, tells MetaMask with a name, and gives it', async () => {
    const { keyring, events, stored } = setup();
    const account = await keyring.createAccount({});
    expect(events.emitted).toStrictEqual([
      ['notify:accountCreated', { account, accountNameSuggestion: 'Tollkeeper 1' }],
    ]);
    expect(Object.keys(stored()?.accounts ?? {})).toStrictEqual([account.id]);
    expect(await keyring.listAccounts()).toStrictEqual([account]);
  });

  it('can be asked for it while MetaMask decides, and lists it only then', async () => {
    const { keyring, events } = setup();
    const seen: unknown[] = [];
    events.take = async (_event, { account }) => {
      const { id } = account as KeyringAccount;
      seen.push(await keyring.getAccount(id), await keyring.listAccounts());
    };
    const account = await keyring.createAccount({});
    expect(seen).toStrictEqual([account, []]);
    expect(await keyring.listAccounts()).toStrictEqual([account]);
  });

  it('echoes the correlation id of MetaMask', async () => {
    const { keyring, events } = setup();
    await keyring.createAccount({ metamask: { correlationId: 'c-1' } });
    expect(events.emitted[0]?.[1]).toHaveProperty('metamask', { correlationId: 'c-1' });
  });

  it('leaves nothing if the user declines', async () => {
    const { keyring, events, stored } = setup();
    events.take = declined;
    expect(await refusalOf(keyring.createAccount({}))).toStrictEqual({
      code: 4001,
      message: 'The user declined it in MetaMask.',
    });
    expect(await keyring.listAccounts()).toStrictEqual([]);
    expect(stored()).toMatchObject({ accounts: {} });
    expect(stored()?.unsettled).toStrictEqual({});
  });

  it('leaves the others if the user declines one', async () => {
    const { keyring, events } = setup();
    const first = await keyring.createAccount({});
    events.take = declined;
    await refusalOf(keyring.createAccount({}));
    expect(await keyring.listAccounts()).toStrictEqual([first]);
  });

  it('announces an account that exists again, and keeps it if that is declined', async () => {
    const { keyring, events } = setup();
    const account = await keyring.createAccount({ index: 0 });
    expect(await keyring.createAccount({ index: 0 })).toStrictEqual(account);
    expect(events.emitted).toHaveLength(2);
    events.take = declined;
    await refusalOf(keyring.createAccount({ index: 0 }));
    expect(await keyring.listAccounts()).toStrictEqual([account]);
  });

  it('keeps an account that MetaMask took from one of two calls', async () => {
    const { keyring, events } = setup();
    let announced = 0;
    events.take = async () => {
      announced += 1;
      if (announced === 1) await declined();
    };
    const calls = [
      keyring.createAccount({ index: 0 }),
      keyring.createAccount({ index: 0 }),
    ];
    const outcomes = (await Promise.allSettled(calls)).map(({ status }) => status);
    expect(outcomes).toStrictEqual(['rejected', 'fulfilled']);
    expect(await keyring.listAccounts()).toHaveLength(1);
  });

  it('tells MetaMask nothing of malformed options', async () => {
    const { keyring, events } = setup();
    expect(await refusalOf(keyring.createAccount({ colour: 'red' }))).toStrictEqual({
      code: -32602,
      message: 'keyring_createAccount: options.colour is not expected here.',
    });
    expect(events.emitted).toStrictEqual([]);
  });
});

describe('reading accounts', () => {
  it('gives an account by its id', async () => {
    const { keyring } = setup();
    const account = await keyring.createAccount(SMART);
    expect(await keyring.getAccount(account.id)).toStrictEqual(account);
  });

  it('says that there is no such account', async () => {
    const { keyring } = setup();
    expect(await refusalOf(keyring.getAccount(UNKNOWN))).toStrictEqual({
      code: -32001,
      message:
        `There is no account with the id ${UNKNOWN}. If Tollkeeper was installed anew, ` +
        'restore its accounts on its home page in MetaMask; imported ones have to be ' +
        'imported again.',
    });
  });

  it.each([
    [
      {},
      ['eip155:1', 'eip155:0x1', 'solana:x', 'eip155:137', 'x'],
      ['eip155:1', 'eip155:137'],
    ],
    [
      { ...SMART, scopes: ['eip155:5'] },
      ['eip155:1', 'eip155:5', 'eip155:0'],
      ['eip155:5'],
    ],
    [{}, [], []],
  ])(
    'keeps of the chains those that the account %j serves',
    async (options, chains, kept) => {
      const { keyring } = setup();
      const { id } = await keyring.createAccount(options);
      expect(await keyring.filterAccountChains(id, chains)).toStrictEqual(kept);
    },
  );

  it('filters no chains for an account that is not there', async () => {
    const { keyring } = setup();
    expect(await refusalOf(keyring.filterAccountChains(UNKNOWN, []))).toHaveProperty(
      'code',
      -32001,
    );
  });
});
