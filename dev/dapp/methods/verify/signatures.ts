// Who signed: messages, and typed data of the three versions.
import {
  concat,
  encodePacked,
  isAddress,
  isHex,
  keccak256,
  recoverAddress,
  recoverMessageAddress,
  recoverTypedDataAddress,
} from 'viem';
import type { Hex, RecoverTypedDataAddressParameters } from 'viem';

import type { Answered } from '../row';
import { compareSigner, listParams } from './check';
import type { Check } from './check';

type Value = { type: string; name: string; value: unknown };

/** Look who signed a message (EIP-191). */
export const checkMessage: Check = async ({ params, result }) => {
  const { address, other } = splitAddress(params);
  const message = String(other);
  return compareSigner(
    await recoverMessageAddress({
      // As wallets read it: hex is bytes, anything else text.
      message: isHex(message) ? { raw: message } : message,
      signature: result as Hex,
    }),
    address,
  );
};

/** Look who signed typed data (EIP-712): v3 and v4. */
export const checkTypedData: Check = async ({ params, result }) => {
  const { address, other } = splitAddress(params);
  const data = readJson(other) as RecoverTypedDataAddressParameters;
  const recovered = await recoverTypedDataAddress({
    ...data,
    signature: result as Hex,
  });
  return compareSigner(recovered, address);
};

/** Look who signed values as Solidity packs them (typed data v1). */
export const checkTypedDataV1: Check = async ({ params, result }) => {
  const { address, other } = splitAddress(params);
  const hash = hashValues(readJson(other) as Value[]);
  const recovered = await recoverAddress({ hash, signature: result as Hex });
  return compareSigner(recovered, address);
};

/** Find the address among two params, which may stand either way round. */
export function splitAddress(params: Answered['params']): {
  address: Hex;
  other: unknown;
} {
  const [first, second] = listParams(params);
  const isFirst = typeof first === 'string' && isAddress(first, { strict: false });
  return isFirst
    ? { address: first, other: second }
    : { address: second as Hex, other: first };
}

function hashValues(values: readonly Value[]): Hex {
  const schema = values.map(({ type, name }) => `${type} ${name}`);
  const packed = encodePacked(
    values.map(({ type }) => type),
    values.map(({ value }) => value),
  );
  return keccak256(
    concat([
      keccak256(
        encodePacked(
          schema.map(() => 'string'),
          schema,
        ),
      ),
      keccak256(packed),
    ]),
  );
}

function readJson(document: unknown): unknown {
  return typeof document === 'string' ? JSON.parse(document) : document;
}
