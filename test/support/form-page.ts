// The page in a browser, in front of a world with a chain, an ordinary account and a smart one:
// what a person does with its forms.
import type { Locator, Page } from 'playwright-core';
import { createTestClient, http } from 'viem';
import type { TestClient } from 'viem';

import { createAccount } from '../../dev/demo/accounts';
import type { DemoAccount } from '../../dev/demo/accounts';
import { configureChain } from '../../dev/demo/world';
import type { World } from '../../dev/demo/world';
import { refuseAll } from '../../dev/wallet/user';
import { PATIENCE_MS } from '../fixtures/stack/requests';
import { approveEverything } from './page-actions';
import { startPageWorld } from './page-world';
import type { PageWorld } from './page-world';

/** What a form said. */
export type Said = {
  /** The code of a failure. */
  code?: string;
  text: string;
};

/** A page with forms. */
export type FormPage = Pick<PageWorld, 'world' | 'page' | 'problems' | 'stop'> & {
  ordinary: DemoAccount;
  smart: DemoAccount;
  /** Rules the chain. */
  miner: TestClient<'anvil'>;
  /** Open a method's form; it stays open. */
  open: (name: string) => Promise<Locator>;
  /** Have the user approve every dialog from now on, with every account; or refuse it. */
  approve: () => void;
  refuse: () => void;
  /** Methods that refused, or were refused. */
  refused: ReadonlySet<string>;
  /** Ask a method what its form says, or other params, which are taken back then. */
  ask: (name: string, params?: string) => Promise<Said>;
  /** Wait for what was found about the last answer. */
  verified: (name: string) => Promise<string>;
};

/** Start all of it. Nothing was granted to the page yet. */
export async function startFormPage(): Promise<FormPage> {
  const { world, page, problems, stop } = await startPageWorld();
  try {
    const accounts = await prepare(world);
    const miner = createTestClient({
      mode: 'anvil',
      transport: http(world.stack.chain.url),
    });
    page.setDefaultTimeout(PATIENCE_MS);
    // Scrolling smoothly to each form takes its time.
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await page.reload();
    await page.locator('main[data-state=ready]').waitFor();
    return {
      world,
      page,
      problems,
      stop,
      miner,
      ...accounts,
      ...createHands(world, page),
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function prepare(
  world: World,
): Promise<{ ordinary: DemoAccount; smart: DemoAccount }> {
  await configureChain(world);
  const { chainId } = world.stack;
  const scopes = [`eip155:${chainId}`];
  const ordinary = await createAccount(world, { type: 'eip155:eoa' });
  const options = { type: 'eip155:erc4337', scopes, entryPoint: '0.7' };
  const smart = await createAccount(world, options);
  await world.stack.fund(ordinary.address, '10');
  await world.stack.fund(smart.address, '10');
  return { ordinary, smart };
}

type Hands = Pick<
  FormPage,
  'open' | 'ask' | 'verified' | 'approve' | 'refuse' | 'refused'
>;

function createHands({ wallet: { user } }: World, page: Page): Hands {
  const refused = new Set<string>();
  const open = async (name: string): Promise<Locator> => {
    const row = page.locator('details.method').filter({
      has: page.locator('summary code').getByText(name, { exact: true }),
    });
    if ((await row.getAttribute('open')) === null) {
      await row
        .locator('summary')
        .evaluate((element) => (element as HTMLElement).click());
      await row.locator('form').waitFor();
    }
    return row;
  };
  return {
    open,
    refused,
    approve: () => {
      user.onDialog = approveEverything;
    },
    refuse: () => {
      user.onDialog = refuseAll;
    },
    ask: async (name, params) => {
      const row = await open(name);
      if (params !== undefined) await row.getByRole('textbox').fill(params);
      const button = row.getByRole('button', { name: `Ask ${name}`, exact: true });
      // By the page itself: a pointer waits for frames, which a drawing without a GPU has few of.
      await button.evaluate((element) => (element as HTMLElement).click());
      const said = await readAnswer(row, name);
      if (said.code !== undefined || params !== undefined) refused.add(name);
      if (params !== undefined) {
        const reset = `Reset to example: ${name}`;
        const again = row.getByRole('button', { name: reset, exact: true });
        await again.evaluate((element) => (element as HTMLElement).click());
      }
      return said;
    },
    verified: async (name) => {
      const row = await open(name);
      const place = row.getByLabel(`Verification of ${name}`, { exact: true });
      await place.getByText(/^(?:Right|Wrong)$/u).waitFor();
      return (await place.textContent()) ?? '';
    },
  };
}

async function readAnswer(row: Locator, name: string): Promise<Said> {
  const wrong = row.locator('.hint.error');
  const done = row.locator('.output.done, .output.failed');
  await wrong.or(done).first().waitFor();
  if (await wrong.isVisible()) return { text: (await wrong.textContent()) ?? '' };
  const output = row.getByLabel(`Answer of ${name}`, { exact: true });
  const code = output.locator('.output-code');
  const text = (await output.locator('span').textContent()) ?? '';
  if ((await code.count()) === 0) return { text };
  return { code: ((await code.textContent()) ?? '').replace(/:\s*$/u, ''), text };
}
