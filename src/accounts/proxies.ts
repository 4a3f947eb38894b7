// The creation code by which addresses of smart accounts are computed: a file beside the bundle,
// since few workers need it.
import { UnavailableError } from '../errors';
import type { ProxyCode } from '../eth/smart-account';

/** The file, in the repository as among those that are shipped. */
export const PROXIES = 'src/accounts/proxies.json';

/** Reads a shipped file; null if it is not there. */
export type ReadFile = (path: string) => Promise<string | null>;

/** Reads the creation code; throws `UnavailableError` if its file is missing. */
export async function readProxyCode(readFile: ReadFile): Promise<ProxyCode> {
  const file = await readFile(PROXIES);
  if (file !== null) return JSON.parse(file) as ProxyCode;
  throw new UnavailableError(`${PROXIES} is missing: install Tollkeeper anew.`);
}
