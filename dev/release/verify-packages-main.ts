// npm run verify:packages
import { readArgs } from '../args';
import { buildElsewhere } from '../build/elsewhere';
import { comparePackages } from './verify-packages';

readArgs(`npm run verify:packages

Builds this checkout in another folder and compares the bundled packages with the published ones.`);

const { modules } = await buildElsewhere();
const { packages, compared, differences } = await comparePackages(modules);
process.stdout.write(
  `${[...differences, `${compared} modules of ${packages} packages: ${differences.length} differ from what was published.`].join('\n')}\n`,
);
process.exitCode = differences.length === 0 ? 0 : 1;
