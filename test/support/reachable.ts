// Searches values for secrets as hostile code would: through properties, prototypes and entries,
// without calling anything.

type Found = { path: string; value: unknown };

/** Lists every reachable value once. Getters are listed but not called. */
export function listReachable(root: unknown): Found[] {
  const found: Found[] = [{ path: '', value: root }];
  const seen = new Set<unknown>([root]);
  // The list grows during the loop.
  for (const { path, value } of found) {
    for (const [name, next] of partsOf(value)) {
      if (isObject(next) && seen.has(next)) continue;
      seen.add(next);
      found.push({ path: `${path}.${name}`, value: next });
    }
  }
  return found;
}

/** Lists the paths at which private keys occur as text, bytes or a number. */
export function findKeys(root: unknown, keys: readonly string[]): string[] {
  const needles = keys.map((key) => key.slice(2).toLowerCase());
  return listReachable(root).flatMap(({ path, value }) => {
    const text = toText(value);
    return needles.some((key) => text.includes(key)) ? [path] : [];
  });
}

export function listFunctions(root: unknown): string[] {
  return listReachable(root).flatMap(({ path, value }) =>
    typeof value === 'function' ? [path.slice(path.lastIndexOf('.') + 1)] : [],
  );
}

function isObject(value: unknown): value is object {
  return (typeof value === 'object' && value !== null) || typeof value === 'function';
}

function partsOf(value: unknown): [name: string, part: unknown][] {
  if (!isObject(value) || ArrayBuffer.isView(value)) return [];
  const own = Reflect.ownKeys(value).flatMap((key): [string, unknown][] => {
    const property = Reflect.getOwnPropertyDescriptor(value, key) ?? {};
    const parts: unknown[] = [property.value, property.get, property.set];
    return parts.map((each) => [String(key), each]);
  });
  const entries =
    value instanceof Map || value instanceof Set ? [...value.entries()].flat() : [];
  return [
    ...own,
    ...entries.map((each): [string, unknown] => ['entry', each]),
    ['prototype', Reflect.getPrototypeOf(value)],
  ];
}

function toText(value: unknown): string {
  if (typeof value === 'string') return value.toLowerCase();
  if (typeof value === 'bigint') return value.toString(16);
  if (!(value instanceof ArrayBuffer) && !ArrayBuffer.isView(value)) return '';
  const bytes =
    value instanceof ArrayBuffer
      ? Buffer.from(value)
      : Buffer.from(value.buffer, value.byteOffset, value.byteLength);
  return `${bytes.toString('hex')} ${bytes.toString('latin1').toLowerCase()}`;
}
