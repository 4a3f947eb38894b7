// The libraries' `@example`s: each is a complete module and passes strict type checking.
import { readdirSync, readFileSync } from 'node:fs';

import { libraries } from '../../dev/build/libraries';
import { findSnippets } from '../support/snippets';
import { findTypeErrors } from '../support/type-check';

const COMMENT = /\/\*\*(?<text>.*?)\*\//gsu;

it('type-checks every @example as a complete module', () => {
  const programs = libraries.flatMap((library) => {
    const folder = `packages/${library}/src`;
    return readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .flatMap((name) => {
        const comments = [
          ...readFileSync(`${folder}/${name}`, 'utf8').matchAll(COMMENT),
        ];
        const examples = comments
          .map(({ groups }) => groups?.text?.replaceAll(/^ *\* ?/gmu, '') ?? '')
          .filter((text) => text.includes('@example'));
        return examples.map((text, index): [string, string] => {
          const code = findSnippets(text).map((snippet) => snippet.code);
          return [
            `${library}-${name.replaceAll(/\W/gu, '-')}-${index}`,
            code.join('\n') || 'An example needs a ts block.',
          ];
        });
      });
  });
  expect(programs.length).toBeGreaterThan(5);
  expect(findTypeErrors(Object.fromEntries(programs))).toStrictEqual([]);
});
