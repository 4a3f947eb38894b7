// The home page of the built snap in front of a user, in the simulated wallet.
import type { JSXElement } from '@metamask/snaps-sdk/jsx';

import type { SnapBench } from './snap-bench';
import { elementsOf, textsOf } from './view';

/** An open home page. */
export type SnapHome = {
  /** What is shown now. */
  page: () => JSXElement;
  texts: () => string[];
  click: (...names: string[]) => Promise<void>;
  /** Type into fields, by their names. */
  type: (fields: Record<string, string>) => Promise<void>;
  choose: (name: string, value: string) => Promise<void>;
  upload: (name: string, contents: string) => Promise<void>;
  /** The props of an element, by its name. */
  propsOf: (name: string) => Record<string, unknown> | undefined;
};

/** Open the home page. */
export async function openSnapHome({ snap }: SnapBench): Promise<SnapHome> {
  const response = await snap.onHomePage();
  const page = (): JSXElement => response.getInterface().content;
  return {
    page,
    texts: () => textsOf(page()),
    click: async (...names) => {
      for (const name of names) await response.getInterface().clickElement(name);
    },
    type: async (fields) => {
      for (const [name, value] of Object.entries(fields)) {
        await response.getInterface().typeInField(name, value);
      }
    },
    choose: async (name, value) =>
      response.getInterface().selectInDropdown(name, value),
    upload: async (name, contents) =>
      response.getInterface().uploadFile(name, new TextEncoder().encode(contents)),
    propsOf: (name) =>
      elementsOf(page()).find(({ props }) => props.name === name)?.props,
  };
}
