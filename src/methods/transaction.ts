// What the methods share that make a transaction: whose it is, on which chain, what it
// lacks, and what is remarkable about its cost.
import { tuple, unknown } from '@metamask/superstruct';

import type { Chain } from '../chains/chain';
import type { CostAlert, FailureAlert, NumberedAlert } from '../eth/alerts';
import { findDeserted, listCalled } from '../eth/calldata';
import { toCaip2 } from '../eth/chain';
import type { ChainId } from '../eth/chain';
import type { Hex } from '../eth/hex';
import type { Transaction, TransactionRequest } from '../eth/transaction';
import { parseTransactionRequest } from '../eth/transaction-request';
import { findOpenFees } from '../fees/fee-choice';
import type { FeeSubject } from '../fees/fee-choice';
import {
  completeTransaction,
  fillTransaction,
  isComplete,
} from '../fees/fill-transaction';
import type { FilledTransaction, FillSources } from '../fees/fill-transaction';
import { findGivenFailure } from '../fees/gas-limit';
import { fetchMeasures } from '../fees/guard-rails';
import type { FeeLevels } from '../fees/level';
import { parse } from '../schema/parse';
import { assertOwnAddress } from './account-check';
import { chooseChain } from './choose-chain';
import type { FeeEditing } from './fee-editor';
import type { MethodRequest, MethodServices } from './method';
import {
  findAllowanceAlerts,
  findNonceGap,
  findWithoutCodeAt,
  within,
} from './signing-context';

const ParamsStruct = tuple([unknown()]);

/** A transaction with nothing left open, and by what its user may choose its fees. */
export type Prepared = Omit<FeeEditing, 'subjects'> & {
  subject: FeeSubject;
  /** Whether it calls a contract where there is none. */
  isDeserted: boolean;
  /** What the chain knows of what it allows. */
  allowances: readonly NumberedAlert[];
  /** Whether others have to be sent before it. */
  nonceGap: readonly CostAlert[];
  /** Why it fails. */
  failure?: FailureAlert | undefined;
  /** Whether its gas limit is assumed, since it could not be estimated. */
  isGasAssumed: boolean;
};

/** Read `[transaction]`. */
export function parseTransactionParams(
  params: unknown,
  root: string,
): TransactionRequest {
  const [transaction] = parse(params, ParamsStruct, root);
  return parseTransactionRequest(transaction, `${root}[0]`);
}

/**
 * Choose the chain of a transaction, after making sure that it is the account's own.
 *
 * @throws {InvalidParamsError} If it is another's, or for another chain than the scope.
 */
export async function chooseTransactionChain(
  request: TransactionRequest,
  { account, scope }: Pick<MethodRequest, 'account' | 'scope'>,
  { ownChain }: Pick<MethodServices, 'ownChain'>,
): Promise<ChainId> {
  assertOwnAddress(account, request.from, 'from');
  return chooseChain({ account, scope, named: request.chainId, ownChain });
}

/**
 * Fill what a transaction lacks, and measure it where its user is going to be asked; both
 * questions go to the servers together.
 *
 * @param chain - Undefined only for a request that lacks nothing: then nothing is measured.
 */
export async function prepareTransaction(
  request: TransactionRequest,
  { id: chainId, chain }: { id: ChainId; chain: Chain | undefined },
  services: MethodServices,
): Promise<Prepared> {
  // Before anything is asked: from here on all leaves in one tick, and so in one batch.
  const [level, levels] = await Promise.all([
    services.feeLevel(),
    chain && prepareLevels(chain, services),
  ]);
  const measuring =
    chain && levels && services.confirmsItself
      ? fetchMeasures([request], { chainId, node: chain.node, levels })
      : undefined;
  const looking =
    chain && services.confirmsItself ? lookAt(request, chain, services) : undefined;
  const trying =
    chain && services.confirmsItself ? findFailureOf(request, chain) : undefined;
  const filled: FilledTransaction =
    chain && levels
      ? await fill(request, { chain, levels, level }, services)
      : { transaction: complete(request, chainId) };
  const { transaction, priorityFloor, failure } = filled;
  const measures = await measuring;
  const { withoutCode = [], allowances = [], nonceGap = [] } = (await looking) ?? {};
  const [isDeserted = false] = findDeserted([transaction], request.from, withoutCode);
  return {
    isDeserted,
    allowances,
    nonceGap,
    failure: failure ?? (await trying),
    isGasAssumed: failure !== undefined,
    subject: { transaction, open: findOpenFees(request, transaction), priorityFloor },
    level,
    levels: filled.levels,
    measures,
    remeasure: createMeasuring([request], chain, services),
    now: services.now,
  };
}

/** Give a way to measure an account's transactions again. */
export function createMeasuring(
  requests: Parameters<typeof fetchMeasures>[0],
  chain: Chain | undefined,
  { feeLevels }: Pick<MethodServices, 'feeLevels'>,
): Prepared['remeasure'] {
  return async () => {
    if (!chain) return undefined;
    const { id: chainId, node } = chain;
    const levels = async (): Promise<FeeLevels> => feeLevels(chain);
    return fetchMeasures(requests, { chainId, node, levels });
  };
}

// Without a gas limit, filling finds out.
async function findFailureOf(
  request: TransactionRequest,
  { node }: Chain,
): Promise<FailureAlert | undefined> {
  const { gasLimit } = request;
  if (gasLimit === undefined) return undefined;
  return within(async (signal) =>
    findGivenFailure({ ...request, gasLimit }, node, { signal }),
  );
}

async function lookAt(
  request: TransactionRequest,
  chain: Chain,
  { nonces }: Pick<MethodServices, 'nonces'>,
): Promise<
  Pick<Prepared, 'allowances' | 'nonceGap'> & { withoutCode: readonly Hex[] }
> {
  const { from, nonce } = request;
  const { id, node } = chain;
  const sender = { chain: toCaip2(id), from };
  const [withoutCode, allowances, nonceGap] = await Promise.all([
    findWithoutCodeAt(listCalled([request], from), node),
    findAllowanceAlerts([request], node),
    nonce === undefined
      ? []
      : findNonceGap(nonce, async () => nonces.next(sender, node)),
  ]);
  return { withoutCode, allowances, nonceGap };
}

function complete(request: TransactionRequest, chainId: ChainId): Transaction {
  const { nonce = 0n, gasLimit = 0n } = request;
  return completeTransaction({ ...request, chainId, nonce, gasLimit });
}

async function fill(
  request: TransactionRequest,
  { chain, ...wanted }: Pick<FillSources, 'levels' | 'level'> & { chain: Chain },
  { nonces, confirmsItself }: MethodServices,
): Promise<FilledTransaction> {
  const { id: chainId, node } = chain;
  if (isComplete(request)) return { transaction: complete(request, chainId) };
  const sender = { chain: toCaip2(chainId), from: request.from };
  return fillTransaction(request, {
    chainId,
    node,
    ...wanted,
    nextNonce: async () => nonces.next(sender, node),
    mayFail: confirmsItself,
  });
}

/** Prepares the levels of a chain, which are fetched once: filling and measuring want them. */
export async function prepareLevels(
  chain: Chain,
  { prepareFeeLevels }: Pick<MethodServices, 'prepareFeeLevels'>,
): Promise<() => Promise<FeeLevels>> {
  const fetch = await prepareFeeLevels(chain);
  let levels: Promise<FeeLevels> | undefined;
  return async () => {
    levels ??= fetch();
    return levels;
  };
}
