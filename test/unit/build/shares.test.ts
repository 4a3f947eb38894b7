import { transform } from 'esbuild';

import { countShares } from '../../../dev/build/shares';
import { findBundleFaults, replaceBundleTable } from '../../../dev/docs/bundle-table';

/** A bundle of a line a source, and its map. */
function bundleOf(files: Record<string, string>): { bundle: string; map: string } {
  const sources = Object.keys(files);
  // At its first column each line is of the source after the one of the line before.
  const lines = sources.map((_source, number) => (number === 0 ? 'AAAA' : 'ACAA'));
  const map = JSON.stringify({ version: 3, sources, mappings: lines.join(';') });
  return { bundle: Object.values(files).join('\n'), map };
}

describe('the shares of a bundle', () => {
  it('are counted by package, ours and the bundler aside', () => {
    const { bundle, map } = bundleOf({
      'webpack://x/./src/app.ts': 'first(1);',
      'webpack://x/./node_modules/plain/index.js': 'second("é");',
      'webpack://x/./node_modules/plain/node_modules/@scope/inner/a.js': 'third();',
      'webpack://x/webpack/bootstrap': 'fourth();',
    });
    const shares = countShares(bundle, map, 'own');
    expect(Object.fromEntries(shares)).toStrictEqual({
      own: 'first(1);'.length,
      plain: Buffer.byteLength('second("é");'),
      '@scope/inner': 'third();'.length,
      webpack: 'fourth();\n\n\n'.length,
    });
    const sum = [...shares.values()].reduce((total, bytes) => total + bytes, 0);
    expect(sum).toBe(Buffer.byteLength(bundle));
  });

  // esbuild writes this map; we read it.
  it('are those of an encoder, with negative and large steps', async () => {
    const code = `export const f = (x) => [x, "${'a'.repeat(5_000)}", x, x + 1];`;
    const { code: bundle, map } = await transform(code, {
      minify: true,
      sourcemap: true,
      sourcefile: 'webpack://x/./node_modules/one/index.js',
    });
    const shares = countShares(bundle, map, 'own');
    expect(shares.get('one')).toBeGreaterThan(5_000);
    expect([...shares.values()].reduce((total, bytes) => total + bytes, 0)).toBe(
      Buffer.byteLength(bundle),
    );
  });
});

describe("the README's table of the bundle", () => {
  const EMPTY = '<!-- bundle:start -->\n<!-- bundle:end -->\n';

  it('fails for a package that is not explained, gone, missing or of another size', () => {
    const shares = new Map([
      ['Tollkeeper', 50_000],
      ['@noble/curves', 40_000],
      ['left-pad', 900],
    ]);
    const faults = findBundleFaults(shares, replaceBundleTable(EMPTY, shares));
    expect(faults).toContain('left-pad is in the bundle, and nothing says why.');
    expect(faults).toContain('@ethereumjs/tx is explained, but not in the bundle.');
    expect(faults.join('\n')).not.toContain('README');
    expect(findBundleFaults(shares, EMPTY)).toContain(
      'The README has no size of Tollkeeper, or another one.',
    );
    const before = new Map([
      ...shares,
      ['@noble/curves', 30_000],
      ['ms', 500],
    ] as const);
    expect(findBundleFaults(shares, replaceBundleTable(EMPTY, before))).toEqual(
      expect.arrayContaining([
        'The README has no size of @noble/curves, or another one.',
        'The README lists ms, which is not in the bundle.',
      ]),
    );
  });

  it('needs its marks', () => {
    expect(() => replaceBundleTable('# Tollkeeper', new Map())).toThrow('marks');
  });
});
