// The person at the screen, scripted: how they decide, and what they have seen.
import type { Json } from '@metamask/utils';

import type { Dialog } from './dialog';
import type { ACCOUNT_APPROVALS } from './keyring';

/** What the person does when a dialog opens; it may leave it open. */
export type DialogPolicy = (dialog: Dialog) => unknown;

/** MetaMask asks whether a snap may add or remove an account, or send them to a page. */
export type AccountQuestion = {
  type: keyof typeof ACCOUNT_APPROVALS;
  snapId: string;
  details: Record<string, Json>;
};

/** How the person decides. Each field may be changed at any time. */
export type UserPolicy = {
  /** Default: `approveAll`. */
  onDialog: DialogPolicy;
  /**
   * What the person does when the snap greets them; it may not leave that open, since the
   * wallet waits for it when it installs. Default: `closeAll`.
   */
  onGreeting: DialogPolicy;
  /** Default: true. A promise lets MetaMask wait. */
  confirmAccounts:
    boolean | ((question: AccountQuestion) => boolean | Promise<boolean>);
  /** Connecting and installing. Default: true. */
  allowInstall: boolean;
};

/** The person at the screen. */
export type User = UserPolicy & {
  /** Every greeting that was shown, in order. */
  readonly greetings: Dialog[];
  /** Every other dialog that was opened, in order. */
  readonly dialogs: Dialog[];
  /** Every question about accounts, in order. */
  readonly questions: AccountQuestion[];
  /** What `onDialog` threw; the dialog was closed then. */
  readonly errors: unknown[];
  /** Resolves with the next dialog that opens, before `onDialog` sees it. */
  nextDialog(): Promise<Dialog>;
};

/** Approves every dialog. */
export const approveAll: DialogPolicy = (dialog) => dialog.approve();

/** Refuses every dialog. */
export const refuseAll: DialogPolicy = (dialog) => dialog.refuse();

/** Closes every dialog's window. */
export const closeAll: DialogPolicy = (dialog) => dialog.close();

/** Leaves every dialog open. */
export const leaveOpen: DialogPolicy = () => undefined;
