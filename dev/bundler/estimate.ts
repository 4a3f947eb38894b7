// Estimates an operation's gas limits and fees, and checks whether it can be bundled now. Each
// limit is reduced to the lowest value that works, while the others stay high.
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

import { larger } from '../../src/eth/hex';
import { refuse, RpcFailure } from '../stack/server';
import {
  gasNames,
  paymasterLimits,
  sumGas,
  type EntryPoint,
  type Operation,
} from './operation';
import {
  entryPointAbi,
  findRevertReason,
  simulateHandling,
  simulateValidation,
  toRefusal,
  type Chain,
} from './simulation';

const REVERTED = -32521;

const HIGH = { callGasLimit: 10_000_000n, verificationGasLimit: 5_000_000n };
const HIGH_OF_PAYMASTER = {
  paymasterVerificationGasLimit: 3_000_000n,
  paymasterPostOpGasLimit: 1_000_000n,
};

// Precision of small limits, in gas. Large limits have a precision of one percent.
const PRECISION = 500n;

/**
 * Estimates an operation's gas limits in hex, including the paymaster's if it has one. Ignores the
 * limits of the draft, but not its fees, because the account prepays them.
 *
 * @throws {RpcFailure} -32521 with the call's revert data; other codes if the validation fails.
 */
export async function estimateOperation(
  chain: Chain,
  entryPoint: EntryPoint,
  draft: Operation,
): Promise<Record<string, Hex>> {
  const high = draft.paymaster ? { ...HIGH, ...HIGH_OF_PAYMASTER } : HIGH;
  // Prepayment costs gas, so the simulation of operations without fees uses current fees.
  const fees = draft.maxFeePerGas === 0n ? await fetchFloor(chain) : {};
  const operation = { ...draft, ...fees, ...high };
  const preVerificationGas = await countPreVerificationGas(chain, widen(operation));
  requireSuccess(await simulateHandling(chain, entryPoint, operation));
  const limits = await Promise.all(
    Object.entries(high).map(async ([name, limit]) => {
      const least = await findLeast(limit, async (gas) =>
        simulateHandling(chain, entryPoint, { ...operation, [name]: gas }).then(
          isSuccess,
          () => false,
        ),
      );
      return [name, numberToHex(least + least / 10n)] as const;
    }),
  );
  return {
    preVerificationGas: numberToHex(preVerificationGas),
    ...Object.fromEntries(limits),
  };
}

// Fills the unknown values with nonzero bytes, which cost the most.
function widen(operation: Operation): Operation {
  const { paymaster, paymasterData, signature } = operation;
  const names = paymaster ? [...gasNames, ...paymasterLimits] : gasNames;
  const most = (1n << 120n) - 1n;
  return {
    ...operation,
    ...Object.fromEntries(names.map((name) => [name, most])),
    signature: fill(signature),
    ...(paymaster && { paymasterData: fill(paymasterData) }),
  };
}

function fill(bytes: Hex = '0x'): Hex {
  return `0x${'ff'.repeat(size(bytes))}`;
}

async function findLeast(high: bigint, passes: (gas: bigint) => Promise<boolean>) {
  let [tooLow, enough] = [-1n, high];
  // Most limits are far below the maximum, so the search starts with small values.
  for (let gas = 0n; enough - tooLow > PRECISION + enough / 100n;) {
    if (await passes(gas)) enough = gas;
    else tooLow = gas;
    const isSearchingUp = enough === high;
    gas = isSearchingUp ? larger(tooLow * 4n, 10_000n) : (tooLow + enough) / 2n;
    if (gas >= high) gas = (tooLow + high) / 2n;
  }
  return enough;
}

function isSuccess(logs: Log[]): boolean {
  const eventName = 'UserOperationEvent';
  const [event] = parseEventLogs({ abi: entryPointAbi, eventName, logs });
  return event?.args.success === true;
}

function requireSuccess(logs: Log[]): void {
  if (isSuccess(logs)) return;
  throw new RpcFailure({
    code: REVERTED,
    message: "The user operation's call reverts.",
    data: findRevertReason(logs) ?? '0x',
  });
}

type Price<Value> = Record<'maxFeePerGas' | 'maxPriorityFeePerGas', Value>;

