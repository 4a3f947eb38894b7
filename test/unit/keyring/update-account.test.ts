import type { KeyringAccount } from '@metamask/keyring-api';

import { createGate, settle } from '../../support/gate';
import { refusalOf } from '../../support/refusal';
import { agreeing, createTestApp } from '../../support/test-app';
import type { AgreeingKeyring, Edges } from '../../support/test-app';

const ROOT = 'keyring_updateAccount: params.account';

type Bench = {
  keyring: AgreeingKeyring;
  events: Edges['events'];
  eoa: KeyringAccount;
  smart: KeyringAccount;
};

async function setup(): Promise<Bench> {
  const { services, edges } = createTestApp();
  const keyring = agreeing(services.keyring);
  const eoa = await keyring.createAccount({});
  const smart = await keyring.createAccount({
    type: 'eip155:erc4337',
    scopes: ['eip155:1'],
  });
  edges.events.emitted.length = 0;
  return { keyring, events: edges.events, eoa, smart };
}

const scopes = ['eip155:1', 'eip155:5'] as const;

describe('updating an account', () => {
  it('changes the chains of a smart account and tells MetaMask', async () => {
    const { keyring, events, smart } = await setup();
    const account = { ...smart, scopes: [...scopes] };
    await keyring.updateAccount(account);
    expect(await keyring.getAccount(smart.id)).toStrictEqual(account);
    expect(events.emitted).toStrictEqual([['notify:accountUpdated', { account }]]);
  });

  it('takes an account that is as it was', async () => {
    const { keyring, eoa, smart } = await setup();
    await keyring.updateAccount(eoa);
    await keyring.updateAccount(smart);
    expect(await keyring.listAccounts()).toStrictEqual([eoa, smart]);
  });

  const changes: [keyof KeyringAccount, Partial<KeyringAccount>][] = [
    ['type', { type: 'eip155:eoa' }],
    ['address', { address: '0x70997970c51812dc3a010c7d01b50e0d17dc79c8' }],
    ['methods', { methods: ['eth_sign'] }],
    ['methods', { methods: [] }],
    ['options', { options: {} }],
    ['options', { options: { exportable: true } }],
  ];

  it.each(changes)('refuses to change %s', async (field, change) => {
    const { keyring, events, smart } = await setup();
    const updating = keyring.updateAccount({
      ...smart,
      scopes: [...scopes],
      ...change,
    });
    expect(await refusalOf(updating)).toStrictEqual({
      code: -32602,
      message: `${ROOT}.${field} cannot be changed.`,
    });
    expect(await keyring.getAccount(smart.id)).toStrictEqual(smart);
    expect(events.emitted).toStrictEqual([]);
  });

  it.each([
    ['eoa', ['eip155:1'], 'eip155:1'],
    ['smart', ['eip155:0'], 'eip155:0'],
    ['smart', ['eip155:1', 'eip155:0'], 'eip155:1, eip155:0'],
  ] as const)(
    'refuses for an account (%s) the chains %j',
    async (kind, wanted, shown) => {
      const bench = await setup();
      const account = { ...bench[kind], scopes: [...wanted] };
      expect(await refusalOf(bench.keyring.updateAccount(account))).toStrictEqual({
        code: -32602,
        message: `${ROOT}.scopes cannot be changed to ${shown}.`,
      });
    },
  );

  it.each([
    [['solana:mainnet'], 'scopes[0] must be a CAIP-2 chain id such as "eip155:1".'],
    [
      ['eip155:1', 'eip155:0x5'],
      'scopes[1] must be a CAIP-2 chain id such as "eip155:1".',
    ],
    [[], 'scopes must be an array of 1 to 1000 entries.'],
  ] as [KeyringAccount['scopes'], string][])(
    'refuses the chains %j',
    async (wanted, reason) => {
      const { keyring, smart } = await setup();
      const updating = keyring.updateAccount({ ...smart, scopes: wanted });
      expect(await refusalOf(updating)).toStrictEqual({
        code: -32602,
        message: `${ROOT}.${reason}`,
      });
    },
  );

  it('refuses an account that is not there', async () => {
    const { keyring, smart } = await setup();
    await keyring.deleteAccount(smart.id);
    expect(await refusalOf(keyring.updateAccount(smart))).toStrictEqual({
      code: -32001,
      message: expect.stringContaining(`no account with the id ${smart.id}.`) as string,
    });
  });

  it('puts the account back if MetaMask refuses', async () => {
    const { keyring, events, smart } = await setup();
    events.take = () => Promise.reject(new Error('locked'));
    const updating = keyring.updateAccount({ ...smart, scopes: [...scopes] });
    expect(await refusalOf(updating)).toHaveProperty('code', -32002);
    expect(await keyring.getAccount(smart.id)).toStrictEqual(smart);
  });

  it('does not bring back an account that was deleted meanwhile', async () => {
    const { keyring, events, eoa, smart } = await setup();
    const { opened, open } = createGate();
    events.take = async (event) => {
      if (event !== 'notify:accountUpdated') return;
      await opened;
      throw new Error('unknown account');
    };
    const updating = refusalOf(
      keyring.updateAccount({ ...smart, scopes: [...scopes] }),
    );
    await settle();
    await keyring.deleteAccount(smart.id);
    open();
    await updating;
    expect(await keyring.listAccounts()).toStrictEqual([eoa]);
  });
});
