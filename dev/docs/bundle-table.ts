// The README's table of what the bundle is made of, and what is wrong with it.
import { bundlePackages } from './bundle-packages';
import { toTable } from './table';

/** What the sources outside of packages are called. */
export const OWN = 'Tollkeeper';

const BUNDLER = 'webpack';

/** How the two that are no packages are explained. */
const others: Record<string, string> = {
  [OWN]: '`src`, with what stands in for parts of packages',
  [BUNDLER]: 'what joins the modules',
};

/** A size in the table may be off by a tenth of it, or by so much: code changes daily. */
const TOLERANCE_KB = 2;

const MARKS = ['<!-- bundle:start -->', '<!-- bundle:end -->'] as const;

/** Put the table of today into a README; throws if it has no marks for it. */
export function replaceBundleTable(
  readme: string,
  shares: ReadonlyMap<string, number>,
): string {
  const [start, end] = MARKS;
  const [before, rest] = readme.split(start);
  const after = rest?.split(end)[1];
  if (before === undefined || after === undefined) {
    throw new Error('The README lacks the marks of the table "bundle".');
  }
  const rows = [...shares].map(([name, bytes]) => [
    `\`${name}\``,
    bundlePackages[name] ?? others[name] ?? '?',
    `${toKilobytes(bytes)} kB`,
  ]);
  const table = toTable(['What', 'Why', 'Size'], rows);
  return `${before}${start}\n\n${table}\n\n${end}${after}`;
}

/**
 * Say what of the bundle is not explained, or not as it is.
 *
 * @param shares - Its bytes by package.
 * @param readme - The README, with the table.
 * @returns A sentence a fault; none if all is well.
 */
export function findBundleFaults(
  shares: ReadonlyMap<string, number>,
  readme: string,
): string[] {
  const found = [...shares.keys()].filter((name) => !Object.hasOwn(others, name));
  const unknown = found.filter((name) => !Object.hasOwn(bundlePackages, name));
  const gone = Object.keys(bundlePackages).filter((name) => !shares.has(name));
  const table = readTable(readme);
  const wrong = [...shares].filter(([name, bytes]) => {
    const shown = table.get(name);
    const size = toKilobytes(bytes);
    return (
      shown === undefined || Math.abs(shown - size) > Math.max(TOLERANCE_KB, size / 10)
    );
  });
  const surplus = [...table.keys()].filter((name) => !shares.has(name));
  return [
    ...unknown.map((name) => `${name} is in the bundle, and nothing says why.`),
    ...gone.map((name) => `${name} is explained, but not in the bundle.`),
    ...wrong.map(([name]) => `The README has no size of ${name}, or another one.`),
    ...surplus.map((name) => `The README lists ${name}, which is not in the bundle.`),
  ];
}

function readTable(readme: string): Map<string, number> {
  const [start, end] = MARKS;
  const table = readme.split(start)[1]?.split(end)[0] ?? '';
  const rows = table.matchAll(/^\| `([^`]+)` .*\| ([\d.]+) kB +\|$/gmu);
  return new Map([...rows].map(([, name = '', size]) => [name, Number(size)]));
}

function toKilobytes(bytes: number): number {
  return Math.round(bytes / 100) / 10;
}
