// Runs the gas service from the command line; --help says how.
import { FlagError, parseFlags, usage } from './options';
import { startService } from './service';

async function run(): Promise<void> {
  const command = parseFlags(process.argv.slice(2), process.env);
  if (command === 'help') {
    process.stdout.write(usage);
    return;
  }
  const service = await startService(command);
  // Only once: a second signal ends the process at once.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => void service.stop());
  }
}

run().catch((error: unknown) => {
  const isUsage = error instanceof FlagError;
  const message = error instanceof Error ? error.message : String(error);
  process.stderr.write(`${message}\n${isUsage ? `\n${usage}` : ''}`);
  process.exitCode = isUsage ? 2 : 1;
});
