// npm run verify:packages
import { buildElsewhere } from '../build/elsewhere';
import { comparePackages } from './verify-packages';

const { modules } = await buildElsewhere();
const { packages, compared, differences } = await comparePackages(modules);
process.stdout.write(
  `${[...differences, `${compared} modules of ${packages} packages: ${differences.length} differ from what was published.`].join('\n')}\n`,
);
process.exitCode = differences.length === 0 ? 0 : 1;
