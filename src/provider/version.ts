// Versions as far as a dapp names them (Semantic Versioning): one, or `^` and the least.

type Version = readonly [major: number, minor: number, patch: number];

/** Tell whether a version is one that is wanted. */
export function satisfies(version: string, wanted: string): boolean {
  const own = read(version);
  const least = read(wanted.replace(/^\^/u, ''));
  if (!own || !least) return version === wanted;
  if (!wanted.startsWith('^')) return compare(own, least) === 0;
  // Before 1.0.0 each minor version may break what the last one promised.
  const kept = least[0] > 0 ? 1 : 2;
  const isKin = own.slice(0, kept).join('.') === least.slice(0, kept).join('.');
  return isKin && compare(own, least) >= 0;
}

function read(version: string): Version | undefined {
  const [, major, minor, patch] = /^(\d+)\.(\d+)\.(\d+)$/u.exec(version) ?? [];
  return patch === undefined
    ? undefined
    : [Number(major), Number(minor), Number(patch)];
}

function compare(one: Version, other: Version): number {
  return one[0] - other[0] || one[1] - other[1] || one[2] - other[2];
}
