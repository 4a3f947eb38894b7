// The scripted user: decides on dialogs and questions, and records them.
import type {
  ApprovalRequest,
  ApprovalStateChange,
} from '@metamask/approval-controller';
import type { Messenger } from '@metamask/messenger';
import { providerErrors } from '@metamask/rpc-errors';
import { DIALOG_APPROVAL_TYPES } from '@metamask/snaps-rpc-methods';
import type { SnapId } from '@metamask/snaps-sdk';
import type {
  ButtonElement,
  CheckboxElement,
  JSXElement,
} from '@metamask/snaps-sdk/jsx';
import { getJsxChildren } from '@metamask/snaps-utils';
import type { Json } from '@metamask/utils';

import { GREETING } from '../../src/home/greeting';
import { messengerFor, type RootMessenger, type TimerScope } from './base';
import type { Controllers } from './controllers';
import { ACCOUNT_APPROVALS } from './keyring';
import { listElements, Screen, type ScreenPorts } from './screen';

/** The user's reaction to a dialog; the dialog may stay open. */
export type DialogPolicy = (dialog: Dialog) => unknown;

/** MetaMask's question whether a snap may add or remove an account, or send the user to a page. */
export type AccountQuestion = {
  type: keyof typeof ACCOUNT_APPROVALS;
  snapId: string;
  details: Record<string, Json>;
};

/** The user's decisions. Each field may be changed at any time. */
export type UserPolicy = {
  /** Default: `approveAll`. */
  onDialog: DialogPolicy;
  /** The answer to account questions. Default: true. */
  confirmAccounts:
    boolean | ((question: AccountQuestion) => boolean | Promise<boolean>);
  /** Whether sites may connect and install the snap. Default: true. */
  allowInstall: boolean;
};

export type User = UserPolicy & {
  /** Every dialog that opened, in order, except for greetings, which the user always closes. */
  readonly dialogs: Dialog[];
  readonly questions: AccountQuestion[];
  /** Errors in `onDialog`, which close the dialog, and in `confirmAccounts`. */
  readonly errors: unknown[];
  /** Resolves with the next dialog that opens, before `onDialog` sees it. */
  nextDialog(): Promise<Dialog>;
};

export const approveAll: DialogPolicy = (dialog) => dialog.approve();

/** Approves every dialog, after ticking the checkbox with this name if there is one. */
export const approveWith =
  (id: string): DialogPolicy =>
  async (dialog) => {
    if (id in dialog.values) await dialog.fill(id, true);
    await dialog.approve();
  };

export const refuseAll: DialogPolicy = (dialog) => dialog.refuse();

export const closeAll: DialogPolicy = (dialog) => dialog.close();

export const leaveOpen: DialogPolicy = () => undefined;

type Approval = ApprovalRequest<Record<string, Json> | null>;

/** Results of the default buttons, by dialog type. */
const DEFAULT_ANSWERS = {
  [DIALOG_APPROVAL_TYPES.alert]: { approved: null, refused: null },
  [DIALOG_APPROVAL_TYPES.confirmation]: { approved: true, refused: false },
  [DIALOG_APPROVAL_TYPES.prompt]: { approved: '', refused: null },
  [DIALOG_APPROVAL_TYPES.default]: { approved: null, refused: null },
};

/** A dialog of snap_dialog that waits for the user in MetaMask's ApprovalController. */
export class Dialog extends Screen {
  constructor(
    private readonly userPorts: UserPorts,
    private readonly approval: Approval,
    interfaceId: string,
  ) {
    super(userPorts, approval.origin as SnapId, interfaceId);
  }

  get isOpen(): boolean {
    return this.userPorts.approvals.call('ApprovalController:hasRequest', {
      id: this.approval.id,
    });
  }

