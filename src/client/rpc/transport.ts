// The port between a JSON-RPC client and what carries its calls: HTTP, a WebSocket, or
// the wallet's own provider.
import type { Json } from '@metamask/utils';

/** A JSON-RPC call before it has an id. */
export type RpcCall = {
  method: string;
  params: Json[];
  /** Whether asking twice does no harm; a call that does not say so is made once. */
  idempotent?: boolean | undefined;
  /** Gives the call up: it then rejects with the signal's reason. */
  signal?: AbortSignal | undefined;
};

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
