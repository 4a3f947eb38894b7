// JSON-RPC 2.0 from text to text, the same for HTTP and WebSockets.
import { isObject } from '@metamask/utils';

import { TollkeeperError } from '../../../src/core/errors';
import { describeRejection, validate } from '../../../src/schema/parse';
import { completeAnswer } from '../../client/src/rpc/complete';
import type { FinalCache } from './cache';
import { estimateRollup, type Gas } from './gas';
import type { Head } from './head';
import {
  answerMessage,
  codes,
  findId,
  isDeeper,
  isNotification,
  readJson,
  toAnswer,
  toError,
  toFailure,
  writeJson,
  type Outcome,
  type ServiceFailure,
} from './json-rpc';
import type { ApiKey } from './keys';
import type { Spend } from './limits';
import { withLists } from './lists';
import {
  atBlock,
  checkParams,
  isTooOld,
  refuseArchive,
  rollupMethods,
  servedMethods,
  servedNames,
  type Reach,
  type Served,
} from './methods';
import type { Metrics } from './metrics';
import {
  failWith,
  findReading,
  isLacking,
  BAD_ANSWER,
  type Ask,
  type Upstream,
} from './upstream';

type RpcServices = {
  upstream: Upstream;
  gas: Gas;
  head: Head;
  cache: FinalCache;
  metrics: Metrics;
  nearHead: boolean;
  chainId: number;
  batchLength: number;
};

/** A method of one connection, such as `eth_subscribe`. */
export type OwnMethod = (params: unknown[]) => Outcome | Promise<Outcome>;

/** The response, without a body if there were only notifications. */
type RpcReply = {
  status: number;
  /** Whether a call failed with an internal error, as when no node answered it. */
  hasFailed?: boolean;
  headers?: Record<string, string>;
  body?: string;
};

type Caller = { key: ApiKey; spend: Spend; own?: ReadonlyMap<string, OwnMethod> };

/** Answers the text of a request, single or batch; never rejects. */
export type Rpc = (text: string, caller: Caller) => Promise<RpcReply>;

/** Maximum nesting depth of params. Nodes refuse a whole batch if one call is nested deeper. */
const MAX_DEPTH = 32;

export function createRpc(services: RpcServices): Rpc {
  return async (text, { key, spend, own }) => {
    const read = readJson(text);
    if (read === undefined) return refuse(400, codes.parse, 'This is not JSON.');
    const { value } = read;
    const { upstream, cache, metrics, batchLength } = services;
    const isBatch = Array.isArray(value);
    const requests: unknown[] = isBatch ? value : [value];
    if (requests.length > batchLength) {
      const message = `The batch is too long: at most ${batchLength} calls are allowed.`;
      return refuse(200, codes.invalidRequest, message);
    }
    try {
      await spend(key, isBatch ? requests.length + 1 : 1);
    } catch (error) {
      return toLimited(toFailure(error), value, own !== undefined);
    }
    const ask = cache(isBatch ? upstream.openBatch() : upstream.ask);
    const context = { ...services, ask, key, own };
    let hasFailed = false;
    const body = await answerMessage(value, async (method, params) => {
      const begin = performance.now();
      const outcome = await answer(method, params, context).catch(toErrorOutcome);
      const isRevert = findReading(outcome)?.kind === 'reverted';
      hasFailed ||= outcome.error?.code === codes.internal && !isRevert;
      if (servedNames.includes(method)) {
        metrics.methodSeconds.observe({ method }, (performance.now() - begin) / 1_000);
      }
      return outcome;
    });
    return body === undefined ? { status: 204 } : { status: 200, hasFailed, body };
  };
}

type Context = RpcServices & Pick<Caller, 'key'> & { ask: Ask; own: Caller['own'] };

async function answer(method: string, params: unknown, context: Context) {
  const own = context.own?.get(method);
  const isRollup = rollupMethods.has(method);
  const served = servedMethods.get(method);
  if (!own && !isRollup && !served) {
    const shown = /^\w{1,60}$/u.test(method) ? method : 'of this name';
    return toError(codes.unknownMethod, `The method ${shown} is not served.`);
  }
  if (context.key.methods?.includes(method) === false) {
    return toError(codes.refused, `The API key may not call ${method}.`);
  }
  if (!Array.isArray(params)) {
    return toError(codes.invalidParams, 'params must be an array.');
  }
  if (isDeeper(params, MAX_DEPTH)) {
    return toError(codes.invalidParams, 'params are nested too deeply.');
  }
  if (own) return own(params);
  if (served) return forward(method, params, { ...context, served });
  const refusal = await refuseOld(atBlock(1), params, context);
  return refusal ?? estimateRollup(params, context);
}

