// Asks a chain's servers about sent transactions and user operations. The node decides whether an
// operation was executed, because a bundler can be silent, removed, or forgetful.
import { type } from '@metamask/superstruct';

import type { NodeClient } from '../../packages/client/src';
import { HeadStruct } from '../../packages/client/src/rpc/block';
import type { BlockParameter } from '../../packages/client/src/rpc/block';
import { findInclusion } from '../../packages/client/src/rpc/heads';
import type { Chain } from '../chains/chain';
import type { EntryPointVersion } from '../core/entry-points';
import { UnavailableError } from '../core/errors';
import { toWord } from '../eth/abi';
import { Bytes32Struct, isSameAddress, toQuantity } from '../eth/hex';
import type { Hex } from '../eth/hex';
import { keyOf, toNonceCall } from '../eth/smart-account';
import { matches } from '../schema/parse';
import type { SentTransaction } from '../state/sent-transaction';
import { toIncluded, toIncludedOperation } from './judge';
import type { Included, Observation } from './judge';
import { findInBundle, findExecution, isInBlockOfNonce } from './search';

/** Depth of a final inclusion if the node reports no final block: two Ethereum epochs. */
const FINAL_DEPTH = 64n;

const ABSENT = { status: 'absent' } as const;

const UNTOLD = { status: 'untold', doubt: 'untold' } as const;

/** Looks up a chain's entries, in shared batches if the servers support them. Returns undefined for
 * an entry whose lookup failed, and passes the error to `noteFailure`. */
export async function observeAll(
  open: readonly SentTransaction[],
  chain: Chain,
  noteFailure: (error: unknown) => undefined,
): Promise<(Observation | undefined)[]> {
  let final: Promise<bigint> | undefined;
  const findFinalBlock = async (): Promise<bigint> => {
    // Without an answer, no block counts as final.
    final ??= fetchFinalBlock(chain.node).catch(() => -1n);
    return final;
  };
  const observeEntry = async (sent: SentTransaction): Promise<Observation> => {
    const { status, inclusion } = sent;
    if (status === 'replaced') {
      const [seen, finalBlock] = await Promise.all([
        observe(sent, chain),
        findFinalBlock(),
      ]);
      const isFinal =
        seen.isUsed &&
        finalBlock >= 0n &&
        (await isUsedAt(finalBlock, sent, chain.node));
      return { ...seen, isFinal };
    }
    if (status !== 'included' || !inclusion) return observe(sent, chain);
    const number = BigInt(inclusion.blockNumber);
    const [block, finalBlock] = await Promise.all([
      chain.node.request('eth_getBlockByNumber', [toQuantity(number), false]),
      findFinalBlock(),
    ]);
    const hash = matches(block, HeadStruct) ? block.hash.toLowerCase() : undefined;
    if (hash === inclusion.blockHash.toLowerCase()) {
      const isFinal = number <= finalBlock;
      return { found: { status: 'standing' }, isUsed: true, isFinal };
    }
    if (await isOfEarlierChain(sent, chain.node)) {
      return { found: { status: 'standing' }, isUsed: true, isFinal: true };
    }
    return { ...(await observe(sent, chain)), isUndone: hash !== undefined };
  };
  return Promise.all(open.map(async (sent) => observeEntry(sent).catch(noteFailure)));
}

// Returns whether a transaction was sent before the chain's first block, because a development
// chain was restarted. A restart undoes no inclusion, and nothing is resent.
async function isOfEarlierChain(
  { sentAt }: SentTransaction,
  node: NodeClient,
): Promise<boolean> {
  const first = await node
    .request('eth_getBlockByNumber', ['earliest', false])
    .catch(() => null);
  return first !== null && Number(first.timestamp) * 1_000 > sentAt;
}

async function fetchFinalBlock(node: NodeClient): Promise<bigint> {
  const block = await node
    .request('eth_getBlockByNumber', ['finalized', false])
    .catch(() => null);
  if (matches(block, HeadStruct)) return BigInt(block.number);
  return BigInt(await node.request('eth_blockNumber', [])) - FINAL_DEPTH;
}

// Returns whether a nonce was used as of a block. A node without the state of the block returns an
// error, which counts as an unused nonce.
async function isUsedAt(
  block: bigint,
  sent: SentTransaction,
  node: NodeClient,
): Promise<boolean> {
  const count = await fetchCount(sent, node, toQuantity(block)).catch(() => 0n);
  return count > BigInt(sent.nonce);
}

