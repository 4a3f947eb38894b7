// Replaces Vitest and Playwright of the docs: keeps their tests until they are run.
import type { Page } from 'playwright-core';

export { expect } from '@jest/globals';

/** The tests of a page of the docs. */
export const tests: ((openPage: () => Promise<Page>) => Promise<void>)[] = [];

/** A test of Vitest. */
export function it(_name: string, run: () => Promise<void>): void {
  tests.push(run);
}

type Fixture<Value> = (
  given: { page: Page },
  use: (value: Value) => Promise<void>,
) => Promise<void>;

type Test<Given> = (name: string, run: (given: Given) => Promise<void>) => void;

/** What tests of Playwright are extended with: one fixture. */
export const test = {
  extend: <Given extends Record<string, unknown>>(fixtures: {
    [Name in keyof Given]: Fixture<Given[Name]>;
  }): Test<Given & { page: Page }> => {
    const [[name, fixture] = []] = Object.entries(fixtures) as [
      string,
      Fixture<unknown>,
    ][];
    return (_name, run) => {
      tests.push(async (openPage) => {
        const page = await openPage();
        await fixture?.({ page }, async (value) =>
          run({ page, [String(name)]: value } as unknown as Given & { page: Page }),
        );
      });
    };
  },
};
