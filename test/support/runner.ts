// Stands for Vitest and Playwright in the docs: keeps their tests until they are run.
import type { Page } from 'playwright-core';

export { expect } from '@jest/globals';

/** The tests of a page of the docs. */
export const tests: ((openPage: () => Promise<Page>) => Promise<void>)[] = [];

/** A test of Vitest. */
export function it(_name: string, run: () => Promise<void>): void {
  tests.push(run);
}

/** A test of Playwright. */
export function test(
  _name: string,
  run: (given: { page: Page }) => Promise<void>,
): void {
  tests.push(async (openPage) => run({ page: await openPage() }));
}
