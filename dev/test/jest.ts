// Running Jest and counting: a test that is skipped or cannot be loaded has not passed.
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

/** Run all Jest projects. */
export async function runJest(): Promise<Outcome> {
  const folder = await mkdtemp(join(tmpdir(), 'tollkeeper-jest-'));
  try {
    const outputFile = join(folder, 'report.json');
    const ended = await runNode(
      [
        '--experimental-vm-modules',
        '--disable-warning=ExperimentalWarning',
        'node_modules/jest/bin/jest.js',
        '--ci',
        '--coverage',
        '--json',
        `--outputFile=${outputFile}`,
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
  const notRun = report.numPendingTests + report.numTodoTests;
  return {
    passed: report.numPassedTests,
    failed: report.numFailedTests + notRun + report.numRuntimeErrorTestSuites,
  };
}
