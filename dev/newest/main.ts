// npm run newest [-- GROUP …]: tries the newest versions of third-party packages in a copy of this
// checkout, one group of packages at a time.
import { type ChildProcess, execFile } from 'node:child_process';
import { rmSync } from 'node:fs';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

import about from '../../package.json' with { type: 'json' };
import { readArgs } from '../args';

type Group = {
  /** With a tag, only that version is tried. */
  packages: readonly string[];
  tests: string;
};

const SNAP = 'test/live/(main-job|update|permissions)\\.';
const LIBRARIES = 'test/live/(libraries|viem-operations)\\.';

const groups: Record<string, Group> = {
  environment: {
    packages: ['@metamask/snaps-execution-environments'],
    tests: `${SNAP}|test/browser/environment\\.`,
  },
  snaps: {
    packages: [
      '@metamask/snaps-controllers',
      '@metamask/snaps-jest',
      '@metamask/snaps-rpc-methods',
      '@metamask/snaps-sdk',
      '@metamask/snaps-utils',
    ],
    tests: `${SNAP}|test/snap/`,
  },
  keyring: {
    packages: [
      '@metamask/eth-snap-keyring',
      '@metamask/keyring-api',
      '@metamask/keyring-utils',
      '@metamask/eth-sig-util',
    ],
    tests: 'test/(entry/keyring-|live/(accounts|metamask-route|unlisted-accounts)\\.)',
  },
  controllers: {
    packages: [
      '@metamask/approval-controller',
      '@metamask/permission-controller',
      '@metamask/transaction-controller',
      '@metamask/user-operation-controller',
    ],
    tests: 'test/live/(insight-snap|metamask-operations|approvals)\\.',
  },
  viem: { packages: ['viem'], tests: LIBRARIES },
  'viem-next': { packages: ['viem@next'], tests: LIBRARIES },
  wagmi: { packages: ['wagmi', '@wagmi/core'], tests: 'test/live/libraries\\.' },
  ethers: { packages: ['ethers'], tests: 'test/live/libraries\\.' },
};

const { names: asked } = readArgs(
  `npm run newest [-- GROUP …]

Tries the newest versions of other people's packages in a copy of this checkout. Groups, all by default:
${Object.keys(groups).join(', ')}.`,
  {},
  (name) => Object.hasOwn(groups, name),
);

const execute = promisify(execFile);
const folder = await mkdtemp(join(tmpdir(), 'tollkeeper-newest-'));
let running: ChildProcess | undefined;
let isStopped = false;

process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
for (const signal of ['SIGHUP', 'SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    isStopped = true;
    if (running?.kill() !== true) process.exit(1);
  });
}

const { stdout } = await execute('git', ['ls-files', '-z']);
for (const path of stdout.split('\0').filter(Boolean)) {
  await cp(path, join(folder, path));
}
say('Installing and building the pinned versions …');
await run('npm', 'ci', '--ignore-scripts');
await run('npm', 'run', 'build');
await run('npm', 'run', 'build:dev');
for (const name of asked.length > 0 ? asked : Object.keys(groups)) {
  const { lines, isBroken } = await tryGroup(groups[name] as Group);
  say(`${name}: ${lines.join('\n  ')}`);
  if (isBroken) process.exitCode = 1;
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}

/** A signal to this process ends the command first. */
async function run(command: string, ...args: string[]): Promise<string> {
  const result = execute(command, args, { cwd: folder, maxBuffer: 2 ** 28 });
  running = result.child;
  try {
    return (await result).stdout;
  } finally {
    if (isStopped) process.exit(1);
  }
}

/** Returns the reason if npm cannot install the versions. */
async function install(
  versions: Record<string, string>,
  ...options: string[]
): Promise<string | undefined> {
  // Dependents may need newer versions, so an override applies only to its version and older ones.
  const overrides = Object.entries(about.overrides).map(([name, override]) =>
    typeof override === 'string' && !override.startsWith('$')
      ? [`${name}@<=${override}`, override]
      : [name, override],
  );
  const fields = {
    ...about,
    devDependencies: { ...about.devDependencies, ...versions },
    overrides: Object.fromEntries(overrides) as Record<string, unknown>,
  };
  await writeFile(join(folder, 'package.json'), JSON.stringify(fields));
  await cp('package-lock.json', join(folder, 'package-lock.json'));
  try {
    await run('npm', 'install', '--ignore-scripts', ...options);
    return undefined;
  } catch (error) {
    const { stderr } = error as { stderr: string };
    const [, lacking] =
      /(?:found for |resource ')(\S+?)(?:\.$|' could)/mu.exec(stderr) ?? [];
    return lacking === undefined ? stderr.trim() : `there is no ${lacking}`;
  }
}

