// Lint does not count imports of types: these do.
import { findCircles, listFiles } from '../support/imports';

describe('imports', () => {
  it.each([['src', 'packages'], ['dev'], ['test']])(
    'run in no circles in %s, types included',
    (...folders) => {
      expect(findCircles(folders.flatMap(listFiles))).toStrictEqual([]);
    },
  );
});
