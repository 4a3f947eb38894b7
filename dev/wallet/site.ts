// A website in front of the wallet: its EIP-1193 provider.
import type { Json, JsonRpcRequest, JsonRpcResponse } from '@metamask/utils';

import { toJson } from './json';

/** The provider that a website finds as `window.ethereum`, without its events. */
export type Site = {
  readonly origin: string;
  /**
   * @throws {SiteError} With the code, message and data that MetaMask's own provider
   * rejects with.
   */
  request: (args: { method: string; params?: unknown }) => Promise<Json>;
};

/** An error as it reaches a website, through JSON. */
export class SiteError extends Error {
  override readonly name = 'SiteError';

  readonly code: number;

  readonly data: Json | undefined;

  constructor(error: { code: number; message: string; data?: Json | undefined }) {
    super(error.message);
    this.code = error.code;
    this.data = error.data;
  }
}

/**
 * Create the provider of a website.
 *
 * @param origin - The website.
 * @param handle - What answers its requests.
 * @returns The provider.
 */
export function createSite(
  origin: string,
  handle: (request: JsonRpcRequest) => Promise<JsonRpcResponse>,
): Site {
  let nextId = 1;
  return {
    origin,
    async request({ method, params }) {
      // Requests and answers cross to the page as JSON, which drops undefined fields.
      const request = toJson({ jsonrpc: '2.0', id: nextId++, method, params });
      const response = toJson(await handle(request as JsonRpcRequest));
      if ('error' in response) throw new SiteError(response.error);
      return response.result;
    },
  };
}
