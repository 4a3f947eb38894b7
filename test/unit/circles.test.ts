// Lint does not count imports of types: these do.
import { findCircles, listFiles } from '../measure/imports';

describe('imports', () => {
  it.each(['src', 'dev', 'test'])(
    'run in no circles in %s, types included',
    (folder) => {
      expect(findCircles(listFiles(folder))).toStrictEqual([]);
    },
  );
});
