// What is shown to obtain consent: a picture that stands still, or one that changes.
import type { JSXElement } from '@metamask/snaps-sdk/jsx';
import type { Json } from '@metamask/utils';

import type { Translate } from '../ui/i18n';

/** Draws a confirmation in the user's language. */
export type RenderConfirmation = (translate: Translate) => JSXElement;

/** What a user does with a field or a button that has a name; a button has no value. */
export type DialogInput = { name: string; value?: Json };

/** A confirmation that changes while it is shown. */
export type LiveConfirmation = {
  render: RenderConfirmation;
  /** Take note of an input; true if it is to be drawn anew. */
  onInput: (input: DialogInput) => boolean | Promise<boolean>;
  /** What is done again and again while it is shown; true if it is to be drawn anew. */
  refresh?: { everyMs: number; run: () => Promise<boolean> };
  /** Is told that what was drawn last stands on the screen. */
  onShown?: () => void;
  /** Tell whether what stands on the screen can be approved, with what is filled in there; if
   * not, it is drawn anew, and the dialog stays open. */
  accept?: (values: Record<string, Json>) => boolean;
};

/** What is shown to obtain consent. */
export type Confirmation = RenderConfirmation | LiveConfirmation;
