// Brings MetaMask's approvals in front of the scripted person, as its UI does: one row
// for each kind of approval.
import type {
  ApprovalController,
  ApprovalStateChange,
} from '@metamask/approval-controller';
import type { Messenger } from '@metamask/messenger';
import { providerErrors } from '@metamask/rpc-errors';

import { findDialog, type Approval, type Dialog, type DialogPorts } from './dialog';
import { ACCOUNT_APPROVALS } from './keyring';
import { createMessenger, type RootMessenger } from './messenger';
import {
  approveAll,
  closeAll,
  type AccountQuestion,
  type User,
  type UserPolicy,
} from './user';

/** What the person's hands reach. */
export type UserPorts = DialogPorts & {
  approvals: Pick<ApprovalController, 'accept' | 'has' | 'reject'>;
  interfaces: { deleteInterface(id: string): void };
  /** Runs the script outside of the wallet's own bookkeeping. */
  outside<Result>(script: () => Result): Result;
};

type Answer = (approval: Approval) => Promise<unknown>;

/**
 * Put a person in front of a wallet.
 *
 * @param root - The wallet's root messenger.
 * @param getPorts - What their hands reach, asked for when they act.
 * @param policy - How they decide.
 * @returns The person.
 */
export function createUser(
  root: RootMessenger,
  getPorts: () => UserPorts,
  policy: Partial<UserPolicy>,
): User {
  const waiting: ((dialog: Dialog) => void)[] = [];
  const user: User = {
    onDialog: approveAll,
    onGreeting: closeAll,
    confirmAccounts: true,
    allowInstall: true,
    ...policy,
    greetings: [],
    dialogs: [],
    questions: [],
    errors: [],
    nextDialog: () => new Promise((resolve) => waiting.push(resolve)),
  };

  const showDialog = async (dialog: Dialog): Promise<void> => {
    const { isGreeting } = dialog;
    (isGreeting ? user.greetings : user.dialogs).push(dialog);
    if (!isGreeting) for (const resolve of waiting.splice(0)) resolve(dialog);
    const decide = isGreeting ? user.onGreeting : user.onDialog;
    try {
      await getPorts().outside(() => decide(dialog));
    } catch (error) {
      user.errors.push(error);
      if (dialog.isOpen) await dialog.close();
    }
  };

  const answers = createAnswers(user, getPorts);
  const open = watchDialogs(getPorts);
  const seen = new Set<string>();
  const messenger = createMessenger<Messenger<'User', never, ApprovalStateChange>>(
    root,
    'User',
    { events: ['ApprovalController:stateChange'] },
  );
  messenger.subscribe('ApprovalController:stateChange', ({ pendingApprovals }) => {
    open.closeOthers(pendingApprovals);
    for (const approval of Object.values(pendingApprovals)) {
      // MetaMask shows an installation when it has loaded it.
      if (seen.has(approval.id) || approval.requestState?.loading === true) continue;
      seen.add(approval.id);
      // The controller is still adding the approval.
      queueMicrotask(() => {
        const dialog = findDialog(getPorts(), approval);
        if (dialog) open.add(approval.id, dialog);
        const done = dialog ? showDialog(dialog) : answers[approval.type]?.(approval);
        done?.catch((error: unknown) => user.errors.push(error));
      });
    }
  });
  return user;
}

function createAnswers(
  user: User,
  getPorts: () => UserPorts,
): Record<string, Answer | undefined> {
  const accept = (approval: Approval, value?: unknown): Promise<unknown> =>
    getPorts().approvals.accept(approval.id, value);

  const decide = (approval: Approval, value: unknown): Promise<unknown> => {
    if (user.allowInstall) return accept(approval, value);
    getPorts().approvals.reject(approval.id, providerErrors.userRejectedRequest());
    return Promise.resolve();
  };

  const install: Answer = (approval) => {
    const { requestData, requestState } = approval;
    // A failed installation waits for an OK.
    if (requestState?.error !== undefined) return accept(approval);
    return decide(approval, { ...requestData, permissions: requestState?.permissions });
  };

  const confirm =
    (type: AccountQuestion['type']): Answer =>
    async (approval) => {
      const details = approval.requestData ?? {};
      const question = { type, snapId: approval.origin, details };
      user.questions.push(question);
      const { confirmAccounts } = user;
      const accepted = await getPorts().outside(() =>
        typeof confirmAccounts === 'function'
          ? confirmAccounts(question)
          : confirmAccounts,
      );
      return accept(approval, accepted);
    };

  return {
    wallet_requestPermissions: (approval) => decide(approval, approval.requestData),
    wallet_installSnap: install,
    wallet_updateSnap: install,
    wallet_installSnapResult: (approval) => accept(approval),
    [ACCOUNT_APPROVALS.creation]: confirm('creation'),
    [ACCOUNT_APPROVALS.removal]: confirm('removal'),
    [ACCOUNT_APPROVALS.redirect]: confirm('redirect'),
  };
}

/** MetaMask's UI deletes a dialog's interface when the dialog goes. */
function watchDialogs(getPorts: () => UserPorts): {
  add(id: string, dialog: Dialog): void;
  closeOthers(pending: Record<string, unknown>): void;
} {
  const open = new Map<string, Dialog>();
  return {
    add: (id, dialog) => open.set(id, dialog),
    closeOthers(pending) {
      for (const [id, dialog] of open) {
        if (id in pending) continue;
        open.delete(id);
        // Reading keeps what was shown last, for whoever asks later.
        void dialog.content;
        queueMicrotask(() => getPorts().interfaces.deleteInterface(dialog.interfaceId));
      }
    },
  };
}