const TIP = 1_000_000_000n;

/** Fetches the lowest fees that the bundler accepts now, in wei per gas. */
export async function fetchFloor(chain: Chain): Promise<Price<bigint>> {
  return { maxFeePerGas: (await fetchBaseFee(chain)) + TIP, maxPriorityFeePerGas: TIP };
}

/** Fetches recommended fees by speed. They exceed the minimum because the base fee may rise. */
export async function fetchPrices(
  chain: Chain,
): Promise<Record<'slow' | 'standard' | 'fast', Price<Hex>>> {
  const baseFee = await fetchBaseFee(chain);
  // The base fee rises by at most an eighth per block.
  const toPrice = (eighths: bigint): Price<Hex> => ({
    maxFeePerGas: numberToHex((baseFee * eighths) / 8n + TIP),
    maxPriorityFeePerGas: numberToHex(TIP),
  });
  // These prices cover one, two and four blocks.
  return { slow: toPrice(9n), standard: toPrice(10n), fast: toPrice(12n) };
}

async function fetchBaseFee(chain: Chain): Promise<bigint> {
  return (await chain.getBlock()).baseFeePerGas ?? 0n;
}

// Gas that contracts cannot measure: for the operation's bytes in the bundle, and for its share of
// the bundle's transaction. The values come from the reference bundler.

const OPERATION = 18_300n;
const WORD = 4n;
const ZERO_BYTE = 4n;
const OTHER_BYTE = 16n;

const [packedStruct] = getAbiItem({
  abi: entryPointAbi,
  name: 'simulateValidation',
}).inputs;

const PLAIN_TRANSFER = { account: zeroAddress, to: `0x${'99'.repeat(20)}` } as const;

/** A transaction's intrinsic gas depends on the fork, so the node estimates it. */
async function countPreVerificationGas(chain: Chain, operation: Operation) {
  const transaction = await chain.estimateGas(PLAIN_TRANSFER);
  const packed = toPackedUserOperation(operation);
  const bytes = hexToBytes(encodeAbiParameters([packedStruct], [packed]));
  const words = BigInt(Math.ceil(bytes.length / 32));
  const calldata = bytes.reduce(
    (sum, byte) => sum + (byte === 0 ? ZERO_BYTE : OTHER_BYTE),
    0n,
  );
  return transaction + OPERATION + WORD * words + calldata;
}

/** Maximum gas of an operation. More would not fit into a transaction (EIP-7825). */
const MAX_GAS = 16_000_000n;

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
    refuse(`The gas limits add up to ${gas}; the maximum is ${MAX_GAS}.`);
  }
  const floor = await fetchFloor(chain);
  for (const name of ['maxPriorityFeePerGas', 'maxFeePerGas'] as const) {
    if (operation[name] >= floor[name]) continue;
    refuse(
      `${name} is ${operation[name]} wei and must be at least ${floor[name]} wei now.`,
    );
  }
}

/** Simulates validation; throws the EntryPoint's reason, such as `AA24 signature error`. */
export async function requireValid(
  chain: Chain,
  entryPoint: EntryPoint,
  operation: Operation,
): Promise<void> {
  const validation = await simulateValidation(chain, entryPoint, operation);
  const { timestamp } = await chain.getBlock();
  // The EntryPoint itself gives these reasons only during execution.
  const rows = [
    [validation.accountValidationData, 'AA24', 'AA22'],
    [validation.paymasterValidationData, 'AA34', 'AA32 paymaster'],
  ] as const;
  for (const [data, wrong, late] of rows) {
    // validAfter (6 bytes), validUntil (6), and aggregator (20), which is 1 if the signature is
    // wrong.
    const word = numberToHex(data, { size: 32 });
    const validUntil = hexToBigInt(slice(word, 6, 12));
    if (hexToBigInt(slice(word, 12)) !== 0n) {
      throw toRefusal({ reason: `${wrong} signature error` });
    }
    const isLate = validUntil !== 0n && timestamp > validUntil;
    if (isLate || timestamp < hexToBigInt(slice(word, 0, 6))) {
      throw toRefusal({ reason: `${late} expired or not due` });
    }
  }
}
