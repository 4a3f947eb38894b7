// tollkeeper_setChain and tollkeeper_getChains: a chain's servers. Secrets can be set, but never
// read.
import { type } from '@metamask/superstruct';
import type { Json } from '@metamask/utils';

import { InvalidParamsError } from '../core/errors';
import { ChainIdStruct, toCaip2 } from '../eth/chain';
import type { ChainId } from '../eth/chain';
import { isSameJson, parse, parseObjectParams } from '../schema/parse';
import { arrayServers, ChainConfigurationStruct } from '../state/chain-row';
import type { ChainRow } from '../state/chain-row';
import type { PrivateStore } from '../state/private-state';
import { toPublicUrl } from './chain';
import { findContracts } from './contracts';
import type { Contracts } from './contracts';
import { credentials, listRecipients, serverFields } from './probe';
import type { BatchSupport, ChainChange, ProbeChain } from './probe';

/** A row for display: no credentials, URLs cut to scheme and host, and the contracts of new
 * accounts if the row names an EntryPoint. */
type ShownChain = Record<string, Json> & { chainId: string; contracts?: Contracts };

export type ConfirmChain = (chainId: ChainId, change: ChainChange) => Promise<unknown>;

const SECRETS: readonly string[] = credentials;
const URLS: readonly string[] = serverFields;

/**
 * Configures a chain from `[{ chainId, rpcUrl?, … }]` or the bare object, and returns the redacted
 * row. An absent field keeps its value, and null clears it. A credential stays bound to the hosts
 * it was given for. Unless the change comes from the home page, asks the user first. Then probes
 * the changed servers and contracts. If anything throws, nothing is changed.
 *
 * @throws {InvalidParamsError | UnavailableError} If a field is invalid or its server does not
 *   answer; the message names the field.
 */
export async function setChain(
  params: unknown,
  { store, probe }: { store: PrivateStore; probe: ProbeChain },
  confirm?: ConfirmChain,
): Promise<ShownChain> {
  const { chainId, apply } = parseChange(params);
  const scope = toCaip2(chainId);
  const before = (await store.read()).chains[scope] ?? {};
  const change = { before, after: apply(before) };
  if (confirm && !isSameJson(before, change.after)) await confirm(chainId, change);
  const probed = await probe(chainId, change);
  // Applies the change to the current row, which another call may have changed in the meantime.
  const { chains } = await store.update((state) => {
    const current = state.chains[scope] ?? {};
    const after = apply(current);
    if (confirm) assertStillConfirmed(change, { before: current, after });
    const row = withBatchSupport(after, probed);
    return { ...state, chains: { ...state.chains, [scope]: row } };
  });
  return toShown(scope, chains[scope] ?? {});
}

/** Throws `InvalidParamsError` if the changes differ from the changes that the user confirmed. */
export function assertStillConfirmed<Row extends object>(
  asked: { before: Row; after: Row },
  now: { before: Row; after: Row },
): void {
  const changes = findChanges(now);
  if (changes.length === 0 || isSameJson(changes, findChanges(asked))) return;
  throw new InvalidParamsError(
    'The configuration changed while the user was deciding. Nothing was saved; send the request again.',
  );
}

function findChanges({ before, after }: { before: object; after: object }): unknown[] {
  return Object.keys({ ...before, ...after })
    .sort()
    .map((name) => [name, before[name as never], after[name as never]])
    .filter(([, from, to]) => !isSameJson(from, to));
}

/** Computes the row that {@link setChain} would save; throws an `InvalidParamsError` that names the
 * field. Asks no server and saves nothing. */
export async function findNextRow(
  params: unknown,
  store: PrivateStore,
): Promise<{ chainId: ChainId; row: ChainRow }> {
  const { chainId, apply } = parseChange(params);
  const { chains } = await store.read();
  return { chainId, row: apply(chains[toCaip2(chainId)] ?? {}) };
}

