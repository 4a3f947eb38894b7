// The home page of the built snap in the simulated wallet: each tab and button, as the view
// draws it, while all goes well and while it does not.
import type { Json } from '@metamask/utils';
import { stringToHex } from 'viem';

import { REQUEST_ID } from '../../dev/wallet/keyring-requests';
import { FEE_ANSWERS } from '../support/fees';
import { DAPP, installBench, resultIn } from '../support/snap-bench';
import type { SnapBench } from '../support/snap-bench';
import { elementsOf, namesOf, textOf, writeView } from '../support/view';

type Page = ReturnType<
  Awaited<ReturnType<SnapBench['snap']['onHomePage']>>['getInterface']
>;

type Bench = Awaited<ReturnType<typeof setup>>;

async function setup(
  prepare: (bench: SnapBench) => Promise<unknown> = () => Promise.resolve(),
  answers: Record<string, Json> = { ...FEE_ANSWERS, eth_chainId: '0x1' },
) {
  const bench = await installBench();
  for (const [method, result] of Object.entries(answers)) {
    bench.snap.mockJsonRpc({ method, result });
  }
  // The simulation has no background events.
  const due: { duration: string; request: { method: string; params: string[] } }[] = [];
  bench.snap.mockJsonRpc(({ method, params }) => {
    if (method === 'snap_getBackgroundEvents') return [];
    if (method !== 'snap_scheduleBackgroundEvent') return undefined;
    due.push(JSON.parse(JSON.stringify(params)) as Bench['due'][number]);
    return 'event';
  });
  await prepare(bench);
  const response = await bench.snap.onHomePage();
  const page = (): Page => response.getInterface();
  return {
    ...bench,
    /** The background events that were scheduled: the seconds and the request. */
    due,
    /** The page as it is now. */
    page,
    click: async (name: string) => page().clickElement(name),
    text: () => writeView(page().content),
  };
}

async function connect({ create, confirm }: SnapBench): Promise<void> {
  await create();
  await confirm({ method: 'eth_requestAccounts' }, ['approve']);
}

/** Have a message of MetaMask's wait for approval. */
async function wait({ create, manage, submit }: SnapBench): Promise<void> {
  const { id, address } = await create();
  const settings = { approvalMode: 'asynchronous' };
  await manage('tollkeeper_setSettings', [settings]);
  const params = [stringToHex('hello'), address];
  resultIn(await submit({ account: id, method: 'personal_sign', params }));
}

describe('the home page', () => {
  it('is there at once, and has the figures of the gas when they were asked for', async () => {
    const { page, click, text } = await setup();
    expect(text()).toContain(textOf('gas.noChain'));
    await click('home.frame.refresh');
    expect(text()).toContain('Ethereum');
    expect(text()).toContain(`${textOf('gas.baseFee')}\n1 gwei`);
    const [image] = elementsOf(page().content).filter(({ type }) => type === 'Image');
    expect(image?.props.src).toContain('<polyline');
  });

  it('draws itself anew by its background event, again and again', async () => {
    const { snap, text, due } = await setup();
    const [first] = due;
    expect(first).toMatchObject({ duration: 'PT1S' });
    if (first) await snap.onBackgroundEvent(first.request);
    expect(text()).toContain(`${textOf('gas.baseFee')}\n1 gwei`);
    expect(due).toStrictEqual([first, { ...first, duration: 'PT10S' }]);
  });

  it('lets an event for a page be that is gone', async () => {
    const { snap, due } = await setup();
    const event = { method: 'tollkeeper_home', params: ['gone'] };
    const { response } = await snap.onBackgroundEvent(event);
    expect(response).not.toHaveProperty('error');
    expect(due).toHaveLength(1);
  });

  it('works where nobody answers', async () => {
    const { click, text } = await setup(undefined, {});
    await click('home.frame.refresh');
    expect(text()).toContain(textOf('gas.unknown'));
    expect(text()).toContain(textOf('danger.title'));
    for (const tab of ['activity', 'requests', 'permissions']) {
      await click(`home.frame.tab:${tab}`);
    }
    expect(text()).toContain(textOf('sites.none'));
  });

  it('lists connected sites as the view draws them, and disconnects one', async () => {
    const { page, click, text, keyring } = await setup(connect);
    await click('home.frame.tab:permissions');
    const [account] = resultIn(await keyring('keyring_listAccounts')) as [
      { id: string; address: `0x${string}` },
    ];
    expect(writeView(page().content)).toContain(account.address);
    expect(namesOf(page().content, 'Button')).toStrictEqual(
      expect.arrayContaining([
        `home.permissions.disconnectOne:${account.id} ${DAPP}`,
        `home.permissions.disconnect:${DAPP}`,
      ]),
    );
    await click(`home.permissions.disconnect:${DAPP}`);
    expect(text()).toContain(textOf('sites.revoked', { origin: DAPP }));
    expect(text()).toContain(textOf('sites.none'));
  });

  it('rejects a request that waits', async () => {
    const { click, text } = await setup(wait);
    await click('home.frame.tab:requests');
    expect(text()).toContain(textOf('message.title'));
    await click(`home.requests.reject:${REQUEST_ID}`);
    expect(text()).toContain(textOf('requests.rejected'));
    expect(text()).toContain(textOf('requests.none'));
  });
});
