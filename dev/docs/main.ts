// npm run docs: writes the generated documentation.
import { writeFile } from 'node:fs/promises';

import { readArgs } from '../args';
import { generateFiles } from './generate';

readArgs(`npm run docs

Writes the generated pages of docs.`);

for (const [path, text] of await generateFiles()) await writeFile(path, text);
