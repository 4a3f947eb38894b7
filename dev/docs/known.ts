// Writes the page about the functions and documents that reviews recognize.
import texts from '../../locales/ui/en.json' with { type: 'json' };
import { ZERO_ADDRESS } from '../../src/eth/hex';
import type { Effect } from '../../src/review/effects';
import { functions } from '../../src/review/functions';
import { shapes, type Shape } from '../../src/review/shapes';
import { toTable } from './tables';

type FunctionRow = (typeof functions)[string];

/** Descriptions of effects for which the snap has no text. */
const kinds: Partial<Record<Effect['kind'], string>> = {
  control: 'changes who controls a contract, or its code',
  refund: 'pays whoever executes it',
  opaque: 'approves a hash',
};

const place = { from: ZERO_ADDRESS, contract: ZERO_ADDRESS };

function describe({ signature, meaning, effects, calls }: FunctionRow): string {
  // The kind of the effect depends only on the function, so any arguments will do.
  const words = Array<bigint>(12).fill(1n);
  const [effect] = effects?.({ signature, values: undefined, words }, place) ?? [];
  const isOfAccount = effect?.kind === 'control' && effect.isOfAccount;
  const own = isOfAccount
    ? 'lets another address act for the account there'
    : meaning
      ? texts[meaning]
      : effect && kinds[effect.kind];
  const parts = [own, calls && 'makes the calls in it'].filter(Boolean);
  return parts.join(', and ') || 'is named';
}

function writeFunctions(): string {
  const rows = Object.values(functions).map((row) => [
    `\`${row.declared}\``,
    describe(row),
  ]);
  const sorted = rows.sort(([one = ''], [other = '']) =>
    one.localeCompare(other, 'en'),
  );
  return toTable(['Function', 'What it does'], sorted);
}

function writeDocuments(): string {
  const rows = shapes.map(({ name, primaryType, fields }: Shape) => [
    `\`${primaryType.source}\``.replaceAll('|', '\\|'),
    fields.map((field) => `\`${field}\``).join(', ') || '–',
    name,
  ]);
  return toTable(['Primary type', 'Fields, at least', 'What it is'], rows);
}

export function writeKnownPage(): string {
  return `# What is read

A review reads calls of these functions, and typed data of these types, wherever they lie: in a transaction, a batch, a user operation, a Safe's transaction, a document, or the bytes of a function that is not in the list. A call of any other function, and any other document, is shown as it is, and judged by what a simulation shows and by the known calls in its bytes.

## Functions

${writeFunctions()}

## Typed data

The first row whose pattern and fields fit counts.

${writeDocuments()}
`;
}
