// npm run verify:packages; also writes the sizes of packages for docs/internals/bundle.md.
import { writeFile } from 'node:fs/promises';

import { readArgs } from '../args';
import { buildElsewhere } from '../build/elsewhere';
import { measurePackages } from '../docs/packages';
import { comparePackages } from './verify-packages';

readArgs(`npm run verify:packages

Builds this checkout elsewhere and compares the code of packages in it with what was published. Writes
the sizes of the packages, which docs/internals/bundle.md shows.`);

const { modules } = await buildElsewhere();
const sizes = `${JSON.stringify(measurePackages(modules), undefined, 2)}\n`;
await writeFile('dev/build/sizes.json', sizes);
const { packages, compared, differences } = await comparePackages(modules);
process.stdout.write(
  `${[...differences, `${compared} modules of ${packages} packages: ${differences.length} differ from what was published.`].join('\n')}\n`,
);
process.exitCode = differences.length === 0 ? 0 : 1;
