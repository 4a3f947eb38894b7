// Interfaces: what stands in a dialog or on a page, and can be drawn anew while it is shown.
import type { ComponentOrElement } from '@metamask/snaps-sdk';
import type { JSXElement } from '@metamask/snaps-sdk/jsx';
import type { Json } from '@metamask/utils';

/** The wallet's interfaces. */
export type Interfaces = {
  /** Draw a new one; gives its id. */
  create: (content: JSXElement) => Promise<string>;
  /**
   * Draw one anew.
   *
   * @throws If it is not shown any more.
   */
  update: (id: string, content: JSXElement) => Promise<void>;
  /** Fetch what is filled in, by the names of fields and of forms. */
  fetchValues: (id: string) => Promise<Record<string, Json>>;
};

/** The wallet's interfaces. */
export const interfaces: Interfaces = {
  create: async (content) => {
    const ui = content as ComponentOrElement;
    return snap.request({ method: 'snap_createInterface', params: { ui } });
  },
  update: async (id, content) => {
    const ui = content as ComponentOrElement;
    await snap.request({ method: 'snap_updateInterface', params: { id, ui } });
  },
  fetchValues: async (id) =>
    snap.request({ method: 'snap_getInterfaceState', params: { id } }),
};
