// A dialog's content as data, and the values that a decision fills in.
import type { JSXElement } from '@metamask/snaps-sdk/jsx';
import type { Json } from '@metamask/utils';

import { isSameAddress } from '../../../src/eth/hex';
import type { Effect } from '../../../src/review/effects';
import type { Confirmation, Consent, Draw, Snapshot } from '../../../src/sites/consent';
import { FEE_CHOICE } from '../../../src/transaction/fee-editor';
import type { Frame, PagedView } from '../../../src/ui/confirmation';
import { elementsOf, linesOf } from './view';

/** A warning in a dialog. */
export type Finding = {
  severity: 'danger' | 'warning' | 'info';
  /** Translation key, such as `alert.unlimited`; undefined for notices about changes after the user
   * pressed Approve. */
  key: string | undefined;
  text: string;
};

/** A dialog's content, as its user sees it. */
export type Review = {
  origin: string;
  method: string;
  params: unknown;
  /** A short description, such as `Send 1.25 ETH`. */
  title: string;
  /** Effects of approval: calls with their nested effects, transfers, allowances and others. */
  effects: readonly Effect[];
  findings: readonly Finding[];
  /** Maximum cost in wei, including the value; undefined if the dialog shows none. */
  maxCost: bigint | undefined;
  feeLevels: readonly string[];
  /** The text of all pages, one line per element, without repeated lines. */
  text: string;
};

/** The user's decision on a dialog. */
export type Decision =
  | 'approve'
  | 'reject'
  /** Fills in fields, then approves. */
  | {
      /** The addresses to connect, or the one to sign in with. Default: those that the dialog has
       * selected, otherwise the first account. */
      accounts?: readonly string[];
      fee?: 'low' | 'medium' | 'high';
      /** Values of other fields by name. */
      values?: Record<string, Json>;
    };

/** One decision for every dialog, a list that is consumed in order, or a function of the review,
 * which may be async. */
export type Decide =
  Decision | Decision[] | ((review: Review) => Decision | Promise<Decision>);

export type DialogRequest = {
  origin: string;
  method: string;
  params: unknown;
  /** The error that prevented a decision; the snap hides it. */
  failure?: unknown;
};

/** A screen and its source data. */
export type Shown = {
  asked: DialogRequest;
  view: PagedView;
  frame: Frame;
  snapshot: Snapshot | undefined;
  /** Settles when the displayed simulation has ended. */
  pending: Promise<void> | undefined;
};

export function recordScreens(
  consent: Consent,
  asked: DialogRequest,
  shown: WeakMap<JSXElement, Shown>,
): Consent {
  const toView = (
    view: PagedView,
    snapshot?: Snapshot,
    findPending?: () => Promise<void> | undefined,
  ): PagedView => ({
    ...view,
    draw: (frame) => {
      const content = view.draw(frame);
      shown.set(content, {
        asked,
        view,
        frame,
        snapshot,
        get pending() {
          return findPending?.();
        },
      });
      return content;
    },
  });
  const noteDraw =
    (draw: Draw): Draw =>
    (...given) =>
      toView(draw(...given));
  const noteAll = (confirmation: Confirmation): Confirmation => {
    let pending: Promise<void> | undefined;
    return {
      ...confirmation,
      takeSnapshot: () => {
        const snapshot = confirmation.takeSnapshot();
        const draw: Draw = (...given) =>
          toView(snapshot.draw(...given), snapshot, () => pending);
        return { ...snapshot, draw };
      },
      ...(confirmation.pending && {
        pending: () => (pending = confirmation.pending?.()),
      }),
    };
  };
  return {
    ...consent,
    require: async (origin, confirmation) =>
      consent.require(origin, noteAll(confirmation)),
    ask: async (origin, draw) => consent.ask(origin, noteDraw(draw)),
    show: async (origin, draw) => consent.show(origin, noteDraw(draw)),
  };
}

export function toReview(
  content: JSXElement,
  { asked: { origin, method, params }, view, frame, snapshot }: Shown,
): Review {
  const elements = elementsOf(content);
  const heading = elements.find(({ type }) => type === 'Heading');
  const pages = Array.from({ length: view.pages }, (_, page) =>
    view.draw({ ...frame, page }),
  );
  return {
    origin,
    method,
    params,
    title: linesOf(heading).join(''),
    effects: snapshot?.effects ?? [],
    findings: [...frame.changes, ...view.notices].map((each) => ({
      severity: each.severity,
      key: each.key,
      text: [each.title, each.text].filter(Boolean).join(' '),
    })),
    maxCost: snapshot?.costs?.find(({ label }) => label === 'field.maxCost')?.amount,
    feeLevels: elements
      .filter(({ props }) => props['name'] === FEE_CHOICE)
      .flatMap(elementsOf)
      .filter(({ type }) => type === 'Radio')
      .map(({ props }) => String(props['value'])),
    text: [...new Set(pages.flatMap(linesOf))].join('\n'),
  };
}

/** Lists the values that a decision fills into a screen, by field name. */
export function toFieldValues(
  content: JSXElement,
  decision: Exclude<Decision, 'reject'>,
  accounts: readonly { id: string; address: string }[],
): [name: string, value: Json][] {
  const { accounts: named, fee, values = {} } = decision === 'approve' ? {} : decision;
  const chosen = named?.map(
    (address) =>
      accounts.find((each) => isSameAddress(each.address, address))?.id ?? address,
  );
  const fields = elementsOf(content);
  const boxes = fields.filter(({ type, props }) =>
    accounts.some(({ id }) => type === 'Checkbox' && id === props['name']),
  );
  const isChosen = boxes.some(({ props }) => props['checked'] === true);
  const ticked = chosen ?? (isChosen ? [] : [accounts[0]?.id]);
  const hasAccount = fields.some(({ props }) => props['name'] === 'account');
  return [
    ...boxes
      .map(({ props }) => String(props['name']))
      .filter((id) => chosen || ticked.includes(id))
      .map((id): [string, Json] => [id, ticked.includes(id)]),
    ...(hasAccount && chosen ? [['account', chosen[0] ?? null] as [string, Json]] : []),
    ...(fee ? [[FEE_CHOICE, fee] as [string, Json]] : []),
    ...Object.entries(values),
  ];
}
