// A chain with an in-memory node and bundler, for tests that follow sent transactions: blocks are
// mined and undone, other wallets use nonces, and servers fail, lose transactions or forget
// receipts.
import type { Json } from '@metamask/utils';
import { concat, keccak256, pad, toEventSelector, toHex } from 'viem';
import type { Hex } from 'viem';

import { entryPoints } from '../../src/core/entry-points';
import { hashUserOperation } from '../../src/core/operation';
import { refuses } from './fake-node';
import type { NodeAnswers } from './fake-node';
import { readOperation } from './operation-bench';
import { RECEIPT, TRANSACTION } from './receipts';

/** A transaction, or a user operation with nonce key 0. */
export type Kind = 'transaction' | 'operation';

/** A sent transaction or operation. Items from another wallet have no intent. */
export type Item = { hash: Hex; kind: Kind; nonce: bigint; intent: number | undefined };

export type Faults = Record<
  'node' | 'send' | 'logs' | 'index' | 'state' | 'bundler' | 'forget',
  boolean
>;

type Block = { hash: Hex; time: number; items: Item[] };

type Inclusion = { number: number; block: Block };

const EVENT = toEventSelector(
  'UserOperationEvent(bytes32,address,address,uint256,bool,uint256,uint256)',
);

const { entryPoint } = entryPoints['0.7'];

/** Number of blocks that can be undone; deeper ones are final. */
export const DEPTH = 2;

