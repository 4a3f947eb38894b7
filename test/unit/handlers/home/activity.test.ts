import type { Hex } from '../../../../src/eth/hex';
import { ActivityTab } from '../../../../src/ui/home/activity';
import { openHome } from '../../../support/home-bench';
import type { HomeBench } from '../../../support/home-bench';
import { createSendBench, RECIPIENT } from '../../../support/send-bench';
import type { SendBench } from '../../../support/send-bench';
import { pendingOf } from '../../../support/sent-transactions';
import { DAPP, refuse } from '../../../support/test-app';
import {
  elementsOf,
  namesOf,
  textOf,
  translate,
  writeView,
} from '../../../support/view';

type Bench = { home: HomeBench; site: SendBench; hash: Hex };

/** One transaction that is on its way, and the tab that lists it. */
async function setup(): Promise<Bench> {
  const site = await createSendBench();
  const hash = (await site.send()) as Hex;
  const home = await openHome(site.app);
  await home.click('home.frame.tab:activity');
  return { home, site, hash };
}

const detailsOf = (hash: string): string => `home.activity.details:${hash}`;

describe('the tab of what was sent', () => {
  it('says that there is nothing', async () => {
    const home = await openHome();
    await home.click('home.frame.tab:activity');
    expect(home.texts()).toContain(textOf('activity.none'));
  });

  it('lists what was sent, with what it can cost', async () => {
    const { home, site, hash } = await setup();
    expect(elementsOf(home.page())).toContainEqual(
      ActivityTab({
        translate,
        page: 0,
        pages: 1,
        open: undefined,
        sent: [
          {
            hash,
            chain: 'eip155:1',
            isOperation: false,
            from: site.address as Hex,
            to: RECIPIENT,
            value: 1n,
            nonce: 5n,
            origin: DAPP,
            sentAt: site.edges.clock.time,
            settledAt: undefined,
            state: 'pending',
            cost: undefined,
            maxCost: 21_000n * 1_350_000_002n,
            price: 1_350_000_002n,
            block: undefined,
            gasUsed: undefined,
            replaces: undefined,
            replacedBy: undefined,
            canBeReplaced: true,
          },
        ],
      }),
    );
  });

  it('tells what it did cost once it is included, when its user asks again', async () => {
    const { home, site, hash } = await setup();
    site.mine(hash);
    await home.click('home.frame.refresh');
    expect(home.texts()).toContain(textOf('sent.included'));
    expect(home.texts()).toContain(textOf('activity.cost'));
    await home.click(detailsOf(hash));
    expect(home.texts()).toContain(textOf('activity.gasUsed'));
    expect(namesOf(home.page(), 'Button')).not.toContain(
      `home.activity.speedUp:${hash}`,
    );
  });

  it('tells that it failed', async () => {
    const { home, site, hash } = await setup();
    site.mine(hash, '0x0');
    await home.click('home.frame.refresh');
    expect(home.texts()).toContain(textOf('sent.failed'));
  });

  it.each([
    ['speedUp', 'activity.spedUp', 'transaction.speedUp'],
    ['cancel', 'activity.cancelled', 'transaction.cancel'],
  ] as const)('replaces it after the usual dialog: %s', async (action, said, title) => {
    const { home, site, hash } = await setup();
    await home.click(detailsOf(hash));
    home.restart();
    await home.click(`home.activity.${action}:${hash}`);
    const dialog = writeView(site.edges.dialogs.shown.at(-1));
    expect(dialog).toContain(textOf(title));
    expect(dialog).not.toContain(textOf('origin.form'));
    expect(home.notices()).toStrictEqual([textOf(said)]);
    const newest = home.place().item as Hex;
    expect(newest).not.toBe(hash);
    expect(site.pool.has(newest)).toBe(true);
    expect(home.texts()).toContain(hash);
    await home.click('home.frame.back');
    expect(home.place()).not.toHaveProperty('item');
    expect(namesOf(home.page(), 'Button')).toContain(detailsOf(hash));
  });

  it('does nothing if the dialog is refused, which is no fault', async () => {
    const { home, site, hash } = await setup();
    await home.click(detailsOf(hash));
    site.edges.dialogs.answer = refuse;
    await home.click(`home.activity.cancel:${hash}`);
    expect(home.notices()).toStrictEqual([textOf('home.refused')]);
    expect(site.pool.size).toBe(1);
    expect(home.place().item).toBe(hash);
  });

  it('says why something cannot be replaced any more', async () => {
    const { home, site, hash } = await setup();
    await home.click(detailsOf(hash));
    site.mine(hash);
    await site.poll(3_000);
    await home.click(`home.activity.speedUp:${hash}`);
    expect(home.notices()[0]).toContain('it is included');
  });

  it('shows a hundred, ten a page', async () => {
    const home = await openHome();
    const { ledger } = home.app.services;
    for (let n = 1; n <= 100; n += 1) await ledger.add(pendingOf(n));
    await home.click('home.frame.tab:activity');
    const shown = (): string[] =>
      namesOf(home.page(), 'Button').filter((name) => name.startsWith('home.activity'));
    expect(shown()[0]).toBe(detailsOf(pendingOf(100).hash));
    expect(shown()).toHaveLength(10);
    await home.click('home.frame.page:1');
    expect(shown()[0]).toBe(detailsOf(pendingOf(90).hash));
    expect(home.texts()).toContain(textOf('pager.page', { page: '2', pages: '10' }));
    await home.click(shown()[3] ?? '');
    await home.click('home.frame.back');
    expect(home.place().page).toBe(1);
  });
});
