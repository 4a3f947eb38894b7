// wallet_getCallsStatus [id] and wallet_showCallsStatus [id] (EIP-5792): what became of
// calls that a site sent. It is told of its own only, of accounts that it is granted.
import { tuple } from '@metamask/superstruct';
import type { Json } from '@metamask/utils';

import { findIncluded, findResults, toStatusCode } from '../activity/call-batches';
import type {
  CallBatches,
  CallResult,
  CallsStatusCode,
  KnownBatch,
} from '../activity/call-batches';
import type { Ledger } from '../activity/ledger';
import type { Tracker } from '../activity/tracker';
import type { Chains } from '../chains/chain';
import { withTimeLimit } from '../client/abort';
import { CallsError } from '../errors';
import { ChainIdStruct } from '../eth/chain';
import { toQuantity } from '../eth/hex';
import { BatchIdStruct, CALLS_VERSION } from '../methods';
import { parse } from '../schema/parse';
import type { SentTransaction } from '../state/sent-transaction';
import { CallsStatusView } from '../calls/status-view';
import { toCallReceipt } from './call-receipt';
import type { Consent } from './consent';
import type { Grants } from './grants';
import type { RateLimit } from './rate-limit';

/** What telling of calls needs. */
export type CallsRequestServices = {
  rateLimit: RateLimit;
  grants: Pick<Grants, 'list'>;
  consent: Pick<Consent, 'show'>;
  callBatches: Pick<CallBatches, 'find'>;
  ledger: Pick<Ledger, 'find'>;
  tracker: Pick<Tracker, 'poll'>;
  chains: Pick<Chains, 'connect'>;
};

/** How long an answer waits for the servers of the calls' chain. */
const LIMIT_MS = 5_000;

/** Entries of a batch that count as a further look-up where servers must be asked for them: a
 * library that asks for a full batch every second stays within the limit. */
const ENTRIES_PER_UNIT = 10;

/** The params of asking what became of calls. */
export const CallsIdParamsStruct = tuple([BatchIdStruct]);

type CallsRequest = { origin: string; method: string; params: Json };

/** A batch, and what became of it. */
type Found = { batch: KnownBatch; results: CallResult[]; status: CallsStatusCode };

/**
 * Tell what became of calls.
 *
 * @throws {CallsError} If the origin sent none with that id (5730).
 */
export async function getCallsStatus(
  request: CallsRequest,
  services: CallsRequestServices,
): Promise<Json> {
  const { batch, results, status } = await find(request, services);
  const included = await findIncluded(results, batch, toResultServices(services));
  const receipts = included.map(toCallReceipt);
  return {
    version: CALLS_VERSION,
    id: batch.id,
    chainId: toQuantity(parse(batch.chain, ChainIdStruct, 'chain')),
    status,
    atomic: batch.atomic,
    ...(receipts.length === 0 ? {} : { receipts }),
  };
}

/**
 * Show the user what became of calls.
 *
 * @throws {CallsError} If the origin sent none with that id (5730).
 * @throws {LimitExceededError} If too many dialogs are open.
 */
export async function showCallsStatus(
  request: CallsRequest,
  services: CallsRequestServices,
): Promise<null> {
  const { batch, results, status } = await find(request, services);
  const { id, chain } = batch;
  await services.consent.show(request.origin, (translate) =>
    CallsStatusView({ translate, id, chain, status, sent: results }),
  );
  return null;
}

async function find(
  { origin, method, params }: CallsRequest,
  services: CallsRequestServices,
): Promise<Found> {
  services.rateLimit(origin, 'read');
  const [id] = parse(params, CallsIdParamsStruct, `${method}: params`);
  const batch = await requireBatch(origin, id, services);
  await pollFor(origin, batch, services);
  const results = await findResults(batch, toResultServices(services));
  return { batch, results, status: toStatusCode(batch, results) };
}

async function requireBatch(
  origin: string,
  id: string,
  { callBatches, grants }: CallsRequestServices,
): Promise<KnownBatch> {
  const batch = await callBatches.find(origin, id);
  const granted = await grants.list(origin);
  if (batch && granted.some((account) => account.id === batch.account)) return batch;
  throw new CallsError(
    'unknown',
    `This origin sent no calls with the id ${JSON.stringify(id.slice(0, 80))} from an account ` +
      'that it is granted.',
  );
}

// In the one way in which anything is settled, so that the user is told once.
async function pollFor(
  origin: string,
  { hashes, chain }: KnownBatch,
  { ledger, tracker, rateLimit }: CallsRequestServices,
): Promise<void> {
  const sent = await Promise.all(hashes.map(async (hash) => ledger.find(hash)));
  rateLimit(
    origin,
    'read',
    Math.floor(sent.filter(isAskedFor).length / ENTRIES_PER_UNIT),
  );
  if (!sent.some((each) => each?.status === 'pending')) return;
  const chainId = parse(chain, ChainIdStruct, 'chain');
  // Whatever goes wrong, what is known is told: sites ask again every few seconds.
  await withTimeLimit(async () => tracker.poll(chainId), LIMIT_MS).catch(
    () => undefined,
  );
}

// Of what is settled, servers are asked only where it, or its receipt, is not kept.
function isAskedFor(sent: SentTransaction | undefined): boolean {
  if (!sent || sent.status === 'pending') return true;
  return sent.status === 'included' && sent.receipt === undefined;
}

function toResultServices({
  ledger,
  chains,
}: CallsRequestServices): Parameters<typeof findResults>[1] {
  return { ledger, connect: chains.connect };
}
