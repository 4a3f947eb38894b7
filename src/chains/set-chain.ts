// tollkeeper_setChain and tollkeeper_getChains: which servers a chain has. Secrets go in
// and never come out.
import { type } from '@metamask/superstruct';
import type { Json } from '@metamask/utils';

import { toLabel } from '../client';
import { InvalidParamsError } from '../errors';
import { ChainIdStruct, toCaip2 } from '../eth/chain';
import type { ChainId } from '../eth/chain';
import { parse, parseObjectParams } from '../parse';
import { arrayServers, ChainConfigurationStruct } from '../state/chain-row';
import type { ChainRow } from '../state/chain-row';
import type { PrivateStore } from '../state/private-state';
import { toContracts } from './contracts';
import type { Contracts } from './contracts';
import { assertKeysStay, credentials } from './kept-keys';
import type { ArrayUses, ProbeChain } from './probe';

/**
 * A row as it may be shown: credentials replaced, URLs without what looks like one, and the
 * contracts that hold with it.
 */
export type ShownChain = Record<string, Json> & {
  chainId: string;
  contracts: Contracts;
};

/** What setting needs. */
export type SetChainServices = { store: PrivateStore; probe: ProbeChain };

const REDACTED = '[redacted]';

const SECRETS: readonly string[] = credentials;

const URLS: readonly string[] = [
  'rpcUrl',
  'wsUrl',
  'gasBaseUrl',
  'bundlerUrl',
  'paymasterUrl',
];

/**
 * Configure a chain. A key that is absent keeps what was set, null clears it; a credential
 * is not kept for a host that it was not given for. What changes is asked whether it is what
 * it is set as, before it is stored.
 *
 * @param params - `[{ chainId, rpcUrl?, … }]` or the object alone.
 * @returns The row as it is now, redacted.
 * @throws {InvalidParamsError} Naming the field; nothing is changed then.
 * @throws {UnavailableError} Naming the field whose server does not tell; likewise.
 */
export async function setChain(
  params: unknown,
  { store, probe }: SetChainServices,
): Promise<ShownChain> {
  const { chainId, apply } = parseChange(params);
  const scope = toCaip2(chainId);
  const before = (await store.read()).chains[scope] ?? {};
  const uses = await probe(chainId, { before, after: apply(before) });
  // What another call has set meanwhile is kept.
  const { chains } = await store.update((state) => {
    const row = withArrayUses(apply(state.chains[scope] ?? {}), uses);
    return { ...state, chains: { ...state.chains, [scope]: row } };
  });
  return toShown(scope, chains[scope] ?? {});
}

/**
 * Find the row that {@link setChain} would save; nobody is asked and nothing is saved.
 *
 * @throws {InvalidParamsError} Naming the field.
 */
export async function findNextRow(
  params: unknown,
  store: PrivateStore,
): Promise<{ chainId: ChainId; row: ChainRow }> {
  const { chainId, apply } = parseChange(params);
  const { chains } = await store.read();
  return { chainId, row: apply(chains[toCaip2(chainId)] ?? {}) };
}

/** Forget all that is configured for a chain (CAIP-2). */
export async function removeChain(scope: string, store: PrivateStore): Promise<void> {
  await store.update((state) => {
    const others = Object.entries(state.chains).filter(([other]) => other !== scope);
    return { ...state, chains: Object.fromEntries(others) };
  });
}

type Change = { chainId: ChainId; apply: (row: ChainRow) => ChainRow };

function parseChange(params: unknown): Change {
  const root = 'tollkeeper_setChain: params';
  const struct = type({ chainId: ChainIdStruct });
  const { chainId, ...fields } = parseObjectParams(params, struct, root);
  const given = Object.entries(fields);
  const cleared = given.filter(([, value]) => value === null).map(([name]) => name);
  const unknown = cleared.find(
    (name) => !Object.hasOwn(ChainConfigurationStruct.schema, name),
  );
  if (unknown !== undefined) {
    throw new InvalidParamsError(`${root}.${unknown} is not expected here.`);
  }
  const set = parse(
    Object.fromEntries(given.filter(([, value]) => value !== null)),
    ChainConfigurationStruct,
    root,
  );
  const named = given.map(([name]) => name);
  const apply = (before: ChainRow): ChainRow => {
    const after = without({ ...before, ...set }, cleared);
    assertKeysStay({ before, after, named }, root);
    return after;
  };
  return { chainId, apply };
}

/** List the configured chains, redacted. */
export async function getChains(store: PrivateStore): Promise<ShownChain[]> {
  const { chains } = await store.read();
  return Object.entries(chains).map(([scope, row]) => toShown(scope, row));
}

function toShown(scope: string, row: ChainRow): ShownChain {
  const shown = Object.entries(row).map(([name, value]) => {
    if (SECRETS.includes(name)) return [name, REDACTED];
    const isUrl = URLS.includes(name) && typeof value === 'string';
    return [name, isUrl ? toLabel(value) : value];
  });
  return {
    chainId: scope,
    ...(Object.fromEntries(shown) as Record<string, Json>),
    contracts: toContracts(row),
  };
}

// What was found out about the servers that were asked, and what was known of the others.
function withArrayUses(
  { singleCallsOnly = [], ...row }: ChainRow,
  uses: ArrayUses,
): ChainRow {
  const single = arrayServers.filter(
    (server) =>
      row[server] !== undefined && !(uses[server] ?? !singleCallsOnly.includes(server)),
  );
  return single.length === 0 ? row : { ...row, singleCallsOnly: single };
}

function without(row: ChainRow, names: readonly string[]): ChainRow {
  return Object.fromEntries(
    Object.entries(row).filter(([name]) => !names.includes(name)),
  );
}