async function forward(
  method: string,
  given: unknown[],
  context: Context & { served: Served },
): Promise<Outcome> {
  const { ask, chainId, nearHead, served } = context;
  const { last, found, isNullable, reach, isSent } = served;
  const params = last && given.length === last.at ? [...given, last.value] : given;
  checkParams(params, served);
  const refusal = reach && (await refuseOld(reach, params, context));
  if (refusal) return refusal;
  const outcome = await ask(method, params);
  if (outcome.error) {
    // Pruned data is not the same as no data.
    const isMissing = findReading(outcome)?.topic === 'missing' && !isLacking(outcome);
    return isNullable && isMissing ? { result: null } : outcome;
  }
  if (!found || (outcome.result === null && !isSent)) {
    return withLists(method, outcome, isNullable);
  }
  const whole = await complete(method, outcome.result, {
    params,
    ask: async (...more) => (await ask(...more)).result,
    chainId: BigInt(chainId),
  });
  const read = validate(whole, found);
  if (!('value' in read)) {
    return failWith(`${BAD_ANSWER} ${describeRejection(read.rejection, 'result')}`);
  }
  const isHidden = nearHead && !isSent && (await isTooOld(read.value, context));
  const result = isHidden ? null : read.value;
  const listed = withLists(method, { result }, isNullable);
  return isSent && listed.error ? { result: whole } : listed;
}

async function refuseOld(reach: Reach, params: readonly unknown[], context: Context) {
  return context.nearHead ? refuseArchive(reach(params), context) : undefined;
}

function refuse(status: number, code: number, message: string): RpcReply {
  return { status, body: JSON.stringify(toAnswer(null, { error: { code, message } })) };
}

// Over HTTP, one error answers the whole request, as in public APIs, with a status. Over a
// WebSocket, only ids tell which request an error belongs to, so each request of a batch gets its
// own error.
function toLimited(
  { status, headers, error }: ServiceFailure,
  value: unknown,
  isSocket: boolean,
): RpcReply {
  const requests = [value].flat();
  const asked = requests.filter((each) => !isSocket || !isNotification(each));
  if (asked.length === 0 && requests.length > 0) return { status };
  const answers = asked.map((each) => toAnswer(findId(each) ?? null, { error }));
  const one = answers.length === 1 ? answers[0] : toAnswer(null, { error });
  const isPerRequest = isSocket && Array.isArray(value) && answers.length > 0;
  return { status, headers, body: writeJson(isPerRequest ? answers : one) };
}

function toErrorOutcome(error: unknown): Outcome {
  if (error instanceof TollkeeperError) return toError(error.code, error.message);
  return { error: toFailure(error).error };
}

/** Methods that find a transaction by its position, with the method that fetches its block. */
const blockMethods: Record<string, string> = {
  eth_getTransactionByBlockHashAndIndex: 'eth_getBlockByHash',
  eth_getTransactionByBlockNumberAndIndex: 'eth_getBlockByNumber',
};

// Completes answers as our client does. A transaction requested by its position gets its hash from
// the block.
async function complete(
  method: string,
  result: unknown,
  asked: Parameters<typeof completeAnswer>[2],
): Promise<unknown> {
  const blockMethod = blockMethods[method];
  if (blockMethod === undefined || !isObject(result)) {
    return completeAnswer(method, result, asked);
  }
  const [block, transactionIndex] = asked.params;
  const answer = await asked.ask(blockMethod, [block, false]);
  const { hash, number, transactions } = isObject(answer) ? answer : ({} as never);
  const known: Record<PropertyKey, unknown> = {
    hash: Array.isArray(transactions)
      ? transactions[Number(transactionIndex)]
      : undefined,
    // The pending block has no hash yet, and its transactions are not in a block.
    ...(typeof hash === 'string' && {
      blockHash: hash,
      blockNumber: number,
      transactionIndex,
    }),
  };
  const given = Object.entries(result).filter(
    ([name, value]) => value !== null || known[name] === undefined,
  );
  const row = { ...known, ...Object.fromEntries(given) };
  return completeAnswer('eth_getTransactionByHash', row, { ...asked, params: [] });
}
