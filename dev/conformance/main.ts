// npm run conformance: runs the kit, prints its table, and writes docs/reference/conformance.md.
import { writeFile } from 'node:fs/promises';

import { readArgs } from '../args';
import { ensureBuilt } from '../build/built';
import { CONFORMANCE_PAGE, formatPage, runColumns } from './columns';

readArgs(`npm run conformance

Runs the kit in each wallet, prints its table, and writes ${CONFORMANCE_PAGE}.`);

await ensureBuilt();
const page = formatPage(await runColumns());
await writeFile(CONFORMANCE_PAGE, page);
process.stdout.write(page);
