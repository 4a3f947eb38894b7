// What the methods share that make a transaction: whose it is, on which chain, what it
// lacks, and what is remarkable about its cost.
import { tuple, unknown } from '@metamask/superstruct';

import type { Chain } from '../chains/chain';
import { findDeserted, listCalled } from '../eth/calldata';
import { toCaip2 } from '../eth/chain';
import type { ChainId } from '../eth/chain';
import type { Transaction, TransactionRequest } from '../eth/transaction';
import { parseTransactionRequest } from '../eth/transaction-request';
import { completeTransaction, isComplete } from '../fees/complete-transaction';
import { findOpenFees } from '../fees/fee-choice';
import type { FeeSubject } from '../fees/fee-choice';
import { fillTransaction } from '../fees/fill-transaction';
import type { FilledTransaction, FillSources } from '../fees/fill-transaction';
import { fetchMeasures } from '../fees/guard-rails';
import { parse } from '../parse';
import { assertOwnAddress } from './account-check';
import { chooseChain } from './choose-chain';
import type { FeeEditing } from './fee-editor';
import type { MethodRequest, MethodServices } from './method';
import { findWithoutCodeAt } from './signing-context';

const ParamsStruct = tuple([unknown()]);

/** A transaction with nothing left open, and by what its user may choose its fees. */
export type Prepared = Omit<FeeEditing, 'subjects'> & {
  subject: FeeSubject;
  /** Whether it calls a contract where there is none. */
  isDeserted: boolean;
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
  const level = await services.feeLevel();
  const levels = chain && shared(async () => services.feeLevels(chain));
  const measuring =
    chain && levels && services.confirmsItself
      ? fetchMeasures(request.from, { node: chain.node, levels })
      : undefined;
  const looking =
    chain && services.confirmsItself
      ? findWithoutCodeAt(listCalled([request], request.from), chain.node)
      : undefined;
  const filled =
    chain && levels
      ? await fill(request, { chain, levels, level }, services)
      : { transaction: complete(request, chainId) };
  const { transaction, priorityFloor } = filled;
  const measures = await measuring;
  const [isDeserted = false] = findDeserted(
    [transaction],
    request.from,
    (await looking) ?? [],
  );
  return {
    isDeserted,
    subject: { transaction, open: findOpenFees(request, transaction), priorityFloor },
    level,
    levels: filled.levels,
    measures,
    remeasure: createMeasuring(request, chain, services),
    now: services.now,
  };
}

/** Give a way to measure an account's transactions again. */
export function createMeasuring(
  { from }: Pick<TransactionRequest, 'from'>,
  chain: Chain | undefined,
  { feeLevels }: Pick<MethodServices, 'feeLevels'>,
): Prepared['remeasure'] {
  return async () =>
    chain &&
    fetchMeasures(from, { node: chain.node, levels: async () => feeLevels(chain) });
}

function complete(request: TransactionRequest, chainId: ChainId): Transaction {
  const { nonce = 0n, gasLimit = 0n } = request;
  return completeTransaction({ ...request, chainId, nonce, gasLimit });
}

async function fill(
  request: TransactionRequest,
  { chain, ...wanted }: Pick<FillSources, 'levels' | 'level'> & { chain: Chain },
  { nonces }: MethodServices,
): Promise<FilledTransaction> {
  const { id: chainId, node } = chain;
  if (isComplete(request)) return { transaction: complete(request, chainId) };
  const sender = { chain: toCaip2(chainId), from: request.from };
  return fillTransaction(request, {
    chainId,
    node,
    ...wanted,
    nextNonce: async () => nonces.next(sender, node),
  });
}

/** Fetch something once, whoever wants it: filling and measuring want the same levels. */
export function shared<Result>(fetch: () => Promise<Result>): () => Promise<Result> {
  let result: Promise<Result> | undefined;
  return async () => {
    result ??= fetch();
    return result;
  };
}
