// npm run docs: writes every committed file that is generated from the code.
import { writeFile } from 'node:fs/promises';

import { generateFiles } from './generate';

for (const [path, text] of await generateFiles()) await writeFile(path, text);
