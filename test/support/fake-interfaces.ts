// The wallet's interfaces, in memory.
import type { JSXElement } from '@metamask/snaps-sdk/jsx';

import type { Interfaces } from '../../src/snap/interfaces';

/** Create interfaces that draw into a map, by their ids. */
export function createFakeInterfaces(
  screens: Map<string, JSXElement> = new Map(),
): Interfaces {
  return {
    create: (content) => {
      const id = `interface-${screens.size + 1}`;
      screens.set(id, content);
      return Promise.resolve(id);
    },
    update: (id, content) => {
      if (!screens.has(id)) return Promise.reject(new Error('It is not shown.'));
      screens.set(id, content);
      return Promise.resolve();
    },
    fetchValues: () => Promise.resolve({}),
  };
}
