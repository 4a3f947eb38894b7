// Prepares a transaction and its dialog: chooses the chain, fills in missing fields and finds
// warnings. The user can choose the fees that the snap fills in.
import { tuple, unknown } from '@metamask/superstruct';

import type { NodeClient } from '../../packages/client/src';
import { isSentBy } from '../activity/ledger';
import type { Sender } from '../activity/ledger';
import { listUsedNonces } from '../activity/nonces';
import type { Chain } from '../chains/chain';
import type { Delegation } from '../chains/delegation';
import type { PreparingContext } from '../context';
import { InvalidParamsError } from '../core/errors';
import type { SigningTask, Transaction } from '../core/payload';
import { toCaip2 } from '../eth/chain';
import type { ChainId } from '../eth/chain';
import { findDelegate, findOwnDelegate } from '../eth/delegation';
import { maxPriceOf, parseTransactionRequest } from '../eth/transaction';
import type { TransactionRequest } from '../eth/transaction';
import type { FeeSubject } from '../fees/fee-choice';
import { completeTransaction, fillTransaction } from '../fees/fill-transaction';
import type { FilledTransaction } from '../fees/fill-transaction';
import { toCallObject } from '../fees/gas-limit';
import type { EstimatePlace } from '../fees/gas-limit';
import { dataFeeOf, fetchMeasures, findCostWarnings } from '../fees/guard-rails';
import type { MeasuredChain } from '../fees/guard-rails';
import type { FeeLevels } from '../fees/level';
import { assertNamed, chooseChain } from '../request';
import { tryBriefly } from '../review/ask';
import type { CallEffect } from '../review/effects';
import { warnOfNewAccount, warnOfNonce } from '../review/facts';
import { readCall } from '../review/read';
import { getOutlook, reviewCalls, EMPTY_REVIEW } from '../review/review';
import type { Review } from '../review/review';
import { parse } from '../schema/parse';
import type { Confirmation } from '../sites/consent';
import type { SentTransaction } from '../state/sent-transaction';
import { info, listFound, warning } from '../ui/warnings';
import type { Warning } from '../ui/warnings';
import { createFeeConfirmation } from './fee-editor';
import type { FeeEditing } from './fee-editor';
import { toTransactionTasks, transactionsOf } from './tasks';
import { TransactionConfirmation } from './view';
import type { ActTitle, Replacement } from './view';

/** A complete transaction, and the data for choosing its fees. */
export type Prepared = Omit<FeeEditing, 'subjects'> & {
  subject: FeeSubject;
  review: Review;
  /** Why the transaction would fail now, according to the node. */
  failure: Warning | undefined;
  /** Warnings about the nonce: a gap before it, a used nonce, or a pending transaction that blocks
   * it. */
  ofNonce: readonly Warning[];
  /** Whether the gas limit is a default, because it could not be estimated. */
  isGasAssumed: boolean;
  /** Extra gas for creating the recipient's account. */
  newAccountGas: bigint | undefined;
};

export type Showing = {
  origin: string;
  title?: ActTitle;
  /** Whether the nonce is chosen after the approval. */
  isNonceOpen?: boolean;
  /** Set if the transaction replaces a pending one. */
  replacement?: Replacement;
  /** Current delegate of the account. */
  delegation?: Delegation | undefined;
  /** Creates the signing tasks if other accounts sign too. The transaction comes first. */
  toOthers?: (transaction: Transaction) => readonly SigningTask[];
};

export function parseTransactionParams(
  params: unknown,
  root: string,
): TransactionRequest {
  const [transaction] = parse(params, tuple([unknown()]), root);
  return parseTransactionRequest(transaction, `${root}[0]`);
}

/** Returns the chain id of a transaction. Throws `InvalidParamsError` if `from` is a different
 * account, `chainId` is not the chain of the request's scope, or the account does not serve the
 * chain. */
export async function chooseTransactionChain(
  request: TransactionRequest,
  context: PreparingContext,
): Promise<ChainId> {
  assertNamed(context.account, request.from, 'from');
  return chooseChain(context, request.chainId);
}

