import type { Json } from '@metamask/utils';

import { refusalOf } from '../../support/refusal';
import { agreeing, createTestApp } from '../../support/test-app';
import type { AgreeingKeyring, Edges } from '../../support/test-app';

const UNKNOWN = '11111111-1111-4111-8111-111111111111';

type Bench = {
  keyring: AgreeingKeyring;
  events: Edges['events'];
  grant: (origin: string, ids: string[]) => Promise<unknown>;
  stored: () => { accounts: Record<string, Json>; grants: Record<string, Json> } | null;
};

function setup(): Bench {
  const { services, edges } = createTestApp();
  return {
    keyring: agreeing(services.keyring),
    events: edges.events,
    grant: services.grants.set,
    stored: () => edges.backend.document as ReturnType<Bench['stored']>,
  };
}

describe('deleting an account', () => {
  it('removes it with its grants and tells MetaMask', async () => {
    const { keyring, events, grant, stored } = setup();
    const { id } = await keyring.createAccount({});
    await grant('https://dapp.example', [id]);
    await keyring.deleteAccount(id);
    expect(events.emitted.at(-1)).toStrictEqual(['notify:accountDeleted', { id }]);
    expect(stored()).toMatchObject({ accounts: {}, grants: {} });
    expect(stored()?.grants).toStrictEqual({});
  });

  it('does nothing for an account that is not there', async () => {
    const { keyring, events } = setup();
    await keyring.deleteAccount(UNKNOWN);
    expect(events.emitted).toStrictEqual([]);
  });

  it('puts account and grants back if MetaMask refuses', async () => {
    const { keyring, events, grant, stored } = setup();
    const { id } = await keyring.createAccount({});
    await grant('https://dapp.example', [id]);
    const before = stored();
    events.take = () => Promise.reject(new Error('User denied account removal'));
    expect(await refusalOf(keyring.deleteAccount(id))).toStrictEqual({
      code: 4001,
      message: 'The user declined it in MetaMask.',
    });
    expect(stored()).toStrictEqual(before);
  });
});
