// What a dialog shows to obtain consent. Its state may change while it is open; each drawing
// of it is a picture, which does not. MetaMask shows an update up to 200 ms late, so a click
// can be meant for an earlier picture: what is signed is what the picture that was pressed
// has shown.
import type { JSXElement } from '@metamask/snaps-sdk/jsx';
import type { Json } from '@metamask/utils';

import { UserRejectedError } from '../errors';
import type { PagedView } from '../ui/confirmation';
import type { TextKey, Translate } from '../ui/i18n';

/** Draws in the user's language: one page, or several. */
export type Draw = (translate: Translate) => JSXElement | PagedView;

/** What the user filled in, by field name. */
export type DialogValues = Record<string, Json>;

/** A field that the user has changed. */
export type DialogInput = { name: string; value: Json };

/** Something that is paid. */
export type Cost = {
  label: TextKey;
  amount: bigint;
  /** Writes the amount in its unit. */
  write: (amount: bigint, translate: Translate) => string;
};

/** How a dialog stands at one moment. */
export type Picture<Approved> = {
  draw: Draw;
  /** Gets what is approved with it; undefined if what is filled in is not what it shows, or
   * cannot be approved. */
  approve: (values: DialogValues) => Approved | undefined;
  /** All that is paid, in the same order in every picture. */
  costs?: readonly Cost[];
  /** Names of what it warns of, as far as that can change. */
  warnings?: readonly string[];
};

/** A dialog that asks for consent. */
export type Confirmation<Approved> = {
  /** Takes the picture of now. */
  takePicture: () => Picture<Approved>;
  /** Takes note of an input; true if it changes the picture. */
  onInput?: (input: DialogInput) => boolean;
  /** Run again and again while the dialog is open, which is drawn anew afterwards. */
  refresh?: { everyMs: number; run: () => Promise<void> };
};

/** A dialog, or what one shows that never changes: what is filled in there is approved. */
export type Asking<Approved = DialogValues> = Draw | Confirmation<Approved>;

/** Makes a dialog of what it shows. */
export function toConfirmation<Approved>(
  asking: Asking<Approved>,
): Confirmation<Approved> {
  if (typeof asking !== 'function') return asking;
  const approve = (values: DialogValues): Approved => values as Approved;
  return { takePicture: () => ({ draw: asking, approve }) };
}

/**
 * Approves a dialog as it opens, where the user is not asked.
 *
 * @throws {UserRejectedError} If it cannot be approved so.
 */
export function approveUnseen<Approved>(asking: Asking<Approved>): Approved {
  const approved = toConfirmation(asking).takePicture().approve({});
  if (approved === undefined) throw new UserRejectedError();
  return approved;
}
