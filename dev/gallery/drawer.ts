// What draws a component of the SDK as HTML.
import type { JSXElement } from '@metamask/snaps-sdk/jsx';

import type { Html } from './html';

/** A component's name. */
export type ComponentType = JSXElement['type'];

/** The props of a component. */
export type PropsOf<Type extends ComponentType> = Extract<
  JSXElement,
  { type: Type }
>['props'];

/** Draws what stands inside: elements, texts, and lists of both. */
export type Draw = (node: unknown) => Html[];

/** Draws a component. */
export type Drawer<Type extends ComponentType> = (
  props: PropsOf<Type>,
  draw: Draw,
) => Html;

/** Draws these components. */
export type Drawers<Type extends ComponentType> = {
  [Each in Type]: Drawer<Each>;
};

/** List the elements in a node, those of lists within lists as well. */
export function elementsIn(node: unknown): JSXElement[] {
  if (Array.isArray(node)) return node.flatMap(elementsIn);
  const isElement = typeof node === 'object' && node !== null && 'type' in node;
  return isElement ? [node as JSXElement] : [];
}
