// Which of the quick tests npm test runs again.
import { chooseTests } from '../../dev/test/jest';

const tests = [
  'test/unit/a.test.ts',
  'test/entry/b.test.ts',
  'test/live/main-job.test.ts',
  'test/property/c.test.ts',
];
const [unit = '', entry = '', live = '', property = ''] = tests;
const nothing = { changed: [], related: [], failed: [] };

describe('npm test', () => {
  it('runs only random tests again where all passed and nothing changed', () => {
    expect(chooseTests(tests, nothing)).toStrictEqual([property]);
  });

  it('runs what failed again, and nothing else that passed', () => {
    const last = { ...nothing, failed: [entry] };
    expect(chooseTests(tests, last)).toStrictEqual([entry, property]);
  });

  it('runs what uses a changed module again, and what uses the built snap', () => {
    const last = { ...nothing, changed: ['src/eth/hex.ts'], related: [unit] };
    expect(chooseTests(tests, last)).toStrictEqual([unit, live, property]);
  });

  it('runs everything again if a file changed that tests only read', () => {
    const last = { ...nothing, changed: ['locales/ui/en.json'] };
    expect(chooseTests(tests, last)).toStrictEqual(tests);
  });
});
