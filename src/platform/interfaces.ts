// Interfaces: the content of a dialog or a page, which can be drawn again while it is shown.
import type { ComponentOrElement, InterfaceContext } from '@metamask/snaps-sdk';
import type { JSXElement } from '@metamask/snaps-sdk/jsx';
import type { Json } from '@metamask/utils';

import { answered } from './answered';

/** The wallet's interfaces. */
export type Interfaces = {
  /** Draws a new interface with a context; returns its id. */
  create: (content: JSXElement, context?: InterfaceContext) => Promise<string>;
  /**
   * Draw one anew; without a context it keeps its own.
   *
   * @throws If it is not shown any more.
   */
  update: (
    id: string,
    content: JSXElement,
    context?: InterfaceContext,
  ) => Promise<void>;
  /**
   * Fetches the context of an interface; null if it has none.
   *
   * @throws If it is not shown any more.
   */
  fetchContext: (id: string) => Promise<InterfaceContext | null>;
  /** Fetches the values of fields, by the names of fields and forms. */
  fetchValues: (id: string) => Promise<Record<string, Json>>;
};

/** The wallet's interfaces. */
export const interfaces: Interfaces = {
  create: async (content, context) => {
    const params = { ui: content as ComponentOrElement, ...given(context) };
    const method = 'snap_createInterface';
    return answered(method, snap.request({ method, params }));
  },
  update: async (id, content, context) => {
    const params = { id, ui: content as ComponentOrElement, ...given(context) };
    const method = 'snap_updateInterface';
    await answered(method, snap.request({ method, params }));
  },
  fetchContext: async (id) => {
    const method = 'snap_getInterfaceContext';
    return answered(method, snap.request({ method, params: { id } }));
  },
  fetchValues: async (id) => {
    const method = 'snap_getInterfaceState';
    return answered(method, snap.request({ method, params: { id } }));
  },
};

function given(context?: InterfaceContext): { context?: InterfaceContext } {
  return context === undefined ? {} : { context };
}
