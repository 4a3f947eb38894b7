// Normalizes transactions, receipts and logs to the specification's form
// (docs/reference/service.md#receipts, #transactions). Nothing is guessed: unreadable values stay,
// and validation reports their path. Only an unreadable bloom is removed.
import { isObject } from '@metamask/utils';

import { findQuantity, toQuantity, ZERO_ADDRESS } from '../../../../src/eth/hex';

export type Row = Record<PropertyKey, unknown>;

const QUANTITIES = new Set(
  (
    'actualGasCost actualGasUsed baseFeePerGas blockNumber chainID chainId cumulativeGasUsed ' +
    'effectiveGasPrice gas gasPrice gasUsed l1Fee logIndex maxFeePerGas maxPriorityFeePerGas ' +
    'nonce number status transactionIndex type v value yParity'
  ).split(' '),
);

export function tidy(given: Row): Row {
  const row = { ...given };
  const has = (name: string, form: RegExp): boolean =>
    typeof row[name] === 'string' && form.test(row[name]);
  for (const [name, value] of Object.entries(given)) {
    if (QUANTITIES.has(name) || name === 'success') row[name] = toHex(value);
  }
  for (const name of ['hash', 'blockHash', 'contractAddress', 'root']) {
    if (has(name, /^(?:0x0*)?$/u)) row[name] = null;
  }
  // The zero address is a recipient, unless the transaction created a contract.
  const isCreation = row['to'] === ZERO_ADDRESS && has('contractAddress', /./u);
  if (isCreation || has('to', /^(?:0x0?)?$/u)) row['to'] = null;
  const hasBloom = has('logsBloom', /^0x[0-9a-f]{512}$/iu) || row['logsBloom'] === null;
  if (!hasBloom) delete row['logsBloom'];
  if (has('success', /^(?:true|0x0*1)$/u)) row['success'] = true;
  if (has('success', /^(?:false|0x0+)$/u)) row['success'] = false;
  return row;
}

// Converts decimals, JSON numbers, and library objects: { type: 'BigNumber', hex } and { _hex }.
function toHex(value: unknown): unknown {
  const { hex, _hex = hex }: Row = isObject(value) ? value : {};
  const quantityLike = _hex ?? value;
  if (typeof quantityLike === 'boolean') return quantityLike ? '0x1' : '0x0';
  if (quantityLike === '' || quantityLike === '0x') return null;
  const isHex = typeof quantityLike === 'string' && quantityLike.startsWith('0x');
  const quantity = isHex ? undefined : findQuantity(quantityLike);
  return quantity === undefined ? quantityLike : toQuantity(quantity);
}
