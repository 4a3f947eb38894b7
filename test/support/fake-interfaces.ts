// The wallet's interfaces, in memory.
import type { JSXElement } from '@metamask/snaps-sdk/jsx';
import type { Json } from '@metamask/utils';

import type { Interfaces } from '../../src/platform/interfaces';

/** What stands in each interface now, by id, and what goes with it. */
export type FakeScreens = Map<string, JSXElement> & {
  contexts: Map<string, Record<string, Json>>;
  /** What the user filled in, on whichever of them. */
  filled: Record<string, Json>;
  /** The accounts that account selectors offer. */
  accounts: () => { id: string; address: string }[];
  /** Why what is filled in cannot be read. */
  failure?: Error;
};

/** Create interfaces of which none is shown. */
export function createScreens(): FakeScreens {
  return Object.assign(new Map<string, JSXElement>(), {
    contexts: new Map<string, Record<string, Json>>(),
    filled: {},
    accounts: () => [],
  });
}

/** Create interfaces that draw into a map, by their ids. */
export function createFakeInterfaces(screens = createScreens()): Interfaces {
  const show = (
    id: string,
    content: JSXElement,
    context?: Record<string, Json>,
  ): void => {
    screens.set(id, content);
    if (context) screens.contexts.set(id, structuredClone(context));
  };
  const assertShown = (id: string): void => {
    if (!screens.has(id)) throw new Error('It is not shown.');
  };
  return {
    create: async (content, context) => {
      const id = `interface-${screens.size + 1}`;
      show(id, content, context);
      return Promise.resolve(id);
    },
    update: async (id, content, context) => {
      assertShown(id);
      await Promise.resolve(show(id, content, context));
    },
    fetchContext: async (id) => {
      assertShown(id);
      return Promise.resolve(structuredClone(screens.contexts.get(id) ?? null));
    },
    fetchValues: async (id) => {
      await Promise.resolve();
      if (screens.failure) throw screens.failure;
      const content = screens.get(id);
      return content?.type === 'AccountSelector'
        ? { [content.props.name]: selectAccount(content.props.value, screens) }
        : screens.filled;
    },
  };
}

function selectAccount(value: string | undefined, { accounts }: FakeScreens): Json {
  const [first, ...others] = accounts();
  const found = others.find(({ address }) => value?.endsWith(address)) ?? first;
  return found
    ? { accountId: found.id, addresses: [`eip155:0:${found.address}`] }
    : null;
}
