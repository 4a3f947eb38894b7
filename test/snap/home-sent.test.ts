// What was sent and what waits, on the home page of the built snap: listed and drawn as their
// views, sped up, cancelled, approved and rejected, each behind its own dialog.
import type { Hex } from 'viem';
import { stringToHex, keccak256 } from 'viem';

import { REQUEST_ID } from '../../dev/wallet/keyring-requests';
import { ActivityTab } from '../../src/home/activity';
import type { ShownSent } from '../../src/home/activity';
import { RequestsTab } from '../../src/home/requests';
import { readTransactionSteps } from '../../src/home/sent-words';
import { COMPANION, DAPP, resultIn } from '../support/snap-bench';
import { openSnapHome } from '../support/snap-home';
import type { SnapHome } from '../support/snap-home';
import { openWorld } from '../support/snap-world';
import type { Gesture, World } from '../support/snap-world';
import { LEVELS } from '../support/transaction-views';
import { TO } from '../support/transactions';
import { elementsOf, namesOf, textOf, translate, writeView } from '../support/view';

let world: World;

beforeAll(async () => {
  world = await openWorld();
});
afterAll(async () => {
  await world.stop();
});

/** Open a tab of a new page. */
async function open(tab: string): Promise<SnapHome> {
  const home = await openSnapHome(world);
  await home.click(`home.frame.tab:${tab}`);
  return home;
}

/** Press a button that shows a dialog, answer that, and get what it showed. */
async function press(home: SnapHome, name: string, how: Gesture): Promise<string> {
  return writeView(await world.press(async () => home.click(name), how));
}

async function send(): Promise<Hex> {
  const fields = { from: world.eoa.address, to: TO, value: '0x1' };
  const call = { method: 'eth_sendTransaction', params: [fields] };
  return resultIn((await world.ask(call, 'approve')).answer) as Hex;
}

describe('the tab of what was sent', () => {
  let hash: Hex;

  beforeAll(async () => {
    hash = await send();
  });

  it('is drawn as its view, and so is what is looked at', async () => {
    const home = await open('activity');
    const from = world.eoa.address.toLowerCase() as Hex;
    const [stored] = resultIn(
      await world.rpc('tollkeeper_getActivity', [], COMPANION),
    ) as { sentAt: number }[];
    const shown: ShownSent = {
      hash,
      carriedBy: hash,
      chain: 'eip155:1',
      isOperation: false,
      isCancellation: false,
      steps: readTransactionSteps({ from, to: TO, value: 1n, data: '0x' }, {}),
      from,
      to: TO,
      value: 1n,
      nonce: 5n,
      origin: DAPP,
      sentAt: stored?.sentAt ?? 0,
      settledAt: undefined,
      state: 'pending',
      cost: undefined,
      maxCost: 21_000n * LEVELS.medium,
      price: LEVELS.medium,
      block: undefined,
      gasUsed: undefined,
      replaces: undefined,
      replacedBy: undefined,
      canBeReplaced: true,
    };
    const view = { translate, sent: [shown], page: 0, pages: 1 };
    expectPart(home, ActivityTab({ ...view, open: undefined }));
    expect(home.texts()).toContain(textOf('home.totalPending'));
    await home.click(`home.activity.details:${hash}`);
    expectPart(home, ActivityTab({ ...view, open: shown }));
    await home.click('home.frame.back');
    expectPart(home, ActivityTab({ ...view, open: undefined }));
  });

  it.each([
    ['refuse', 'home.activity.speedUp:'],
    ['close', 'home.activity.cancel:'],
  ] as const)(
    'replaces nothing if the dialog is answered with %s',
    async (how, action) => {
      const before = world.sent.length;
      const home = await open('activity');
      await home.click(`home.activity.details:${hash}`);
      await press(home, `${action}${hash}`, how);
      expect(home.texts()).toContain(textOf('home.refused'));
      expect(namesOf(home.page(), 'Button')).toContain(`${action}${hash}`);
      expect(world.sent).toHaveLength(before);
    },
  );

  it.each([
    ['home.activity.speedUp:', 'transaction.speedUp', 'activity.spedUp'],
    ['home.activity.cancel:', 'transaction.cancel', 'activity.cancelled'],
  ] as const)('replaces what is pending: %s', async (action, title, said) => {
    const pending = keccak256(world.sent.at(-1) ?? '0x');
    const home = await open('activity');
    await home.click(`home.activity.details:${pending}`);
    const dialog = await press(home, `${action}${pending}`, 'approve');
    for (const part of [textOf(title), 'Tollkeeper', pending]) {
      expect(dialog).toContain(part);
    }
    const replacement = keccak256(world.sent.at(-1) ?? '0x');
    expect(replacement).not.toBe(pending);
    expect(home.texts()).toContain(textOf(said));
    expect(home.texts()).toEqual(expect.arrayContaining([replacement, pending]));
  });
});

describe('the tab of requests', () => {
  /** Have a message of MetaMask's wait. */
  const wait = async (): Promise<SnapHome> => {
    const settings = [{ approvalMode: 'asynchronous' }];
    await world.manage('tollkeeper_setSettings', settings);
    const { id: account, address } = world.eoa;
    const params = [stringToHex('hello'), address];
    resultIn(await world.submit({ account, method: 'personal_sign', params }));
    return open('requests');
  };

  it('is drawn as its view, and lets a request wait that is refused', async () => {
    const home = await wait();
    expectPart(
      home,
      RequestsTab({
        translate,
        waiting: [
          {
            id: REQUEST_ID,
            method: 'personal_sign',
            origin: 'metamask',
            chain: undefined,
            account: world.eoa.address as Hex,
          },
        ],
        isAsynchronous: true,
        page: 0,
        pages: 1,
      }),
    );
    for (const how of ['refuse', 'close'] as const) {
      await press(home, `home.requests.approve:${REQUEST_ID}`, how);
      expect(home.texts()).toContain(textOf('home.refused'));
    }
    expect(namesOf(home.page(), 'Button')).toContain(
      `home.requests.approve:${REQUEST_ID}`,
    );
  });

  it('gives MetaMask what is approved', async () => {
    const home = await open('requests');
    const dialog = await press(home, `home.requests.approve:${REQUEST_ID}`, 'approve');
    expect(dialog).toContain('hello');
    expect(home.texts()).toContain(textOf('requests.approved'));
    expect(home.texts()).toContain(textOf('requests.none'));
  });
});

/** Expect that a part of the page is drawn just so. */
function expectPart(home: SnapHome, part: unknown): void {
  expect(elementsOf(home.page())).toContainEqual(part);
}
