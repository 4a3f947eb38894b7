// What is remarkable about typed data, found from the document and from who is asked by whom:
// what it allows, whom, how much, until when, and whether it is for this chain at all.
import type { Json } from '@metamask/utils';

import { matches } from '../schema/parse';
import { isNever, isUnlimited } from './allowances';
import { findDisguisedDocument } from './disguises';
import type { DisguiseAlert } from './disguises';
import {
  findQuantity,
  isSameAddress,
  larger,
  MAX_UINT256,
  NodeAddressStruct,
  NodeBytesStruct,
} from './hex';
import type { Hex } from './hex';
import { findKnownCall } from './known-calls';
import { ZERO_ADDRESS } from './operation-cost';
import { safeControls } from './safe-calls';
import type { TypedData } from './typed-data';
import { findDomainAlerts, findSignInAlerts, includes } from './typed-domain-alerts';
import type { DomainAlert, TypedContext } from './typed-domain-alerts';
import { findOrderAlerts } from './typed-orders';
import type { OrderAlert } from './typed-orders';
import type { Shape, ShapeName } from './typed-shape';
import { findShape } from './typed-shapes';
import { addressesAt, valuesAt } from './typed-tree';

/** What is remarkable about typed data; times in ms since 1970. */
export type TypedAlert =
  | DisguiseAlert
  | OrderAlert
  | DomainAlert
  /** What it is; with who gains by it, where that is said. */
  | { kind: 'shape'; shape: ToldShape; parties: readonly Hex[] }
  | { kind: 'unlimited' }
  /** Usable for more than a year; for ever, without a time. */
  | { kind: 'farDeadline'; time: number | undefined }
  /** Who may spend is no contract: honest sites have contracts for that. */
  | { kind: 'spenderNoCode'; address: Hex }
  | { kind: 'otherOwner'; address: Hex }
  /** Other code runs as the account. */
  | { kind: 'delegateCall' }
  /** Changes who controls the account. */
  | { kind: 'control'; signature: string }
  /** A call inside that gives something away. */
  | { kind: 'innerCall'; signature: string }
  /** A delegation without any limit. */
  | { kind: 'unrestricted' };

/** Of a user operation its disguise is told. */
export type ToldShape = Exclude<ShapeName, 'userOperation'>;

const FAR_MS = 366 * 86_400_000;

/** What can give something in return. */
const ORDERS: readonly ShapeName[] = ['sale', 'order', 'permit2Transfer'];

/** Beginnings of the names of functions that give something away. */
const GIVES =
  /^(?:approve|setApprovalForAll|increaseAllowance|transfer|safeTransfer|permit)/u;

/** Find what a signer should know about typed data, in no order. */
export function findTypedAlerts(data: TypedData, context: TypedContext): TypedAlert[] {
  const shape = findShape(data);
  return [
    ...findDisguisedDocument(data, context),
    ...findDomainAlerts(data, context, shape),
    ...(shape ? findShapeAlerts(data, context, shape) : []),
  ];
}

/** List the addresses whose code is worth a look: the contract, and those who may spend. */
export function listContracts(data: TypedData): Hex[] {
  const { verifyingContract } = data.domain;
  const own = matches(verifyingContract, NodeAddressStruct) ? [verifyingContract] : [];
  const shape = findShape(data);
  // A transfer may go to anybody.
  const spenders = shape?.name === 'transfer' ? [] : shape?.spenders;
  const all = [...own, ...addressesAt(data.message, spenders)];
  return [...new Set(all)]
    .filter((each) => !isSameAddress(each, ZERO_ADDRESS))
    .slice(0, 5);
}

function findShapeAlerts(
  data: TypedData,
  context: TypedContext,
  shape: Shape,
): TypedAlert[] {
  const { message } = data;
  const { account, withoutCode = [] } = context;
  const spenders = addressesAt(message, shape.spenders);
  const owner = addressesAt(message, shape.owners).find(
    (each) => !isSameAddress(each, account) && !isSameAddress(each, ZERO_ADDRESS),
  );
  const spender = spenders.find((each) => includes(withoutCode, each));
  const isRisky = shape.name !== 'transfer' && spender !== undefined;
  const { name } = shape;
  const parties = [...new Set(spenders)];
  return [
    ...(name === 'userOperation'
      ? []
      : [{ kind: 'shape', shape: name, parties } as const]),
    ...findLimitAlerts(message, shape, context.now),
    ...(owner === undefined ? [] : [{ kind: 'otherOwner', address: owner } as const]),
    ...(isRisky ? [{ kind: 'spenderNoCode', address: spender } as const] : []),
    ...findCallAlerts(message, shape),
    ...(ORDERS.includes(shape.name) ? findOrderAlerts(data, account) : []),
    ...(shape.name === 'signIn' ? findSignInAlerts(data, context.origin) : []),
    ...(shape.name === 'delegation' && valuesAt(message, 'caveats').length === 0
      ? [{ kind: 'unrestricted' } as const]
      : []),
  ];
}

function findLimitAlerts(
  message: Record<string, Json>,
  { name, amounts = [], deadlines = [] }: Shape,
  now: number,
): TypedAlert[] {
  const largest = amounts
    .flatMap((path) => valuesAt(message, path))
    .some((each) => isUnlimited(findQuantity(each) ?? 0n));
  const hasNoLimit = largest || (name === 'daiPermit' && message.allowed === true);
  const latest = deadlines
    .flatMap((path) => valuesAt(message, path))
    .map((each) => findQuantity(each) ?? 0n)
    // DAI takes zero for "never expires".
    .map((each) => (each === 0n && name === 'daiPermit' ? MAX_UINT256 : each))
    .reduce(larger, 0n);
  const time = isNever(latest) ? undefined : Number(latest) * 1_000;
  const isFar = time === undefined || time > now + FAR_MS;
  return [
    ...(hasNoLimit ? [{ kind: 'unlimited' } as const] : []),
    ...(isFar ? [{ kind: 'farDeadline', time } as const] : []),
  ];
}

function findCallAlerts(
  message: Record<string, Json>,
  { name, calls = [] }: Shape,
): TypedAlert[] {
  const alerts = calls
    .flatMap((path) => valuesAt(message, path))
    .filter((each): each is Hex => matches(each, NodeBytesStruct))
    .flatMap((call): TypedAlert[] => {
      const control = safeControls[call.slice(0, 10).toLowerCase()];
      if (control !== undefined) return [{ kind: 'control', signature: control }];
      const signature = findKnownCall(call)?.signature;
      // The owners of a Safe send all that it sends like this.
      const isGiving = name === 'metaTransaction' && GIVES.test(signature ?? '');
      return isGiving && signature !== undefined
        ? [{ kind: 'innerCall', signature }]
        : [];
    });
  const isDelegate =
    name === 'safeTransaction' && findQuantity(message.operation) === 1n;
  return isDelegate ? [{ kind: 'delegateCall' }, ...alerts] : alerts;
}
