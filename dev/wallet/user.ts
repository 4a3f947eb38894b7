// The person at the screen, scripted: how they decide, and what they have seen.
import type {
  ApprovalController,
  ApprovalRequest,
  ApprovalStateChange,
} from '@metamask/approval-controller';
import type { Messenger } from '@metamask/messenger';
import { providerErrors } from '@metamask/rpc-errors';
import { DIALOG_APPROVAL_TYPES } from '@metamask/snaps-rpc-methods';
import type { ButtonProps, JSXElement } from '@metamask/snaps-sdk/jsx';
import { getJsxChildren } from '@metamask/snaps-utils';
import type { Json } from '@metamask/utils';

import { GREETING } from '../../src/home/greeting';
import { createMessenger, type RootMessenger } from './base';
import { ACCOUNT_APPROVALS } from './keyring';
import { createScreen, listElements, type Screen, type ScreenPorts } from './screen';

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

// A dialog of snap_dialog, waiting in MetaMask's ApprovalController for the person.

/** A dialog on the screen. Its snap's request waits until it is answered. */
export type Dialog = Screen & {
  readonly type: 'alert' | 'confirmation' | 'prompt' | 'custom';
  /** Whether it only greets, and asks for nothing. */
  readonly isGreeting: boolean;
  /** Whether it still waits for an answer. */
  readonly isOpen: boolean;
  /**
   * Press the primary button: OK (alert), Approve (confirmation), Submit with a text
   * (prompt), or the snap's own last footer button (custom).
   */
  approve(text?: string): Promise<void>;
  /** Press the secondary button: the snap's own, or the default one that cancels. */
  refuse(): Promise<void>;
  /** Close the window: false for a confirmation, null for the others. */
  close(): Promise<void>;
};

/** An approval as the ApprovalController keeps it. */
type Approval = ApprovalRequest<Record<string, Json> | null>;

/** The controllers behind a dialog. */
type DialogPorts = ScreenPorts & {
  approvals: Pick<ApprovalController, 'accept' | 'has'>;
};

type Row = { type: Dialog['type']; approved: Json; refused: Json };

const ROWS: Record<string, Row | undefined> = {
  [DIALOG_APPROVAL_TYPES.alert]: { type: 'alert', approved: null, refused: null },
  [DIALOG_APPROVAL_TYPES.confirmation]: {
    type: 'confirmation',
    approved: true,
    refused: false,
  },
  [DIALOG_APPROVAL_TYPES.prompt]: { type: 'prompt', approved: '', refused: null },
  [DIALOG_APPROVAL_TYPES.default]: { type: 'custom', approved: null, refused: null },
};

/**
 * Open the dialog of an approval.
 *
 * @returns The dialog, or undefined if the approval is not one of a dialog.
 */
function findDialog(ports: DialogPorts, approval: Approval): Dialog | undefined {
  const row = ROWS[approval.type];
  const interfaceId = approval.requestData?.id;
  if (!row || typeof interfaceId !== 'string') return undefined;
  const screen = createScreen(ports, approval.origin, interfaceId);
  const answer = async (value: Json): Promise<void> => {
    await ports.approvals.accept(approval.id, value);
  };

  const isOpen = (): boolean => ports.approvals.has({ id: approval.id });

  /** Press the snap's own button, if this dialog has it, after every danger and page that it
   * waits for, and again if the dialog has changed meanwhile; tells whether it had. */
  async function press(
    place: 'primary' | 'secondary',
    looks = LOOKS,
  ): Promise<boolean> {
    const button = findFooterButton(screen.content, place);
    if (row?.type !== 'custom' || button?.name === undefined) return false;
    const step = button.disabled === true ? findStep(screen.content) : undefined;
    await screen.click(step ?? button.name);
    if (step !== undefined) return press(place, looks);
    const isAnswered = !isOpen() || looks === 0;
    const isSame = findFooterButton(screen.content, place)?.name === button.name;
    return isAnswered || isSame || press(place, looks - 1);
  }

  return {
    type: row.type,
    isGreeting: screen.content.key === GREETING,
    snapId: screen.snapId,
    interfaceId,
    click: (name) => screen.click(name),
    fill: (name, value) => screen.fill(name, value),
    submit: (form) => screen.submit(form),
    get content() {
      return screen.content;
    },
    get text() {
      return screen.text;
    },
    get values() {
      return screen.values;
    },
    get isOpen() {
      return isOpen();
    },
    async approve(text) {
      if (await press('primary')) return;
      await answer(row.type === 'prompt' ? (text ?? '') : row.approved);
    },
    async refuse() {
      if (await press('secondary')) return;
      await answer(row.refused);
    },
    close: () => answer(row.refused),
  };
}

/** How often a person looks again at a dialog that has changed. */
const LOOKS = 3;

/** A footer's last button is the primary one; of two, the first is the secondary. */
function findFooterButton(
  content: JSXElement,
  place: 'primary' | 'secondary',
): ButtonProps | undefined {
  const footer = listElements(content).find(({ element }) => element.type === 'Footer');
  const buttons = footer ? getJsxChildren(footer.element) : [];
  if (place === 'secondary' && buttons.length < 2) return undefined;
  const button = place === 'primary' ? buttons.at(-1) : buttons[0];
  return typeof button === 'object' && button.type === 'Button'
    ? button.props
    : undefined;
}

/** The button that acknowledges dangers, or turns to the next page, if there is one. */
function findStep(content: JSXElement): string | undefined {
  const buttons = listElements(content)
    .map(({ element }) => element)
    .filter((element) => element.type === 'Button');
  const step =
    buttons.find(({ props }) => /^acknowledge:/u.test(props.name ?? '')) ??
    buttons.findLast(({ props }) => /^page:/u.test(props.name ?? ''));
  return step?.props.disabled === true ? undefined : step?.props.name;
}

// Brings MetaMask's approvals in front of the scripted person, as its UI does: one row
// for each kind of approval.

/** What the person's hands reach. */
type UserPorts = DialogPorts & {
  approvals: Pick<ApprovalController, 'accept' | 'has' | 'reject'>;
  interfaces: { deleteInterface(id: string): void };
  /** Runs the script outside of the wallet's own bookkeeping. */
  outside<Result>(script: () => Result): Result;
};

type Answer = (approval: Approval) => Promise<unknown>;

/** Put a person in front of a wallet. */
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
