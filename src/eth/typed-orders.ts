// What an order gives its signer in return, where that can be told: many thefts are orders
// that sell everything for nothing.
import type { Json } from '@metamask/utils';

import { findQuantity, isSameAddress } from './hex';
import type { Hex } from './hex';
import { ZERO_ADDRESS } from './operation-cost';
import type { TypedData } from './typed-data';
import { addressesAt, valuesAt } from './typed-tree';

/** What is remarkable about an order. */
export type OrderAlert =
  /** Its signer gets nothing, or as good as nothing. */
  | { kind: 'nothingInReturn' }
  /** Only a hash of what it sells and for how much is signed. */
  | { kind: 'hiddenOrders' }
  /** What it buys goes to somebody else. */
  | { kind: 'otherReceiver'; address: Hex };

/** So little of any token is nothing: a thousandth of a cent of one with six decimals. */
const NOTHING = 1_000n;

/** Coins and tokens of 18 decimals: less is not worth the gas. */
const NOTHING_OF_COIN = 10n ** 12n;

/** Fields with the amount that the signer gets. */
const GAINS = [
  'buyAmount',
  'takingAmount',
  'takerAmount',
  'takerAssetAmount',
  'erc20TokenAmount',
  'price',
];

/** Fields with a hash of orders, by which many are signed at once. */
const ROOTS = ['root', 'listingsRoot'];

/** Fields that tell bids from offers, with what they hold in a bid: a bid gives the price. */
const BIDS: Readonly<Record<string, bigint>> = {
  quoteType: 0n,
  side: 0n,
  direction: 1n,
};

/** Fields with who gets it; zero stands for the signer. */
const RECEIVERS = ['receiver', 'recipient'];

/** Find what is remarkable about the orders in typed data. */
export function findOrderAlerts(data: TypedData, account: Hex): OrderAlert[] {
  const { message } = data;
  const sales = Object.hasOwn(message, 'tree')
    ? valuesAt(message, 'tree').filter((each) => !isFiller(each))
    : [message];
  return (
    sales
      .map((each) => findAlert(each as Record<string, Json>, account))
      .find(Boolean) ?? []
  );
}

function findAlert(
  order: Record<string, Json>,
  account: Hex,
): OrderAlert[] | undefined {
  if (ROOTS.some((name) => Object.hasOwn(order, name))) {
    return [{ kind: 'hiddenOrders' }];
  }
  if (Object.hasOwn(order, 'consideration')) {
    return isGain(valuesAt(order, 'consideration'), account)
      ? undefined
      : [{ kind: 'nothingInReturn' }];
  }
  const outputs = [
    ...valuesAt(order, 'witness.outputs'),
    ...valuesAt(order, 'witness.baseOutputs'),
  ];
  if (outputs.length > 0) return checkOutputs(outputs, account);
  const gain = GAINS.flatMap((name) => valuesAt(order, name))[0];
  if (gain === undefined) return undefined;
  if (!isBid(order) && isNothing(gain, NOTHING)) return [{ kind: 'nothingInReturn' }];
  const other = addressesAt(order, RECEIVERS).find(
    (each) => !isSameAddress(each, ZERO_ADDRESS) && !isSameAddress(each, account),
  );
  return other === undefined ? undefined : [{ kind: 'otherReceiver', address: other }];
}

function checkOutputs(
  outputs: readonly Json[],
  account: Hex,
): OrderAlert[] | undefined {
  if (isGain(outputs, account)) return undefined;
  const other = outputs
    .flatMap((each) => addressesAt(each, RECEIVERS))
    .find((each) => !isSameAddress(each, account));
  return other === undefined
    ? [{ kind: 'nothingInReturn' }]
    : [{ kind: 'otherReceiver', address: other }];
}

// Of what is paid, whether something worth having goes to the account.
function isGain(items: readonly Json[], account: Hex): boolean {
  return items.some((item) => {
    const isOwn = addressesAt(item, RECEIVERS).some((each) =>
      isSameAddress(each, account),
    );
    const [type] = valuesAt(item, 'itemType');
    const isThing = type !== undefined && (findQuantity(type) ?? 0n) >= 2n;
    const bound =
      type !== undefined && findQuantity(type) === 0n ? NOTHING_OF_COIN : NOTHING;
    const amounts = ['startAmount', 'endAmount', 'minAmount'].flatMap((name) =>
      valuesAt(item, name),
    );
    return isOwn && amounts.every((each) => !isNothing(each, isThing ? 0n : bound));
  });
}

// Fillers of a bulk order's tree.
function isFiller(order: Json): boolean {
  const [owner] = addressesAt(order, ['offerer', 'signer']);
  return owner !== undefined && isSameAddress(owner, ZERO_ADDRESS);
}

function isBid(order: Record<string, Json>): boolean {
  const { isOrderAsk, ...others } = order;
  const told = Object.entries(BIDS).some(
    ([name, bid]) => findQuantity(others[name]) === bid,
  );
  return told || isOrderAsk === false;
}

function isNothing(amount: Json, bound: bigint): boolean {
  const read = findQuantity(amount);
  return read !== undefined && read <= bound;
}
