// Says what is wrong with an OpenRPC document, by OpenRPC's own tool. In a process of its own,
// because the tool loads its parts in a way that Jest has not.
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
