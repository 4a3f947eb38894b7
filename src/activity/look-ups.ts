// Lookups for sites, by JSON-RPC method. They need no grant, because chains are public, but are
// limited per origin.
import { coerce, nullable, object, optional, tuple } from '@metamask/superstruct';
import type { Json } from '@metamask/utils';

import type { Receipt } from '../../packages/client/src';
import { readAnswer, readAt } from '../../packages/client/src/errors';
import { toWire } from '../../packages/client/src/gas-api';
import { BlockParameterStruct } from '../../packages/client/src/rpc/block';
import { nodeSchema } from '../../packages/client/src/rpc/node-client';
import { CallStruct } from '../../packages/client/src/rpc/schema';
import { WholeReceiptStruct } from '../../packages/client/src/rpc/transaction';
import { scopesOf } from '../accounts/repository';
import { getBundler } from '../chains/chain';
import type { Chain } from '../chains/chain';
import type { AppContext } from '../context';
import { TollkeeperError } from '../core/errors';
import { ChainIdStruct, toCaip2, toChainId } from '../eth/chain';
import type { ChainId } from '../eth/chain';
import { Bytes32Struct, BytesStruct, isSameAddress, toQuantity } from '../eth/hex';
import type { Hex } from '../eth/hex';
import { parseRawTransaction } from '../eth/raw-transaction';
import { weiToGwei } from '../eth/units';
import { ageOf, mapFees } from '../fees/level';
import type { FeeSource } from '../fees/level';
import { fetchBaseFeePercentile, fetchSuggestedFees } from '../fees/level-sources';
import { assertSameChain, findOnlyChain, parseEnvelope } from '../request';
import type { SiteRequest } from '../request';
import type { MethodName } from '../routes';
import { parse } from '../schema/parse';
import type { StructOf } from '../schema/parse';
import { isAbsent } from '../schema/structs';
import { sendRaw } from './broadcast';
import { cannotChange } from './ledger';

// eth_sendRawTransaction [raw] → hash. Any site may send a signed transaction. If the site may see
// its sender, the snap follows the transaction like its own.

export const RawParamsStruct = tuple([BytesStruct]);

/** Throws `InvalidParamsError` if the transaction is not for the chain of the scope. */
export async function sendRawTransaction(
  { origin, method, params }: SiteRequest,
  { chains, grants, ledger, nonces, broadcast }: AppContext,
): Promise<Hex> {
  const root = `${method}: params`;
  const { scope, params: own } = parseEnvelope(method, params);
  const [raw] = parse(own, RawParamsStruct, root);
  const { hash, chainId, transaction } = parseRawTransaction(raw, `${root}[0]`);
  assertSameChain(scope, chainId);
  const chain = await chains.connect(chainId ?? scope ?? (await chains.own()));
  const { from } = transaction;
  const granted = await grants.list(origin);
  const account = granted.find(({ address }) => isSameAddress(address, from));
  const signed = { transaction: { ...transaction, chainId: chain.id }, hash, raw };
  const known = await ledger.find(hash);
  const isSettled = known && (known.status === 'included' || cannotChange(known));
  // A site that repeats a settled transaction must not make its record pending again.
  if (!account || isSettled) {
    await sendRaw(chain.node, signed);
    return hash;
  }
  const sender = { chain: toCaip2(chain.id), from: account.address };
  const release = await nonces.lock(sender);
  try {
    return await broadcast(signed, { chain }, { account, origin });
  } finally {
    release();
  }
}

type Question = {
  chainId?: ChainId;
  answer: (chain: Chain, context: AppContext) => Promise<unknown>;
  /** The hash that is looked up. If the snap sent the transaction or operation, its chain is
   * known. */
  subject?: { hash: Hex; kind: 'transaction' | 'operation' };
  /** Whether the chain of the site's accounts, if they all serve only that one, is the default. */
  isOfAccounts?: boolean;
  isReceipt?: boolean;
};

export type LookUp = (params: Json, root: string) => Question;

export const HashParamsStruct = tuple([Bytes32Struct]);

export const ChainParamsStruct = tuple([ChainIdStruct]);

export const CallParamStruct = coerce(CallStruct, object(), (call) =>
  Object.fromEntries(Object.entries(call).filter(isGiven)),
);

export const EstimateParamsStruct = tuple([
  CallParamStruct,
  optional(nullable(BlockParameterStruct)),
]);

/** Answers a lookup on the chain that the scope or the params name, otherwise on the chain of the
 * site's transaction or accounts, if known, or on the default network. Throws `InvalidParamsError`
 * if scope and params name different chains. */
export async function lookUp(
  { origin, method, params }: SiteRequest,
  context: AppContext,
): Promise<Json> {
  const { chains } = context;
  const { scope, params: own } = parseEnvelope(method, params);
  const question = lookUps[method as MethodName<'look-up'>](own, `${method}: params`);
  assertSameChain(scope, question.chainId);
  const sent = await findSent(question, origin, context);
  const named = scope ?? question.chainId ?? sent?.chainId;
  const chainId =
    named === undefined && question.isOfAccounts
      ? findOnlyChain((await context.grants.list(origin)).flatMap(scopesOf))
      : named;
  try {
    const chain = await chains.connect(chainId ?? (await chains.own()));
    return (await question.answer(chain, context)) as Json;
  } catch (error) {
    // The stored receipt is from the transaction's chain; the request may name a different chain.
    const kept = chainId === sent?.chainId ? sent?.receipt : undefined;
    if (kept && question.isReceipt && error instanceof TollkeeperError) return kept;
    throw error;
  }
}

