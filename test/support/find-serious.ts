// What axe finds in a page that keeps people out.
import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';

/** Find it in places of the page: each rule with the first element that breaks it. */
export async function findSerious(
  page: Page,
  places: readonly string[],
): Promise<unknown[]> {
  const axe = places.reduce(
    (builder, place) => builder.include(place),
    // In the page itself: this Chromium ends with the first page that is closed.
    new AxeBuilder({ page }).setLegacyMode(true),
  );
  const { violations } = await axe.analyze();
  return violations
    .filter(({ impact }) => ['serious', 'critical'].includes(impact ?? ''))
    .map(({ id, nodes }) => [id, nodes[0]?.html]);
}
