// npm run conformance: runs the kit, prints its table, and writes docs/reference/conformance.md.
import { writeFile } from 'node:fs/promises';

import { CONFORMANCE_PAGE, formatPage, runColumns } from './columns';

const page = formatPage(await runColumns());
await writeFile(CONFORMANCE_PAGE, page);
process.stdout.write(page);
