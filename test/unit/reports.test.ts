import { stripVTControlCharacters } from 'node:util';

import { runNode } from '../../dev/test/check';

it('names each failed test in a report, whatever was compared', async () => {
  const { output } = await runNode([
    'node_modules/jest/bin/jest.js',
    '--selectProjects',
    'unit',
    '--testMatch',
    '**/test/fixtures/jest/failing.ts',
  ]);
  const text = stripVTControlCharacters(output);
  const names = [...text.matchAll(/● (.*)\n/gu)].map(([, name]) => name);
  expect(names).toStrictEqual(['pays a bigint', 'is circular']);
  expect(text).toContain('"paid": 2n');
});
