// npm run verify:packages; also writes the sizes of packages for docs/internals/bundle.md.
import { writeFile } from 'node:fs/promises';

import { buildElsewhere } from '../build/elsewhere';
import { measurePackages } from '../docs/packages';
import { comparePackages } from './verify-packages';

const { modules } = await buildElsewhere();
const sizes = `${JSON.stringify(measurePackages(modules), undefined, 2)}\n`;
await writeFile('dev/build/sizes.json', sizes);
const { packages, compared, differences } = await comparePackages(modules);
process.stdout.write(
  `${[...differences, `${compared} modules of ${packages} packages: ${differences.length} differ from what was published.`].join('\n')}\n`,
);
process.exitCode = differences.length === 0 ? 0 : 1;
