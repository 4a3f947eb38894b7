// wallet_sendCalls [{ version, id?, from?, chainId, atomicRequired, calls, capabilities? }] →
// { id } (EIP-5792): sends a batch of calls atomically, as one user operation of a smart account or
// one transaction of an ordinary account that delegates to an account contract, or else as one
// transaction per call.
import { bytesToHex } from '@metamask/utils';
import type { Json } from '@metamask/utils';

import type { OperationAccount } from '../accounts/kinds/kind';
import { fetchOperationAccount, kindOf } from '../accounts/kinds/kinds';
import type { Sender as LedgerSender } from '../activity/ledger';
import { findAuthorizedNonces, listUsedNonces } from '../activity/nonces';
import type { Chain } from '../chains/chain';
import { fetchDelegation, findOffered } from '../chains/delegation';
import type { Delegation } from '../chains/delegation';
import { bindSteps, defineMethod } from '../context';
import type { PreparingContext, BoundSteps, ApprovedContext } from '../context';
import type { Approval } from '../core/approval';
import {
  CallsError,
  InternalError,
  InvalidParamsError,
  TollkeeperError,
  UnavailableError,
} from '../core/errors';
import { encodeIntents, toCall } from '../eth/account-calls';
import { toCaip2 } from '../eth/chain';
import { toOwnAuthorization } from '../eth/delegation';
import { isSameAddress, larger, sum } from '../eth/hex';
import type { Hex } from '../eth/hex';
import { maxPriceOf } from '../eth/transaction';
import type { TransactionRequest } from '../eth/transaction';
import { fillTransaction } from '../fees/fill-transaction';
import { toCallObject } from '../fees/gas-limit';
import {
  dataFeeOf,
  fetchMeasures,
  findBalanceWarnings,
  findPriceWarnings,
} from '../fees/guard-rails';
import { connectBundled } from '../operation/request';
import type { BundledChain } from '../operation/request';
import { operationSteps, prepareOperation } from '../operation/send';
import type { PreparedSending } from '../operation/send';
import { assertNamed, assertSameChain, assertServed } from '../request';
import type { CallEffect } from '../review/effects';
import { warnOfNewAccount } from '../review/facts';
import type { NewAccount } from '../review/facts';
import { warnOfOutcome } from '../review/outcome';
import { readCalls } from '../review/read';
import { reviewCalls, warnOfUpgrades } from '../review/review';
import type { Review } from '../review/review';
import { findFailure, listRisks, warnOfFailure } from '../review/simulate';
import type { Simulation } from '../review/simulate';
import type { Confirmation } from '../sites/consent';
import type { AccountRecord } from '../state/account-record';
import type { SentTransaction } from '../state/sent-transaction';
import { createFeeConfirmation } from '../transaction/fee-editor';
import type { FeeEditing } from '../transaction/fee-editor';
import { createMeasuring, findSameNonce, preparePlace } from '../transaction/prepare';
import { broadcastSigned } from '../transaction/send';
import {
  signTransactionTask,
  toTransactionTasks,
  transactionsOf,
} from '../transaction/tasks';
import { info, listFound, numberWarnings, warning, warnOfEach } from '../ui/warnings';
import type { NumberedWarning, Warning } from '../ui/warnings';
import { parseCalls, refuseCapability } from './params';
import type { RequestedCall, CallsRequest } from './params';
import { CallsConfirmation } from './view';

type Batch = CallsRequest & { id: string };

type AccountOnChain = { account: AccountRecord; chain: Chain };

type OperatorOnChain = { account: OperationAccount; chain: BundledChain };

type Sender = () => Promise<unknown>;

export const walletSendCalls = defineMethod({
  parse: parseCalls,
  accounts: ({ from }) => (from === undefined ? [] : [from]),
  countCalls: ({ intents }) => intents.length,
  choose: chooseCallsRoute,
});

