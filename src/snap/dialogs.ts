// Custom dialogs: queued by the wallet, answered by the snap itself. A typed dialog would
// fail while another one is open, and could answer no more than yes or no.
import type { Json } from '@metamask/utils';

import { answered, decided } from './answered';

/**
 * Show an interface as a dialog, and wait for its answer.
 *
 * @returns What {@link answerDialog} was given, or null if the user closed it.
 */
export async function showDialog(id: string): Promise<Json> {
  const method = 'snap_dialog';
  return decided(method, snap.request({ method, params: { id } }));
}

/** Close an open dialog with an answer. */
export async function answerDialog(id: string, value: Json): Promise<void> {
  const method = 'snap_resolveInterface';
  await answered(method, snap.request({ method, params: { id, value } }));
}
