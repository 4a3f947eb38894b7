// The JSON-RPC engine of one origin, a website or the snap: MetaMask's method and
// permission middleware, then the network.
import {
  createAsyncMiddleware,
  JsonRpcEngine,
  type JsonRpcMiddleware,
} from '@metamask/json-rpc-engine';
import { createSnapsMethodMiddleware } from '@metamask/snaps-rpc-methods';
import type { Json, JsonRpcParams } from '@metamask/utils';

import { createChainMiddleware, type Chain } from './chain';
import { createMethodHooks } from './method-hooks';
import type { Platform } from './platform';

/** A JSON-RPC call as a snap made it. */
export type SnapCall = { method: string; params?: JsonRpcParams };

/** What an engine needs beside the platform. */
export type EngineOptions = {
  origin: string;
  isSnap: boolean;
  chain: Chain;
  /** Called before each call; a throw makes the call fail with it. */
  onCall?: (call: SnapCall) => void | Promise<void>;
};

/**
 * Create the engine of one origin.
 *
 * @param platform - The wallet's parts.
 * @param options - Whose engine it is.
 * @returns The engine.
 */
export function createEngine(
  platform: Platform,
  options: EngineOptions,
): JsonRpcEngine {
  const { origin, isSnap, chain, onCall } = options;
  const engine = new JsonRpcEngine();
  if (onCall) engine.push(createCallMiddleware(onCall));
  engine.push(createOriginMiddleware(origin));
  engine.push(createSnapsMethodMiddleware(isSnap, createMethodHooks(origin, platform)));
  engine.push(platform.permissions.createPermissionMiddleware({ origin }));
  engine.push(createChainMiddleware(chain));
  return engine;
}

function createCallMiddleware(
  onCall: NonNullable<EngineOptions['onCall']>,
): JsonRpcMiddleware<JsonRpcParams, Json> {
  return createAsyncMiddleware(async ({ method, params }, _response, next) => {
    await onCall({ method, ...(params !== undefined && { params }) });
    await next();
  });
}

/** MetaMask's handlers read the caller's origin from the request. */
function createOriginMiddleware(
  origin: string,
): JsonRpcMiddleware<JsonRpcParams, Json> {
  return (request, _response, next) => {
    Object.assign(request, { origin });
    next();
  };
}
