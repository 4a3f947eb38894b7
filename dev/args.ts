// Reads the arguments of npm run commands. Unknown arguments end a command with exit code 2 before
// it builds or writes anything.
import { parseArgs } from 'node:util';
import type { ParseArgsConfig } from 'node:util';

type Options = NonNullable<ParseArgsConfig['options']>;

type Values<Given extends Options> = ReturnType<
  typeof parseArgs<{ options: Given }>
>['values'];

/**
 * Reads the arguments of a command.
 *
 * @param usage - The text of `--help`.
 * @param options - As for `parseArgs` of node:util.
 * @param isName - Returns whether a name is valid. Without it, names are refused.
 */
export function readArgs<const Given extends Options>(
  usage: string,
  options: Given = {} as Given,
  isName?: (name: string) => boolean,
): { values: Values<Given>; names: string[] } {
  const { values, positionals } = parse(options);
  if (values.help === true) {
    process.stdout.write(`${usage.trim()}\n`);
    process.exit(0);
  }
  // Does not quote the argument, which may be a secret in the wrong place.
  if (!isName && positionals.length > 0) refuse('This command takes only options.');
  const unknown = positionals.find((name) => !isName?.(name));
  if (unknown !== undefined) refuse(`Unknown name "${unknown}".`);
  return { values: values as Values<Given>, names: positionals };
}

export function refuse(fault: string): never {
  process.stderr.write(`${fault} See --help.\n`);
  process.exit(2);
}

export function readWhole(text: string, option: string): number {
  const number = Number(text);
  if (/^\d+$/u.test(text) && Number.isSafeInteger(number)) return number;
  return refuse(`${option} must be a whole number.`);
}

function parse(options: Options) {
  try {
    const all = { ...options, help: { type: 'boolean', short: 'h' } } as const;
    return parseArgs({ allowPositionals: true, options: all });
  } catch (error) {
    const [fault] = (error as Error).message.split(/\.\s/u);
    return refuse(`${fault?.replace(/\.$/u, '')}.`);
  }
}
