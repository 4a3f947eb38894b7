// Credentials that a change of configuration keeps stay at the hosts that they were given
// for: whoever may change an address, but not read a key, must not be able to have the key
// sent to a host of their own.
import { InvalidParamsError } from '../errors';
import type { ChainRow } from '../state/chain-row';

/** Credentials, and the servers that are sent them. */
const servers = {
  apiKey: ['rpcUrl', 'wsUrl', 'gasBaseUrl'],
  apiKeySecret: ['gasBaseUrl'],
  bundlerApiKey: ['bundlerUrl'],
} as const satisfies Partial<Record<keyof ChainRow, readonly (keyof ChainRow)[]>>;

/** The names of credentials. */
export const credentials = Object.keys(servers) as readonly (keyof typeof servers)[];

/** A row as it is, as it is to be, and the fields that the change names. */
type RowChange = { before: ChainRow; after: ChainRow; named: readonly string[] };

/**
 * Check that no credential that is kept goes to a host that it was not given for.
 *
 * @param root - How messages name the change.
 * @throws {InvalidParamsError} Naming the credential that has to be given anew.
 */
export function assertKeysStay(
  { before, after, named }: RowChange,
  root: string,
): void {
  for (const name of credentials) {
    if (before[name] === undefined || named.includes(name)) continue;
    const fields = servers[name];
    const known = fields.map((field) => findHost(before[field]));
    const other = fields.find(
      (field) => after[field] !== undefined && !known.includes(findHost(after[field])),
    );
    if (other === undefined) continue;
    throw new InvalidParamsError(
      `${root}.${name} must be given anew, or removed: it was not given for the host of ` +
        `${other}. Nothing was saved.`,
      { context: { field: name } },
    );
  }
}

// Without the scheme: a node's socket is at the host of its HTTP address.
function findHost(url: string | undefined): string | undefined {
  return url === undefined ? undefined : new URL(url).host;
}
