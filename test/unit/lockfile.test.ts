// The lockfile as `npm audit signatures` and `npm ci` need it: every package comes from the
// registry, in an exact version, with a checksum that npm verifies.
import { readFileSync } from 'node:fs';

type Entry = {
  version?: string;
  integrity?: string;
  link?: boolean;
  resolved?: string;
  inBundle?: boolean;
  optional?: boolean;
  engines?: { node?: string };
  os?: string[];
};

type Lockfile = { lockfileVersion: number; packages: Record<string, Entry> };

type Package = {
  dependencies?: Record<string, string>;
  devDependencies: Record<string, string>;
  overrides: Record<string, unknown>;
};

const readJson = <Type>(path: string) => JSON.parse(readFileSync(path, 'utf8')) as Type;

const { lockfileVersion, packages } = readJson<Lockfile>('package-lock.json');
const isOwn = ([path, { link }]: [string, Entry]): boolean =>
  link === true || /^(?:packages\/|\.changeset)/u.test(path);
const all = Object.entries(packages).filter(([path]) => path !== '');
const entries = all.filter((entry) => !isOwn(entry));

const pathsOf = (isWrong: (entry: Entry) => boolean): string[] =>
  entries.filter(([, entry]) => isWrong(entry)).map(([path]) => path);

describe('the lockfile', () => {
  it('has a SHA-512 checksum for every package', () => {
    expect(lockfileVersion).toBe(3);
    expect(entries.length).toBeGreaterThan(500);
    // Bundled packages share the checksum of their parent. npm records no checksum for optional
    // packages of systems on which it never ran; these packages are tools, not parts of the bundle.
    const isElsewhere = ({ optional, os }: Entry): boolean =>
      optional === true && os !== undefined;
    const unchecked = pathsOf(
      ({ integrity, ...entry }) =>
        !/^sha512-[\w+/]{86}==$/u.test(integrity ?? '') &&
        (integrity !== undefined || !(entry.inBundle ?? isElsewhere(entry))),
    );
    expect(unchecked).toEqual([]);
  });

  it('has an exact version of each package, from the registry only', () => {
    expect(pathsOf(({ version }) => !/^\d+\.\d+\.\d+/u.test(version ?? ''))).toEqual(
      [],
    );
    // npm uses the configured registry, so there are no URLs of hosts or of git.
    expect(pathsOf(({ resolved }) => resolved !== undefined)).toEqual([]);
  });

  it('has only packages that run in Node 20', () => {
    const demanding = entries.filter(
      ([, { engines, optional }]) =>
        optional !== true && /^>=\s*2[1-9]/u.test(engines?.node ?? ''),
    );
    expect(demanding.map(([path]) => path)).toStrictEqual([]);
  });
});

describe('package.json', () => {
  const { dependencies, devDependencies, overrides } =
    readJson<Package>('package.json');

  it('lists only development dependencies', () => {
    expect(dependencies).toBeUndefined();
  });

  it('pins the dependencies of the bundle', () => {
    const loose = Object.entries(devDependencies).filter(
      ([, range]) => !/^(?:npm:.+@)?\d+\.\d+\.\d+(?:-rc\.\d+)?$/u.test(range),
    );
    expect(loose).toEqual([]);
    expect(JSON.stringify(overrides)).not.toMatch(/[\^~*]|latest/u);
  });

  it('does not name a registry, because each machine configures its own', () => {
    const host = ['npmjs', 'org'].join('.');
    const files = [
      'snap.manifest.json',
      'packages/insight/snap.manifest.json',
      'package.json',
      'package-lock.json',
    ];
    const naming = files.filter((path) => readFileSync(path, 'utf8').includes(host));
    expect(naming).toStrictEqual([]);
  });
});
