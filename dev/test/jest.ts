// Running Jest and counting: a test that cannot be loaded has failed, and so has, on Linux,
// one that is skipped.
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { runNode } from './check';
import type { Outcome } from './check';

/** What we read of Jest's report. */
type Report = {
  numPassedTests: number;
  numFailedTests: number;
  numPendingTests: number;
  numTodoTests: number;
  numRuntimeErrorTestSuites: number;
};

/** What `npm test` runs: all quick tests, one file per feature on the built snap, the main job. */
const QUICK = [
  'test/(unit|property|entry)/',
  'test/snap/(accounts|discover|fees|first-run|home-settings|signing)\\.',
  'test/snap/(signature|transaction)-insight\\.',
  'test/live/main-job\\.',
];

/** Runs the quick tests, or all of them with coverage. */
export async function runJest({ isAll }: { isAll: boolean }): Promise<Outcome> {
  const folder = await mkdtemp(join(tmpdir(), 'tollkeeper-jest-'));
  try {
    const outputFile = join(folder, 'report.json');
    const ended = await runNode(
      [
        'node_modules/jest/bin/jest.js',
        '--ci',
        '--json',
        `--outputFile=${outputFile}`,
        ...(isAll ? ['--coverage'] : ['--', ...QUICK]),
      ],
      'inherit',
    );
    const report = JSON.parse(await readFile(outputFile, 'utf8')) as Report;
    const outcome = toOutcome(report);
    // Jest failed for a reason that it does not count: branches that no test takes, say.
    const isUncounted = ended.code !== 0 && outcome.failed === 0;
    return isUncounted ? { ...outcome, failed: 1 } : outcome;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function toOutcome(report: Report): Outcome {
  const notRun = process.platform === 'linux' ? report.numPendingTests : 0;
  return {
    passed: report.numPassedTests,
    failed:
      report.numFailedTests +
      notRun +
      report.numTodoTests +
      report.numRuntimeErrorTestSuites,
  };
}
