// Runs the development service from the command line; --help says how.
import { HexQuantityStruct } from '../../src/eth/hex';
import type { Hex } from '../../src/eth/hex';
import { requireResult } from './head';
import { FlagError, parseFlags, usage } from './options';
import type { Command } from './options';
import { startService } from './service';
import { createUpstream } from './upstream';

const NODE_TIMEOUT_MS = 10_000;

try {
  const command = parseFlags(process.argv.slice(2));
  if (command === 'help') process.stdout.write(usage);
  else await run(command);
} catch (error) {
  const isUsage = error instanceof FlagError;
  const message = error instanceof Error ? error.message : String(error);
  process.stderr.write(`${message}\n${isUsage ? `\n${usage}` : ''}`);
  process.exitCode = isUsage ? 2 : 1;
}

async function run(options: Exclude<Command, 'help'>): Promise<void> {
  const chainId = await fetchChainId(options.nodeUrl);
  const service = await startService({ ...options, chainId });
  process.stdout.write(`Serving chain ${chainId} at ${service.url}; Ctrl-C stops.\n`);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => void service.stop());
  }
}

async function fetchChainId(nodeUrl: string): Promise<number> {
  if (!URL.canParse(nodeUrl) || !/^https?:/iu.test(nodeUrl)) {
    throw new FlagError('--node must be an address that begins with http: or https:.');
  }
  const node = createUpstream(nodeUrl, NODE_TIMEOUT_MS);
  try {
    return Number(
      requireResult<Hex>(await node.ask('eth_chainId', []), HexQuantityStruct),
    );
  } finally {
    await node.stop();
  }
}
