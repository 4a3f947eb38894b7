// Runs the gas service from the command line; --help lists the options.
import { version } from '../../../package.json';
import { FlagError } from './config';
import { buildSchema, parseFlags, usage } from './options';
import { startService } from './service';

const texts = {
  help: () => usage,
  version: () => `${version}\n`,
  schema: () => `${JSON.stringify(buildSchema(), null, 2)}\n`,
};

async function run(): Promise<void> {
  const command = parseFlags(process.argv.slice(2), process.env);
  if ('print' in command) {
    // A reader such as `head` may close the pipe early.
    process.stdout.on('error', () => undefined);
    process.stdout.write(texts[command.print]());
    return;
  }
  const service = await startService(command);
  // Only once each: a second signal of the same kind ends the process immediately.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => void service.stop());
  }
}

run().catch((error: unknown) => {
  const message = error instanceof Error ? error.message : String(error);
  if (error instanceof FlagError) {
    process.stderr.write(`${message} --help lists all options.\n`);
    process.exitCode = 2;
    return;
  }
  // In the format of the log: one JSON object per line.
  const entry = { level: 'error', time: Date.now(), pid: process.pid, msg: message };
  process.stderr.write(`${JSON.stringify(entry)}\n`);
  process.exitCode = 1;
});
