// What an operation needs: gas limits, found by trying, and fees; and whether it may be bundled
// now. Each limit is lowered until the operation no longer goes through, with the others high.
import {
  encodeAbiParameters,
  getAbiItem,
  hexToBigInt,
  hexToBytes,
  numberToHex,
  parseEventLogs,
  size,
  slice,
  zeroAddress,
  type Hex,
  type Log,
} from 'viem';
import { toPackedUserOperation } from 'viem/account-abstraction';

import { refuse, RpcFailure } from '../stack/server';
import { sumGas, type EntryPoint, type Operation } from './operation';
import {
  entryPointAbi,
  simulateHandling,
  simulateValidation,
  toRefusal,
  type Chain,
} from './simulation';

/** Gas limits as the bundler answers them. */
type Estimate = Partial<Record<Limit, Hex>> & { preVerificationGas: Hex };

type Limit =
  | 'callGasLimit'
  | 'verificationGasLimit'
  | 'paymasterVerificationGasLimit'
  | 'paymasterPostOpGasLimit';

const REVERTED = -32521;

/** Limits that are high: the lowest that suffices is looked for below them. */
const HIGH = {
  callGasLimit: 10_000_000n,
  verificationGasLimit: 5_000_000n,
} as const;
const HIGH_OF_PAYMASTER = {
  paymasterVerificationGasLimit: 3_000_000n,
  paymasterPostOpGasLimit: 1_000_000n,
} as const;

// A limit is found to a hundredth of itself, or to this.
const PRECISION = 500n;

/**
 * Estimate the gas limits of an operation.
 *
 * @param draft - Its own limits do not count; its fees do, since they are what the account
 * pays ahead.
 * @throws {RpcFailure} -32521 with what the call reverts with; other codes if the
 * validation fails.
 */
export async function estimateOperation(
  chain: Chain,
  entryPoint: EntryPoint,
  draft: Operation,
): Promise<Estimate> {
  const high = draft.paymaster ? { ...HIGH, ...HIGH_OF_PAYMASTER } : HIGH;
  const operation = { ...draft, ...(await fetchFees(chain, draft)), ...high };
  const preVerificationGas = await countPreVerificationGas(chain, widen(operation));
  requireSuccess(await simulateHandling(chain, entryPoint, operation));
  const passes = async (changed: Operation): Promise<boolean> =>
    simulateHandling(chain, entryPoint, changed).then(isSuccess, () => false);
  const limits = await Promise.all(
    Object.entries(high).map(async ([name, limit]) => {
      const least = await findLeast(limit, async (gas) =>
        passes({ ...operation, [name]: gas }),
      );
      return [name, numberToHex(addMargin(least))];
    }),
  );
  return {
    preVerificationGas: numberToHex(preVerificationGas),
    ...(Object.fromEntries(limits) as Record<Limit, Hex>),
  };
}

// What is paid ahead costs gas, so an operation without fees is tried at today's.
async function fetchFees(
  chain: Chain,
  { maxFeePerGas, maxPriorityFeePerGas }: Operation,
): Promise<Pick<Operation, 'maxFeePerGas' | 'maxPriorityFeePerGas'>> {
  return maxFeePerGas === 0n
    ? fetchFloor(chain)
    : { maxFeePerGas, maxPriorityFeePerGas };
}

// Bytes that are not known yet are counted at the price of those that are not zero.
function widen(operation: Operation): Operation {
  const most = (1n << 120n) - 1n;
  const limits = {
    callGasLimit: most,
    verificationGasLimit: most,
    preVerificationGas: most,
    maxFeePerGas: most,
    maxPriorityFeePerGas: most,
  };
  const ofPaymaster = operation.paymaster && {
    paymasterVerificationGasLimit: most,
    paymasterPostOpGasLimit: most,
    paymasterData: fill(operation.paymasterData),
  };
  const { signature } = operation;
  return { ...operation, ...limits, ...ofPaymaster, signature: fill(signature) };
}

function fill(bytes: Hex = '0x'): Hex {
  return `0x${'ff'.repeat(size(bytes))}`;
}

async function findLeast(
  high: bigint,
  passes: (gas: bigint) => Promise<boolean>,
): Promise<bigint> {
  let [tooLow, enough] = [-1n, high];
  // Most limits are far below the highest: small ones are tried first.
  for (let gas = 0n; enough - tooLow > PRECISION + enough / 100n;) {
    if (await passes(gas)) enough = gas;
    else tooLow = gas;
    const isOpen = enough === high;
    gas = isOpen ? max(tooLow * 4n, 10_000n) : (tooLow + enough) / 2n;
    if (gas >= high) gas = (tooLow + high) / 2n;
  }
  return enough;
}

function max(one: bigint, other: bigint): bigint {
  return one > other ? one : other;
}

function addMargin(gas: bigint): bigint {
  return gas + gas / 10n;
}

function isSuccess(logs: Log[]): boolean {
  const eventName = 'UserOperationEvent';
  const [event] = parseEventLogs({ abi: entryPointAbi, eventName, logs });
  return event?.args.success === true;
}

function requireSuccess(logs: Log[]): void {
  if (isSuccess(logs)) return;
  const [event] = parseEventLogs({
    abi: entryPointAbi,
    eventName: ['UserOperationRevertReason', 'PostOpRevertReason'],
    logs,
  });
  throw new RpcFailure({
    code: REVERTED,
    message: 'The call of the user operation reverts.',
    data: event?.args.revertReason ?? '0x',
  });
}

// What the bundler takes for gas.

/** Fees of an operation, in wei. */
type Price = { maxFeePerGas: bigint; maxPriorityFeePerGas: bigint };

