// How a user answers a dialog.
import type { JSXElement } from '@metamask/snaps-sdk/jsx';
import type { Json } from '@metamask/utils';

import { namesOf } from './view';

/** Answer a dialog with yes, every box of it ticked. */
export async function approve(content: JSXElement): Promise<Json> {
  const boxes = namesOf(content, 'Checkbox').map((name) => [name, true]);
  await Promise.resolve();
  return { approved: true, values: Object.fromEntries(boxes) as Json };
}

/** Answer a dialog with no. */
export async function refuse(): Promise<Json> {
  await Promise.resolve();
  return { approved: false, values: {} };
}
