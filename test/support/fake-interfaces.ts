// The wallet's interfaces in memory; a test provides the user's input.
import type { Json } from '@metamask/utils';

import { createInterfaces, Screens } from '../../packages/testing/src/dialogs';
import type { Interfaces } from '../../src/platform/shared-edges';

/** The content of each interface by id, with its context. */
export type FakeScreens = Screens & {
  /** The user's input on any screen. */
  filled: Record<string, Json>;
  /** The accounts that account selectors offer. */
  accounts: () => { id: string; address: string }[];
  /** Thrown when the form's values are read. */
  failure?: Error;
};

export function createScreens(): FakeScreens {
  return Object.assign(new Screens(), { filled: {}, accounts: () => [] });
}

/** Creates interfaces that store their content in `screens`. */
export function createFakeInterfaces(screens = createScreens()): Interfaces {
  return {
    ...createInterfaces(screens),
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
