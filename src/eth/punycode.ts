// Punycode decoded (RFC 3492): what a domain label of other letters than ASCII looks like.
// The platform's URL only encodes.

const BASE = 36;
const T_MIN = 1;
const T_MAX = 26;
const SKEW = 38;
const DAMP = 700;

/** A label of a domain has no more letters. */
const MAX_LENGTH = 63;

/** Decode a label: `xn--bcher-kva` → `bücher`; `undefined` if it is not Punycode. */
export function decodeLabel(label: string): string | undefined {
  const encoded = /^xn--(?<rest>[a-z0-9-]+)$/iu.exec(label)?.groups?.rest;
  if (encoded === undefined || encoded.length > MAX_LENGTH) return undefined;
  const border = encoded.lastIndexOf('-');
  const letters = [...encoded.slice(0, Math.max(0, border))];
  try {
    return insertAll(letters, encoded.slice(border + 1)).join('');
  } catch {
    return undefined;
  }
}

function insertAll(letters: string[], deltas: string): string[] {
  let code = 128;
  let bias = 72;
  let index = 0;
  let position = 0;
  while (position < deltas.length) {
    const { delta, next } = readDelta(deltas, position, bias);
    const length = letters.length + 1;
    bias = adapt(delta, length, index === 0 && code === 128 && letters.every(isAscii));
    code += Math.floor((index + delta) / length);
    index = (index + delta) % length;
    letters.splice(index, 0, String.fromCodePoint(code));
    index += 1;
    position = next;
  }
  return letters;
}

function readDelta(
  deltas: string,
  start: number,
  bias: number,
): { delta: number; next: number } {
  let delta = 0;
  let weight = 1;
  for (let next = start, k = BASE; next < deltas.length; k += BASE) {
    const digit = Number.parseInt(deltas.charAt(next), BASE);
    next += 1;
    // Digits of Punycode begin with the letters: a = 0, 0 = 26.
    const value = (digit + 26) % BASE;
    delta += value * weight;
    const threshold = Math.min(T_MAX, Math.max(T_MIN, k - bias));
    if (value < threshold) return { delta, next };
    weight *= BASE - threshold;
  }
  throw new RangeError('It ends within a number.');
}

function adapt(delta: number, length: number, isFirst: boolean): number {
  let rest = Math.floor(delta / (isFirst ? DAMP : 2));
  rest += Math.floor(rest / length);
  let k = 0;
  for (; rest > ((BASE - T_MIN) * T_MAX) / 2; k += BASE) {
    rest = Math.floor(rest / (BASE - T_MIN));
  }
  return k + Math.floor(((BASE - T_MIN + 1) * rest) / (rest + SKEW));
}

function isAscii(letter: string): boolean {
  return letter < '\u0080';
}
