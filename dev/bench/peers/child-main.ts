// What the bench of peers starts with each Node: measures, and writes what it found.
import { writeFile } from 'node:fs/promises';

import type { Peers, Run } from './peers';
import { measureSimple, peerSnap } from './simple';
import { measureUserOperations } from './user-operations';

const [given = '', output = ''] = process.argv.slice(2);
const peers = JSON.parse(given) as Peers;
const { 'simple-keyring': simple, 'account-abstraction-keyring': abstraction } = peers;
const figures = [
  ...(await measureSimple(peerSnap(simple))),
  ...(abstraction ? await measureUserOperations(peerSnap(abstraction)) : []),
];
const run: Run = { nodeVersion: process.version, figures };
await writeFile(output, JSON.stringify(run));
