// Beside MetaMask's own keyring snaps, built from their sources (docs/internals/benchmarks.md says how) and
// given by path: bytes, times by MetaMask's route, requests to servers, in Markdown, as the
// README holds it. Both sides run in turns in one process, on this Node and on those that are
// named:
// npm run bench -- peers --peer simple-keyring=PATH --peer account-abstraction-keyring=PATH
//   --node PATH
// Without the second keyring, user operations are left out.
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { availableParallelism, cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import { buildElsewhere } from '../../build/elsewhere';
import { countShares } from '../../build/shares';
import { bundleBudget, weigh, type Weight } from '../../build/size';
import { OWN, toTable } from '../../docs/tables';
import type { Figure } from './simple';

/**
 * What the ratio of ours to another snap's must not exceed, on Node 20 and on later ones:
 * under SES, Node 20 stores into typed arrays slowly, which later engines do not.
 */
const limits: Record<string, [node20: number, later: number]> = {
  'cold start: install to first answer': [1.5, 1.5],
  personal_sign: [0.65, 0.75],
  'eth_signTypedData_v4: mail': [0.85, 1],
  'eth_signTypedData_v4: Permit2': [0.7, 0.8],
  'eth_signTypedData_v4: Seaport order': [0.2, 0.4],
  'eth_signTransaction of type 0x2': [0.95, 1.4],
  'first transaction of a fresh worker': [1.2, 1.2],
  createAccount: [1.5, 1.5],
  'listAccounts, 1,000 accounts': [1.1, 1.1],
  'personal_sign: 1,000 accounts beside one, Tollkeeper alone': [1.1, 1.1],
  eth_signUserOperation: [0.5, 0.5],
};

/** Find the limit of a ratio, if there is one. */
function findLimit(what: string, nodeMajor: number): number | undefined {
  const limit = limits[what];
  return nodeMajor <= 20 ? limit?.[0] : limit?.[1];
}

/** Folders of the two keyrings, by the names that they are given to the bench with. */
export type Peers = {
  'simple-keyring': string;
  'account-abstraction-keyring'?: string | undefined;
};

/** What was measured on one version of Node. */
export type Run = { nodeVersion: string; figures: Figure[] };

/**
 * Write the table.
 *
 * @param runs - The same figures, on one version of Node after another.
 */
function writeFigures(runs: readonly Run[]): { text: string; missed: number } {
  const names = runs.map(({ nodeVersion }) => `Node ${majorOf(nodeVersion)}`);
  const head = [
    'What',
    ...names.map((name) => `Ratio, ${name}`),
    ...names.map((name) => `Ours / theirs / floor, ${name}`),
  ];
  const [first] = runs;
  let missed = 0;
  const rows = (first?.figures ?? []).map(({ what }) => {
    const measured = runs.map(({ nodeVersion, figures }) => {
      const figure = figures.find((each) => each.what === what);
      const limit = findLimit(what, majorOf(nodeVersion));
      if (figure && isOver(figure, limit)) missed += 1;
      return { figure, limit };
    });
    return [
      what,
      ...measured.map(({ figure, limit }) => (figure ? toRatio(figure, limit) : '')),
      ...measured.map(({ figure }) => (figure ? toSides(figure) : '')),
    ];
  });
  return { text: toTable(head, rows), missed };
}

function majorOf(nodeVersion: string): number {
  return Number.parseInt(nodeVersion.replace('v', ''), 10);
}

function ratioOf({ ours, theirs }: Figure): number {
  return ours / theirs;
}

function isOver(figure: Figure, limit: number | undefined): boolean {
  return limit !== undefined && !(ratioOf(figure) <= limit);
}

function toRatio(figure: Figure, limit: number | undefined): string {
  const ratio = ratioOf(figure);
  const shown = Number.isFinite(ratio) ? ratio.toFixed(2) : '';
  if (limit === undefined) return shown;
  return isOver(figure, limit)
    ? `**${shown}**, missed (≤ ${limit})`
    : `${shown} (≤ ${limit})`;
}

function toSides({ ours, theirs, floor, unit }: Figure): string {
  const sides = [ours, theirs, floor]
    .filter((each) => each !== undefined)
    .map((each) => (unit === 'ms' ? each.toFixed(1) : each.toLocaleString('en')));
  return `${sides.join(' / ')} ${unit}`.trim();
}

const SCRIPT = fileURLToPath(new URL('child-main.ts', import.meta.url));
const TIMEOUT_MS = 15 * 60_000;

/**
 * Takes the figures with a Node, in a process of its own, so that all are alike.
 *
 * @throws {Error} With what was printed, if it fails.
 */
async function runWith(node: string, peers: Peers): Promise<Run> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-'));
  try {
    const output = join(folder, 'run.json');
    const args = ['--import', 'tsx', SCRIPT, JSON.stringify(peers), output];
    await promisify(execFile)(node, args, { timeout: TIMEOUT_MS });
    return JSON.parse(await readFile(output, 'utf8')) as Run;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const SIMPLE = 'simple-keyring';
const ABSTRACTION = 'account-abstraction-keyring';

/** Whether what is given suffices. */
export function arePeers(given: ReadonlyMap<string, string>): boolean {
  return given.has(SIMPLE);
}

/**
 * Measures beside the keyrings that are given.
 *
 * @throws {Error} If the simple keyring is not given.
 */
export async function benchPeers(
  given: ReadonlyMap<string, string>,
  nodes: readonly string[],
): Promise<number> {
  const simple = given.get(SIMPLE);
  if (simple === undefined) throw new Error(`--peer ${SIMPLE}=PATH is needed.`);
  const peers: Peers = { [SIMPLE]: simple, [ABSTRACTION]: given.get(ABSTRACTION) };
  const runs: Run[] = [];
  for (const node of [process.execPath, ...nodes]) {
    runs.push(await runWith(node, peers));
  }
  const bytes = await writeBytes(peers);
  const figures = writeFigures(runs);
  const tables = [describeMachine(runs), figures.text, bytes.text, await writeShares()];
  process.stdout.write(`\n${tables.join('\n\n')}\n`);
  return bytes.missed + figures.missed;
}

function describeMachine(runs: readonly Run[]): string {
  const [cpu] = cpus();
  const versions = runs.map(({ nodeVersion }) => nodeVersion).join(' and ');
  const day = new Date().toISOString().slice(0, 10);
  return `${day}, ${availableParallelism()} × ${cpu?.model ?? 'unknown'}, Node ${versions}:`;
}

const BUNDLE = 'dist/bundle.js';

/** Packages that weigh less stand together. */
const SMALL = 2_000;

/** Write a table of the bundles; answers also with how many budgets are exceeded. */
async function writeBytes(peers: Peers): Promise<{ text: string; missed: number }> {
  const own = await weighBundle('.');
  const others = Object.entries(peers).flatMap(([name, path]) =>
    path === undefined ? [] : [[name, path] as const],
  );
  const weights = await Promise.all(others.map(async ([, path]) => weighBundle(path)));
  const head = ['Bundle', 'Tollkeeper', 'Must be', ...others.map(([name]) => name)];
  let missed = 0;
  const rows = (['raw', 'gzipped'] as const).map((kind) => {
    const isOver = own[kind] > bundleBudget[kind];
    if (isOver) missed += 1;
    const ours = toShown(own[kind]);
    return [
      `bytes, ${kind}`,
      isOver ? `**${ours}**, missed` : ours,
      `≤ ${toShown(bundleBudget[kind])}`,
      ...weights.map((weight) => toShown(weight[kind])),
    ];
  });
  return { text: toTable(head, rows), missed };
}

/** Write a table of the packages in the bundle of the current folder. */
async function writeShares(): Promise<string> {
  const { bundle, map } = await buildElsewhere();
  const shares = [...countShares(bundle, map, OWN)];
  const all = sumOf(shares);
  const large = shares.filter(([, bytes]) => bytes >= SMALL);
  const others = `${shares.length - large.length} others`;
  const rows = [...large, [others, all - sumOf(large)] as const].map(
    ([name, bytes]) => [name, toShown(bytes), `${((100 * bytes) / all).toFixed(1)} %`],
  );
  return toTable(['Package', 'Bytes', 'Share'], rows);
}

function sumOf(shares: readonly (readonly [string, number])[]): number {
  return shares.reduce((sum, [, bytes]) => sum + bytes, 0);
}

async function weighBundle(folder: string): Promise<Weight> {
  return weigh(await readFile(join(folder, BUNDLE)));
}

function toShown(bytes: number): string {
  return bytes.toLocaleString('en');
}