/** Prices in hex by speed. */
type PriceList = Record<'slow' | 'standard' | 'fast', Record<keyof Price, Hex>>;

const TIP = 1_000_000_000n;

// In eighths, by which a block may raise the base fee: one block ahead, two, four.
const headroom = { slow: 9n, standard: 10n, fast: 12n };

/** Fetch the least that is taken now. */
export async function fetchFloor(chain: Chain): Promise<Price> {
  return { maxFeePerGas: (await fetchBaseFee(chain)) + TIP, maxPriorityFeePerGas: TIP };
}

/** Fetch what should be offered: more than the floor, since the base fee may rise. */
export async function fetchPrices(chain: Chain): Promise<PriceList> {
  const baseFee = await fetchBaseFee(chain);
  const toPrice = (eighths: bigint): PriceList['slow'] => ({
    maxFeePerGas: numberToHex((baseFee * eighths) / 8n + TIP),
    maxPriorityFeePerGas: numberToHex(TIP),
  });
  return {
    slow: toPrice(headroom.slow),
    standard: toPrice(headroom.standard),
    fast: toPrice(headroom.fast),
  };
}

/**
 * Require that an operation pays enough.
 *
 * @throws {RpcFailure} -32602 naming the fee and the least of it.
 */
function requireFloor(operation: Operation, floor: Price): void {
  for (const name of ['maxPriorityFeePerGas', 'maxFeePerGas'] as const) {
    if (operation[name] >= floor[name]) continue;
    refuse(
      `${name} is ${operation[name]} wei and must be at least ${floor[name]} wei now.`,
    );
  }
}

async function fetchBaseFee(chain: Chain): Promise<bigint> {
  return (await chain.getBlock()).baseFeePerGas ?? 0n;
}

// The gas of an operation that no contract can count: its bytes in the bundle, and its
// share of the bundle's transaction. The figures are those of the reference bundler.

const OPERATION = 18_300n;
const WORD = 4n;
const ZERO_BYTE = 4n;
const OTHER_BYTE = 16n;

const [packedStruct] = getAbiItem({
  abi: entryPointAbi,
  name: 'simulateValidation',
}).inputs;

/** Two accounts without code. */
const NOBODY = { account: zeroAddress, to: `0x${'99'.repeat(20)}` } as const;

/** Count the least that `preVerificationGas` of an operation must be. What a transaction takes by
 * itself depends on the fork, so the node tells. */
async function countPreVerificationGas(
  chain: Chain,
  operation: Operation,
): Promise<bigint> {
  const transaction = await chain.estimateGas(NOBODY);
  const packed = toPackedUserOperation(operation);
  const bytes = hexToBytes(encodeAbiParameters([packedStruct], [packed]));
  const words = BigInt(Math.ceil(bytes.length / 32));
  const calldata = bytes.reduce(
    (sum, byte) => sum + (byte === 0 ? ZERO_BYTE : OTHER_BYTE),
    0n,
  );
  return transaction + OPERATION + WORD * words + calldata;
}

// Whether an operation may be bundled now.

/** An operation above this could not be bundled: its transaction is capped (EIP-7825). */
const MAX_GAS = 16_000_000n;

/**
 * Check what can be told without the contracts: gas and fees.
 *
 * @throws {RpcFailure} -32602 naming the field, and what it must be.
 */
export async function requirePayment(
  chain: Chain,
  operation: Operation,
): Promise<void> {
  const least = await countPreVerificationGas(chain, operation);
  if (operation.preVerificationGas < least) {
    refuse(
      `preVerificationGas is ${operation.preVerificationGas} and must be at least ${least}.`,
    );
  }
  const gas = sumGas(operation);
  if (gas > MAX_GAS) {
    refuse(`The gas limits add up to ${gas}; ${MAX_GAS} is the most.`);
  }
  requireFloor(operation, await fetchFloor(chain));
}

/**
 * Have the EntryPoint validate an operation.
 *
 * @throws {RpcFailure} With the EntryPoint's reason, such as `AA24 signature error`.
 */
export async function requireValid(
  chain: Chain,
  entryPoint: EntryPoint,
  operation: Operation,
): Promise<void> {
  const validation = await simulateValidation(chain, entryPoint, operation);
  const { timestamp } = await chain.getBlock();
  const account = readValidationData(validation.accountValidationData);
  const paymaster = readValidationData(validation.paymasterValidationData);
  // In words of the EntryPoint, which says them only when it executes.
  if (account.isWrong) throw toRefusal({ reason: 'AA24 signature error' });
  if (!isDue(account, timestamp)) {
    throw toRefusal({ reason: 'AA22 expired or not due' });
  }
  if (paymaster.isWrong) throw toRefusal({ reason: 'AA34 signature error' });
  if (!isDue(paymaster, timestamp)) {
    throw toRefusal({ reason: 'AA32 paymaster expired or not due' });
  }
}

type ValidationData = { isWrong: boolean; validUntil: bigint; validAfter: bigint };

// validAfter (6 bytes), validUntil (6), and 1 for a wrong signature or an aggregator (20).
function readValidationData(data: bigint): ValidationData {
  const word = numberToHex(data, { size: 32 });
  return {
    validAfter: hexToBigInt(slice(word, 0, 6)),
    validUntil: hexToBigInt(slice(word, 6, 12)),
    isWrong: hexToBigInt(slice(word, 12)) !== 0n,
  };
}

function isDue({ validUntil, validAfter }: ValidationData, now: bigint): boolean {
  return (validUntil === 0n || now <= validUntil) && now >= validAfter;
}