/** Lists the releases newer than the pinned one, newest first, or only the version with the tag. */
async function listVersions(name: string, tag?: string): Promise<string[]> {
  const said = await run('npm', 'view', name, 'versions', 'dist-tags', '--json');
  const { versions, 'dist-tags': tags } = JSON.parse(said) as {
    versions: string[];
    'dist-tags': Record<string, string>;
  };
  if (tag !== undefined) return tags[tag] === undefined ? [] : [tags[tag]];
  const releases = versions.filter((version) => !version.includes('-'));
  releases.sort((one, other) => other.localeCompare(one, 'en', { numeric: true }));
  return releases.slice(0, releases.indexOf(readPinned(name)));
}

function readPinned(name: string): string {
  return (about.devDependencies as Record<string, string>)[name] as string;
}

async function readInstalled(name: string): Promise<string> {
  const path = join(folder, 'node_modules', name, 'package.json');
  return (JSON.parse(await readFile(path, 'utf8')) as { version: string }).version;
}

async function tryGroup({
  packages,
  tests,
}: Group): Promise<{ lines: string[]; isBroken: boolean }> {
  const chosen: Record<string, string> = {};
  const notes: string[] = [];
  for (const spec of packages) {
    const [, name = spec, tag] = /^(.+?)(?:@([^@/]+))?$/u.exec(spec) ?? [];
    const versions = await listVersions(name, tag);
    if (versions.length === 0 && tag !== undefined) notes.push(`there is no ${spec}`);
    for (const version of versions) {
      const fault = await install({ [name]: version }, '--package-lock-only');
      if (fault === undefined) {
        chosen[name] = version;
        break;
      }
      notes.push(`${name} ${version} does not install: ${fault}`);
    }
  }
  const names = Object.keys(chosen);
  if (names.length === 0) {
    return {
      lines: notes.length > 0 ? notes : ['pinned is the newest'],
      isBroken: false,
    };
  }
  const fault = await install(chosen);
  if (fault !== undefined) {
    return { lines: [`does not install: ${fault}`, ...notes], isBroken: true };
  }
  const changes: string[] = [];
  for (const name of names) {
    changes.push(`${name} ${readPinned(name)} → ${await readInstalled(name)}`);
  }
  const { passed, broken } = await test(tests);
  const lines = [`${changes.join(', ')}: ${passed} tests pass`, ...notes];
  if (broken.length > 0) lines.push('broken:', ...broken);
  return { lines, isBroken: broken.length > 0 };
}

type Report = {
  numPassedTests: number;
  testResults: {
    name: string;
    message: string;
    assertionResults: { status: string; fullName: string; failureMessages: string[] }[];
  }[];
};

async function test(
  pattern: string,
): Promise<{ passed: number; broken: readonly string[] }> {
  const output = join(folder, 'report.json');
  await rm(output, { force: true });
  const jest = 'node_modules/jest/bin/jest.js';
  const args = [jest, '--json', '--outputFile', output, '--testPathPattern', pattern];
  await run(process.execPath, ...args).catch(() => undefined);
  const report = JSON.parse(await readFile(output, 'utf8')) as Report;
  const broken = report.testResults.flatMap(({ name, message, assertionResults }) => {
    const failed = assertionResults.filter(({ status }) => status === 'failed');
    const isLoaded = assertionResults.length > 0;
    const [reason = ''] = message
      .split('\n')
      .filter((line) => /\berror\b|Cannot/iu.test(line));
    return isLoaded
      ? failed.map(({ fullName, failureMessages: [fault = ''] }) => {
          return `${fullName}: ${fault.split('\n')[0]}`;
        })
      : [`${name.slice(resolve(folder).length + 1)} does not load: ${reason.trim()}`];
  });
  return { passed: report.numPassedTests, broken: broken.sort() };
}
