// rpc.discover: the OpenRPC document of what can be called here, which is shipped beside the
// bundle. It is the same for everyone, and tells nothing of what is stored.
import { isObject } from '@metamask/utils';
import type { Json } from '@metamask/utils';

import { UnavailableError } from '../errors';
import type { RateLimit } from './rate-limit';

/** Answers with the document. */
export type Discover = () => Promise<Json>;

/** What discovering needs. */
export type DiscoverServices = { rateLimit: RateLimit; discover: Discover };

const FILE = 'openrpc.json';

/**
 * Create what reads the document, once while the worker lives.
 *
 * @param readFile - Reads a shipped file; null if it is not there.
 * @returns A function that throws {UnavailableError} if the document is missing or no JSON.
 */
export function createDiscover(
  readFile: (path: string) => Promise<string | null>,
): Discover {
  let document: Json | undefined;
  return async () => {
    document ??= parseDocument(await readFile(FILE).catch(() => null));
    return document;
  };
}

/**
 * Answer `rpc.discover`.
 *
 * @throws {LimitExceededError} If the origin asks too often: the answer is long.
 * @see https://spec.open-rpc.org/#service-discovery-method
 */
export async function handleDiscover(
  { origin }: { origin: string },
  { rateLimit, discover }: DiscoverServices,
): Promise<Json> {
  rateLimit(origin, 'read');
  return discover();
}

function parseDocument(file: string | null): Json {
  try {
    const document = JSON.parse(file ?? 'null') as Json;
    if (isObject(document)) return document;
  } catch {
    // Said below.
  }
  throw new UnavailableError(
    `The description of the methods (${FILE}) cannot be read: install Tollkeeper anew.`,
  );
}
