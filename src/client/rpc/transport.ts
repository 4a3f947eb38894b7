// The port between a JSON-RPC client and what carries its calls: HTTP, or the wallet's
// own provider.
import type { Json } from '@metamask/utils';

/** A JSON-RPC call before it has an id. */
export type RpcCall = { method: string; params: Json[] };

/** Carries calls to a server. */
export type Transport = {
  /** How messages name the server; holds no secret. */
  readonly label: string;
  /**
   * Carry one call.
   *
   * @returns The result as it came, unchecked.
   * @throws {RpcError} If the server answered with an error; else what `client/errors`
   * names.
   */
  readonly request: (call: RpcCall) => Promise<unknown>;
};
