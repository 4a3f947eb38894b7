// The fees of transactions while their confirmation is open: what the user chooses, what the
// market does meanwhile, and what stood on the screen when it was approved, which alone is
// signed.
import type { Json } from '@metamask/utils';

import { UserRejectedError } from '../errors';
import type { Transaction } from '../eth/transaction';
import type { FeeChoice, FeeSubject } from '../fees/fee-choice';
import type { Measures } from '../fees/guard-rails';
import type { FeeLevels, LevelName } from '../fees/level';
import type { FeeSectionView } from '../ui/confirm/fee-section';
import type {
  Confirmation,
  LiveConfirmation,
  RenderConfirmation,
} from './confirmation';
import {
  findTransactions,
  isSameChoice,
  priceAsChosen,
  readChoice,
  toFeeSection,
} from './fee-picture';
import type { Drawn } from './fee-picture';

/** How often the market is looked at while a confirmation is open. */
const REFRESH_MS = 10_000;

/** What fees are chosen of, and by what. */
export type FeeEditing = {
  /** At least one; all leave the same fields open. */
  subjects: readonly FeeSubject[];
  /** The level at which they were filled. */
  level: LevelName;
  /** Known if any field is open. */
  levels: FeeLevels | undefined;
  measures: Measures | undefined;
  /** Measure anew; gives undefined where nothing can be had. */
  remeasure: () => Promise<Measures | undefined>;
  now: () => number;
};

/** What is drawn: transactions as they would be signed, and what they are measured by. */
export type FeePicture = {
  transactions: readonly Transaction[];
  measures: Measures | undefined;
  /** Undefined where nothing can be chosen. */
  fees: FeeSectionView | undefined;
  /** Whether fees are typed that cannot be signed. */
  isUnpriced: boolean;
};

/** Fees of transactions while they are shown. */
export type FeeEditor = {
  /** Make the dialog of what `draw` makes of the picture of now. */
  toConfirmation: (draw: (picture: FeePicture) => RenderConfirmation) => Confirmation;
  /**
   * Get the transactions that stood on the screen when they were approved.
   *
   * @throws {UserRejectedError} If they could not be signed as they stood there.
   */
  getApproved: () => readonly Transaction[];
};

/** What is known while the dialog is open. */
type State = Pick<FeeEditing, 'levels' | 'measures'> & {
  choice: FeeChoice;
  /** The last that could be signed. */
  transactions: readonly Transaction[];
  drawn: Drawn | undefined;
  shown: Drawn | undefined;
};

/** Create the editor of fees; where no field is open, it changes nothing. */
export function createFeeEditor(editing: FeeEditing): FeeEditor {
  const { subjects, level, levels, measures } = editing;
  const state: State = {
    levels,
    measures,
    choice: { name: level, typed: {} },
    transactions: subjects.map(({ transaction }) => transaction),
    drawn: undefined,
    shown: undefined,
  };
  const isOpen = subjects.some(({ open }) => open.length > 0);
  return {
    toConfirmation: (draw) => {
      const render: RenderConfirmation = (translate) =>
        draw(isOpen ? drawNow(state, editing) : drawFixed(state))(translate);
      return isOpen ? { render, ...createReactions(state, editing) } : render;
    },
    getApproved: () => {
      if (!state.shown) return state.transactions;
      const found = findTransactions(state.shown.priced);
      if (found) return found;
      throw new UserRejectedError();
    },
  };
}

function drawFixed({ transactions, measures }: State): FeePicture {
  return { transactions, measures, fees: undefined, isUnpriced: false };
}

function drawNow(state: State, { subjects, now }: FeeEditing): FeePicture {
  const { levels, choice, drawn: before, measures } = state;
  if (!levels) return drawFixed(state);
  const priced = subjects.map((subject) => priceAsChosen(subject, choice, levels));
  const found = findTransactions(priced);
  const inputs = choice.name === 'custom' ? (subjects[0]?.open ?? []) : [];
  const drawn = { choice, priced, inputs };
  const fees = toFeeSection(drawn, before, { subjects, levels, now: now() });
  const transactions = found ?? state.transactions;
  Object.assign(state, { transactions, drawn, shown: state.shown ?? drawn });
  return { transactions, measures, fees, isUnpriced: found === undefined };
}

function createReactions(
  state: State,
  { subjects, remeasure }: FeeEditing,
): Omit<LiveConfirmation, 'render'> {
  const read = (values: Record<string, Json>): FeeChoice =>
    readChoice(values, state.choice, {
      open: subjects[0]?.open ?? [],
      drawn: state.transactions,
    });
  return {
    onInput: ({ name, value = null }) => {
      const choice = read({ [name]: value });
      const isNew = !isSameChoice(choice, state.choice);
      state.choice = choice;
      return isNew;
    },
    refresh: {
      everyMs: REFRESH_MS,
      run: async () => {
        state.measures = (await remeasure()) ?? state.measures;
        state.levels = state.measures?.levels ?? state.levels;
        // How old it is has changed in any case.
        return true;
      },
    },
    onShown: () => {
      state.shown = state.drawn;
    },
    accept: (values) => {
      state.choice = read(values);
      const { shown, choice } = state;
      if (!shown || !isSameChoice(choice, shown.choice)) return false;
      return findTransactions(shown.priced) !== undefined;
    },
  };
}
