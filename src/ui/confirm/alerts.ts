// What a user should know before signing, in words.
import type { OperationAlert } from '../../eth/alerts';
import type { GasField } from '../../eth/operation-cost';
import { toShownCoins, toShownFee, toShownLine } from '../format';
import type { TextKey, Translate } from '../i18n';
import { danger, warning } from '../notice';
import type { Notice } from '../notice';

/** Labels of an operation's gas limits. */
export const gasLabels: Record<GasField, TextKey> = {
  callGasLimit: 'field.callGas',
  verificationGasLimit: 'field.verificationGas',
  preVerificationGas: 'field.preVerificationGas',
  paymasterVerificationGasLimit: 'field.paymasterVerificationGas',
  paymasterPostOpGasLimit: 'field.paymasterPostOpGas',
};

type Kind = OperationAlert['kind'];

type AlertOf<Wanted extends Kind> = Extract<OperationAlert, { kind: Wanted }>;

type Writer<Alert> = (alert: Alert, translate: Translate) => string;

const writers: { [Each in Kind]: Writer<AlertOf<Each>> } = {
  fee: ({ fee, high }, translate) =>
    translate('alert.fee', {
      fee: toShownFee(fee, translate),
      high: toShownFee(high, translate),
    }),
  balance: ({ cost, balance }, translate) =>
    translate('alert.balance', {
      cost: toShownCoins(cost, translate),
      balance: toShownCoins(balance, translate),
    }),
  unchecked: (_alert, translate) => translate('alert.unchecked'),
  upgrade: ({ calls }, translate) =>
    translate('alert.upgrade', { calls: toShownNumbers(calls) }),
  ownCall: ({ calls }, translate) =>
    translate('alert.ownCall', { calls: toShownNumbers(calls) }),
  burn: ({ calls, value }, translate) =>
    translate('alert.burn', {
      calls: toShownNumbers(calls),
      value: toShownCoins(value, translate),
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
      gas: String(gas),
      bound: String(bound),
    }),
  preVerificationGas: ({ gas, bound }, translate) =>
    translate('alert.preVerificationGas', { gas: String(gas), bound: String(bound) }),
  replay: ({ hash }, translate) => translate('alert.replay', { hash }),
  sponsor: ({ reason }, translate) =>
    translate('alert.sponsor', { reason: toShownLine(reason) }),
  deployed: (_alert, translate) => translate('alert.deployed'),
  undeployed: (_alert, translate) => translate('alert.undeployed'),
  factory: (_alert, translate) => translate('alert.factory'),
};

/** What can cost more than the fee. */
const dangers: readonly Kind[] = ['upgrade', 'ownCall', 'burn'];

/** Write an alert. */
export function writeAlert(alert: OperationAlert, translate: Translate): Notice {
  const write = writers[alert.kind] as Writer<OperationAlert>;
  const text = write(alert, translate);
  return dangers.includes(alert.kind) ? danger(text) : warning(text);
}

function toShownNumbers(numbers: readonly number[]): string {
  return toShownLine(numbers.join(', '));
}
