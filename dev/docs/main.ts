// npm run docs
import { writeFile } from 'node:fs/promises';

import { generateFiles } from './generate';

for (const [path, text] of await generateFiles()) await writeFile(path, text);
