// What the bench of peers starts with each Node: measures, and writes what it found.
import { writeFile } from 'node:fs/promises';

import type { Peers, Run } from './peers';
import { measureSimple, peerSnap } from './simple';
import { measureUserOperations } from './user-operations';

const [given = '', output = ''] = process.argv.slice(2);
const peers = JSON.parse(given) as Peers;
const figures = [
  ...(await measureSimple(peerSnap(peers['simple-keyring']))),
  ...(await measureUserOperations(peerSnap(peers['account-abstraction-keyring']))),
];
const run: Run = { nodeVersion: process.version, figures };
await writeFile(output, JSON.stringify(run));
