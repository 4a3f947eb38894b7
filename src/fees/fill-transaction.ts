// Filling a transaction: what is absent is fetched, independent questions together; what is
// present is never altered.
import type { NodeClient } from '../../packages/client/src';
import { isRollup } from '../../packages/client/src/rpc/schema';
import { UnavailableError } from '../errors';
import { withOwnNonce } from '../eth/delegation';
import { isSameAddress } from '../eth/hex';
import type { Hex } from '../eth/hex';
import { chooseType } from '../eth/transaction';
import type { Transaction, TransactionRequest } from '../eth/transaction';
import type { LevelName } from '../state/public-state';
import type { Warning } from '../ui/warnings';
import { chooseGasPrice, fitFees, needsFees, toFoundFees } from './fee-choice';
import type { FoundFees } from './fee-choice';
import { assumeGasLimit, estimateGas, findFailure, toCallObject } from './gas-limit';
import type { EstimatePlace, GasEstimate } from './gas-limit';
import type { FeeLevels } from './level';

/** Where missing fields come from. */
export type FillSources = EstimatePlace & {
  /** Called only if a fee or the type is missing. */
  levels: () => Promise<FeeLevels>;
  /** The level at which fees are filled. */
  level: LevelName;
  /** Called only if the nonce is missing. */
  nextNonce: () => Promise<bigint>;
  /** Whether a transaction that fails is filled even so, for its user to decide about. */
  mayFail?: boolean;
};

/** A filled transaction, and what it was filled from. */
export type FilledTransaction = {
  transaction: Transaction;
  /** Undefined if no fee was missing. */
  levels?: FeeLevels | undefined;
  /** What a rollup asks for its calldata at every level, in wei for a unit of gas. */
  priorityFloor?: bigint | undefined;
  /** Why its gas could not be estimated: the gas limit is assumed. */
  failure?: Warning | undefined;
  /** Gas by which it is dearer because it creates the recipient's account. */
  newAccountGas?: bigint | undefined;
};

/**
 * Fills what is missing: type, nonce, gas limit and fees.
 *
 * @throws What the node says, such as why an estimate failed, unless `mayFail`.
 */
export async function fillTransaction(
  request: TransactionRequest,
  sources: FillSources,
): Promise<FilledTransaction> {
  const { chainId, level } = sources;
  const [levels, nonce, gas, blobFee] = await Promise.all([
    needsFees(request) ? sources.levels() : undefined,
    request.nonce ?? sources.nextNonce(),
    findGas(request, sources),
    findBlobFee(request, sources),
  ]);
  const { gasLimit, priorityFeePerGas: priorityFloor, failure, newAccountGas } = gas;
  const transaction = completeTransaction(
    { ...request, ...blobFee, chainId, nonce, gasLimit },
    levels && toFoundFees(levels, level, priorityFloor),
  );
  return { transaction, levels, priorityFloor, failure, newAccountGas };
}

/**
 * Has a node fill nonce and gas with one call in place of two (`eth_fillTransaction`), for nodes that
 * are sent each call alone. The answer counts if it is about the same transaction; whatever else it
 * says is not used.
 *
 * @returns The node, which is asked in the usual way where it does not fill.
 */
export function withFilling(node: NodeClient, request: TransactionRequest): NodeClient {
  const { nonce, gasLimit, blobVersionedHashes, authorizationList } = request;
  const isOpen = nonce === undefined && gasLimit === undefined;
  if (!isOpen || blobVersionedHashes || authorizationList) return node;
  let filling: ReturnType<typeof findFilled> | undefined;
  return {
    ...node,
    request: async (method, params, options) => {
      const [, block] = params as readonly unknown[];
      let found: Hex | undefined;
      if (method === 'eth_estimateGas' || block === 'pending') {
        filling ??= findFilled(node, request);
        found = (await filling)?.[method === 'eth_estimateGas' ? 'gas' : 'nonce'];
      }
      return found ?? node.request(method, params, options);
    },
  };
}

async function findFilled(
  node: NodeClient,
  request: TransactionRequest,
): Promise<{ nonce: Hex; gas: Hex } | undefined> {
  const { to, value, data } = request;
  const answer = await node
    .tryRequest('eth_fillTransaction', [toCallObject(request)])
    // Why it fails, the usual calls tell.
    .catch(() => undefined);
  const tx = answer?.tx;
  const isSame =
    tx &&
    isSameAddress(tx.to ?? '0x', to ?? '0x') &&
    BigInt(tx.value) === value &&
    tx.input.toLowerCase() === data.toLowerCase();
  return isSame ? tx : undefined;
}

