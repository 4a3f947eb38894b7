// The dialog of a user operation, with a section for each call.
import { Box, Section } from '@metamask/snaps-sdk/jsx';
import type {
  BoxElement,
  CollapsibleSectionElement,
  GenericSnapElement,
  RowElement,
  SectionElement,
} from '@metamask/snaps-sdk/jsx';

import { entryPoints } from '../core/entry-points';
import type { EntryPointVersion } from '../core/entry-points';
import type { UserOperation } from '../core/payload';
import { computeDeployment } from '../eth/account-calls';
import { byteLength, isSameAddress, withQuantities } from '../eth/hex';
import type { Hex } from '../eth/hex';
import {
  gasLimitsOf,
  isSponsored,
  maxCostOf,
  maxCostWithValue,
  payerOf,
} from '../eth/operation-cost';
import type { GasField } from '../eth/operation-cost';
import { keyOf, sequenceOf } from '../eth/smart-account';
import type { CoinPrice } from '../fees/prices';
import { findAct } from '../review/act';
import type { CallEffect } from '../review/effects';
import { readCall } from '../review/read';
import {
  drawCallData,
  drawOnlyFold,
  drawOutcome,
  drawNumberedCall,
  drawRequested,
  showsSentCurrency,
  toCallPages,
  warnOfUnshown,
} from '../review/screen/calls';
import type { CallItem } from '../review/screen/calls';
import { drawChanges, drawMoney } from '../review/screen/changes';
import { drawEnglish } from '../review/screen/description';
import type { Simulation } from '../review/simulate';
import { AddressField, drawRows, Field } from '../ui/components';
import { toPagedView } from '../ui/confirmation';
import type { PagedView } from '../ui/confirmation';
import { toShownCoins, toShownCount, toShownFee, toShownLine } from '../ui/format';
import type { TextKey, Translate } from '../ui/i18n';
import type { Warning } from '../ui/warnings';
import { gasLabels } from './warnings';

export type UserOperationView = {
  translate: Translate;
  origin: string;
  /** CAIP-2. */
  chain: string;
  entryPoint: EntryPointVersion;
  operation: UserOperation;
  /** Undefined if the call data does not encode calls by the account. */
  calls: readonly CallEffect[] | undefined;
  warnings: readonly Warning[];
  /** The name that the paymaster gives itself, if it pays. */
  sponsor?: { name: string } | undefined;
  /** Whether a paymaster was asked, but does not pay. */
  isSponsorMissing?: boolean;
  /** Whether the calls' gas limit is assumed, because the calls fail. */
  isCallGasAssumed?: boolean;
  /** Whether to omit the deployment if someone else deploys the account in the meantime. */
  isDeploymentOpen?: boolean;
  price?: CoinPrice | undefined;
  simulation?: Simulation | undefined;
};

type Part = SectionElement | CollapsibleSectionElement;

export function UserOperationConfirmation(view: UserOperationView): PagedView {
  const { translate, origin, chain, operation, calls, warnings } = view;
  const { sender: from, callData: data } = operation;
  // Other call data is shown as a call from the account to itself.
  const shown = calls ?? [readCall({ from, to: from, value: 0n, data })];
  const act = findAct(shown, view);
  const only = calls?.length === 1 ? calls[0] : undefined;
  return toPagedView({
    translate,
    title: act.write(translate),
    approve: act.verb,
    isDescribed: act.description !== undefined,
    origin,
    account: operation.sender,
    chain,
    warnings: [...warnings, ...warnOfUnshown(shown, view)],
    ...(only && {
      sentence: only.description?.sentence,
      recipients: drawRequested({ ...view, call: only }),
    }),
    summary: only
      ? drawOutcome(only, view)
      : [...drawEnglish(translate, shown), ...drawChanges(view.simulation, view)],
    costs: drawCosts(view),
    pages: toCallPages(shown, view, (item) =>
      (only ?? !calls) ? drawOnly(item.call, view) : [drawCall(item, view)],
    ),
    folded:
      (calls ?? [only]).length === 1
        ? [() => shown.flatMap((call) => drawOnlyFold({ ...view, call }).folded)]
        : [],
    details: drawDetails(view),
    raw: JSON.stringify(withQuantities(operation)),
  });
}

