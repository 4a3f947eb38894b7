// Caches answers that can no longer change: final blocks, transactions and receipts. They are kept
// in memory and, if instances share a store, in Redis.
import { isObject } from '@metamask/utils';
import { LRUCache } from 'lru-cache';

import { findQuantity, smaller } from '../../../src/eth/hex';
import { coalesce } from './coalesce';
import type { Head } from './head';
import { readJson, writeJson } from './json-rpc';
import { toBlock } from './methods';
import type { Metrics } from './metrics';
import type { ChainStore } from './store';
import type { Ask } from './upstream';

/** Wraps a function that calls the chain: returns cached results, and caches final ones. */
export type FinalCache = (ask: Ask) => Ask;

const ofBlock = { number: 'number', hash: 'hash' };
const inBlock = { number: 'blockNumber', hash: 'blockHash' };

/** The fields of a method's result that repeat the block number and the requested hash. */
export const echoedFields: Record<string, { number: string; hash: string }> = {
  eth_getBlockByHash: ofBlock,
  eth_getBlockByNumber: ofBlock,
  eth_getBlockReceipts: inBlock,
  eth_getTransactionByBlockHashAndIndex: inBlock,
  eth_getTransactionByBlockNumberAndIndex: inBlock,
  eth_getTransactionByHash: { ...inBlock, hash: 'hash' },
  eth_getTransactionReceipt: { ...inBlock, hash: 'transactionHash' },
};

/** How long later blocks count as not final after a look-up of the newest final block, in ms. */
const FINAL_MS = 15_000;

/** Minimum depth of a final block, because some nodes call their latest block final. */
const MIN_DEPTH = 32n;

/** Maximum length of a cached answer, in characters. */
const MAX_LENGTH = 2_000_000;

const isTag = (param: unknown): boolean => !String(toBlock(param)).startsWith('0x');

/** Creates a chain's cache. `bytes` is its approximate size in memory; 0 turns it off. */
export function createFinalCache(options: {
  ask: Ask;
  head: Pick<Head, 'fetch'>;
  store: Pick<ChainStore, 'keep' | 'find'>;
  bytes: number;
  metrics: Metrics;
  chain: string;
}): FinalCache {
  const { ask: askChain, head, store, bytes, metrics, chain } = options;
  if (bytes === 0) return (ask) => ask;
  const kept = new LRUCache<string, string>({
    maxSize: bytes,
    sizeCalculation: (value, key) => value.length + key.length,
  });
  let final: { number: bigint; at: number } | undefined;

  const fetchFinal = coalesce(async () => {
    const [{ result: block }, { number: newest }] = await Promise.all([
      askChain('eth_getBlockByNumber', ['finalized', false]),
      head.fetch().catch(() => ({ number: 0n })),
    ]);
    const number = isObject(block) ? findQuantity(block['number']) : undefined;
    final = { number: smaller(number ?? -1n, newest - MIN_DEPTH), at: Date.now() };
  });
  const isFinal = async (number: bigint): Promise<boolean> => {
    if (final && number <= final.number) return true;
    if (final && Date.now() - final.at < FINAL_MS) return false;
    await fetchFinal();
    return final !== undefined && number <= final.number;
  };
  const find = async (key: string): Promise<unknown> => {
    const own = kept.get(key);
    if (own !== undefined) {
      metrics.cacheHits.inc({ chain, tier: 'memory' });
      return readJson(own)?.value;
    }
    const text = (await store.find(key)) ?? '';
    const value = readJson(text)?.value;
    if (typeof value !== 'object' || value === null) {
      metrics.cacheMisses.inc({ chain });
      return undefined;
    }
    metrics.cacheHits.inc({ chain, tier: 'redis' });
    kept.set(key, text);
    return value;
  };
  const keep = async (key: string, result: unknown, field: string): Promise<void> => {
    const [row] = [result].flat();
    const number = isObject(row) ? findQuantity(row[field]) : undefined;
    if (number === undefined || !(await isFinal(number))) return;
    const text = writeJson(result);
    if (text.length > MAX_LENGTH) return;
    kept.set(key, text);
    store.keep(key, text);
  };

  return (ask) => async (method, params) => {
    const field = echoedFields[method]?.number;
    if (field === undefined || isTag(params[0])) return ask(method, params);
    const key = JSON.stringify([method, ...params]).toLowerCase();
    const known = await find(key);
    if (known !== undefined) return { result: known };
    const outcome = await ask(method, params);
    if (!outcome.error) void keep(key, outcome.result, field);
    return outcome;
  };
}
