// What became of a batch of calls: told from what was sent, and by the chain's servers of
// what is not remembered any more.
import type { BundlerClient, NodeClient } from '../client';
import { UnavailableError } from '../errors';
import { ChainIdStruct } from '../eth/chain';
import type { ChainId } from '../eth/chain';
import type { Hex } from '../eth/hex';
import { parse } from '../parse';
import type { CallBatch } from '../state/call-batch';
import type { Inclusion, SentTransaction } from '../state/sent-transaction';
import type { KnownBatch } from './call-batches';
import { toIncluded, toIncludedOperation } from './included';
import type { Included } from './included';
import type { Ledger } from './ledger';

/** What finding results needs. */
export type ResultServices = {
  ledger: Pick<Ledger, 'find'>;
  connect: (chainId: ChainId) => Promise<{
    node: NodeClient;
    bundler?: { client: BundlerClient };
  }>;
};

/** What became of a transaction or user operation of a batch. */
export type CallResult = {
  /** Of a transaction that was sped up, that of its replacement. */
  hash: Hex;
  state: 'pending' | 'included' | 'failed' | 'replaced' | 'dropped' | 'unknown';
  /** If a block includes it. */
  inclusion?: Inclusion;
  /** Its receipt, as far as it is remembered. */
  receipt?: object;
};

/** A result that is in a block. */
export type IncludedResult = Required<CallResult>;

/** Status codes of EIP-5792. */
export type CallsStatusCode = 100 | 200 | 400 | 500 | 600;

/**
 * Find what became of what was sent of a batch, in its order.
 *
 * @throws What the chain's servers say, if they must be asked.
 */
export async function findResults(
  batch: CallBatch,
  services: ResultServices,
): Promise<CallResult[]> {
  return Promise.all(
    batch.hashes.map(async (hash) => {
      const sent = await findLast(hash, services);
      if (sent) return toResult(sent);
      const included = await lookUp(hash, batch, services);
      if (!included) return { hash, state: 'unknown' as const };
      const { inclusion, receipt } = included;
      return { hash, state: stateOf(inclusion), inclusion, receipt };
    }),
  );
}

/**
 * Get the results that are in a block, with their receipts.
 *
 * @throws {UnavailableError} If a receipt was too long to be kept and cannot be had.
 */
export async function findIncluded(
  results: readonly CallResult[],
  batch: CallBatch,
  services: ResultServices,
): Promise<IncludedResult[]> {
  const found = results.map(async (result) => {
    const { hash, inclusion } = result;
    if (!inclusion) return [];
    const receipt =
      result.receipt ??
      (await lookUp(hash, batch, services))?.receipt ??
      noReceipt(hash);
    return [{ ...result, inclusion, receipt }];
  });
  return (await Promise.all(found)).flat();
}

/** Tell what became of a batch as a whole, by the code of EIP-5792. */
export function toStatusCode(
  { size, atomic, isSending }: Pick<KnownBatch, 'size' | 'atomic' | 'isSending'>,
  results: readonly Pick<CallResult, 'state'>[],
): CallsStatusCode {
  const count = (wanted: CallResult['state']): number =>
    results.filter(({ state }) => state === wanted).length;
  if (isSending || count('pending') > 0) return 100;
  const succeeded = count('included');
  if (succeeded === (atomic ? 1 : size)) return 200;
  if (succeeded > 0) return 600;
  return count('failed') > 0 ? 500 : 400;
}

// One that was sped up did what it was to do under another hash.
async function findLast(
  hash: Hex,
  { ledger }: Pick<ResultServices, 'ledger'>,
): Promise<SentTransaction | undefined> {
  const sent = await ledger.find(hash);
  if (sent?.replacedBy === undefined) return sent;
  const other = await ledger.find(sent.replacedBy);
  return other && isSpedUp(sent, other) ? other : sent;
}

// What is sent in place of another is the same with other fees, or it cancels it.
function isSpedUp(sent: SentTransaction, other: SentTransaction): boolean {
  const { to, value, replaces } = other;
  return replaces !== undefined && to === sent.to && value === sent.value;
}

function toResult({ hash, status, inclusion, receipt }: SentTransaction): CallResult {
  if (status !== 'included') return { hash, state: status };
  return {
    hash,
    state: stateOf(inclusion),
    ...(inclusion ? { inclusion } : {}),
    ...(receipt ? { receipt } : {}),
  };
}

// Receipts from before Byzantium do not tell.
function stateOf(inclusion: Inclusion | undefined): 'included' | 'failed' {
  return inclusion?.success === false ? 'failed' : 'included';
}

async function lookUp(
  hash: Hex,
  { chain, atomic }: CallBatch,
  { connect }: ResultServices,
): Promise<Included | undefined> {
  const { node, bundler } = await connect(parse(chain, ChainIdStruct, 'chain'));
  if (!atomic) {
    const receipt = await node.request('eth_getTransactionReceipt', [hash]);
    return receipt ? toIncluded(receipt) : undefined;
  }
  const receipt = await bundler?.client.findReceipt(hash);
  return receipt ? toIncludedOperation(receipt) : undefined;
}

function noReceipt(hash: Hex): never {
  throw new UnavailableError(`The receipt of ${hash} cannot be had now. Try again.`);
}
