// Writes stored state directly; the requests that change it have their own tests.
import type { ChainRow } from '../../src/state/chain-row';
import type { PrivateState } from '../../src/state/private-state';
import type { SentTransaction } from '../../src/state/sent-transaction';
import type { TestApp } from './test-app';

export async function storeChains(
  { services }: TestApp,
  chains: Record<string, ChainRow>,
): Promise<void> {
  await services.store.update((state) => ({ ...state, chains }));
}

export async function storeSettings(
  { services }: TestApp,
  settings: Partial<PrivateState['settings']>,
): Promise<void> {
  await services.store.update((state) => ({
    ...state,
    settings: { ...state.settings, ...settings },
  }));
}

export async function storeActivity(
  { services }: TestApp,
  sent: readonly SentTransaction[],
): Promise<void> {
  const activity = Object.fromEntries(sent.map((each) => [each.hash, each]));
  await services.store.update((state) => ({ ...state, activity }));
}

export async function storeGrant(
  { services }: TestApp,
  origin: string,
  ...accounts: readonly { id: string }[]
): Promise<void> {
  await services.grants.set(
    origin,
    accounts.map(({ id }) => id),
  );
}