export async function chooseCallsRoute(
  wanted: CallsRequest,
  context: PreparingContext,
): Promise<BoundSteps> {
  const { account, origin, scope } = context;
  // EIP-5792 demands an id that other sites cannot predict.
  const { id = bytesToHex(crypto.getRandomValues(new Uint8Array(32))) } = wanted;
  const { from, chainId } = wanted;
  // The envelope may name a different account.
  if (from !== undefined) assertNamed(account, from, 'from');
  assertSameChain(scope, chainId);
  await context.callBatches.assertNew(origin, id);
  const batch = { ...wanted, id };
  const { smart } = kindOf(account);
  if (smart) {
    const chain = await connectOr5710(async () =>
      connectBundled({ ...context, scope: chainId }),
    );
    return bindSteps(sendAsOperation, { batch, place: { account: smart, chain } });
  }
  const chain = await connectOr5710(async () => {
    assertServed(account, chainId);
    return context.connect(chainId);
  });
  const place = { account, chain };
  const operator = await findOperator(batch, place);
  return operator
    ? bindSteps(sendAsOperation, { batch, place: operator })
    : bindSteps(sendAsTransactions, { batch, place });
}

/** The site's paymaster takes precedence over the chain's. */
const sendAsOperation = {
  ...operationSteps,
  prepare: async (
    { batch, place }: { batch: Batch; place: OperatorOnChain },
    context: PreparingContext,
  ): Promise<PreparedSending & { batch: Batch }> => {
    const { intents, paymasterService: service } = batch;
    const { account, chain } = place;
    const prepared = await prepareOperation(
      { callData: account.encode(intents) },
      {
        account,
        chain,
        leastCallGas: sumGasLimits(intents),
        ...(service && {
          paymaster: context.chains.paymasterAt(
            service.url,
            service.context ?? {},
            chain.wait,
          ),
        }),
      },
      context,
    );
    const { shown } = prepared;
    const calls = shown.decoded.calls && markRevocations(shown.decoded.calls, batch);
    const decoded = { ...shown.decoded, calls };
    return { ...prepared, shown: { ...shown, decoded }, batch };
  },
  sign: async (
    approval: Approval,
    prepared: PreparedSending & { batch: Batch },
    context: ApprovedContext,
  ): Promise<Json> => {
    const { chain, batch } = prepared;
    const sending = { ...prepared, callsId: batch.id };
    const sender = async () => operationSteps.sign(approval, sending, context);
    return sendParts(batch, { chain, atomic: true, senders: [sender] }, context);
  },
};

/** Returns undefined if no paymaster is requested, or if an optional one cannot be used. Throws
 * `CallsError` (5700) if a required one cannot be used. */
async function findOperator(
  { paymasterService }: Batch,
  { account, chain }: AccountOnChain,
): Promise<OperatorOnChain | undefined> {
  if (!paymasterService) return undefined;
  const { bundler } = chain;
  const operator = bundler && (await fetchOperationAccount(account, chain.node));
  if (operator) return { account: operator, chain: { ...chain, bundler } };
  return paymasterService.optional === true
    ? undefined
    : refuseCapability('paymasterService');
}

/** Combines an ordinary account's calls into one transaction to the account itself, which runs the
 * contract it delegates to. The transaction can set up the delegation first. Without `combined`,
 * each call has its own transaction. Throws `CallsError` if the calls must be atomic and cannot be
 * (5760). */
async function findCombined(
  { intents, atomicRequired }: Batch,
  place: AccountOnChain,
  context: PreparingContext,
): Promise<{ combined?: TransactionRequest; isOneByOne?: boolean }> {
  const { account, chain } = place;
  const { address: from } = account;
  if (intents.length === 1 && !atomicRequired) return {};
  const found = await findDelegation(place, context).catch((error: unknown) => {
    if (atomicRequired) throw error;
  });
  if (!found) return {};
  const { delegation, isSettled } = found;
  const known = delegation?.implementation;
  if (!atomicRequired && !(known && isSettled)) {
    return { isOneByOne: isOneByOne(found) };
  }
  const isFree = !delegation || known !== undefined;
  const used = known ?? (isFree ? await findOffered(chain, from) : undefined);
  if (!used) {
    const reason = delegation
      ? `it delegates to ${delegation.address}, which Tollkeeper does not know`
      : 'no account contract that Tollkeeper knows can be used there';
    throw new CallsError(
      'atomicity',
      `The account ${from} cannot send calls atomically on ${toCaip2(chain.id)}: ${reason}. ` +
        'A smart account can.',
    );
  }
  if (intents.length === 1) return {};
  const call = { from, to: from, value: 0n } as const;
  const data = encodeIntents(used.entryPoint, intents);
  if (known && isSettled) return { combined: { ...call, data } };
  const authorizationList = [toOwnAuthorization(chain.id, used.address)];
  return { combined: { ...call, data, authorizationList } };
}