// Fetches the sender's next nonce; for a user operation, the next one of its nonce key at the
// EntryPoint.
async function fetchCount(
  { from, nonce, entryPoint }: SentTransaction,
  node: NodeClient,
  block: BlockParameter,
): Promise<bigint> {
  if (entryPoint === undefined) {
    return BigInt(await node.request('eth_getTransactionCount', [from, block]));
  }
  const call = toNonceCall(entryPoint, from, keyOf(BigInt(nonce)));
  const count = toWord(await node.request('eth_call', [call, block]));
  if (count === undefined) throw new UnavailableError('There is no EntryPoint.');
  return count;
}

async function observe(sent: SentTransaction, chain: Chain): Promise<Observation> {
  const { hash, nonce, head = '0x0', entryPoint } = sent;
  if (entryPoint !== undefined) return observeOperation(sent, entryPoint, chain);
  const { id: chainId, node } = chain;
  const [inclusion, count] = await Promise.all([
    findInclusion(node, { hash, chainId, sentAt: BigInt(head) }),
    fetchCount(sent, node, 'latest'),
  ]);
  const isUsed = count > BigInt(nonce);
  if (inclusion.status === 'unknown') {
    // The transaction itself may have used its nonce, in a block that the node has dropped.
    return { found: isUsed ? UNTOLD : ABSENT, isUsed };
  }
  if (inclusion.status !== 'included' && isUsed) {
    if (sent.status === 'replaced') return { found: ABSENT, isUsed };
    // A node can miss an included transaction, for example while indexing, and keep a replaced one
    // in its pool, so the block in which the nonce was used decides.
    const isReplaced = (await isInBlockOfNonce(sent, node)) === false;
    return { found: isReplaced ? ABSENT : UNTOLD, isUsed };
  }
  if (inclusion.status !== 'included') return { found: inclusion, isUsed };
  const { receipt } = inclusion;
  if (receipt.transactionHash.toLowerCase() !== hash.toLowerCase()) {
    throw new UnavailableError("The node returned another transaction's receipt.");
  }
  return { found: toIncluded(receipt), isUsed };
}

// An executed operation has used its nonce at the EntryPoint, whatever the bundler says. The node
// may be some blocks behind the bundler.
async function observeOperation(
  sent: SentTransaction,
  entryPoint: EntryPointVersion,
  { node, bundler }: Chain,
): Promise<Observation> {
  const [bundlerAnswer, count] = await Promise.all([
    askBundler(sent, bundler).catch((error: Error) => error),
    fetchCount(sent, node, 'latest'),
  ]);
  const isUsed = count > BigInt(sent.nonce);
  if (!isUsed) {
    if (bundlerAnswer instanceof Error) throw bundlerAnswer;
    const isKnown = bundlerAnswer.included !== undefined || bundlerAnswer.isKnown;
    return { found: { status: isKnown ? 'pending' : 'absent' }, isUsed };
  }
  const { included, carrier } = bundlerAnswer instanceof Error ? {} : bundlerAnswer;
  const carried = carrier && (await findInBundle(sent, entryPoint, { node, carrier }));
  if (carried) return { found: toIncludedOperation(carried), isUsed };
  if (included) return { found: included, isUsed };
  const { receipt, doubt, searched } = await findExecution(sent, entryPoint, node);
  if (receipt) return { found: toIncludedOperation(receipt), isUsed };
  const found = doubt ? ({ status: 'untold', doubt } as const) : ABSENT;
  return { found, isUsed, searched };
}

const CarriedStruct = type({ transactionHash: Bytes32Struct });

type BundlerAnswer = {
  included?: Included;
  isKnown: boolean;
  /** The transaction that includes it. */
  carrier?: Hex | undefined;
};

async function askBundler(
  { hash, from, nonce }: SentTransaction,
  bundler: Chain['bundler'],
): Promise<BundlerAnswer> {
  if (!bundler) throw new UnavailableError('The bundler was removed.');
  const { client } = bundler;
  const [receipt, operation] = await Promise.all([
    client.findReceipt(hash),
    client.findOperation(hash, { sender: from, nonce: BigInt(nonce) }),
  ]);
  if (!receipt) {
    const carrier = matches(operation, CarriedStruct)
      ? operation.transactionHash
      : undefined;
    return { isKnown: operation !== null, carrier };
  }
  const isOurs = isSameAddress(receipt.sender, from) && receipt.nonce === BigInt(nonce);
  if (!isOurs) throw new UnavailableError('The receipt is for another operation.');
  const included = toIncludedOperation(receipt);
  return { isKnown: true, included, carrier: receipt.transactionHash };
}
