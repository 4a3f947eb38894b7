// npm run conformance: runs the kit, prints its table, and writes docs/reference/conformance.md.
import { writeFile } from 'node:fs/promises';

import { runColumns } from './columns';
import { CONFORMANCE_PAGE, formatPage } from './page';

const page = formatPage(await runColumns());
await writeFile(CONFORMANCE_PAGE, page);
process.stdout.write(page);
