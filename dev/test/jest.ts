// Runs Jest. A test file that cannot be loaded counts as a failure. On Linux, a skipped test does
// too, unless it needs Redis and no Redis server is installed.
import { readdirSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';

import { SOURCES } from '../build/build';
import { findRedisServer } from '../stack/redis';
import { CACHE, hashFiles, type Outcome, runNode } from './check';

type Report = {
  numPassedTests: number;
  numFailedTests: number;
  numPendingTests: number;
  numTodoTests: number;
  numRuntimeErrorTestSuites: number;
  testResults: {
    name: string;
    status: string;
    assertionResults: { status: string }[];
  }[];
};

const QUICK = [
  'test/(unit|entry)/(?!.*\\.slow\\.)',
  // Without judged/, whose thousands of comparisons with other implementations take too long.
  'test/property/(?!judged/)',
  'test/snap/first-run\\.',
  'test/live/main-job\\.',
];

const JEST = 'node_modules/jest/bin/jest.js';

/** Everything that tests may depend on. */
const INPUTS = [
  ...SOURCES,
  ...readdirSync('packages').map((name) => `packages/${name}/src`),
  'dev',
  'test',
  'jest.config.js',
];

const STAMP = join(CACHE, 'tests.json');

type LastRun = { inputs: Record<string, string>; failed: readonly string[] };

/** Runs all tests with coverage, or only the quick tests. Once a quick test file has passed, it
 * runs again only when its dependencies change. Random tests always run. */
export async function runJest({ isAll }: { isAll: boolean }): Promise<Outcome> {
  if (isAll) return (await run(['--coverage'])).outcome;
  const inputs = await hashFiles(INPUTS);
  const { outcome, failed } = await run([
    '--runTestsByPath',
    ...(await findQuick(inputs)),
  ]);
  if (outcome.failed === 0 || failed.length > 0) {
    await mkdir(CACHE, { recursive: true });
    await writeFile(STAMP, JSON.stringify({ inputs, failed } satisfies LastRun));
  }
  return outcome;
}

async function findQuick(inputs: Record<string, string>): Promise<string[]> {
  const quick = await listTests(QUICK);
  const stamp = await readFile(STAMP, 'utf8').catch(() => undefined);
  if (stamp === undefined) return quick;
  const last = JSON.parse(stamp) as LastRun;
  const changed = Object.keys({ ...last.inputs, ...inputs }).filter(
    (path) => last.inputs[path] !== inputs[path],
  );
  const related =
    changed.length > 0 ? await listTests(['--findRelatedTests', ...changed]) : [];
  const left = chooseTests(quick, { changed, related, failed: last.failed });
  const count = quick.length - left.length;
  process.stdout.write(
    `${count} test files passed before, and nothing that they use has changed\n`,
  );
  return left;
}

/** Selects the tests whose result may differ from the last run. `related` are the tests that import
 * a changed input. */
export function chooseTests(
  tests: readonly string[],
  last: Record<'changed' | 'related' | 'failed', readonly string[]>,
): string[] {
  const { changed, related, failed } = last;
  // Jest knows which tests import a module, but not which tests read other files.
  const isAny = changed.some(
    (path) => !/^(?:dev|packages|src|test)\/.*\.tsx?$/u.test(path),
  );
  const isBuilt = changed.some((path) => /^(?:src|packages)\//u.test(path));
  return tests.filter(
    (path) =>
      isAny ||
      failed.includes(path) ||
      related.includes(path) ||
      path.startsWith('test/property/') ||
      (isBuilt && /^test\/(?:snap|live)\//u.test(path)),
  );
}

async function listTests(args: readonly string[]): Promise<string[]> {
  const { output } = await runNode([JEST, '--listTests', '--json', ...args]);
  const list = output.split('\n').find((line) => line.startsWith('['));
  if (list === undefined) throw new Error(`Jest lists no tests:\n${output}`);
  return (JSON.parse(list) as string[]).map((path) => relative('.', path));
}

async function run(args: readonly string[]) {
  const folder = await mkdtemp(join(tmpdir(), 'tollkeeper-jest-'));
  try {
    const outputFile = join(folder, 'report.json');
    const ended = await runNode(
      [JEST, '--ci', '--json', `--outputFile=${outputFile}`, ...args],
      'inherit',
    );
    const report = JSON.parse(await readFile(outputFile, 'utf8')) as Report;
    const outcome = toOutcome(report);
    const failed = report.testResults
      .filter(isOpen)
      .map(({ name }) => relative('.', name));
    // Jest can fail without a failed test, for example because of insufficient coverage.
    const isUncounted = ended.code !== 0 && outcome.failed === 0;
    return { outcome: isUncounted ? { ...outcome, failed: 1 } : outcome, failed };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

// A test file with failed or skipped tests must run again, but Redis tests may be skipped.
function isOpen({ name, status, assertionResults }: Report['testResults'][number]) {
  const isSkipped = assertionResults.some((each) =>
    ['pending', 'todo'].includes(each.status),
  );
  return status === 'failed' || (isSkipped && !name.endsWith('.redis.test.ts'));
}

function toOutcome(report: Report): Outcome {
  const redisTests = report.testResults
    .filter(({ name }) => name.endsWith('.redis.test.ts'))
    .flatMap(({ assertionResults }) => assertionResults)
    .filter(({ status }) => status === 'pending');
  const skipped = findRedisServer() === undefined ? redisTests.length : 0;
  const notRun = process.platform === 'linux' ? report.numPendingTests - skipped : 0;
  return {
    passed: report.numPassedTests,
    skipped,
    failed:
      report.numFailedTests +
      notRun +
      report.numTodoTests +
      report.numRuntimeErrorTestSuites,
  };
}
