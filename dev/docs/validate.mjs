// Prints the errors that OpenRPC's own tool finds in an OpenRPC document. Runs as a separate
// process, since Jest cannot load the tool's modules.
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
