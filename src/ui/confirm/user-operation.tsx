// Confirmation of eth_signUserOperation: the calls it makes, who pays, what it can cost.
import { Address, Row, Section } from '@metamask/snaps-sdk/jsx';
import type { JSXElement, RowElement, SectionElement } from '@metamask/snaps-sdk/jsx';

import { decodeCalls } from '../../eth/account-calls';
import type { Call } from '../../eth/account-calls';
import type { EntryPointVersion } from '../../eth/entry-point';
import { byteLength } from '../../eth/hex';
import type { Hex } from '../../eth/hex';
import { toUserOperationJson } from '../../eth/user-operation';
import type { UserOperation } from '../../eth/user-operation';
import { Confirmation } from '../components/Confirmation';
import { Field } from '../components/Field';
import { Raw } from '../components/Raw';
import { cutWarnings, toShownCoins, toShownText } from '../format';
import type { Translate } from '../i18n';

/** An operation to sign. */
export type UserOperationView = {
  translate: Translate;
  origin: string;
  /** CAIP-2 chain. */
  chain: string;
  entryPoint: EntryPointVersion;
  operation: UserOperation;
};

/** Draw the confirmation of a user operation. */
export function UserOperationConfirmation(view: UserOperationView): JSXElement {
  const { translate, origin, chain, entryPoint, operation } = view;
  const calls = decodeCalls(entryPoint, operation.callData);
  const raw = JSON.stringify(toUserOperationJson(operation));
  const warnings = cutWarnings(toShownText(raw), translate);
  if (!calls) warnings.push(translate('userOperation.opaque'));
  return (
    <Confirmation
      translate={translate}
      title="userOperation.title"
      origin={origin}
      account={operation.sender}
      chain={chain}
      warnings={warnings}
    >
      {(calls ?? []).map((call, index) => drawCall(call, index, translate))}
      <Section>
        {operation.initCode === '0x' ? null : (
          <Field label={translate('field.deploys')} value={translate('yes')} />
        )}
        {drawPayer(operation, translate)}
        <Field
          label={translate('field.maxCost')}
          value={toShownCoins(maxCostOf(operation), translate)}
        />
        <Field label={translate('field.entryPoint')} value={entryPoint} />
        <Field label={translate('field.nonce')} value={String(operation.nonce)} />
      </Section>
      <Raw translate={translate} value={raw} />
    </Confirmation>
  );
}

function drawCall(
  { to, value, data }: Call,
  index: number,
  translate: Translate,
): SectionElement {
  return (
    <Section>
      <Row label={translate('userOperation.call', { number: String(index + 1) })}>
        <Address address={to} />
      </Row>
      <Field label={translate('field.value')} value={toShownCoins(value, translate)} />
      <Field label={translate('field.callData')} value={`${byteLength(data)} B`} />
    </Section>
  );
}

function drawPayer(
  { paymasterAndData }: UserOperation,
  translate: Translate,
): RowElement {
  const label = translate('field.paidBy');
  if (byteLength(paymasterAndData) < 20) {
    return <Field label={label} value={translate('self')} />;
  }
  return (
    <Row label={label}>
      <Address address={paymasterAndData.slice(0, 42) as Hex} />
    </Row>
  );
}

function maxCostOf(operation: UserOperation): bigint {
  const { callGasLimit, verificationGasLimit, preVerificationGas } = operation;
  const gas = callGasLimit + verificationGasLimit + preVerificationGas;
  return gas * operation.maxFeePerGas;
}