type FoundDelegation = { delegation: Delegation | undefined; isSettled: boolean };

// Nodes keep only one pending transaction of an account that delegates, or is about to.
function isOneByOne({ delegation, isSettled }: FoundDelegation): boolean {
  return delegation !== undefined || !isSettled;
}

// Finds an account's delegation. `isSettled` is false if a pending transaction of this or another
// account of Tollkeeper's can change the delegation before the calls are included.
async function findDelegation(
  { account, chain: { id, node } }: AccountOnChain,
  { ledger }: Pick<PreparingContext, 'ledger'>,
): Promise<FoundDelegation> {
  const { address: from } = account;
  const chain = toCaip2(id);
  const changes = (await ledger.listPending()).filter(
    (each) => each.chain === chain && mayDelegate(each, from),
  );
  // A block may include a change before the tracker's next poll, so the code is read after the
  // receipts.
  const receipts = await Promise.all(
    changes.map(async ({ hash }) =>
      node.request('eth_getTransactionReceipt', [hash]).catch(() => null),
    ),
  );
  const delegation = await fetchDelegation(node, from);
  return { delegation, isSettled: !receipts.includes(null) };
}

// Returns whether a transaction can change an account's delegation: it carries authorizations, and
// the account has sent it or signed one of them, or they cannot be read.
function mayDelegate(sent: SentTransaction, account: Hex): boolean {
  if (sent.raw?.startsWith('0x04') !== true) return false;
  if (isSameAddress(sent.from, account)) return true;
  return findAuthorizedNonces(sent, account)?.length !== 0;
}

type PreparedTransactions = { batch: Batch; place: AccountOnChain; filled: Prepared };

const sendAsTransactions = {
  prepare: async (
    { batch, place }: { batch: Batch; place: AccountOnChain },
    context: PreparingContext,
  ): Promise<PreparedTransactions> => {
    const filled = await prepareCalls(batch, place, context);
    return { batch, place, filled };
  },
  review: reviewBatch,
  // Signs each transaction just before sending it, and none after the first failure.
  sign: async (
    approval: Approval,
    { batch, place, filled }: PreparedTransactions,
    context: ApprovedContext,
  ): Promise<Json> => {
    const { account, chain } = place;
    const { nonces, core } = context;
    const { combined, isOneByOne: wasOneByOne, subjects } = filled;
    const count = subjects.length;
    if (combined && !combined.authorizationList) {
      await assertStillDelegated(place, context);
    }
    const sender = { chain: toCaip2(chain.id), from: account.address };
    context.cleanups.push(await nonces.lock(sender));
    const listNonces = async (): Promise<bigint[]> =>
      nonces.list(sender, chain.node, count);
    const [firstNonces, found] = await Promise.all([
      listNonces(),
      count > 1 ? findDelegation(place, context).catch(() => undefined) : undefined,
    ]);
    const waits = wasOneByOne || (found && isOneByOne(found));
    const startedAt = Date.now();
    let previousHash = waits ? await findPending(sender, context) : undefined;
    let freeNonces = firstNonces;
    const senders = subjects.map((_subject, index): Sender => async () => {
      const isFirst = index === 0;
      if (previousHash) {
        await awaitPrevious(previousHash, { chain, startedAt, isFirst }, context);
        // The transaction may have been dropped, which frees its nonce.
        if (isFirst) freeNonces = await listNonces();
      }
      // Gives the servers the full time limit for each transaction.
      const fresh = await context.connect(chain.id);
      const signed = await signTransactionTask(
        approval,
        { index, nonce: freeNonces[index] },
        core,
      );
      const hasMore = index < count - 1 && !waits;
      const sending = { chain: fresh, hasMore, callsId: batch.id };
      const hash = await broadcastSigned(signed, sending, context);
      if (waits) previousHash = hash;
    });
    // Atomic calls without a combined transaction are always a single call.
    const atomic = combined !== undefined || batch.atomicRequired;
    return sendParts(batch, { chain, atomic, senders }, context);
  },
};

