// The changes that a dialog shows when it asks again.
import type { JSXElement } from '@metamask/snaps-sdk/jsx';

import type { Showing } from '../../../src/core/dialog';
import { createConsent } from '../../../src/sites/consent';
import type { PrivateStore } from '../../../src/state/private-state';
import { toPagedView } from '../../../src/ui/confirmation';
import type { PagedView } from '../../../src/ui/confirmation';
import { textOf, translate, writeView } from '../../support/view';

async function drawWithIncreases(count: number): Promise<string> {
  const changes = {
    isInputOpen: false,
    isWarned: false,
    costs: Array.from({ length: count }, (_, index) => {
      const after = BigInt(index + 1);
      return { index, before: 0n, after };
    }),
  };
  let drawn: JSXElement | undefined;
  const requestApproval = async ({ takeSnapshot }: Showing): Promise<undefined> => {
    const { draw } = takeSnapshot().draw([]);
    const [seen, acknowledged] = [new Set<number>(), new Set<string>()];
    drawn = draw({ number: 1, page: 0, seen, acknowledged, changes });
    return Promise.resolve(undefined);
  };
  const consent = createConsent({
    core: { requestApproval },
    loadTranslate: async () => Promise.resolve(translate),
    store: { read: async () => Promise.resolve({ refusals: {} }) } as PrivateStore,
    now: () => 0,
  });
  const costs = changes.costs.map(() => ({
    label: 'field.maxCost' as const,
    amount: 0n,
    write: String,
  }));
  const draw = (): PagedView =>
    toPagedView({ translate, title: 'Send', origin: 'https://dapp.example' });
  await consent
    .require('metamask', { takeSnapshot: () => ({ tasks: [], costs, draw }) })
    .catch(() => undefined);
  return writeView(drawn);
}

describe('a dialog with increased costs', () => {
  it('names three costs, and counts the others', async () => {
    expect(await drawWithIncreases(3)).not.toContain('; and');
    expect(await drawWithIncreases(5)).toContain(
      `0 → 3; ${textOf('list.more', { count: '2' })}`,
    );
  });
});
