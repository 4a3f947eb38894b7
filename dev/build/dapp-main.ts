// npm run build:dapp -- --connect https://gas.example wss://node.example
import { readArgs } from '../args';
import { buildDapp, describeDapp } from './dapp';

const { values, names } = readArgs(
  `npm run build:dapp [-- --connect URL …]

Builds the companion page, which may connect to these servers.`,
  { connect: { type: 'string', multiple: true } },
  (name) => URL.canParse(name),
);
const connect = [...(values.connect ?? []), ...names];
process.stdout.write(`${describeDapp(await buildDapp({ connect }))}\n`);
