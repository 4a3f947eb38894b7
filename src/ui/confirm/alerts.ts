// What a user should know before signing, in words.
import type { OperationAlert } from '../../eth/alerts';
import type { GasField } from '../../eth/operation-cost';
import { toShownCoins, toShownCount, toShownFee, toShownLine } from '../format';
import type { TextKey, Translate } from '../i18n';
import { danger, info, warning } from '../notice';
import type { Notice } from '../notice';
import { writeNumberedAlerts } from './call-alerts';

/** Labels of an operation's gas limits. */
export const gasLabels: Record<GasField, TextKey> = {
  callGasLimit: 'field.callGas',
  verificationGasLimit: 'field.verificationGas',
  preVerificationGas: 'field.preVerificationGas',
  paymasterVerificationGasLimit: 'field.paymasterVerificationGas',
  paymasterPostOpGasLimit: 'field.paymasterPostOpGas',
};

/** What is written here alone: calls have writers of their own. */
type PlainAlert = Exclude<OperationAlert, { kind: 'call' }>;

type Kind = PlainAlert['kind'];

type AlertOf<Wanted extends Kind> = Extract<PlainAlert, { kind: Wanted }>;

/** Writes an alert on a CAIP-2 chain, where one is known. */
type Writer<Alert> = (
  alert: Alert,
  translate: Translate,
  chain: string | undefined,
) => string;

const writers: { [Each in Kind]: Writer<AlertOf<Each>> } = {
  fee: ({ fee, high }, translate) =>
    translate('alert.fee', {
      fee: toShownFee(fee, translate),
      high: toShownFee(high, translate),
    }),
  lowFee: ({ fee, base }, translate) =>
    translate('alert.lowFee', {
      fee: toShownFee(fee, translate),
      base: toShownFee(base, translate),
    }),
  balance: ({ cost, balance }, translate, chain) =>
    translate('alert.balance', {
      cost: toShownCoins(cost, translate, chain),
      balance: toShownCoins(balance, translate, chain),
    }),
  nonceGap: ({ nonce, next }, translate) =>
    translate('alert.nonceGap', {
      nonce: toShownCount(nonce, translate),
      next: toShownCount(next, translate),
    }),
  unchecked: (_alert, translate) => translate('alert.unchecked'),
  willFail: ({ reason }, translate) =>
    translate('alert.willFail', { reason: toShownLine(reason) }),
  mayFail: ({ reason }, translate) =>
    translate('alert.mayFail', { reason: toShownLine(reason) }),
  upgrade: ({ calls }, translate) =>
    translate('alert.upgrade', { calls: toShownNumbers(calls) }),
  ownCall: ({ calls }, translate) =>
    translate('alert.ownCall', { calls: toShownNumbers(calls) }),
  hiddenBytes: (_alert, translate) => translate('alert.hiddenBytes'),
  opaque: (_alert, translate) => translate('alert.opaque'),
  burn: ({ calls, value }, translate, chain) =>
    translate('alert.burn', {
      calls: toShownNumbers(calls),
      value: toShownCoins(value, translate, chain),
    }),
  paymaster: (_alert, translate) => translate('alert.paymaster'),
  priority: ({ priority, fee }, translate) =>
    translate('alert.priority', {
      priority: toShownFee(priority, translate),
      fee: toShownFee(fee, translate),
    }),
  gasLimit: ({ field, gas, bound }, translate) =>
    translate('alert.gasLimit', {
      field: translate(gasLabels[field]),
      gas: toShownCount(gas, translate),
      bound: toShownCount(bound, translate),
    }),
  gasEstimate: ({ field, gas, estimate }, translate) =>
    translate('alert.gasEstimate', {
      field: translate(gasLabels[field]),
      gas: toShownCount(gas, translate),
      estimate: toShownCount(estimate, translate),
    }),
  preVerificationGas: ({ gas, estimate }, translate) =>
    translate('alert.preVerificationGas', {
      gas: toShownCount(gas, translate),
      estimate: toShownCount(estimate, translate),
    }),
  replay: ({ hash }, translate) => translate('alert.replay', { hash }),
  sponsor: ({ reason }, translate) =>
    translate('alert.sponsor', { reason: toShownLine(reason) }),
  deployed: (_alert, translate) => translate('alert.deployed'),
  undeployed: (_alert, translate) => translate('alert.undeployed'),
  factory: (_alert, translate) => translate('alert.factory'),
};

/** What can cost more than the fee. */
const dangers: readonly Kind[] = [
  'upgrade',
  'ownCall',
  'burn',
  'hiddenBytes',
  'opaque',
];

/**
 * Write an alert of a cost, or of an operation as a whole.
 *
 * @param chain - CAIP-2; amounts are in its currency.
 */
export function writeAlert(
  alert: PlainAlert,
  translate: Translate,
  chain?: string,
): Notice {
  const write = writers[alert.kind] as Writer<PlainAlert>;
  const text = write(alert, translate, chain);
  if (dangers.includes(alert.kind)) return danger(text);
  return alert.kind === 'lowFee' ? info(text) : warning(text);
}

/** Write the alerts of an operation, those of its calls with their numbers. */
export function writeOperationAlerts(
  alerts: readonly OperationAlert[],
  translate: Translate,
  chain?: string,
): Notice[] {
  const ofCalls = alerts.filter((alert) => alert.kind === 'call');
  return [
    ...alerts
      .filter((alert) => alert.kind !== 'call')
      .map((alert) => writeAlert(alert, translate, chain)),
    ...writeNumberedAlerts(ofCalls, { translate, chain, about: 'userOperation.about' }),
  ];
}

function toShownNumbers(numbers: readonly number[]): string {
  return toShownLine(numbers.join(', '));
}
