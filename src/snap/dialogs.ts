// Custom dialogs: queued by the wallet, answered by the snap itself. A typed dialog would
// fail while another one is open, and could answer no more than yes or no.
import type { JSXElement } from '@metamask/snaps-sdk/jsx';
import type { Json } from '@metamask/utils';

/**
 * Show a dialog and wait for its answer.
 *
 * @returns What {@link answerDialog} was given, or null if the user closed it.
 */
export async function showDialog(content: JSXElement): Promise<Json> {
  return snap.request({ method: 'snap_dialog', params: { content } });
}

/** Close an open dialog with an answer. */
export async function answerDialog(id: string, value: Json): Promise<void> {
  await snap.request({ method: 'snap_resolveInterface', params: { id, value } });
}

/** Fetch what is filled into a dialog, by field name. */
export async function fetchDialogValues(id: string): Promise<Json> {
  return snap.request({ method: 'snap_getInterfaceState', params: { id } });
}
