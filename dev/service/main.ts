// Runs the development service from the command line:
// npx tsx dev/service/main.ts --node URL --key K [--secret S] [--port N]
import { parseArgs } from 'node:util';

import { createNode } from './gas';
import { startService } from './service';

const { values } = parseArgs({
  options: {
    node: { type: 'string' },
    key: { type: 'string' },
    secret: { type: 'string' },
    port: { type: 'string', default: '0' },
  },
});

if (values.node === undefined || values.key === undefined) {
  process.stderr.write('Usage: main.ts --node URL --key K [--secret S] [--port N]\n');
  process.exit(2);
}

const chainId = Number(await createNode(values.node).request('eth_chainId', []));
const service = await startService({
  nodeUrl: values.node,
  chainId,
  apiKey: values.key,
  apiKeySecret: values.secret,
  port: Number(values.port),
});
process.stdout.write(`Serving chain ${chainId} at ${service.url}; Ctrl-C stops.\n`);
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => void service.stop());
}
