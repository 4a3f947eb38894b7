// Builds the snap's descriptor files: merges includes, removes parts that the engine never reads,
// and puts descriptors with the same formats into the same file.
import { posix } from 'node:path';

import { type ClearSigRepositoryEntry, repository } from 'micro-eth-signer/clearsig.js';
import { type AbiFunction, toFunctionSelector } from 'viem';

import type { Hex } from '../../src/eth/hex';
import {
  type DescriptorFile,
  type DescriptorIndex,
  INDEX_DIGITS,
} from '../../src/review/describe/descriptors';
import { isCoin } from '../../src/ui/tokens';
import { METADATA } from './sources';
import type { Field, Format, Params, Source, Sources } from './sources';

export const FOLDER = 'clear-signing';

const MAX_FILE = 32_000;

export type Bound = {
  name: string;
  /** Conditions on the domain of documents; undefined for calls. */
  eip712: { domain?: object; domainSeparator?: string } | undefined;
  metadata: { owner?: string };
  definitions: object;
  /** Formats by selector or type hash, each with its function signature or its document type. */
  formats: Record<string, [key: string, format: Format]>;
  deployments: Record<string, number[]>;
};

export type Binding = { bound: Bound[]; invalid: { name: string; reason: string }[] };

/** Merges includes, and finds the contracts of each descriptor as the engine does. */
export function bindSources(sources: Sources): Binding {
  const binding: Binding = { bound: [], invalid: [] };
  for (const name of Object.keys(sources).sort()) {
    try {
      const bound = bind(name, sources);
      if (bound === undefined) continue;
      toUnits(bound);
      binding.bound.push(bound);
    } catch (error) {
      binding.invalid.push({ name, reason: (error as Error).message });
    }
  }
  return binding;
}

type Table = Record<
  string,
  Record<string, ClearSigRepositoryEntry[] | Record<string, ClearSigRepositoryEntry>>
>;

/** The major version of ERC-7730 that the engine reads. Minor versions only add keys, which the
 * engine ignores. */
const MAJOR = '2';

function bind(name: string, sources: Sources): Bound | undefined {
  const { context, metadata, display } = resolveIncludes(name, sources);
  const { definitions = {}, formats = {} } = display ?? {};
  // The engine checks the descriptor. Its tables keep the order of the formats.
  const { contracts, eip712 } = repository({ [name]: { context, metadata, display } });
  const deployments: Record<string, number[]> = {};
  let keys: string[] = [];
  const table: Table = context?.eip712 ? eip712 : contracts;
  for (const [chain, addresses] of Object.entries(table)) {
    for (const [address, entries] of Object.entries(addresses)) {
      (deployments[address] ??= []).push(Number(chain));
      keys = Array.isArray(entries) ? entries.map(toSelector) : Object.keys(entries);
    }
  }
  // Included files, and interfaces without contracts, describe nothing on their own.
  if (keys.length === 0) return undefined;
  if (new Set(keys).size !== Object.keys(formats).length) {
    throw new Error('has two formats for the same call or document');
  }
  return {
    name,
    eip712: context?.eip712 && pick(context.eip712, ['domain', 'domainSeparator']),
    metadata: pick(metadata ?? {}, METADATA),
    definitions,
    formats: Object.fromEntries(
      Object.entries(formats).map(([key, format], index) => [
        keys[index] ?? '',
        [key, trimFormat(format)],
      ]),
    ),
    deployments,
  };
}

function toSelector({ fn }: ClearSigRepositoryEntry): string {
  return toFunctionSelector({ ...fn, outputs: [] } as unknown as AbiFunction);
}

function pick<Value extends object, Key extends keyof Value>(
  value: Value,
  keys: readonly Key[],
): Pick<Value, Key> {
  const kept = Object.entries(value).filter(([key]) => keys.includes(key as Key));
  return Object.fromEntries(kept) as Pick<Value, Key>;
}

function trimFormat(format: Format): Format {
  const { interpolatedIntent: sentence, fields = [] } = format;
  const isLoose = sentence !== undefined && !sentence.includes(`{${ROOT}`);
  const trimmed = trimFields(isLoose ? fields.map(toLoose) : fields);
  return { ...pick(format, ['intent', 'interpolatedIntent']), fields: trimmed };
}

const ROOT = '#.';

// The engine compares the paths of fields and of the interpolated intent character by character, so
// both must omit the prefix.
function toLoose(field: Field): Field {
  const { path = '' } = field;
  return path.startsWith(ROOT) ? { ...field, path: path.slice(ROOT.length) } : field;
}

// Removes fields that are never visible, as the engine does. An invisible group stays, because its
// fields may be visible.
function trimFields(fields: Field[]): Field[] {
  return fields
    .filter((field) => field.visible !== 'never' || field.fields)
    .map((field) => ({
      ...field,
      ...(field.params && { params: trimParams(field.params) }),
      ...(field.fields && { fields: trimFields(field.fields) }),
    }));
}

// The engine ignores the threshold of amounts in native currency, but not of amounts in tokens. So
// native currency is treated as a token, whose unit the snap knows.
function trimParams(params: Params): Params {
  const { nativeCurrencyAddress: coins, ...rest } = params;
  const isCoins =
    coins !== undefined && [coins].flat().every((coin) => isCoin(coin as Hex));
  return isCoins && 'threshold' in params ? rest : params;
}

/** Merges included descriptors like the engine, which does not export its function: the including
 * file takes precedence, and fields with the same path or value are merged. */