/** Fills in a transaction's missing fields and, if the snap will show a dialog, fetches the data
 * for checking it. Most requests leave in one batch. A complete transaction needs no `chain`;
 * without one, its cost is not checked. */
export async function prepareTransaction(
  request: TransactionRequest,
  { id: chainId, chain }: { id: ChainId; chain: Chain | undefined },
  context: PreparingContext,
): Promise<Prepared> {
  assertAuthorizedFor(request, chainId);
  const { confirmsItself, nonces } = context;
  const { from, nonce, gasLimit } = request;
  const isDelegating = findOwnDelegate(request) !== undefined;
  // Not simulated: a delegation changes no balance, and a rescue's operation is not signed yet.
  const simulated = isDelegating ? undefined : [toCallObject(request)];
  const sender = { chain: toCaip2(chainId), from };
  // Most requests below leave in one tick, and therefore in one batch.
  const [level, place] = await Promise.all([
    context.feeLevel(),
    chain && preparePlace(chain, context),
  ]);
  const measured = confirmsItself ? place : undefined;
  const filling: Promise<FilledTransaction> = place
    ? fillTransaction(request, {
        ...place,
        nextNonce: async () => (await nonces.next(sender, place.node)).next,
        level,
        // The node cannot try our own authorization, because it is not signed yet.
        mayFail: confirmsItself && !isDelegating,
      })
    : Promise.resolve({
        transaction: completeTransaction({
          nonce: 0n,
          gasLimit: 0n,
          ...request,
          chainId,
        }),
        open: [],
      });
  const reviewing = confirmsItself
    ? reviewCalls(
        [readCall(request)],
        {
          signer: from,
          chainId,
          chain,
          simulated,
          nonces: filling.then(({ transaction }) => [transaction.nonce]),
          nextCode: request.authorizationList ? null : undefined,
        },
        context,
      )
    : EMPTY_REVIEW;
  const [filled, review, measures, ofNonce, pendingWarnings] = await Promise.all([
    filling,
    reviewing,
    measured && fetchMeasures([request], measured),
    measured &&
      nonce !== undefined &&
      warnOfNonce(nonce, async () => nonces.next(sender, measured.node)),
    measured && warnOfPending({ sender, nonce, node: measured.node }, context),
  ]);
  const { transaction, open, priorityFloor, failure, newAccountGas, levels } = filled;
  return {
    review,
    failure,
    ofNonce: listFound(ofNonce, pendingWarnings),
    isGasAssumed: failure !== undefined && gasLimit === undefined,
    newAccountGas,
    subject: { transaction, open, priorityFloor },
    level,
    levels,
    measures,
    remeasure: createMeasuring([request], chain, context),
    now: context.now,
  };
}

// Nodes skip an invalid authorization but include the transaction, which then does something else.
function assertAuthorizedFor(
  { authorizationList = [] }: TransactionRequest,
  chainId: ChainId,
): void {
  const other = authorizationList.find((each) => ![0n, chainId].includes(each.chainId));
  if (!other) return;
  throw new InvalidParamsError(
    `The authorization for ${other.address} is for ${toCaip2(other.chainId)}, but the transaction ` +
      `is for ${toCaip2(chainId)}.`,
  );
}