export function createSentWorld(sender: Hex, now: () => number) {
  const items = new Map<Hex, Item>();
  const pool = new Set<Hex>();
  // Items that these servers have lost, but other servers may still mine.
  const elsewhere = new Set<Hex>();
  const faults: Faults = {
    node: false,
    send: false,
    logs: false,
    index: false,
    state: false,
    bundler: false,
    forget: false,
  };
  let seed = 0;
  // Blocks up to this one are never undone.
  let final = 0;
  const blocks: Block[] = [
    { hash: keccak256('0x'), time: now() - 3_600_000, items: [] },
  ];
  const head = (): number => blocks.length - 1;
  const executed = (last = head()): Item[] =>
    blocks.slice(0, last + 1).flatMap((block) => block.items);
  const countOf = (kind: Kind, last?: number): bigint =>
    BigInt(executed(last).filter((item) => item.kind === kind).length);
  const inclusionOf = (hash: Hex) => {
    const number = blocks.findIndex((block) =>
      block.items.some((item) => item.hash === hash),
    );
    return number < 0 ? undefined : { number, block: blocks[number] as Block };
  };
  const carrierOf = ({ hash, kind }: Item): Hex =>
    kind === 'operation' ? keccak256(hash) : hash;
  const toPosition = ({ number, block }: Inclusion) => ({
    blockHash: block.hash,
    blockNumber: toHex(number),
    transactionIndex: '0x0',
  });
  const accept = (item: Item): Hex => {
    if (faults.send) refuses('the pool is full')();
    if (item.nonce < countOf(item.kind)) return refuses('nonce too low')();
    pool.add(item.hash);
    return item.hash;
  };
  const eventOf = (item: Item, inclusion: Inclusion) => ({
    ...toPosition(inclusion),
    address: entryPoint,
    topics: [EVENT, item.hash, pad(sender), pad('0x')],
    data: concat([item.nonce, 1n, 5n, 1n].map((word) => toHex(word, { size: 32 }))),
    logIndex: '0x0',
    removed: false,
    transactionHash: carrierOf(item),
  });
  const receiptOf = (item: Item) => {
    const inclusion = inclusionOf(item.hash);
    if (!inclusion) return null;
    const logs = item.kind === 'operation' ? [eventOf(item, inclusion)] : [];
    const position = toPosition(inclusion);
    return { ...RECEIPT, ...position, transactionHash: carrierOf(item), logs };
  };
  const atNode =
    (answer: (params: Json[]) => unknown, isIndexed = false) =>
    (params: Json[]): Json => {
      if (faults.node) refuses({ code: -32603, message: 'internal error' })();
      return isIndexed && faults.index ? null : (answer(params) as Json);
    };
  const numberOf = (block: Json | undefined): number => {
    if (block === 'finalized') return final;
    return block === 'latest' || block === 'pending' ? head() : Number(block);
  };
  const countAt = (kind: Kind, block: Json | undefined): bigint => {
    const isOld = block !== 'latest' && block !== 'pending';
    if (isOld && faults.state) refuses('missing trie node')();
    return countOf(kind, numberOf(block));
  };
  const byCarrier = (hash: Json | undefined): Item | undefined =>
    [...items.values()].find((item) => carrierOf(item) === hash);
  const node: NodeAnswers = {
    eth_chainId: '0x1',
    eth_blockNumber: atNode(() => toHex(head())),
    eth_getBlockByNumber: atNode(([asked]) => {
      const number = numberOf(asked);
      const block = blocks[number];
      if (!block) return null;
      const timestamp = toHex(Math.floor(block.time / 1_000));
      const transactions = block.items.map(carrierOf);
      return { number: toHex(number), hash: block.hash, timestamp, transactions };
    }),
    eth_getTransactionCount: atNode(([, block]) =>
      toHex(countAt('transaction', block)),
    ),
    eth_getTransactionReceipt: atNode(([hash]) => {
      const item = byCarrier(hash);
      return item ? receiptOf(item) : null;
    }, true),
    eth_getTransactionByHash: atNode(([hash]) => {
      const item = byCarrier(hash);
      const inclusion = item && inclusionOf(item.hash);
      if (!item || (!inclusion && !pool.has(item.hash))) return null;
      const nowhere = { blockHash: null, blockNumber: null, transactionIndex: null };
      return {
        ...TRANSACTION,
        ...(inclusion ? toPosition(inclusion) : nowhere),
        hash: hash ?? null,
      };
    }, true),
    eth_sendRawTransaction: atNode(([raw]) =>
      accept(items.get(keccak256(raw as Hex)) as Item),
    ),
    // The nonce at the EntryPoint.
    eth_call: atNode(([, block]) => toHex(countAt('operation', block), { size: 32 })),
    eth_getLogs: atNode(([filter]) => {
      if (faults.logs) refuses('logs are not available')();
      const { fromBlock, toBlock } = filter as Record<string, string>;
      return executed()
        .filter(({ kind }) => kind === 'operation')
        .map((item) => eventOf(item, inclusionOf(item.hash) as never))
        .filter(
          ({ blockNumber }) =>
            Number(blockNumber) >= Number(fromBlock) &&
            Number(blockNumber) <= Number(toBlock),
        );
    }),
  };
  const atBundler =
    (answer: (params: Json[]) => unknown) =>
    (params: Json[]): Json => {
      if (faults.bundler) refuses('your plan has no bundler')();
      return answer(params) as Json;
    };
  const bundler: NodeAnswers = {
    eth_chainId: '0x1',
    eth_supportedEntryPoints: [entryPoint],
    eth_sendUserOperation: atBundler(([json]) => {
      const operation = readOperation(json, '0.7');
      const hash = hashUserOperation(operation, { chainId: 1n, entryPoint: '0.7' });
      return accept(items.get(hash) as Item);
    }),
    eth_getUserOperationByHash: atBundler(() => null),
    eth_getUserOperationReceipt: atBundler(([hash]) => {
      const item = items.get(hash as Hex);
      const receipt = item && !faults.forget ? receiptOf(item) : null;
      return (
        receipt && {
          userOpHash: hash,
          sender,
          nonce: toHex(item?.nonce ?? 0n),
          success: true,
          actualGasUsed: '0x1',
          actualGasCost: '0x5',
          logs: [],
          receipt,
        }
      );
    }),
  };
  return {
    node,
    bundler,
    faults,
    items,
    pool,
    executed,
    countOf,
    /** Sends an item with the next nonce from another wallet. */
    addForeign: (kind: Kind) => {
      seed += 1;
      const hash = keccak256(toHex(seed));
      items.set(hash, { hash, kind, nonce: countOf(kind), intent: undefined });
      pool.add(hash);
    },
    /**
     * Makes the servers lose pending items, which other servers keep. `isClosed` makes them reject
     * new items.
     */
    lose: (isClosed: boolean) => {
      faults.send = isClosed;
      pool.forEach((hash) => elsewhere.add(hash));
      pool.clear();
    },
    /**
     * Mines the executable items of these servers, or of all servers. If two items have the same
     * nonce, the other wallet's wins.
     */
    mine: (isAll: boolean) => {
      seed += 1;
      const block: Block = { hash: keccak256(toHex(seed)), time: now(), items: [] };
      blocks.push(block);
      final = Math.max(final, head() - DEPTH);
      const all = new Set([...pool, ...(isAll ? elsewhere : [])]);
      const due = [...all].map((hash) => items.get(hash) as Item);
      due.sort(
        (one, other) =>
          Number(other.intent === undefined) - Number(one.intent === undefined),
      );
      for (let found = true; found;) {
        const next = due.find(({ kind, nonce }) => nonce === countOf(kind));
        found = next !== undefined;
        if (next) block.items.push(next);
      }
      due
        .filter(({ kind, nonce }) => nonce < countOf(kind))
        .forEach(({ hash }) => pool.delete(hash));
    },
    /**
     * Undoes the newest blocks and returns their items to the pool. `isLost` makes the servers lose
     * the sender's items instead.
     */
    undo: (depth: number, isLost: boolean) => {
      for (let left = depth; left > 0 && head() > final; left -= 1) {
        for (const item of blocks.pop()?.items ?? []) {
          const isLostHere = isLost && item.intent !== undefined;
          (isLostHere ? elsewhere : pool).add(item.hash);
        }
      }
    },
  };
}
