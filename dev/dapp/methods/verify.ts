// Whether an answer is right: who signed, and whether what was sent was included.
import {
  concat,
  encodePacked,
  isAddress,
  isAddressEqual,
  isHex,
  keccak256,
  recoverAddress,
  recoverMessageAddress,
  recoverTransactionAddress,
  recoverTypedDataAddress,
  sliceHex,
  type Hex,
  type RecoverTypedDataAddressParameters,
  type TransactionSerialized,
} from 'viem';
import { getUserOperationHash } from 'viem/account-abstraction';

import { describeInclusion, follow, type Sent } from '../inclusion';
import {
  entryPoints,
  listParams,
  type Check,
  type Finding,
  type Operation,
  type Params,
  type Smart,
} from './given';

/** Recovers the signer of a message (EIP-191). */
export const checkMessage: Check = async ({ params, result }) => {
  const { address, other } = splitAddress(params);
  const text = String(other);
  const recovered = await recoverMessageAddress({
    // As wallets read it: hex is bytes, anything else text.
    message: isHex(text) ? { raw: text } : text,
    signature: result as Hex,
  });
  return compareSigner(recovered, address);
};

/** Recovers the signer of typed data v3 and v4 (EIP-712). */
export const checkTypedData: Check = async ({ params, result }) => {
  const { address, other } = splitAddress(params);
  const data = readJson(other) as RecoverTypedDataAddressParameters;
  const signature = result as Hex;
  return compareSigner(await recoverTypedDataAddress({ ...data, signature }), address);
};

/** Recovers the signer of typed data v1: values as Solidity packs them. */
export const checkTypedDataV1: Check = async ({ params, result }) => {
  const { address, other } = splitAddress(params);
  const values = readJson(other) as { type: string; name: string; value: unknown }[];
  const hashPacked = (types: string[], packed: unknown[]): Hex =>
    keccak256(encodePacked(types, packed));
  const schema = values.map(({ type, name }) => `${type} ${name}`);
  const hash = keccak256(
    concat([
      hashPacked(
        schema.map(() => 'string'),
        schema,
      ),
      hashPacked(
        values.map(({ type }) => type),
        values.map(({ value }) => value),
      ),
    ]),
  );
  return compareSigner(
    await recoverAddress({ hash, signature: result as Hex }),
    address,
  );
};

/** Recovers the signer of a transaction. */
export const checkTransaction: Check = async ({ params, result }) => {
  const { raw } = result as { raw?: TransactionSerialized };
  // Where nothing was filled in there are only v, r and s.
  if (raw === undefined) {
    return {
      text: 'Nothing was filled in, so there is no raw transaction to look at.',
    };
  }
  const [transaction] = listParams(params) as [{ from: Hex }];
  const recovered = await recoverTransactionAddress({ serializedTransaction: raw });
  return compareSigner(recovered, transaction.from);
};

/** Recovers the signer of a user operation, which must be the owner of its account. */
export const checkUserOperation: Check = async ({ params, result, given }) => {
  const { smart, chainId } = given;
  const [operation] = listParams(params) as [Operation];
  if (!smart || chainId === undefined) return undefined;
  const signature = result as Hex;
  const signed = { ...operation, signature };
  const hash = hashOperation(signed, smart.entryPoint, Number(chainId));
  // From EntryPoint 0.8 on the hash is signed as it is (EIP-712), before as a message.
  const recovered =
    smart.entryPoint === '0.6' || smart.entryPoint === '0.7'
      ? await recoverMessageAddress({ message: { raw: hash }, signature })
      : await recoverAddress({ hash, signature });
  return compareSigner(recovered, smart.owner);
};

/** Creates a check that follows what was sent until it is included. */
export function checkInclusion(kind: Sent['kind']): Check {
  return async ({ result, given: { chainId = '0x1' } }, tools) => {
    const sent: Sent =
      kind === 'calls'
        ? { kind, id: (result as { id: string }).id }
        : { kind, hash: result as Hex, chainId };
    const inclusion = await follow(sent, tools);
    const text = `Receipt: ${describeInclusion(inclusion)}`;
    return inclusion.state === 'pending'
      ? { text }
      : { isRight: inclusion.state === 'included', text };
  };
}

function compareSigner(recovered: Hex, expected: Hex): Finding {
  const isRight = isAddressEqual(recovered, expected);
  const rest = isRight ? "the account's own" : `but the account is ${expected}`;
  return { isRight, text: `Recovered address: ${recovered}, ${rest}.` };
}

/** Finds the address among two params, which may be in either order. */
export function splitAddress(params: Params): { address: Hex; other: unknown } {
  const [first, second] = listParams(params);
  const isFirst = typeof first === 'string' && isAddress(first, { strict: false });
  return isFirst
    ? { address: first, other: second }
    : { address: second as Hex, other: first };
}

function readJson(document: unknown): unknown {
  return typeof document === 'string' ? JSON.parse(document) : document;
}

/** Computes the hash that an operation is known by. */
export function hashOperation(
  operation: Operation,
  version: Smart['entryPoint'],
  chainId: number,
): Hex {
  const { initCode, paymasterAndData, ...others } = operation;
  const unpacked =
    version === '0.6'
      ? { initCode, paymasterAndData }
      : { ...unpackFactory(initCode), ...unpackPaymaster(paymasterAndData) };
  const userOperation = {
    ...others,
    nonce: BigInt(others.nonce),
    callGasLimit: BigInt(others.callGasLimit),
    verificationGasLimit: BigInt(others.verificationGasLimit),
    preVerificationGas: BigInt(others.preVerificationGas),
    maxFeePerGas: BigInt(others.maxFeePerGas),
    maxPriorityFeePerGas: BigInt(others.maxPriorityFeePerGas),
    ...unpacked,
  };
  return getUserOperationHash({
    chainId,
    entryPointAddress: entryPoints[version],
    entryPointVersion: version,
    userOperation: userOperation,
  });
}

function unpackFactory(initCode: Hex): object {
  if (initCode === '0x') return {};
  return { factory: cut(initCode, 0, 20), factoryData: cut(initCode, 20) };
}

function unpackPaymaster(paymasterAndData: Hex): object {
  if (paymasterAndData === '0x') return {};
  return {
    paymaster: cut(paymasterAndData, 0, 20),
    paymasterVerificationGasLimit: BigInt(cut(paymasterAndData, 20, 36)),
    paymasterPostOpGasLimit: BigInt(cut(paymasterAndData, 36, 52)),
    paymasterData: cut(paymasterAndData, 52),
  };
}

// viem's sliceHex throws where nothing is left.
function cut(bytes: Hex, from: number, to?: number): Hex {
  return bytes.length <= 2 + from * 2 ? '0x' : sliceHex(bytes, from, to);
}
