// A typed JSON-RPC client over any transport: params are checked before they leave, results before
// they are believed.
import type { Json } from '@metamask/utils';

import { UnsupportedMethodError } from '../../errors';
import { parse } from '../../schema/parse';
import { readAnswer, readAt, RpcError } from '../errors';
import { nodeSchema, toRollupMethod } from './schema';
import type { RpcMethod, RpcSchema } from './schema';
import type { Transport } from './transport';

/** What may be said about one call. */
export type CallOptions = {
  /** Gives the call up: it then rejects with the signal's reason. */
  signal?: AbortSignal | undefined;
  /** Whether it may take long, so that other calls of this tick go without it. */
  isSlow?: boolean | undefined;
};

/** Calls the methods of a schema. */
export type RpcClient<Schema extends RpcSchema> = {
  /** How messages name the server. */
  readonly label: string;
  /**
   * Call a method. Calls made in one tick go in one batch where the transport has them.
   *
   * @throws {InvalidParamsError} Before anything is sent, naming the path.
   * @throws {InvalidResponseError} If the result is not what the method answers.
   * @throws {RpcError} What the server says; else what the transport throws.
   */
  readonly request: <Name extends keyof Schema & string>(
    method: Name,
    params: Schema[Name]['params']['TYPE'],
    options?: CallOptions,
  ) => Promise<Schema[Name]['result']['TYPE']>;
};

/** A client of a node. */
export type NodeClient = RpcClient<typeof nodeSchema>;

/**
 * Create a client for the methods of a schema.
 *
 * @param toWireName - Names a method as the server does, where that differs.
 */
export function createRpcClient<Schema extends RpcSchema>(
  schema: Schema,
  transport: Transport,
  toWireName: (method: string) => string = String,
): RpcClient<Schema> {
  const { label } = transport;
  return {
    label,
    request: async (name, params, { signal, isSlow } = {}) => {
      if (!Object.hasOwn(schema, name)) {
        throw new UnsupportedMethodError('The client does not know this method.');
      }
      const row = schema[name] as Schema[typeof name];
      const { idempotent } = row;
      const checked = parse(params, row.params, `${name}: params`) as Json[];
      const method = toWireName(name);
      const call = {
        method,
        params: checked,
        idempotent,
        signal,
        ...(isSlow && { isSlow }),
      };
      const answer = await transport.request(call).catch((error: unknown) => {
        if (isNull(error, row)) return null;
        throw error;
      });
      const place = { label: `${method} at ${label}`, mayBeDone: !idempotent };
      return readAt(place, () => readAnswer(answer, row.result));
    },
  };
}

/**
 * Create a client of a node.
 *
 * @param chainId - The node's chain: rollups name their estimate each in its own way.
 */
export function createNodeClient(transport: Transport, chainId?: bigint): NodeClient {
  const rollupMethod = toRollupMethod(chainId);
  return createRpcClient(nodeSchema, transport, (method) =>
    method === 'rollup_estimateGas' ? rollupMethod : method,
  );
}

function isNull(error: unknown, row: RpcMethod): boolean {
  if (!(error instanceof RpcError)) return false;
  return row.isNull?.({ code: error.code, message: error.said }) ?? false;
}
