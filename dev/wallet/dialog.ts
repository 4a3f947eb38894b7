// A dialog of snap_dialog, waiting in MetaMask's ApprovalController for the person.
import type {
  ApprovalController,
  ApprovalRequest,
} from '@metamask/approval-controller';
import { DIALOG_APPROVAL_TYPES } from '@metamask/snaps-rpc-methods';
import type { ButtonProps, JSXElement } from '@metamask/snaps-sdk/jsx';
import { getJsxChildren } from '@metamask/snaps-utils';
import type { Json } from '@metamask/utils';

import { GREETING } from '../../src/ui/first-run/greeting';
import { listElements } from './jsx';
import { createScreen, type Screen, type ScreenPorts } from './screen';

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
export type Approval = ApprovalRequest<Record<string, Json> | null>;

/** The controllers behind a dialog. */
export type DialogPorts = ScreenPorts & {
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
 * @param ports - The controllers.
 * @param approval - The approval.
 * @returns The dialog, or undefined if the approval is not one of a dialog.
 */
export function findDialog(ports: DialogPorts, approval: Approval): Dialog | undefined {
  const row = ROWS[approval.type];
  const interfaceId = approval.requestData?.id;
  if (!row || typeof interfaceId !== 'string') return undefined;
  const screen = createScreen(ports, approval.origin, interfaceId);
  const answer = async (value: Json): Promise<void> => {
    await ports.approvals.accept(approval.id, value);
  };

  /** Press the snap's own button, if this dialog has it, after a look at every page that it
   * waits for; tells whether it had. */
  async function press(place: 'primary' | 'secondary'): Promise<boolean> {
    const button = findFooterButton(screen.content, place);
    if (row?.type !== 'custom' || button?.name === undefined) return false;
    const turn = button.disabled === true ? findTurn(screen.content) : undefined;
    await screen.click(turn ?? button.name);
    return turn === undefined ? true : press(place);
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
      return ports.approvals.has({ id: approval.id });
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

/** The button that turns to the next page, if there is one. */
function findTurn(content: JSXElement): string | undefined {
  const turn = listElements(content)
    .map(({ element }) => element)
    .filter((element) => element.type === 'Button')
    .findLast(({ props }) => /^page:/u.test(props.name ?? ''));
  return turn?.props.disabled === true ? undefined : turn?.props.name;
}
