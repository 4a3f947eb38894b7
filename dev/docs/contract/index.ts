// The contract: every method that can be called by wallet_invokeSnap, in the order of the docs.
import { accounts } from './accounts';
import { calls } from './calls';
import { companionAccounts, configuration, companionSettings } from './companion';
import { discovery, fees, lookUps } from './look-ups';
import { operations } from './operations';
import type { Group, Row } from './row';
import { signatures } from './signatures';
import { transactions } from './transactions';

export const siteGroups: readonly Group[] = [
  accounts,
  signatures,
  transactions,
  operations,
  calls,
  lookUps,
  fees,
  discovery,
];

export const companionGroups: readonly Group[] = [
  configuration,
  companionAccounts,
  companionSettings,
];

export const rows: readonly Row[] = [...siteGroups, ...companionGroups].flatMap(
  (group) => group.rows,
);