// Draws a dialog's only call, except its value, intent and recipient, which have rows of their own.
function drawOnly(call: CallEffect, { translate, chain }: UserOperationView): Part[] {
  const parts = [
    ...drawCreation(call, translate),
    ...(call.data === '0x' ? [] : drawCallData({ translate, chain, call })),
  ];
  const { section } = drawOnlyFold({ translate, chain, call });
  if (parts.length === 0) return section;
  return [<Section>{parts as GenericSnapElement[]}</Section>, ...section];
}

function drawCreation({ to, data }: CallEffect, translate: Translate): RowElement[] {
  const { address } = (to && computeDeployment({ to, data })) ?? {};
  if (!address) return [];
  return [<AddressField label={translate('field.creation')} address={address} />];
}

function drawCall(item: CallItem, view: UserOperationView): CollapsibleSectionElement {
  return drawNumberedCall(item, view, drawCreation(item.call, view.translate));
}

function drawCosts(view: UserOperationView): RowElement[] {
  const { translate, entryPoint, operation, calls = [], sponsor } = view;
  const fee = maxCostOf(operation, entryPoint);
  const draw = (key: TextKey, value: string): RowElement[] => [
    <Field label={translate(key)} value={value} />,
  ];
  return [
    ...drawMoney(
      calls.map(({ value }) => value),
      fee,
      {
        ...view,
        isValueDrawn: showsSentCurrency(calls, view),
        isSponsored: isSponsored(operation, entryPoint),
      },
    ),
    drawPayer(view),
    ...(sponsor ? draw('field.sponsor', toShownLine(sponsor.name)) : []),
    ...(operation.initCode === '0x'
      ? []
      : draw(
          'field.deploys',
          translate(view.isDeploymentOpen ? 'deploys.unless' : 'yes'),
        )),
  ];
}

function drawDetails(view: UserOperationView): BoxElement {
  const { translate, chain, entryPoint, operation } = view;
  const { maxFeePerGas, maxPriorityFeePerGas } = operation;
  const { entryPoint: address } = entryPoints[entryPoint];
  const factory = operation.initCode.slice(0, 42) as Hex;
  const values = (view.calls ?? []).map(({ value }) => value);
  const total = maxCostWithValue(operation, entryPoint, values);
  const cost = toShownCoins(total, translate, chain);
  return (
    <Box>
      <Field label={translate('field.maxCost')} value={cost} />
      {factory.length === 42 ? (
        <AddressField label={translate('field.factory')} address={factory} />
      ) : null}
      {gasLimitsOf(operation, entryPoint).map(([field, gas]) => (
        <Field label={translate(gasLabels[field])} value={writeGas(field, gas, view)} />
      ))}
      {drawRows(translate, [
        ['field.maxFee', toShownFee(maxFeePerGas, translate)],
        ['field.priorityFee', toShownFee(maxPriorityFeePerGas, translate)],
        ['field.entryPoint', entryPoint],
      ])}
      <AddressField label={translate('field.entryPointAddress')} address={address} />
      {drawNonce(view)}
      <Field label={translate('field.expiry')} value={translate('expiry.none')} />
    </Box>
  );
}

function writeGas(
  field: GasField,
  limit: bigint,
  { translate, isCallGasAssumed = false }: UserOperationView,
): string {
  const gas = toShownCount(limit, translate);
  const isAssumed = isCallGasAssumed && field === 'callGasLimit';
  return isAssumed ? translate('gas.assumed', { gas }) : gas;
}

function drawPayer(view: UserOperationView): RowElement {
  const { translate, entryPoint, operation, isSponsorMissing = false } = view;
  const label = translate('field.paidBy');
  const payer = payerOf(operation, entryPoint);
  const length = String(byteLength(operation.paymasterAndData));
  if (payer && !isSameAddress(payer, operation.sender)) {
    return <AddressField label={label} address={payer} />;
  }
  const self = translate(isSponsorMissing ? 'payer.fallback' : 'self');
  const value = payer ? self : translate('payer.malformed', { length });
  return <Field label={label} value={value} />;
}

function drawNonce({
  operation: { nonce },
  translate,
}: UserOperationView): GenericSnapElement[] {
  const key = keyOf(nonce);
  const sequence = String(sequenceOf(nonce));
  return key === 0n
    ? drawRows(translate, [['field.nonce', sequence]])
    : drawRows(translate, [
        ['field.nonceKey', String(key)],
        ['field.nonceSequence', sequence],
      ]);
}
