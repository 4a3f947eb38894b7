// A typed JSON-RPC client over any transport: params are checked before they leave,
// results before they are believed.
import type { Json } from '@metamask/utils';

import { describeRejection, parse, validate } from '../../parse';
import { InvalidResponseError } from '../errors';
import type { nodeSchema, RpcSchema } from './schema';
import type { Transport } from './transport';

/** Calls the methods of a schema. */
export type RpcClient<Schema extends RpcSchema> = {
  /** How messages name the server. */
  readonly label: string;
  /**
   * Call a method. Calls made in one tick go in one batch where the transport has them.
   *
   * @throws {InvalidParamsError} Before anything is sent, naming the path.
   * @throws {InvalidResponseError} If the result is not what the method answers.
   */
  readonly request: <Name extends keyof Schema & string>(
    method: Name,
    params: Schema[Name]['params']['TYPE'],
  ) => Promise<Schema[Name]['result']['TYPE']>;
};

/** A client of a node. */
export type NodeClient = RpcClient<typeof nodeSchema>;

/** Create a client for the methods of a schema. */
export function createRpcClient<Schema extends RpcSchema>(
  schema: Schema,
  transport: Transport,
): RpcClient<Schema> {
  return {
    label: transport.label,
    request: async (method, params) => {
      const row = schema[method] as Schema[typeof method];
      const checked = parse(params, row.params, `${method}: params`) as Json[];
      const answer = await transport.request({ method, params: checked });
      const result = validate(answer, row.result);
      if ('value' in result) return result.value;
      const what = `${method} at ${transport.label}`;
      throw new InvalidResponseError(
        what,
        describeRejection(result.rejection, 'result'),
      );
    },
  };
}
