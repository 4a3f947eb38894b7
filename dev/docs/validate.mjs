// Prints the errors in an OpenRPC document. Jest cannot load the modules of OpenRPC's tool, so this
// is a separate process.
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