export async function reviewTransaction(
  prepared: Prepared,
  { origin, title, isNonceOpen = false, replacement, delegation, toOthers }: Showing,
  context: PreparingContext,
): Promise<Confirmation> {
  const { subject, review, failure, ofNonce, isGasAssumed, ...others } = prepared;
  const { newAccountGas, ...editing } = others;
  const { transaction: filled } = subject;
  const call = review.calls[0] as CallEffect;
  // Replacements have their own warning.
  const rivals = replacement ? [] : await findSameNonce([filled], context);
  const callWarnings = review.ofCalls.map((each) => each.warning);
  const fixed = listFound(...callWarnings, failure, review.ofPast, rivals);
  const confirmation = createFeeConfirmation(
    { ...editing, subjects: [subject] },
    ({ transactions: [transaction = filled], measures, ...priced }) => {
      const costWarnings = listFound(
        ofNonce,
        findCostWarnings(transaction, measures),
        newAccountGas !== undefined &&
          warnOfNewAccount(newAccountGas, maxPriceOf(transaction)),
      );
      const place = toCaip2(transaction.chainId);
      const { simulation, warnings, risks } = getOutlook(review, fixed, place);
      return {
        tasks: toOthers
          ? toOthers(transaction)
          : toTransactionTasks([transaction], context.account, isNonceOpen),
        effects: [call],
        warnings: [...costWarnings.map(({ key }) => key), ...risks],
        draw: (translate, tasks) =>
          TransactionConfirmation({
            ...priced,
            translate,
            title,
            origin,
            transaction: transactionsOf(tasks)[0] ?? transaction,
            call,
            chain: place,
            warnings: listFound(
              fixed,
              warnings,
              !priced.isUnpriced && costWarnings,
              replacement &&
                (replacement.action === 'cancel'
                  ? warning('replacement.cancel')
                  : info('replacement.speedUp')),
            ),
            balance: measures?.balance,
            dataFee: dataFeeOf([transaction], measures),
            price: measures?.price,
            isNonceOpen,
            isGasAssumed,
            replacement,
            delegation,
            simulation,
          }),
      };
    },
  );
  return { ...confirmation, pending: review.pendingSimulation?.pending };
}

/** Warns about sent transactions with the same nonces that can still be included, whichever site
 * sent them. Returns nothing if the snap shows no dialog. */
export async function findSameNonce(
  transactions: readonly Transaction[],
  { confirmsItself, findRival }: PreparingContext,
): Promise<Warning[]> {
  if (!confirmsItself) return [];
  const rivals = await Promise.all(
    transactions.map(async ({ chainId, from, nonce }) =>
      findRival({ chain: toCaip2(chainId), from }, nonce),
    ),
  );
  return rivals.flatMap((rival) => (rival ? [warnOfSameNonce(rival)] : []));
}

export function warnOfSameNonce({ hash, origin, status }: SentTransaction): Warning {
  const values = { hash, origin: { text: origin } };
  return status === 'pending'
    ? warning('replacement.pending', values)
    : info('replacement.lost', values);
}

/** Prepares the requests to a chain. Filling and cost checks share one request for fee levels. */
export async function preparePlace(
  chain: Chain,
  { prepareFeeLevels, preparePrice, findFork }: PreparingContext,
): Promise<EstimatePlace & MeasuredChain> {
  const [fetch, readPrice] = await Promise.all([
    prepareFeeLevels(chain),
    preparePrice(chain),
  ]);
  let levels: Promise<FeeLevels> | undefined;
  return {
    chainId: chain.id,
    node: chain.node,
    findFork: async () => findFork(chain),
    levels: async () => {
      levels ??= fetch();
      return levels;
    },
    readPrice,
  };
}

export function createMeasuring(
  requests: Parameters<typeof fetchMeasures>[0],
  chain: Chain | undefined,
  { feeLevels, preparePrice }: PreparingContext,
): FeeEditing['remeasure'] {
  return async () => {
    if (!chain) return undefined;
    const { id: chainId, node } = chain;
    const levels = async (): Promise<FeeLevels> => feeLevels(chain);
    const readPrice = await preparePrice(chain);
    return fetchMeasures(requests, { chainId, node, levels, readPrice });
  };
}

// Nodes accept only one pending transaction of a delegating account, and refuse the next one.
async function warnOfPending(
  {
    sender,
    nonce,
    node,
  }: { sender: Sender; nonce?: bigint | undefined; node: NodeClient },
  { ledger }: PreparingContext,
): Promise<Warning[]> {
  // A transaction with the nonce of another one replaces it, but not an authorization.
  const others = (await ledger.listPending()).filter(
    (each) =>
      listUsedNonces(each, sender).length > 0 &&
      !(isSentBy(each, sender) && BigInt(each.nonce) === nonce),
  );
  if (others.length === 0) return [];
  const code = await tryBriefly(async (signal) =>
    node.request('eth_getCode', [sender.from, 'latest'], { signal }),
  );
  const delegates =
    others.some(({ usesNextNonce }) => usesNextNonce) ||
    findDelegate(code ?? '0x') !== undefined;
  return delegates ? [info('delegation.isBusy')] : [];
}