async function findPending(
  sender: LedgerSender,
  { ledger }: ApprovedContext,
): Promise<Hex | undefined> {
  const pending = (await ledger.listPending()).filter(
    (each) => listUsedNonces(each, sender).length > 0,
  );
  return pending.at(-1)?.hash;
}

/** Waits for the transaction before a call. Throws `UnavailableError` if it stays pending, or if it
 * is part of the batch and did not succeed. All waits of a batch end before MetaMask's time
 * limit. */
async function awaitPrevious(
  hash: Hex,
  { chain, startedAt, isFirst }: { chain: Chain; startedAt: number; isFirst: boolean },
  { tracker }: ApprovedContext,
): Promise<void> {
  const { sent } = await tracker.awaitSettled(hash, chain.id, startedAt);
  const { status = 'unknown', inclusion } = sent ?? {};
  const hasFailed = inclusion?.success === false;
  if (isFirst ? status !== 'pending' : status === 'included' && !hasFailed) return;
  throw new UnavailableError(
    `The calls after ${hash} were not sent: it is ${hasFailed ? 'reverted' : status}. The ` +
      'transactions of an account that delegates are sent one by one.',
  );
}

// Without the contract's code, the transaction would succeed and do nothing.
async function assertStillDelegated(
  place: AccountOnChain,
  context: ApprovedContext,
): Promise<void> {
  const { delegation, isSettled } = await findDelegation(place, context);
  if (delegation?.implementation && isSettled) return;
  throw new CallsError(
    'atomicity',
    `The delegation of ${place.account.address} was changed while the dialog was open. Nothing was ` +
      'sent: try again.',
  );
}

/** Marks calls that are known to revoke a permission. In other batches, an approval of zero could
 * be for the NFT whose id is zero. */
function markRevocations(
  calls: readonly CallEffect[],
  { isRevoking }: Batch,
): readonly CallEffect[] {
  if (!isRevoking) return calls;
  return calls.map((call) => ({
    ...call,
    inside: call.inside.filter((each) => each.kind !== 'allow' || !each.mayRevoke),
    isRevocation: true,
  }));
}

type Prepared = FeeEditing & {
  review: Review;
  /** The transaction that makes all calls, if there is one. */
  combined: TransactionRequest | undefined;
  /** Whether each transaction waits for the inclusion of the previous one. */
  isOneByOne: boolean;
  /** Whether each transaction's gas limit is estimated rather than assumed. */
  isEstimated: readonly boolean[];
  newAccounts: readonly NewAccount[];
  /** Warnings about all calls together. */
  ofAll: readonly Warning[];
  /** Warnings per call, independent of the chosen fees. */
  ofCalls: readonly NumberedWarning[];
};

/** If estimates fail, only the first transaction of the batch is known to fail, because later ones
 * may depend on earlier ones. */
