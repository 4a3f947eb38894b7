// What dapps can look up, by JSON-RPC name: one row a method.
import { coerce, nullable, object, optional, tuple } from '@metamask/superstruct';
import type { Json } from '@metamask/utils';

import { findReceipt, findTransaction } from '../activity/look-up';
import { getBundler } from '../chains/chain';
import type { Chain } from '../chains/chain';
import { nodeSchema, toWire } from '../client';
import { BlockParameterStruct } from '../client/rpc/block';
import { CallStruct } from '../client/rpc/transaction';
import { ChainIdStruct } from '../eth/chain';
import type { ChainId } from '../eth/chain';
import { Bytes32Struct, toQuantity } from '../eth/hex';
import type { Hex } from '../eth/hex';
import { weiToGwei } from '../eth/units';
import { ageOf, mapFees } from '../fees/level';
import type { FeeLevels, FeeSource } from '../fees/level';
import { fetchBaseFeePercentile, fetchSuggestedFees } from '../fees/level-sources';
import { parse } from '../schema/parse';
import type { StructOf } from '../schema/parse';
import { isAbsent } from '../schema/structs';

/** What answering needs. */
export type LookUpServices = {
  sleep: (ms: number) => Promise<void>;
  now: () => number;
  feeLevels: (chain: Chain) => Promise<FeeLevels>;
};

/** A question whose params were read. */
export type Question = {
  /** The chain that the params name, if they do. */
  chainId?: ChainId;
  answer: (chain: Chain, services: LookUpServices) => Promise<unknown>;
  /** What is asked about: one that was sent from here is on the chain it was sent to. */
  subject?: { hash: Hex; kind: 'transaction' | 'operation' };
  /** Whether it is about the chain of the accounts that the site has. */
  isOfAccounts?: boolean;
  /** Whether its receipt is wanted, which is kept of what was sent from here. */
  isReceipt?: boolean;
};

/** Reads the params of a method, or throws what is wrong with them. */
type LookUp = (params: Json, root: string) => Question;

/** The params of a look-up by a hash. */
export const HashParamsStruct = tuple([Bytes32Struct]);

/** The params of a look-up that names its chain. */
export const ChainParamsStruct = tuple([ChainIdStruct]);

/** A call whose gas is estimated, as dapps give it. */
export const CallParamStruct = coerce(CallStruct, object(), (call) =>
  Object.fromEntries(Object.entries(call).filter(isGiven)),
);

/** The params of `rollup_estimateGas`. */
export const EstimateParamsStruct = tuple([
  CallParamStruct,
  optional(nullable(BlockParameterStruct)),
]);

/** Every method that looks something up. */
export const lookUps: Record<string, LookUp> = {
  eth_getTransactionReceipt: (params, root) => {
    const [hash] = parse(params, HashParamsStruct, root);
    return {
      subject: { hash, kind: 'transaction' },
      isReceipt: true,
      answer: async ({ node }, { sleep }) => findReceipt(hash, { node, sleep }),
    };
  },
  eth_getTransactionByHash: (params, root) => {
    const [hash] = parse(params, HashParamsStruct, root);
    return {
      subject: { hash, kind: 'transaction' },
      answer: async ({ node }) => findTransaction(hash, { node }),
    };
  },
  eth_getUserOperationReceipt: (params, root) => {
    const [hash] = parse(params, HashParamsStruct, root);
    return {
      subject: { hash, kind: 'operation' },
      isReceipt: true,
      answer: async (chain) =>
        (await getBundler(chain).client.findReceipt(hash))?.raw ?? null,
    };
  },
  eth_getUserOperationByHash: (params, root) => {
    const [hash] = parse(params, HashParamsStruct, root);
    return {
      subject: { hash, kind: 'operation' },
      answer: async (chain) => getBundler(chain).client.findOperation(hash),
    };
  },
  eth_supportedEntryPoints: ofAccounts(
    async (chain) => (await getBundler(chain).client.fetchSupport()).entryPoints,
  ),
  eth_chainId: ofAccounts(async ({ id }) => Promise.resolve(toQuantity(id))),
  eth_getUncleByBlockNumberAndIndex: atNode('eth_getUncleByBlockNumberAndIndex'),
  eth_getUncleByBlockHashAndIndex: atNode('eth_getUncleByBlockHashAndIndex'),
  rollup_estimateGas: lookUp(EstimateParamsStruct, async ([call, block], { node }) =>
    node.request('rollup_estimateGas', isAbsent(block) ? [call] : [call, block]),
  ),
  gas_suggestedGasFees: (params, root) => {
    const [chainId] = parse(params, ChainParamsStruct, root);
    return {
      chainId,
      answer: async (chain) => {
        const { result, isComputed } = await fetchSuggestedFees(chain);
        return { ...toWire(result), ...toSource(isComputed) };
      },
    };
  },
  gas_baseFeePercentile: (params, root) => {
    const [chainId] = parse(params, ChainParamsStruct, root);
    return {
      chainId,
      answer: async (chain) => {
        const { result, isComputed } = await fetchBaseFeePercentile(chain);
        return { baseFeePercentile: weiToGwei(result), ...toSource(isComputed) };
      },
    };
  },
  tollkeeper_getFeeLevels: lookUp(
    nodeSchema.eth_chainId.params,
    async (_params, chain, { feeLevels, now }) =>
      toShown(await feeLevels(chain), now()),
  ),
};

// Without params. A client that works with one account asks so for that account's chain.
function ofAccounts(answer: Question['answer']): LookUp {
  return (params, root) => {
    parse(params, nodeSchema.eth_chainId.params, root);
    return { isOfAccounts: true, answer };
  };
}

function lookUp<Params>(
  struct: StructOf<Params>,
  run: (params: Params, chain: Chain, services: LookUpServices) => Promise<unknown>,
): LookUp {
  return (params, root) => {
    const own = parse(params, struct, root);
    return { answer: async (chain, services) => run(own, chain, services) };
  };
}

// Nodes refuse what clients write in place of what they leave out.
function isGiven([name, value]: [string, unknown]): boolean {
  if (name === 'to') return !isAbsent(value) && value !== '' && value !== '0x';
  return !isAbsent(value) && !(['data', 'input'].includes(name) && value === '');
}

// What the node answers, as it answers it.
function atNode<Name extends keyof typeof nodeSchema>(method: Name): LookUp {
  const { params: struct } = nodeSchema[method];
  return lookUp<(typeof nodeSchema)[Name]['params']['TYPE']>(
    struct,
    async (params, { node }) => node.request(method, params),
  );
}

// The answer of a gas API is told as it came.
function toSource(isComputed: boolean): { source?: FeeSource } {
  return isComputed ? { source: 'fee-history' } : {};
}

// Quantities in hex, as dapps write fees into transactions.
function toShown(levels: FeeLevels, now: number): Json {
  const { source, passedOver } = levels;
  return {
    source,
    ...(passedOver === undefined ? {} : { passedOver }),
    ageMs: ageOf(levels, now),
    ...mapFees(levels, toQuantity),
  };
}
