// Compares the text of a dialog with a test case of the registry: the intent, the contract's owner,
// and each label with the value below it.
import english from '../../locales/ui/en.json';
import { toShownTime } from '../../src/ui/format';
import { createTranslate } from '../../src/ui/i18n';

/** The expected texts. A field can contain a call with fields of its own. */
export type Expected = {
  intent: string;
  owner?: string;
  interpolatedIntent?: string;
  fields: { label: string; value: string | Expected }[];
};

export type Missing = { what: 'intent' | 'owner' | 'label' | 'value'; text: string };

/** Placeholder for the signing account in test cases of the registry. */
const SENDER = 'Sender';

/** Matches bytes longer than an address, and numbers too long to occur by chance. */
const LONG = /^(?:0x[0-9a-fA-F]{41,}|\d{8,})$/u;

/** Maximum number of lines from a label to its value. */
const MAX_LINES_BELOW = 4;

/**
 * Lists the expected texts that are missing from a dialog.
 *
 * @param text - One line per block. The raw request is ignored.
 * @param account - `own` is our signing account, `from` the signer in the test case.
 */
export function judge(
  text: string,
  expected: Expected,
  account?: { own: string; from: string | undefined },
): Missing[] {
  const lines = text
    .split('\n')
    .filter((line) => !/^\{"types?":/u.test(line))
    .map(normalize);
  const signers = [SENDER, account?.from].map((each) => each?.toLowerCase());
  const read = (value: string): string[] => {
    const isSigner = account && signers.includes(value.toLowerCase());
    return [...toShown(value), ...(isSigner ? [account.own] : [])].map(normalize);
  };
  const has = (value: string, from = 0, to = lines.length): boolean =>
    lines
      .slice(from, to)
      .some((line) => read(value).some((each) => isWithin(each, line)));
  const findMissing = (what: Missing['what'], value: string | undefined): Missing[] =>
    value === undefined || has(value) ? [] : [{ what, text: value }];

  const used = new Set<number>();
  const judgeField = (label: string, value: string | Expected): Missing[] => {
    const labelLines = lines.flatMap((line, index) =>
      isLabel(normalize(label), line) ? [index] : [],
    );
    if (labelLines.length === 0) return [{ what: 'label', text: label }];
    if (typeof value !== 'string') return judgeAll(value);
    // Dialogs show raw bytes below the decoded value, and amounts in base units among the
    // arguments, so any line counts.
    if (LONG.test(value) && has(value)) return [];
    const labelLine = labelLines.find(
      (index) => !used.has(index) && has(value, index, index + MAX_LINES_BELOW + 1),
    );
    if (labelLine === undefined) return [{ what: 'value', text: `${label}: ${value}` }];
    used.add(labelLine);
    return [];
  };
  const judgeAll = ({ intent, owner, fields }: Expected): Missing[] => [
    ...findMissing('intent', intent),
    ...findMissing('owner', owner),
    ...fields.flatMap(({ label, value }) => judgeField(label, value)),
  ];
  return judgeAll(expected);
}

const translate = createTranslate(english);

/** Lists the forms in which a dialog can show a value. */
function toShown(value: string): string[] {
  if (value === '0x') return [value, translate('data.none')];
  const date = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)Z$/u.exec(value);
  if (!date) return [value];
  return [value, toShownTime(Date.parse(`${date[1]}T${date[2]}Z`), translate)];
}

// Removes the formatting of dialogs: thousands separators, CAIP-10 prefixes, the case of checksums
// and the space before units.
function normalize(text: string): string {
  return text
    .replace(/(?<=\d),(?=\d{3})/gu, '')
    .replace(/\beip155:\d+:(?=0x)/gu, '')
    .replace(/0x[0-9a-fA-F]+/gu, (hex) => hex.toLowerCase())
    .replace(/\s+/gu, ' ')
    .replace(/(?<=\d) (?=[\p{L}%$])/gu, '')
    .trim();
}

/** Returns whether a line is the label, with an optional prefix, and an optional number or name in
 * parentheses after it. */
function isLabel(label: string, line: string): boolean {
  const name = line.replace(/ (?:\d+|\([^()]*\))$/u, '');
  return [line, name].some((each) => each === label || each.endsWith(` ${label}`));
}

/** Returns whether a line contains a text as whole words: 21 does not contain 1, nor 1.53 1.5. */
function isWithin(text: string, line: string): boolean {
  if (line === text) return true;
  if (text === '') return false;
  for (let at = line.indexOf(text); at >= 0; at = line.indexOf(text, at + 1)) {
    const before = line.slice(0, at);
    const after = line.slice(at + text.length);
    if (!/[\p{L}\p{N}.]$/u.test(before) && !/^(?:[\p{L}\p{N}]|[.:]\d)/u.test(after)) {
      return true;
    }
  }
  return false;
}
