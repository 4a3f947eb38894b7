// What the bench of peers starts with each Node: measures, and writes what it found.
import { writeFile } from 'node:fs/promises';

import { takeFigures } from './figures';
import type { Peers } from './figures';
import type { Run } from './print';

const [peers = '', output = ''] = process.argv.slice(2);
const run: Run = {
  nodeVersion: process.version,
  figures: await takeFigures(JSON.parse(peers) as Peers),
};
await writeFile(output, JSON.stringify(run));