async function prepareCalls(
  batch: Batch,
  place: AccountOnChain,
  context: PreparingContext,
): Promise<Prepared> {
  const { intents } = batch;
  const { account, chain } = place;
  const { address: from } = account;
  const { combined, isOneByOne: waits = false } = await findCombined(
    batch,
    place,
    context,
  );
  const requestedCalls = intents.map((each) => ({
    ...(combined ? toCall(each) : each),
    from,
  }));
  const requests = (combined ? [combined] : requestedCalls) as Requests;
  const calls = markRevocations(readCalls(requestedCalls), batch);
  // These fetches come first, so that all later requests start in one tick and share a batch.
  const [level, chainAccess] = await Promise.all([
    context.feeLevel(),
    preparePlace(chain, context),
  ]);
  const { chainId, node } = chainAccess;
  const sender = { chain: toCaip2(chainId), from };
  const nonces = context.nonces.list(sender, node, requests.length);
  const filling = requests.map(async (request, index) =>
    fillTransaction(request, {
      ...chainAccess,
      level,
      nextNonce: async () => (await nonces)[index] ?? 0n,
      mayFail: true,
    }),
  );
  const [review, measures, found] = await Promise.all([
    reviewCalls(
      calls,
      {
        signer: from,
        chainId,
        chain,
        simulated: calls.map(({ to, value, data }) =>
          toCallObject({ from, to, value, data }),
        ),
        ...(!combined && { nonces }),
        nextCode: combined ? null : undefined,
        findsNew: combined !== undefined,
      },
      context,
    ),
    fetchMeasures(requests, chainAccess),
    Promise.all(filling),
  ]);
  const least = combined ? BATCH_GAS + sumGasLimits(intents) : 0n;
  const filled = found.map(({ transaction, ...each }) => {
    const gasLimit = larger(transaction.gasLimit, least);
    return { ...each, transaction: { ...transaction, gasLimit } };
  });
  return {
    review,
    combined,
    isOneByOne: waits,
    ofAll: combined
      ? listFound(
          filled[0]?.failure,
          combined.authorizationList && [
            warning('delegation.upgrades'),
            warning('delegation.allows'),
          ],
        )
      : listFound(
          intents.length > 1 && warning('warning.notAtomic'),
          waits && info('delegation.oneByOne'),
        ),
    isEstimated: filled.map(({ failure }) => failure === undefined),
    newAccounts: [
      ...review.newAccounts,
      ...filled.flatMap(({ newAccountGas: gas }, index) =>
        gas === undefined ? [] : [{ number: index + 1, gas }],
      ),
    ],
    ofCalls: [
      ...review.ofCalls,
      ...warnOfEach(combined ? [] : filled, ({ failure }, index) =>
        listFound(failure && (index === 0 ? failure : warning('warning.notEstimated'))),
      ),
    ],
    subjects: filled,
    level,
    levels: filled[0]?.levels,
    measures,
    remeasure: createMeasuring(requests, chain, context),
    now: context.now,
  };
}

/** Gas for the transaction and the account's code around a batch. */
const BATCH_GAS = 60_000n;

/** Gas for the account's code around each call. */
const CALL_GAS = 10_000n;

/** Sums the gas that a site set for its calls: the gas limit of the batch must not be lower. */
function sumGasLimits(intents: readonly RequestedCall[]): bigint {
  return sum(
    intents.map(({ gasLimit }) => (gasLimit === undefined ? 0n : gasLimit + CALL_GAS)),
  );
}

type Requests = [TransactionRequest, ...TransactionRequest[]];

