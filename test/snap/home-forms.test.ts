// Every field of the form for a network, and how far long work has come, on the home page of
// the built snap.
import { entryPoints } from '../../src/eth/entry-point';
import { toFields } from '../../src/handlers/home/chain-fields';
import { RestorePage } from '../../src/ui/home/account-forms';
import { ChainForm } from '../../src/ui/home/chain-form';
import { RemoveChainPage } from '../../src/ui/home/settings';
import { answerRpc } from '../support/answer-rpc';
import { startHttpServer } from '../support/http-server';
import { derivedRecord } from '../support/records';
import { COMPANION, installBench, resultIn } from '../support/snap-bench';
import { openSnapHome } from '../support/snap-home';
import type { SnapHome } from '../support/snap-home';
import { stateOf } from '../support/stored-accounts';
import { elementsOf, textOf, translate } from '../support/view';

const SCOPE = 'eip155:31337';

const { factory: FACTORY } = entryPoints['0.7'];

const SECRET = 'k3y-of-the-user-0123456789abcdef';

const form = { typed: {}, hasFailed: false };

/** Expect that a part of the page is drawn just so. */
function expectPart(home: SnapHome, part: unknown): void {
  expect(elementsOf(home.page())).toContainEqual(part);
}

describe('the form for a network', () => {
  it('shows what is set but no secret, and changes and removes every field', async () => {
    const { url, stop } = await startHttpServer(
      answerRpc({
        eth_chainId: '0x7a69',
        eth_supportedEntryPoints: [entryPoints['0.7'].entryPoint],
      }),
    );
    const row = {
      bundlerUrl: url,
      paymasterUrl: url,
      gasBaseUrl: `${url}/${SECRET}`,
      apiKey: SECRET,
      apiKeySecret: SECRET,
      bundlerApiKey: SECRET,
      paymasterContext: { plan: 7 },
    };
    const state = { ...stateOf({}), chains: { [SCOPE]: row } };
    const bench = await installBench({ state });
    bench.snap.mockJsonRpc({ method: 'eth_getCode', result: '0x60' });
    const home = await openSnapHome(bench);
    await home.click('home.frame.tab:settings', `home.settings.edit:${SCOPE}`);
    const fields = toFields(row, translate);
    expectPart(home, ChainForm({ translate, chain: SCOPE, fields, form }));
    expect(JSON.stringify(home.page())).not.toContain(SECRET);
    await home.click('gasBaseUrl-remove', 'apiKey-remove', 'apiKeySecret-remove');
    await home.type({ bundlerApiKey: 'other', paymasterContext: '{ "plan": 8 }' });
    await home.type({ factory: FACTORY, rpcUrl: url, wsUrl: '', paymasterUrl: '' });
    await home.choose('entryPoint', '0.7');
    await home.choose('gasAuth', 'path');
    await home.click('home.settings.submit:chain');
    await stop();
    expect(home.texts()).toContain(
      textOf('settings.savedChain', { chain: 'Anvil (eip155:31337)' }),
    );
    const listed = await bench.rpc('tollkeeper_getChains', [], COMPANION);
    expect(resultIn(listed)).toStrictEqual([
      {
        chainId: SCOPE,
        rpcUrl: url,
        bundlerUrl: url,
        bundlerApiKey: '[redacted]',
        gasAuth: 'path',
        entryPoint: '0.7',
        factory: FACTORY,
        paymasterContext: { plan: 8 },
        contracts: expect.anything() as unknown,
      },
    ]);
    await home.click(`home.settings.askRemove:${SCOPE}`);
    expectPart(home, RemoveChainPage({ translate, chain: SCOPE }));
    await home.click('home.settings.list');
    expect(home.texts()).toContain(textOf('settings.title'));
  });
});

describe('restoring', () => {
  it('is drawn as its view while it runs, and ends when its user says so', async () => {
    const accounts = [derivedRecord(0), derivedRecord(1)];
    const bench = await installBench({ state: stateOf({ accounts }) });
    let release = (): void => undefined;
    const isAsked = new Promise<void>((asked) => {
      bench.metamask.take = async () => {
        asked();
        await new Promise<void>((resolve) => (release = resolve));
        throw new Error("Account 'it' not found");
      };
    });
    const home = await openSnapHome(bench);
    await home.click('home.frame.tab:accounts', 'home.accounts.step:restore');
    const view = { translate, gap: 20, form };
    expectPart(home, RestorePage({ ...view, progress: undefined }));
    const restoring = home.click('home.accounts.submit');
    await isAsked;
    const progress = { phase: 'checking', done: 0, total: 2 } as const;
    await expectSoon(() => expectPart(home, RestorePage({ ...view, progress })));
    await home.click('home.accounts.cancel');
    release();
    await restoring;
    expect(home.texts()).toEqual(
      expect.arrayContaining([
        textOf('restore.unchecked', { count: '1', names: 'Tollkeeper 2' }),
        textOf('restore.skipped', { count: '1', names: 'Tollkeeper 1' }),
      ]),
    );
    expect(home.texts()).not.toContain(textOf('progress.cancel'));
  });
});

/** Wait until something holds. */
async function expectSoon(check: () => void): Promise<void> {
  for (let tries = 0; tries < 50; tries += 1) {
    try {
      return check();
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
  check();
}
