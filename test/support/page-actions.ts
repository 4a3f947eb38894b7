// What a person does on the companion page, and what they see come of it.
import type { Page } from 'playwright-core';

import type { Dialog } from '../../dev/wallet/user';

/** Chooses every account that is offered, and approves. */
export async function approveEverything(dialog: Dialog): Promise<void> {
  const fields = Object.keys(dialog.values);
  for (const name of fields) await dialog.fill(name, true);
  await dialog.approve();
}

/**
 * Do something, and wait for what the page says came of it.
 *
 * @param label - Name of the output.
 * @returns The text; an error begins with `FAILED` and its code.
 */
export async function outcomeOf(
  page: Page,
  label: string,
  act: () => Promise<unknown>,
): Promise<string> {
  const output = page.locator('.output', {
    has: page.getByRole('status', { name: label, exact: true }),
  });
  // Watched from before: the last outcome may look the same.
  const settled = output.evaluate(
    async (element) =>
      new Promise<string>((resolve) => {
        const observer = new MutationObserver(() => {
          if (element.matches('.busy, .idle')) return;
          observer.disconnect();
          const said = element.querySelector('output')?.innerText ?? '';
          resolve(element.matches('.failed') ? `FAILED ${said}` : said);
        });
        observer.observe(element, {
          attributes: true,
          childList: true,
          subtree: true,
          characterData: true,
        });
      }),
  );
  // The browser must have begun to watch.
  await output.evaluate(() => undefined);
  await act();
  return (await settled).replaceAll(/\s+/gu, ' ').trim();
}

/** Press a button, and wait for what comes of it. */
export async function press(page: Page, name: string, label: string): Promise<string> {
  return outcomeOf(page, label, async () =>
    page.getByRole('button', { name, exact: true }).click(),
  );
}

/** Open a question about the first account that fits, and answer it by a button. */
export async function answerDialog(
  page: Page,
  opener: RegExp,
  verb: string,
): Promise<string> {
  await page.getByRole('button', { name: opener }).first().click();
  return outcomeOf(page, 'Answer about the accounts', async () =>
    page.getByRole('dialog').getByRole('button', { name: verb }).click(),
  );
}