  /** Presses the primary button: the last one in the snap's own footer, or the default one. */
  async approve(): Promise<void> {
    if (!(await this.#press('primary'))) await this.#answer('approved');
  }

  /** Presses the secondary button: the snap's own, or the default one, which cancels. */
  async refuse(): Promise<void> {
    if (!(await this.#press('secondary'))) await this.#answer('refused');
  }

  /** Closes the window, which answers a confirmation with false and other dialogs with null. */
  async close(): Promise<void> {
    await this.#answer('refused');
  }

  async #answer(how: 'approved' | 'refused'): Promise<void> {
    const { id, type } = this.approval;
    const value = DEFAULT_ANSWERS[type]?.[how];
    await this.userPorts.approvals.call('ApprovalController:acceptRequest', id, value);
  }

  /** Acknowledges dangers, visits all pages, and presses the snap's own button; presses it again
   * if the dialog has changed in the meantime. Returns false if the dialog has no such button. */
  async #press(place: 'primary' | 'secondary', looks = LOOKS): Promise<boolean> {
    const button = findFooterButton(this.content, place);
    const isCustom = this.approval.type === DIALOG_APPROVAL_TYPES.default;
    if (!isCustom || button?.name === undefined) return false;
    const step = button.disabled === true ? findStep(this.content) : undefined;
    if (step?.type === 'Checkbox') await this.fill(step.props.name, true);
    else await this.click(step?.props.name ?? button.name);
    if (step) return this.#press(place, looks);
    const isAnswered = !this.isOpen || looks === 0;
    const isSame = findFooterButton(this.content, place)?.name === button.name;
    return isAnswered || isSame || this.#press(place, looks - 1);
  }
}

/** How often the user presses the button again after the dialog has changed. */
const LOOKS = 3;

function findFooterButton(content: JSXElement, place: 'primary' | 'secondary') {
  const footer = listElements(content).find(({ element }) => element.type === 'Footer');
  const buttons = footer ? getJsxChildren(footer.element) : [];
  if (place === 'secondary' && buttons.length < 2) return undefined;
  const button = place === 'primary' ? buttons.at(-1) : buttons[0];
  return typeof button === 'object' && button.type === 'Button'
    ? button.props
    : undefined;
}

/** Finds the next step before approval: the checkbox for dangers, or the next page's button. */
function findStep(content: JSXElement) {
  const elements = listElements(content).map(({ element }) => element);
  return (elements.find(
    (each) =>
      each.type === 'Checkbox' &&
      /^acknowledge:/u.test(each.props.name) &&
      each.props.checked !== true,
  ) ??
    elements.findLast(
      (each) =>
        each.type === 'Button' &&
        /^page:/u.test(each.props.name ?? '') &&
        each.props.disabled !== true,
    )) as CheckboxElement | ButtonElement | undefined;
}

type UserPorts = ScreenPorts & {
  approvals: Controllers['approvals'];
  /** The user's callbacks run outside of this scope. */
  timers: TimerScope;
};

type Answer = (approval: Approval) => Promise<unknown>;

export function createUser(
  root: RootMessenger,
  getPorts: () => UserPorts,
  policy: Partial<UserPolicy>,
): User {
  const waiting: ((dialog: Dialog) => void)[] = [];
  const user: User = {
    onDialog: approveAll,
    confirmAccounts: true,
    allowInstall: true,
    ...policy,
    dialogs: [],
    questions: [],
    errors: [],
    nextDialog: () => new Promise((resolve) => waiting.push(resolve)),
  };

  const showDialog = async (dialog: Dialog): Promise<void> => {
    // The installation waits until the greeting is closed.
    if (dialog.content.key === GREETING) return dialog.close();
    user.dialogs.push(dialog);
    for (const resolve of waiting.splice(0)) resolve(dialog);
    try {
      await getPorts().timers.leave(() => user.onDialog(dialog));
    } catch (error) {
      user.errors.push(error);
      if (dialog.isOpen) await dialog.close();
    }
  };

  const answers = createAnswers(user, getPorts);
  const open = new Map<string, Dialog>();
  const seen = new Set<string>();
  const messenger = messengerFor<Messenger<'User', never, ApprovalStateChange>>(root);
  messenger.subscribe('ApprovalController:stateChange', ({ pendingApprovals }) => {
    for (const [id, dialog] of open) {
      if (id in pendingApprovals) continue;
      open.delete(id);
      // The getter stores the final content before the interface is deleted below.
      void dialog.content;
      // MetaMask's UI deletes the interface together with its dialog.
      queueMicrotask(() => getPorts().interfaces.deleteInterface(dialog.interfaceId));
    }
    for (const approval of Object.values(pendingApprovals)) {
      // MetaMask shows an installation only after the snap has loaded.
      if (seen.has(approval.id) || approval.requestState?.loading === true) continue;
      seen.add(approval.id);
      // Deferred, since the controller is still adding the approval.
      queueMicrotask(() => {
        let done = answers[approval.type]?.(approval);
        const interfaceId = approval.requestData?.id;
        if (approval.type in DEFAULT_ANSWERS && typeof interfaceId === 'string') {
          const dialog = new Dialog(getPorts(), approval, interfaceId);
          open.set(approval.id, dialog);
          done = showDialog(dialog);
        }
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
    getPorts().approvals.call('ApprovalController:acceptRequest', approval.id, value);

  const decide = (approval: Approval, value: unknown): Promise<unknown> => {
    if (user.allowInstall) return accept(approval, value);
    const error = providerErrors.userRejectedRequest();
    getPorts().approvals.call('ApprovalController:rejectRequest', approval.id, error);
    return Promise.resolve();
  };

  const install: Answer = (approval) => {
    const { requestData, requestState } = approval;
    // A failed installation waits until the user acknowledges the error.
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
      const accepted = await getPorts().timers.leave(() =>
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
