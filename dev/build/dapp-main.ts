// npm run build:dapp -- --connect https://gas.example wss://node.example
import { parseArgs } from 'node:util';

import { buildDapp, describeDapp } from './dapp';

const { values, positionals } = parseArgs({
  options: { connect: { type: 'string', multiple: true } },
  allowPositionals: true,
});
const connect = [...(values.connect ?? []), ...positionals];
process.stdout.write(`${describeDapp(await buildDapp({ connect }))}\n`);
