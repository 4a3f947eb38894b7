// What a user operation costs, who pays, and where and when it is valid.
import { Address, Row, Section } from '@metamask/snaps-sdk/jsx';
import type { RowElement, SectionElement } from '@metamask/snaps-sdk/jsx';

import { byteLength, isSameAddress } from '../../eth/hex';
import type { Hex } from '../../eth/hex';
import { gasLimitsOf, maxCostOf, payerOf } from '../../eth/operation-cost';
import type { GasField } from '../../eth/operation-cost';
import { keyOf, sequenceOf } from '../../eth/operation-nonce';
import { entryPoints } from '../../eth/user-operation';
import type { EntryPointVersion, UserOperation } from '../../eth/user-operation';
import { Field } from '../components/Field';
import { toShownCoins, toShownCount, toShownFee, toShownLine } from '../format';
import type { Translate } from '../i18n';
import { gasLabels } from './alerts';

/** Hex digits, with `0x`, of the factory in the init code. */
const FACTORY_END = 42;

/** What this section is drawn from. */
export type OperationCost = {
  translate: Translate;
  /** CAIP-2 chain. */
  chain: string;
  entryPoint: EntryPointVersion;
  operation: UserOperation;
  /** Who the paymaster says that it is; only given if a paymaster pays. */
  sponsor?: { name: string } | undefined;
  /** Whether a paymaster was asked to pay and did not. */
  isSponsorMissing?: boolean;
  /** Whether the gas limit of the calls is assumed, since they fail. */
  isCallGasAssumed?: boolean;
};

/** Draw whether the account is deployed, who pays, and the maximum cost with its parts. */
export function drawOperationCost(view: OperationCost): SectionElement {
  const { translate, chain, entryPoint, operation, sponsor } = view;
  const { maxFeePerGas, maxPriorityFeePerGas } = operation;
  return (
    <Section>
      {drawDeployment(operation, translate)}
      {drawPayer(view)}
      {sponsor ? (
        <Field label={translate('field.sponsor')} value={toShownLine(sponsor.name)} />
      ) : null}
      <Field
        label={translate('field.maxCost')}
        value={toShownCoins(maxCostOf(operation, entryPoint), translate, chain)}
      />
      {gasLimitsOf(operation, entryPoint).map(([field, gas]) => (
        <Field label={translate(gasLabels[field])} value={writeGas(field, gas, view)} />
      ))}
      <Field
        label={translate('field.maxFee')}
        value={toShownFee(maxFeePerGas, translate)}
      />
      <Field
        label={translate('field.priorityFee')}
        value={toShownFee(maxPriorityFeePerGas, translate)}
      />
    </Section>
  );
}

function writeGas(
  field: GasField,
  limit: bigint,
  { translate, isCallGasAssumed = false }: OperationCost,
): string {
  const gas = toShownCount(limit, translate);
  const isAssumed = isCallGasAssumed && field === 'callGasLimit';
  return isAssumed ? translate('gas.assumed', { gas }) : gas;
}

/** Draw the entry point and the nonce that an operation is valid for. */
export function drawValidity(view: OperationCost): SectionElement {
  const { translate, entryPoint } = view;
  return (
    <Section>
      <Field label={translate('field.entryPoint')} value={entryPoint} />
      <Row label={translate('field.entryPointAddress')}>
        <Address address={entryPoints[entryPoint].entryPoint} />
      </Row>
      {drawNonce(view)}
      <Field label={translate('field.expiry')} value={translate('expiry.none')} />
    </Section>
  );
}

function drawDeployment(
  { initCode }: UserOperation,
  translate: Translate,
): RowElement[] {
  if (initCode === '0x') return [];
  const factory = initCode.slice(0, FACTORY_END) as Hex;
  if (factory.length < FACTORY_END) {
    return [<Field label={translate('field.deploys')} value={translate('yes')} />];
  }
  return [
    <Field label={translate('field.deploys')} value={translate('yes')} />,
    <Row label={translate('field.factory')}>
      <Address address={factory} />
    </Row>,
  ];
}

function drawPayer(view: OperationCost): RowElement {
  const { translate, entryPoint, operation, isSponsorMissing = false } = view;
  const label = translate('field.paidBy');
  const payer = payerOf(operation, entryPoint);
  if (!payer) {
    const length = String(byteLength(operation.paymasterAndData));
    return <Field label={label} value={translate('payer.malformed', { length })} />;
  }
  if (isSameAddress(payer, operation.sender)) {
    const self = translate(isSponsorMissing ? 'payer.fallback' : 'self');
    return <Field label={label} value={self} />;
  }
  return (
    <Row label={label}>
      <Address address={payer} />
    </Row>
  );
}

function drawNonce({ operation: { nonce }, translate }: OperationCost): RowElement[] {
  const key = keyOf(nonce);
  const sequence = String(sequenceOf(nonce));
  if (key === 0n) return [<Field label={translate('field.nonce')} value={sequence} />];
  return [
    <Field label={translate('field.nonceKey')} value={String(key)} />,
    <Field label={translate('field.nonceSequence')} value={sequence} />,
  ];
}
