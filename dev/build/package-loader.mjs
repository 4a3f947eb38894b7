// Turns the CommonJS that TypeScript wrote of eth-sig-util into the ES module that it was:
// then the bundler leaves out what nobody uses, and a stand-in that lacks an export fails the
// build. Functions are left as they are.

/** @type {readonly (readonly [RegExp, string])[]} What TypeScript writes, and what stood there. */
const rules = [
  // Helpers that re-export.
  [/^var __(?:createBinding|exportStar) = [\s\S]*?^\}(?:\)\))?;\n/gmu, ''],
  [/^Object\.defineProperty\(exports, "__esModule", \{ value: true \}\);\n/gmu, ''],
  [/^(?:exports\.\w+ = )+void 0;\n/gmu, ''],
  [/^__exportStar\(require\((".+")\), exports\);/gmu, 'export * from $1;'],
  [/^(?:const|var) (\w+) = require\((".+")\);/gmu, 'import * as $1 from $2;'],
  [
    /^Object\.defineProperty\(exports, "(\w+)", \{ enumerable: true, get: function \(\) \{ return (\w+\.\w+); \} \}\);/gmu,
    'export const $1 = $2;',
  ],
  // An enum.
  [/^var (\w+);\n(?=\(function \(\1\) \{)/gmu, 'export var $1;\n'],
  [/\((\w+) = exports\.\1 \|\| \(exports\.\1 = \{\}\)\)/gu, '($1 || ($1 = {}))'],
  // An object, and a function that stands above.
  [/^exports\.(\w+) = \1;/gmu, 'export { $1 };'],
  [/^exports\.(\w+) = (?=\{)/gmu, 'export const $1 = '],
  [/\bexports\.(?=(?:TypedDataUtils|TYPED_MESSAGE_SCHEMA)\b)/gu, ''],
];

/**
 * @this {{ resourcePath: string }}
 * @param {string} source
 */
// oxlint-disable-next-line import/no-default-export -- The form in which webpack takes it.
export default function toModule(source) {
  const written = rules.reduce(
    (text, [pattern, by]) => text.replace(pattern, by),
    source,
  );
  const left = /\b(?:exports\.|require\(|module\.).*/u.exec(written);
  if (left) throw new Error(`${this.resourcePath} is CommonJS still: ${left[0]}`);
  return written;
}
