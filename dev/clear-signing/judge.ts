// Compares the text of a dialog with a test case of the ERC-7730 registry.
import english from '../../locales/ui/en.json';
import { toShownTime } from '../../src/ui/format';
import { createTranslate } from '../../src/ui/i18n';

/** The value of a field can be a call with its own fields. */
export type Expected = {
  intent: string;
  owner?: string;
  interpolatedIntent?: string;
  fields: { label: string; value: string | Expected }[];
};

export type Missing = { what: 'intent' | 'owner' | 'label' | 'value'; text: string };

/** Placeholder for the signing account in the registry's test cases. */
const SENDER = 'Sender';

/** Matches values too long to occur by chance: bytes longer than an address, and long numbers. */
const LONG = /^(?:0x[0-9a-fA-F]{41,}|\d{8,})$/u;

const MAX_LINES_BELOW = 4;

/**
 * Lists the expected texts that are missing from a dialog.
 *
 * @param text - The dialog's text, with one line per block. Lines with the raw request are ignored.
 * @param account - `own` is our signing account, and `from` is the signer in the test case.
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
    // Dialogs may show such a value away from its label: raw bytes below the decoded value, and
    // amounts in base units among the arguments.
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

function toShown(value: string): string[] {
  if (value === '0x') return [value, translate('data.none')];
  const date = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)Z$/u.exec(value);
  if (!date) return [value];
  return [value, toShownTime(Date.parse(`${date[1]}T${date[2]}Z`), translate)];
}

function normalize(text: string): string {
  return text
    .replace(/(?<=\d),(?=\d{3})/gu, '')
    .replace(/\beip155:\d+:(?=0x)/gu, '')
    .replace(/0x[0-9a-fA-F]+/gu, (hex) => hex.toLowerCase())
    .replace(/\s+/gu, ' ')
    .replace(/(?<=\d) (?=[\p{L}%$])/gu, '')
    .trim();
}

/** The label may follow a prefix, and a number or a name in parentheses may follow the label. */
function isLabel(label: string, line: string): boolean {
  const name = line.replace(/ (?:\d+|\([^()]*\))$/u, '');
  return [line, name].some((each) => each === label || each.endsWith(` ${label}`));
}

/** Matches whole words: `21` does not contain `1`, and `1.53` does not contain `1.5`. */
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
