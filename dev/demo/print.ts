// What the demo prints: headings, aligned rows, and a spinner on slow steps where the
// output is a terminal.
import yoctoSpinner from 'yocto-spinner';

const LABEL_WIDTH = 18;

/** Print a heading. */
export function heading(text: string): void {
  process.stdout.write(`\n${text}\n`);
}

/** Print a label and a value, aligned with the others. */
export function row(label: string, value: string | number | bigint): void {
  process.stdout.write(`  ${label.padEnd(LABEL_WIDTH)}${value}\n`);
}

/** Run a slow step; its name and time are printed, and its name stands in its error. */
export async function step<Result>(
  name: string,
  run: () => Promise<Result>,
): Promise<Result> {
  const spinner = process.stdout.isTTY
    ? yoctoSpinner({ text: name }).start()
    : undefined;
  const start = Date.now();
  try {
    const result = await run();
    spinner?.stop();
    const seconds = ((Date.now() - start) / 1000).toFixed(1);
    process.stdout.write(`- ${name} (${seconds} s)\n`);
    return result;
  } catch (cause) {
    spinner?.stop();
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new Error(`${name}: ${reason}`, { cause });
  }
}