// The receipt of a user operation does not answer a request for a transaction's receipt, nor vice
// versa.
async function findSent(
  { subject }: Question,
  origin: string,
  { ledger, grants }: AppContext,
): Promise<{ chainId: ChainId; receipt: Json | undefined } | undefined> {
  if (!subject) return undefined;
  const { hash, kind } = subject;
  const sent = await grants.findSent(origin, hash, ledger.find);
  const isOperation = sent?.entryPoint !== undefined;
  if (sent && isOperation === (kind === 'operation')) {
    return { chainId: toChainId(sent.chain), receipt: sent.receipt };
  }
  if (kind === 'operation') return undefined;
  // The transaction that carried a user operation is on the operation's chain.
  const carried = await grants.findSent(origin, hash, ledger.findCarried);
  return carried && { chainId: toChainId(carried.chain), receipt: undefined };
}

export const lookUps: Readonly<Record<MethodName<'look-up'>, LookUp>> = {
  eth_getTransactionReceipt: byHash('transaction', true, findReceipt),
  eth_getTransactionByHash: byHash('transaction', false, async (hash, { node }) =>
    node.request('eth_getTransactionByHash', [hash]),
  ),
  eth_getUserOperationReceipt: byHash('operation', true, async (hash, chain) => {
    const receipt = await getBundler(chain).client.findReceipt(hash);
    return receipt?.raw ?? null;
  }),
  eth_getUserOperationByHash: byHash(
    'operation',
    false,
    async (hash, chain, context) => {
      const sent = await context.ledger.find(hash);
      const known = sent && { sender: sent.from, nonce: BigInt(sent.nonce) };
      return getBundler(chain).client.findOperation(hash, known);
    },
  ),
  eth_supportedEntryPoints: ofAccounts(
    async (chain) => (await getBundler(chain).client.fetchSupport()).entryPoints,
  ),
  eth_chainId: ofAccounts(async ({ id }) => Promise.resolve(toQuantity(id))),
  eth_getUncleByBlockNumberAndIndex: atNode('eth_getUncleByBlockNumberAndIndex'),
  eth_getUncleByBlockHashAndIndex: atNode('eth_getUncleByBlockHashAndIndex'),
  rollup_estimateGas: asking(EstimateParamsStruct, async ([call, block], { node }) =>
    node.request('rollup_estimateGas', isAbsent(block) ? [call] : [call, block]),
  ),
  gas_suggestedGasFees: ofChain(async (chain) => {
    const { result, isComputed } = await fetchSuggestedFees(chain);
    return { ...toWire(result), ...toSource(isComputed) };
  }),
  gas_baseFeePercentile: ofChain(async (chain) => {
    const { result, isComputed } = await fetchBaseFeePercentile(chain);
    return { baseFeePercentile: weiToGwei(result), ...toSource(isComputed) };
  }),
  tollkeeper_getFeeLevels: asking(
    nodeSchema.eth_chainId.params,
    async (_params, chain, { feeLevels, now }) => {
      const levels = await feeLevels(chain);
      const { source, passedOver } = levels;
      const fees = { ageMs: ageOf(levels, now()), ...mapFees(levels, toQuantity) };
      return { source, ...(passedOver && { passedOver }), ...fees };
    },
  ),
};

function byHash(
  kind: 'transaction' | 'operation',
  isReceipt: boolean,
  answer: (hash: Hex, chain: Chain, context: AppContext) => Promise<unknown>,
): LookUp {
  return (params, root) => {
    const [hash] = parse(params, HashParamsStruct, root);
    const subject = { hash, kind };
    return { subject, isReceipt, answer: async (...at) => answer(hash, ...at) };
  };
}

function ofChain(answer: Question['answer']): LookUp {
  return (params, root) => {
    const [chainId] = parse(params, ChainParamsStruct, root);
    return { chainId, answer };
  };
}

// Without params, clients with a single account expect that account's chain.
function ofAccounts(answer: Question['answer']): LookUp {
  return (params, root) => {
    parse(params, nodeSchema.eth_chainId.params, root);
    return { isOfAccounts: true, answer };
  };
}

function asking<Params>(
  struct: StructOf<Params>,
  run: (params: Params, chain: Chain, context: AppContext) => Promise<unknown>,
): LookUp {
  return (params, root) => {
    const own = parse(params, struct, root);
    return { answer: async (chain, context) => run(own, chain, context) };
  };
}

// Nodes reject the placeholders that clients send for missing fields.
function isGiven([name, value]: [string, unknown]): boolean {
  if (name === 'to') return !isAbsent(value) && value !== '' && value !== '0x';
  return !isAbsent(value) && !(['data', 'input'].includes(name) && value === '');
}

function atNode<Name extends keyof typeof nodeSchema>(method: Name): LookUp {
  const { params: struct } = nodeSchema[method];
  return asking<(typeof nodeSchema)[Name]['params']['TYPE']>(
    struct,
    async (params, { node }) => node.request(method, params),
  );
}

// A gas API's answer names no source.
function toSource(isComputed: boolean): { source?: FeeSource } {
  return isComputed ? { source: 'fee-history' } : {};
}

/** Finds a transaction's receipt; null if it is unknown or pending. If the transaction is in a
 * block, asks up to three times more, because nodes may have the receipt only a moment after the
 * inclusion, and then returns null. */
async function findReceipt(
  hash: Hex,
  { node }: Chain,
  { sleep }: AppContext,
): Promise<Receipt | null> {
  for (let attempt = 1; ; attempt += 1) {
    const receipt = await node.request('eth_getTransactionReceipt', [hash]);
    if (receipt !== null || attempt === 4) {
      const label = `eth_getTransactionReceipt at ${node.label}`;
      return readAt({ label }, () => readAnswer(receipt, nullable(WholeReceiptStruct)));
    }
    const transaction = await node.request('eth_getTransactionByHash', [hash]);
    if (isAbsent(transaction?.blockHash)) return null;
    await sleep(500);
  }
}
