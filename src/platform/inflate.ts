// Reads what is compressed with DEFLATE (RFC 1951), as the files beside the bundle are. A worker
// has no DecompressionStream.

/** A Huffman code: how many of its codes have each length, and their symbols in order. */
type Code = { counts: readonly number[]; symbols: readonly number[] };

/** The codes of a block: of its bytes and lengths, and of how far back a copy begins. */
type Codes = { literals: Code; distances: Code };

/** Longest code in bits. */
const MAX_BITS = 15;

const END_OF_BLOCK = 256;

/** In which order the lengths of the codes of lengths are written. */
const ORDER = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];

/** The first value of each symbol, and the bits that are added to it. */
type Range = { base: number; extra: number };

const lengths: readonly Range[] = [
  ...createRanges(3, 28, (index) => Math.max(0, (index >> 2) - 1)),
  { base: 258, extra: 0 },
];

const distances = createRanges(1, 30, (index) => Math.max(0, (index >> 1) - 1));

/** The codes of a block that brings none of its own. */
const fixed: Codes = {
  literals: createCode(
    Array.from({ length: 288 }, (_, symbol) =>
      symbol < 144 ? 8 : symbol < 256 ? 9 : symbol < 280 ? 7 : 8,
    ),
  ),
  distances: createCode(Array.from({ length: 30 }, () => 5)),
};

/**
 * Decompresses raw DEFLATE.
 *
 * @throws {RangeError} If the bytes are cut or are no DEFLATE.
 */
export function inflate(bytes: Uint8Array): Uint8Array {
  const input = createBits(bytes);
  const output: number[] = [];
  let isLast: boolean;
  do {
    isLast = input.read(1) === 1;
    const type = input.read(2);
    if (type === 0) copyStored(input, output);
    else if (type === 1) readBlock(input, output, fixed);
    else if (type === 2) readBlock(input, output, readCodes(input));
    else throw new RangeError('The compressed data has an unknown block.');
  } while (!isLast);
  return Uint8Array.from(output);
}

/** Reads numbers and symbols, bit by bit. */
type Bits = {
  read: (count: number) => number;
  readSymbol: (code: Code) => number;
  /** Skips to the next whole byte. */
  align: () => void;
};

function createBits(bytes: Uint8Array): Bits {
  let at = 0;
  const next = (): number => {
    const byte = bytes[at >> 3];
    if (byte === undefined) throw new RangeError('The compressed data is cut.');
    const bit = (byte >> (at & 7)) & 1;
    at += 1;
    return bit;
  };
  return {
    read: (count) => {
      let value = 0;
      for (let index = 0; index < count; index += 1) value |= next() << index;
      return value;
    },
    readSymbol: ({ counts, symbols }) => {
      let [code, first, index] = [0, 0, 0];
      for (let length = 1; length <= MAX_BITS; length += 1) {
        code |= next();
        const count = counts[length] ?? 0;
        const symbol = symbols[index + code - first];
        if (code - first < count && symbol !== undefined) return symbol;
        index += count;
        first = (first + count) << 1;
        code <<= 1;
      }
      throw new RangeError('The compressed data has an unknown code.');
    },
    align: () => {
      at = (at + 7) & ~7;
    },
  };
}

function copyStored(input: Bits, output: number[]): void {
  input.align();
  const length = input.read(16);
  // Its complement, for readers that doubt it.
  input.read(16);
  for (let index = 0; index < length; index += 1) output.push(input.read(8));
}

function readBlock(input: Bits, output: number[], codes: Codes): void {
  for (;;) {
    const symbol = input.readSymbol(codes.literals);
    if (symbol === END_OF_BLOCK) return;
    if (symbol < END_OF_BLOCK) {
      output.push(symbol);
      continue;
    }
    const length = readRange(input, lengths[symbol - END_OF_BLOCK - 1]);
    const distance = readRange(input, distances[input.readSymbol(codes.distances)]);
    for (let index = 0; index < length; index += 1) {
      const copied = output[output.length - distance];
      if (copied === undefined) {
        throw new RangeError('The compressed data is no DEFLATE.');
      }
      output.push(copied);
    }
  }
}

function readRange(input: Bits, range: Range | undefined): number {
  if (!range) throw new RangeError('The compressed data has an unknown symbol.');
  return range.base + input.read(range.extra);
}

function readCodes(input: Bits): Codes {
  const literals = input.read(5) + 257;
  const total = literals + input.read(5) + 1;
  const ofLengths: number[] = Array.from(ORDER, () => 0);
  const count = input.read(4) + 4;
  for (const symbol of ORDER.slice(0, count)) ofLengths[symbol] = input.read(3);
  const code = createCode(ofLengths);
  const all: number[] = [];
  while (all.length < total) all.push(...readLengths(input, code, all.at(-1) ?? 0));
  return {
    literals: createCode(all.slice(0, literals)),
    distances: createCode(all.slice(literals)),
  };
}

// A length, or how often the last one or zero is repeated.
function readLengths(input: Bits, code: Code, last: number): number[] {
  const symbol = input.readSymbol(code);
  if (symbol < 16) return [symbol];
  const repeat = (value: number, times: number): number[] =>
    Array.from({ length: times }, () => value);
  if (symbol === 16) return repeat(last, 3 + input.read(2));
  return repeat(0, symbol === 17 ? 3 + input.read(3) : 11 + input.read(7));
}

/** Creates the code of symbols whose codes have these lengths; zero is a symbol without one. */
function createCode(codeLengths: readonly number[]): Code {
  const counts = Array.from({ length: MAX_BITS + 1 }, () => 0);
  const symbols: number[][] = counts.map(() => []);
  for (const [symbol, length] of codeLengths.entries()) {
    if (length === 0) continue;
    counts[length] = (counts[length] ?? 0) + 1;
    symbols[length]?.push(symbol);
  }
  return { counts, symbols: symbols.flat() };
}

function createRanges(
  first: number,
  count: number,
  extraOf: (index: number) => number,
): Range[] {
  let base = first;
  return Array.from({ length: count }, (_, index) => {
    const range = { base, extra: extraOf(index) };
    base += 1 << range.extra;
    return range;
  });
}
