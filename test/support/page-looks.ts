// What can be wrong with a page's looks, found in a browser.
import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';

/**
 * Faults of accessibility that are serious or worse, with where they are.
 *
 * @param places - Selectors of the parts to check; the whole page without any.
 */
export async function findBarriers(page: Page, places: readonly string[] = []) {
  // Legacy: it opens no page of its own, and closes none.
  const axe = new AxeBuilder({ page }).setLegacyMode(true);
  for (const place of places) axe.include(place);
  const { violations } = await axe.analyze();
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) =>
      nodes.map(({ target, any }) => `${id}: ${target.join(' ')} ${any[0]?.message}`),
    );
}

/** Loads the page anew, and sums up how far things move by themselves within a time. */
export async function sumShifts(page: Page, ms: number): Promise<number> {
  await page.reload();
  await page.locator('main[data-state]').waitFor();
  return page.evaluate(
    async (wait) =>
      new Promise<number>((resolve) => {
        let sum = 0;
        new PerformanceObserver((list) => {
          for (const entry of list.getEntries()) {
            const { value, hadRecentInput } = entry as PerformanceEntry & {
              value: number;
              hadRecentInput: boolean;
            };
            if (!hadRecentInput) sum += value;
          }
        }).observe({ type: 'layout-shift', buffered: true });
        setTimeout(() => resolve(sum), wait);
      }),
    ms,
  );
}

/** Walks through the page by Tab, and names the controls that are not come by. */
export async function findUnreached(page: Page): Promise<string[]> {
  const count = await page.evaluate(() => {
    const focusable =
      'a[href], button, input, select, textarea, summary, [tabindex="0"]';
    const controls = [...document.querySelectorAll<HTMLElement>(focusable)].filter(
      (element) =>
        element.checkVisibility() &&
        !element.matches(':disabled') &&
        // Of radio buttons one is come by; the others are chosen by arrows.
        !element.matches('[type="radio"]:not(:checked)'),
    );
    for (const control of controls) control.dataset.unreached = '';
    document.addEventListener('focusin', ({ target }) => {
      delete (target as HTMLElement).dataset.unreached;
    });
    return controls.length;
  });
  for (let pressed = 0; pressed <= count; pressed += 1) {
    await page.keyboard.press('Tab');
  }
  return page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('[data-unreached]')].map(
      ({ outerHTML }) => outerHTML.slice(0, 120),
    ),
  );
}

/** How much wider the page is than its window, in pixels. */
export async function findOverflow(page: Page): Promise<number> {
  return page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement;
    return scrollWidth - clientWidth;
  });
}
