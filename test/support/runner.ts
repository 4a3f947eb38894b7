// Stands in for Vitest and Playwright: collects the tests on a docs page.
import type { Page } from 'playwright-core';

export { expect } from '@jest/globals';

export const tests: ((openPage: () => Promise<Page>) => Promise<void>)[] = [];

export function it(_name: string, run: () => Promise<void>): void {
  tests.push(run);
}

type Fixture<Value> = (
  fixtures: { page: Page },
  use: (value: Value) => Promise<void>,
) => Promise<void>;

type Test<Fixtures> = (
  name: string,
  run: (fixtures: Fixtures) => Promise<void>,
) => void;

/** Playwright's `test`, which pages extend with one fixture. */
export const test = {
  extend: <Values extends Record<string, unknown>>(fixtures: {
    [Name in keyof Values]: Fixture<Values[Name]>;
  }): Test<Values & { page: Page }> => {
    const [[name, fixture] = []] = Object.entries(fixtures) as [
      string,
      Fixture<unknown>,
    ][];
    return (_name, run) => {
      tests.push(async (openPage) => {
        const page = await openPage();
        await fixture?.({ page }, async (value) =>
          run({ page, [String(name)]: value } as unknown as Values & { page: Page }),
        );
      });
    };
  },
};
