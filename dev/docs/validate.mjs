// Reports the faults of an OpenRPC document, with OpenRPC's own tool. This is a separate process,
// since Jest does not support the way in which the tool loads modules.
import { readFile } from 'node:fs/promises';

import openRpc from '@open-rpc/schema-utils-js';

const [path = 'openrpc.json'] = process.argv.slice(2);
const result = openRpc.validateOpenRPCDocument(
  JSON.parse(await readFile(path, 'utf8')),
);
if (result !== true) {
  process.stdout.write(`${result.message}\n`);
  process.exitCode = 1;
}