/** `scope` is the chain's CAIP-2 id. */
export async function removeChain(scope: string, store: PrivateStore): Promise<void> {
  await store.update((state) => {
    const others = Object.entries(state.chains).filter(([other]) => other !== scope);
    return { ...state, chains: Object.fromEntries(others) };
  });
}

function parseChange(params: unknown): {
  chainId: ChainId;
  apply: (row: ChainRow) => ChainRow;
} {
  const root = 'tollkeeper_setChain: params';
  const struct = type({ chainId: ChainIdStruct });
  const { chainId, ...fields } = parseObjectParams(params, struct, root);
  const given = Object.entries(fields);
  const cleared = given.filter(([, value]) => value === null).map(([name]) => name);
  const { schema } = ChainConfigurationStruct;
  const unknown = cleared.find((name) => !Object.hasOwn(schema, name));
  if (unknown !== undefined) {
    throw new InvalidParamsError(`${root}.${unknown} is not expected here.`);
  }
  const changed = Object.fromEntries(given.filter(([, value]) => value !== null));
  const set = parse(changed, ChainConfigurationStruct, root);
  const named = given.map(([name]) => name);
  const apply = (before: ChainRow): ChainRow => {
    const kept = Object.entries({ ...before, ...set });
    const isKept = ([name]: [string, unknown]): boolean => !cleared.includes(name);
    const after: ChainRow = Object.fromEntries(kept.filter(isKept));
    assertKeysStay({ before, after }, named, root);
    if (after.factory !== undefined && after.entryPoint === undefined) {
      throw new InvalidParamsError(
        `${root}.factory needs entryPoint: the version of the EntryPoint that the factory uses. Nothing was saved.`,
      );
    }
    return after;
  };
  return { chainId, apply };
}

// Credentials that a change does not name stay bound to their hosts: a caller that may change a
// URL, but not read a key, must not be able to redirect the key to its own host.
function assertKeysStay(
  { before, after }: ChainChange,
  named: readonly string[],
  root: string,
): void {
  for (const name of credentials) {
    if (before[name] === undefined || named.includes(name)) continue;
    const fields = listRecipients(name);
    const known = fields.map((field) => findHost(before[field]));
    const other = fields.find(
      (field) => after[field] !== undefined && !known.includes(findHost(after[field])),
    );
    if (other === undefined) continue;
    throw new InvalidParamsError(
      `${root}.${name} must be given again or removed: it was not given for the host of ` +
        `${other}. Nothing was saved.`,
      { context: { field: name } },
    );
  }
}

// Ignores the scheme, because a node's WebSocket and HTTP URLs share a host.
function findHost(url: string | undefined): string | undefined {
  return url === undefined ? undefined : new URL(url).host;
}

/** Lists the configured chains, redacted. */
export async function getChains(store: PrivateStore): Promise<ShownChain[]> {
  const { chains } = await store.read();
  return Object.entries(chains).map(([scope, row]) => toShown(scope, row));
}

function toShown(scope: string, row: ChainRow): ShownChain {
  const shown = Object.entries(row).map(([name, value]) => {
    if (SECRETS.includes(name)) return [name, '[redacted]'];
    const isUrl = URLS.includes(name) && typeof value === 'string';
    return [name, isUrl ? toPublicUrl(value) : value];
  });
  const contracts = findContracts(row);
  return {
    chainId: scope,
    ...(Object.fromEntries(shown) as Record<string, Json>),
    ...(contracts ? { contracts } : {}),
  };
}

// Keeps the stored batch support of servers that were not probed.
function withBatchSupport(
  { singleCallsOnly = [], ...row }: ChainRow,
  probed: BatchSupport,
): ChainRow {
  const single = arrayServers.filter(
    (server) =>
      row[server] !== undefined &&
      !(probed[server] ?? !singleCallsOnly.includes(server)),
  );
  return single.length === 0 ? row : { ...row, singleCallsOnly: single };
}
