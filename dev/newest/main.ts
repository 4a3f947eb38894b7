// npm run newest [-- GROUP …]: what breaks with the newest packages that others publish. In a copy of this
// checkout, it installs them, a group at a time, and runs the tests of the built snap that use them. It
// prints a table, and changes nothing here.
import { execFile } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

import about from '../../package.json' with { type: 'json' };
import { readArgs } from '../args';

type Group = {
  /** Packages, with the tag of the version that is tried where it is not `latest`. */
  packages: readonly string[];
  /** Paths of the tests that use them. */
  tests: string;
};

const LIBRARIES = 'test/live/(libraries|viem-operations|wallet)\\.';

const groups: Record<string, Group> = {
  // The execution environment brings SES along.
  snaps: {
    packages: [
      '@metamask/snaps-controllers',
      '@metamask/snaps-execution-environments',
      '@metamask/snaps-jest',
      '@metamask/snaps-rpc-methods',
      '@metamask/snaps-sdk',
      '@metamask/snaps-utils',
    ],
    tests: 'test/(snap/|live/(main-job|update|permissions)\\.|browser/environment\\.)',
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

Tries the newest packages of others in a copy of this checkout. Groups, all by default:
${Object.keys(groups).join(', ')}.`,
  {},
  (name) => Object.hasOwn(groups, name),
);

const run = promisify(execFile);

/** Files that say which versions are installed. */
const PINS = ['package.json', 'package-lock.json'];

const folder = await mkdtemp(join(tmpdir(), 'tollkeeper-newest-'));
try {
  const { stdout } = await run('git', ['ls-files', '-z']);
  for (const path of stdout.split('\0').filter(Boolean)) {
    await cp(path, join(folder, path));
  }
  say('Installing and building what is pinned …');
  await npm('ci', '--ignore-scripts');
  await npm('run', 'build');
  await npm('run', 'build:dev');
  const wanted = asked.length > 0 ? asked : Object.keys(groups);
  let hasBroken = false;
  for (const name of wanted) {
    const { line, isBroken } = await tryGroup(groups[name] as Group);
    say(`${name}: ${line}`);
    hasBroken ||= isBroken;
  }
  process.exitCode = hasBroken ? 1 : 0;
} finally {
  await rm(folder, { recursive: true, force: true });
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}

async function npm(...args: string[]): Promise<void> {
  await run('npm', args, { cwd: folder, maxBuffer: 2 ** 26 });
}

/** Has the copy pin other versions, and installs them. */
async function install(versions: Record<string, string>): Promise<void> {
  const pinned = { ...about.devDependencies, ...versions };
  const ours: Record<string, unknown> = about.overrides;
  // Npm refuses an override that differs from the version that is asked for.
  const overrides = Object.entries(ours).map(([name, override]) => [
    name,
    Object.hasOwn(versions, name) && typeof override === 'string'
      ? `$${name}`
      : override,
  ]);
  const fields = {
    ...about,
    devDependencies: pinned,
    overrides: Object.fromEntries(overrides) as Record<string, unknown>,
  };
  await writeFile(join(folder, 'package.json'), JSON.stringify(fields));
  await npm('install', '--ignore-scripts');
}

async function restore(): Promise<void> {
  for (const path of PINS) await cp(path, join(folder, path));
  await npm('install', '--ignore-scripts');
}

async function readVersion(name: string): Promise<string> {
  const path = join(folder, 'node_modules', name, 'package.json');
  return (JSON.parse(await readFile(path, 'utf8')) as { version: string }).version;
}

async function tryGroup({
  packages,
  tests,
}: Group): Promise<{ line: string; isBroken: boolean }> {
  const wanted = packages.map((spec) => {
    const [, name = spec, tag = 'latest'] = /^(.+?)(?:@([^@/]+))?$/u.exec(spec) ?? [];
    return [name, tag] as const;
  });
  const names = wanted.map(([name]) => name);
  const before = await Promise.all(names.map(readVersion));
  try {
    await install(Object.fromEntries(wanted));
  } catch (error) {
    await restore();
    const said = String(error);
    if (said.includes('ETARGET')) {
      return { line: 'there is no such version', isBroken: false };
    }
    const [, reason = said] = /npm error (.+)/u.exec(said) ?? [];
    return { line: `does not install: ${reason}`, isBroken: true };
  }
  try {
    const after = await Promise.all(names.map(readVersion));
    const changed = names.flatMap((name, index) =>
      before[index] === after[index]
        ? []
        : `${name} ${before[index]} → ${after[index]}`,
    );
    if (changed.length === 0) return { line: 'pinned is the newest', isBroken: false };
    const { passed, broken } = await test(tests);
    const found = broken.length === 0 ? '' : `, broken:\n  ${broken.join('\n  ')}`;
    return {
      line: `${changed.join(', ')}: ${passed} tests pass${found}`,
      isBroken: broken.length > 0,
    };
  } finally {
    await restore();
  }
}

type Report = {
  numPassedTests: number;
  testResults: {
    name: string;
    message: string;
    assertionResults: { status: string; fullName: string }[];
  }[];
};

/** Runs tests; a test that cannot be loaded is named by its file and the reason. */
async function test(
  pattern: string,
): Promise<{ passed: number; broken: readonly string[] }> {
  const output = join(folder, 'report.json');
  const jest = 'node_modules/jest/bin/jest.js';
  const args = [jest, '--json', '--outputFile', output, '--testPathPattern', pattern];
  await run(process.execPath, args, { cwd: folder, maxBuffer: 2 ** 28 }).catch(
    () => undefined,
  );
  const report = JSON.parse(await readFile(output, 'utf8')) as Report;
  const broken = report.testResults.flatMap(({ name, message, assertionResults }) => {
    const failed = assertionResults.filter(({ status }) => status === 'failed');
    const isLoaded = assertionResults.length > 0;
    const [reason = ''] = message
      .split('\n')
      .filter((line) => /\berror\b|Cannot/iu.test(line));
    return isLoaded
      ? failed.map(({ fullName }) => fullName)
      : [`${name.slice(resolve(folder).length + 1)} does not load: ${reason.trim()}`];
  });
  return { passed: report.numPassedTests, broken };
}
