// Lets noble's Keccak write its state by a DataView: under SES, Node 20 takes 60 ns to store a
// number into a typed array, and 1 ns by a view. A permutation stores 3,800.

const START = 'export function keccakP(s, rounds = 24) {';
const END = '    clean(B);\n}';
const STORE = /^ +(s|B)\[([^\]]+)\] (\^?)= ([^;]+);/gmu;

/**
 * @this {{ resourcePath: string }}
 * @param {string} source
 */
// oxlint-disable-next-line import/no-default-export -- The form in which webpack takes it.
export default function withViews(source) {
  const start = source.indexOf(START);
  const end = source.indexOf(END, start);
  const written = source
    .slice(start + START.length, end)
    .replace(STORE, (...[, name, index, isXor, value]) => {
      const stored = isXor ? `${name}[${index}] ^ (${value})` : value;
      return `${name}View.setUint32(4 * (${index}), ${stored}, isLE);`;
    });
  if (start < 0 || end < 0 || written.split('View.setUint32(').length !== 18) {
    throw new Error(`${this.resourcePath} has another permutation than expected.`);
  }
  return [
    'import { isLE } from "./utils.js";\n',
    source.slice(0, start),
    'const BView = new DataView(B.buffer);\n',
    START,
    'const sView = new DataView(s.buffer, s.byteOffset);\n',
    written,
    source.slice(end),
  ].join('');
}