async function reviewBatch(
  { filled: prepared, place: { account, chain } }: PreparedTransactions,
  context: PreparingContext,
): Promise<Confirmation> {
  const { review, combined, isEstimated, newAccounts, ofAll, ofCalls, ...editing } =
    prepared;
  const isCombined = combined !== undefined;
  const { origin } = context;
  const { calls, pendingSimulation } = review;
  const filled = editing.subjects.map(({ transaction }) => transaction);
  const historyWarnings = [...review.ofPast, ...(await findSameNonce(filled, context))];
  const values = sum(calls.map(({ value }) => value));
  const confirmation = createFeeConfirmation(
    { ...editing, value: values },
    ({ transactions, measures, ...priced }) => {
      const simulation = pendingSimulation?.now();
      // A combined transaction itself has no value, but its calls' values leave the account.
      const [first] = transactions;
      const paid = isCombined && first ? [{ ...first, value: values }] : transactions;
      const balanceWarnings = findBalanceWarnings(paid, measures);
      const priceWarnings = warnOfEach(transactions, (transaction) =>
        measures ? findPriceWarnings(transaction, measures.levels) : [],
      );
      const newAccountWarnings = newAccounts.flatMap(({ number, gas }) => {
        const payer = transactions[isCombined ? 0 : number - 1];
        return payer && !priced.isUnpriced
          ? [{ number, warning: warnOfNewAccount(gas, maxPriceOf(payer)) }]
          : [];
      });
      const costWarnings = priced.isUnpriced ? [] : balanceWarnings;
      return {
        tasks: toTransactionTasks(transactions, context.account, true),
        effects: calls,
        warnings: [
          ...balanceWarnings.map(({ key }) => `0: ${key}`),
          ...priceWarnings.map((each) => `${each.number}: ${each.warning.key}`),
          ...listRisks(simulation),
        ],
        draw: (translate, tasks) =>
          CallsConfirmation({
            ...priced,
            translate,
            origin,
            account: account.address,
            chain: toCaip2(chain.id),
            calls,
            transactions: transactionsOf(tasks).map((transaction, index) => ({
              transaction,
              isEstimated: isEstimated[index] ?? false,
            })),
            warnings: [
              ...costWarnings,
              ...historyWarnings,
              ...warnOfOutcome(simulation, calls, toCaip2(chain.id)),
              ...listFound(review.otherBlock?.now() && info('alert.dependsOnBlock')),
              ...warnOfUpgrades(review),
              ...ofAll,
              ...(isCombined && !priced.isUnpriced
                ? priceWarnings.map((each) => each.warning)
                : []),
              ...numberWarnings(
                [
                  ...ofCalls,
                  ...numberFailure(simulation, ofCalls),
                  ...(isCombined || priced.isUnpriced ? [] : priceWarnings),
                  ...newAccountWarnings,
                ].sort((one, other) => one.number - other.number),
                isCombined ? 'userOperation.about' : 'calls.about',
              ),
            ],
            balance: measures?.balance,
            dataFee: dataFeeOf(transactions, measures),
            price: measures?.price,
            simulation,
          }),
      };
    },
  );
  return { ...confirmation, pending: pendingSimulation?.pending };
}

function numberFailure(
  simulation: Simulation | undefined,
  shown: readonly NumberedWarning[],
): NumberedWarning[] {
  const number = findFailure(simulation)?.number ?? 0;
  const callWarnings = shown.flatMap((each) =>
    each.number === number ? each.warning : [],
  );
  return warnOfFailure(simulation, callWarnings).map((each) => ({
    warning: each,
    number,
  }));
}

/** A failure is recorded in the batch if a part may have been sent; otherwise it is thrown. The
 * batch stays known if any part was stored for sending, because a server can keep a transaction
 * that it claims to refuse. */
async function sendParts(
  { id, intents }: Batch,
  {
    chain,
    atomic,
    senders,
  }: { chain: Chain; atomic: boolean; senders: readonly Sender[] },
  { account, origin, callBatches, now }: ApprovedContext,
): Promise<Json> {
  const sending = await callBatches.add({
    id,
    origin,
    chain: toCaip2(chain.id),
    account: account.id,
    atomic,
    size: intents.length,
    sentAt: now(),
  });
  let hasSent = false;
  try {
    for (const send of senders) {
      await send();
      hasSent = true;
    }
    await sending.end();
  } catch (error) {
    // Internal error messages are not for sites.
    const isPublic =
      error instanceof TollkeeperError && !(error instanceof InternalError);
    const reason = isPublic
      ? error.message
      : 'An internal error occurred in Tollkeeper.';
    // A sent part counts, even if the store cannot confirm it now.
    if (!(await sending.end(reason)) && !hasSent) throw error;
  }
  return { id };
}

// Throws `CallsError` (5710) if the account does not serve the chain, or no server does.
async function connectOr5710<Chain>(connect: () => Promise<Chain>): Promise<Chain> {
  try {
    return await connect();
  } catch (error) {
    const isExpected =
      error instanceof UnavailableError || error instanceof InvalidParamsError;
    if (!isExpected) throw error;
    throw new CallsError('chain', error.message, { cause: error });
  }
}
