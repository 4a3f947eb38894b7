// Draws a tree of the SDK's components as HTML, near enough to how MetaMask does.
import type { JSXElement } from '@metamask/snaps-sdk/jsx';

import { fields } from './components/fields';
import { layout } from './components/layout';
import { values } from './components/values';
import type { ComponentType, Draw, Drawers } from './drawer';
import { tag, toHtml } from './html';
import type { Html } from './html';

/** What draws each component that there is; the compiler knows if one is missing. */
export const drawers: Drawers<ComponentType> = { ...layout, ...values, ...fields };

/**
 * Draw an element.
 *
 * @throws {Error} If it is of a type that the SDK does not have.
 */
export function draw({ type, props }: JSXElement): Html {
  if (!Object.hasOwn(drawers, type)) {
    throw new Error(`The gallery cannot draw a component of the type "${type}".`);
  }
  const drawer = drawers[type] as (props: unknown, drawAll: Draw) => Html;
  return drawer(props, drawAll);
}

/** Draw a whole screen: what is in no container has no footer of its own. */
export function drawScreen(content: JSXElement): string {
  if (content.type === 'Container') return draw(content).html;
  const body = tag('main', { class: 'body' }, draw(content));
  return toHtml(tag('div', { class: 'container default' }, body));
}

function drawAll(node: unknown): Html[] {
  if (Array.isArray(node)) return node.flatMap(drawAll);
  if (typeof node === 'string' || typeof node === 'number') {
    return [{ html: toHtml(String(node)) }];
  }
  const isElement = typeof node === 'object' && node !== null && 'type' in node;
  return isElement ? [draw(node as JSXElement)] : [];
}