function resolveIncludes(name: string, sources: Sources, seen: string[] = []): Source {
  const source = sources[name];
  if (source === undefined) throw new Error(`includes ${name}, which is missing`);
  const [, major = MAJOR] = /erc7730-v(\d+)/u.exec(source.$schema ?? '') ?? [];
  if (major !== MAJOR) throw new Error(`${name} is of version ${major} of ERC-7730`);
  if (seen.includes(name)) throw new Error(`includes itself through ${name}`);
  const { includes = [], ...own } = source;
  const included = [includes].flat().map((path) => {
    const found = path in sources ? path : posix.join(posix.dirname(name), path);
    return resolveIncludes(found, sources, [...seen, name]);
  });
  return [...included, own].reduce(overlay, {});
}

function overlay(base: Source, over: Source): Source {
  const formats = { ...base.display?.formats };
  for (const [key, format] of Object.entries(over.display?.formats ?? {})) {
    const before = formats[key];
    const fields = mergeFields(before?.fields, format.fields);
    formats[key] = before ? { ...before, ...format, fields } : format;
  }
  const definitions = { ...base.display?.definitions, ...over.display?.definitions };
  return {
    ...base,
    ...over,
    context: { ...base.context, ...over.context },
    metadata: { ...base.metadata, ...over.metadata },
    display: { ...base.display, ...over.display, definitions, formats },
  };
}

function mergeFields(base: Field[] = [], over: Field[] = []): Field[] {
  const merged = [...base];
  for (const field of over) {
    const index = merged.findIndex((each) => isSame(each, field));
    const before = merged[index];
    const params = { ...before?.params, ...field.params };
    if (before) merged[index] = { ...before, ...field, params };
    else merged.push(field);
  }
  return merged;
}

const isSame = (one: Field, other: Field): boolean =>
  (['path', 'value'] as const).some(
    (key) => key in one && key in other && one[key] === other[key],
  );

/** A descriptor, the parts that it can share with others, and the size of the rest in bytes. */
type Unit = { bound: Bound; parts: string[]; size: number };

const EMPTY = 100;

/** Packs descriptors into files and an index, by file name. A descriptor goes into the file with
 * most of its parts, so that few files repeat the same formats. */
export function packFiles(all: readonly Bound[]): Map<string, string> {
  const rest = all.flatMap(toUnits);
  const files: Bound[][] = [];
  while (rest.length > 0) files.push(fillFile(rest).map(({ bound }) => bound));
  const named = files.map(
    (bound, index) => [String(index + 1).padStart(2, '0'), bound] as const,
  );
  const packed = new Map([['index.json', JSON.stringify(createIndex(named))]]);
  for (const [name, bound] of named) {
    packed.set(`${name}.json`, JSON.stringify(createFile(bound)));
  }
  return packed;
}

function fillFile(rest: Unit[]): Unit[] {
  const parts = new Set<string>();
  const units: Unit[] = [];
  let size = EMPTY;
  for (;;) {
    let best: { index: number; added: number; shared: number } | undefined;
    for (const [index, unit] of rest.entries()) {
      const known = unit.parts.filter((part) => parts.has(part));
      const shared = bytesOf(known);
      const added = unit.size + bytesOf(unit.parts) - shared;
      if (size + added > MAX_FILE || (best && shared <= best.shared)) continue;
      best = { index, added, shared };
    }
    if (best === undefined) return units;
    const [unit] = rest.splice(best.index, 1) as [Unit];
    for (const part of unit.parts) parts.add(part);
    size += best.added;
    units.push(unit);
  }
}

function toUnits(bound: Bound): Unit[] {
  const { definitions, formats } = bound;
  const parts = [...Object.values(formats), definitions].map((part) =>
    JSON.stringify(part),
  );
  const own = createFile([bound]).descriptors;
  const size = bytesOf([JSON.stringify(own)]) + 2 * parts.length;
  if (EMPTY + size + bytesOf(parts) <= MAX_FILE) return [{ bound, parts, size }];
  const entries = Object.entries(formats);
  if (entries.length === 1) throw new Error('is larger than a file');
  const middle = Math.ceil(entries.length / 2);
  return [entries.slice(0, middle), entries.slice(middle)].flatMap((half) =>
    toUnits({ ...bound, formats: Object.fromEntries(half) }),
  );
}

// Counts one byte for the separator after each text.
const bytesOf = (texts: readonly string[]): number =>
  texts.reduce((sum, text) => sum + Buffer.byteLength(text) + 1, 0);

function createFile(all: readonly Bound[]): DescriptorFile {
  const definitions = createPool<object>();
  const formats = createPool<[string, Format]>();
  const descriptors = all.map(({ eip712, metadata, deployments, ...bound }) => ({
    ...(eip712 && { eip712 }),
    metadata,
    deployments,
    definitions: definitions.add(bound.definitions),
    formats: Object.fromEntries(
      Object.entries(bound.formats).map(([key, format]) => [key, formats.add(format)]),
    ),
  }));
  return { definitions: definitions.all, formats: formats.all, descriptors };
}

function createPool<Value>(): { all: Value[]; add: (value: Value) => number } {
  const numbers = new Map<string, number>();
  const all: Value[] = [];
  const add = (value: Value): number => {
    const key = JSON.stringify(value);
    const number = numbers.get(key) ?? all.push(value) - 1;
    numbers.set(key, number);
    return number;
  };
  return { all, add };
}

function createIndex(files: readonly (readonly [string, Bound[]])[]): DescriptorIndex {
  const index: DescriptorIndex = { calls: {}, typed: {} };
  for (const [name, all] of files) {
    for (const { eip712, deployments } of all) {
      const kind = index[eip712 ? 'typed' : 'calls'];
      for (const address of Object.keys(deployments)) {
        const names = (kind[address.slice(-INDEX_DIGITS)] ??= []);
        if (!names.includes(name)) names.push(name);
      }
    }
  }
  return index;
}