async function findGas(
  request: TransactionRequest,
  sources: FillSources,
): Promise<GasEstimate & { failure?: Warning }> {
  const { gasLimit } = request;
  if (gasLimit === undefined) {
    return estimateGas(request, sources).catch(async (error: unknown) => {
      const failure = sources.mayFail ? findFailure(error) : undefined;
      if (!failure) throw error;
      return { gasLimit: assumeGasLimit(request, await sources.findFork()), failure };
    });
  }
  if (!isRollup(sources.chainId) || !needsFees(request)) return { gasLimit };
  // There the fees depend on the calldata, too. They can be filled without.
  const estimate = await estimateGas(request, sources).catch(() => undefined);
  return { ...estimate, gasLimit };
}

// It rises by an eighth a block at most: twice as much lasts for five full blocks.
async function findBlobFee(
  { maxFeePerBlobGas, blobVersionedHashes }: TransactionRequest,
  { node }: FillSources,
): Promise<{ maxFeePerBlobGas?: bigint }> {
  if (maxFeePerBlobGas !== undefined || blobVersionedHashes === undefined) return {};
  const baseFee =
    (await node.tryRequest('eth_blobBaseFee', [])) ?? (await findNextBlobFee(node));
  return { maxFeePerBlobGas: 2n * BigInt(baseFee) };
}

// A block header has the excess of blob gas alone: what it costs depends on the fork.
async function findNextBlobFee(node: NodeClient): Promise<Hex> {
  const { baseFeePerBlobGas } = await node.request('eth_feeHistory', [
    '0x1',
    'latest',
    [],
  ]);
  const next = baseFeePerBlobGas?.at(-1);
  if (next !== undefined) return next;
  throw new UnavailableError(
    `${node.label} does not tell the base fee of blobs. Set maxFeePerBlobGas.`,
  );
}

/** Tells whether nothing is left to fill. */
export function isComplete(request: TransactionRequest): boolean {
  const { type, chainId, nonce, gasLimit, maxFeePerBlobGas } = request;
  const hasBlobFee = type !== '0x3' || maxFeePerBlobGas !== undefined;
  return (
    !needsFees(request) &&
    hasBlobFee &&
    [type, chainId, nonce, gasLimit].every((field) => field !== undefined)
  );
}

/** Stands for fees where type and fees are there: nothing of it is used. */
const UNNEEDED: FoundFees = {
  source: 'fee-history',
  pair: { maxFeePerGas: 0n, maxPriorityFeePerGas: 0n },
  estimatedBaseFee: 0n,
};

/**
 * Makes a transaction of a request in which only type and fees may be missing.
 *
 * @param found - May be left out only if the request has type and fees.
 */
export function completeTransaction(
  request: TransactionRequest & { chainId: bigint; nonce: bigint; gasLimit: bigint },
  found: FoundFees = UNNEEDED,
): Transaction {
  const { from, to, value, data, chainId, nonce, gasLimit, accessList = [] } = request;
  const body = { from, to, value, data, chainId, nonce, gasLimit };
  // The fields that are there decide; where they leave a choice, what the chain supports.
  const type = chooseType(request, found.source === 'gas-price' ? '0x0' : '0x2');
  if (type === '0x0' || type === '0x1') {
    const gasPrice = request.gasPrice ?? chooseGasPrice(found);
    return type === '0x0'
      ? { ...body, type, gasPrice }
      : { ...body, type, gasPrice, accessList };
  }
  const dynamic = { ...body, accessList, ...fitFees(request, found.pair) };
  if (type === '0x2') return { ...dynamic, type };
  // Types with these fields always have them: they were parsed or filled before.
  const { maxFeePerBlobGas, blobVersionedHashes, authorizationList } =
    request as Required<TransactionRequest>;
  return type === '0x3'
    ? { ...dynamic, type, maxFeePerBlobGas, blobVersionedHashes }
    : { ...dynamic, type, authorizationList: withOwnNonce(authorizationList, nonce) };
}
