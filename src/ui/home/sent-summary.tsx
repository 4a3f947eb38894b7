// What a list and a single view of what was sent have in common.
import { Box } from '@metamask/snaps-sdk/jsx';
import type { BoxElement } from '@metamask/snaps-sdk/jsx';

import type { Hex } from '../../eth/hex';
import { Field } from '../components/Field';
import { toShownCoins } from '../format';
import type { Translate } from '../i18n';
import type { SentState } from '../sent-states';

/** A transaction or user operation that was sent; amounts in wei. */
export type ShownSent = {
  hash: Hex;
  chain: string;
  isOperation: boolean;
  from: Hex;
  /** Null for a creation, and for a user operation of other than one call. */
  to: Hex | null;
  value: bigint;
  nonce: bigint;
  origin: string;
  sentAt: number;
  settledAt: number | undefined;
  state: SentState;
  /** What it did cost. */
  cost: bigint | undefined;
  /** What its gas can cost at most, while it is pending. */
  maxCost: bigint | undefined;
  /** What it offers for a unit of gas at most. */
  price: bigint | undefined;
  block: bigint | undefined;
  gasUsed: bigint | undefined;
  replaces: Hex | undefined;
  replacedBy: Hex | undefined;
  canBeReplaced: boolean;
};

/** Draw what something did cost, or can cost at most; nothing if neither is known. */
export function drawCost(
  { chain, cost, maxCost }: ShownSent,
  translate: Translate,
): BoxElement | null {
  const wei = cost ?? maxCost;
  if (wei === undefined) return null;
  const key = cost === undefined ? 'activity.maxCost' : 'activity.cost';
  return (
    <Box>
      <Field label={translate(key)} value={toShownCoins(wei, translate, chain)} />
    </Box>
  );
}
