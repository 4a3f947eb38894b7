// What MetaMask's registry of snaps takes of Tollkeeper Insight.
import { readFileSync } from 'node:fs';

import { SCREENSHOTS, toRegistryEntry } from '../../dev/release/registry-entry';

const release = {
  name: 'tollkeeper-insight-snap',
  version: '1.2.3',
  checksum: 'MD4RA4muPjvxCrq6BoXtPC/TLrXcKJyH0J5owmVL5I0=',
  home: 'https://host.example/owner/name',
};

it('takes the entry of a release', () => {
  const { id, metadata, versions } = toRegistryEntry(release);
  expect(id).toBe('npm:tollkeeper-insight-snap');
  expect(versions).toStrictEqual({ '1.2.3': { checksum: release.checksum } });
  expect(metadata.sourceCode).toBe(release.home);
  expect(metadata.screenshots).toHaveLength(3);
});

it.each([
  ['checksum', 'none'],
  ['version', 'next'],
])('refuses one whose %s is %j', (field, value) => {
  expect(() => toRegistryEntry({ ...release, [field]: value })).toThrow(/versions/u);
});

it.each(SCREENSHOTS)('has the image %s in the required size', (file) => {
  const bytes = readFileSync(`packages/insight/screenshots/${file}`);
  expect([bytes.readUInt32BE(16), bytes.readUInt32BE(20)]).toStrictEqual([960, 540]);
});
