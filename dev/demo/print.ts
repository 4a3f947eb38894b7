// Prints the output of commands.
import yoctoSpinner from 'yocto-spinner';

const LABEL_WIDTH = 18;

/** If the command throws, prints the error and sets the exit code. */
export async function runCommand(command: () => Promise<void>): Promise<void> {
  try {
    await command();
  } catch (error) {
    process.stderr.write(`\nFAILED ${toMessage(error)}\n`);
    process.exitCode = 1;
  }
}

export function heading(text: string): void {
  process.stdout.write(`\n${text}\n`);
}

export function row(label: string, value: string | number | bigint): void {
  process.stdout.write(`  ${label.padEnd(LABEL_WIDTH)}${value}\n`);
}

/** Runs a slow step, and prints its name and the elapsed time. If it fails, the error starts with
 * the name. */
export async function step<Result>(
  name: string,
  run: () => Promise<Result>,
): Promise<Result> {
  const spinner = process.stdout.isTTY
    ? yoctoSpinner({ text: name }).start()
    : undefined;
  const start = Date.now();
  const show = (): void => {
    const seconds = Math.round((Date.now() - start) / 1000);
    if (spinner) spinner.text = `${name}, ${seconds} s …`;
    else process.stdout.write(`  ${name}, ${seconds} s …\n`);
  };
  const timer = setInterval(show, spinner ? 1_000 : 10_000);
  try {
    const result = await run();
    spinner?.stop();
    const seconds = ((Date.now() - start) / 1000).toFixed(1);
    process.stdout.write(`- ${name} (${seconds} s)\n`);
    return result;
  } catch (cause) {
    spinner?.stop();
    throw new Error(`${name}: ${toMessage(cause)}`, { cause });
  } finally {
    clearInterval(timer);
  }
}

function toMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
