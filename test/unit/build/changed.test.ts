// When the commands and `npm test` repeat a build.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

import { buildIfChanged } from '../../../dev/build/changed';

let folder = '';
let source = '';
let bundle = '';
let part = '';

/** Builds if necessary. Returns whether the existing build was up to date. */
async function run(
  build = async () => {
    await writeFile(bundle, 'bundle');
    await mkdir(join(folder, 'files'), { recursive: true });
    await writeFile(part, 'part');
    return false;
  },
): Promise<boolean> {
  const options = { inputs: [source], written: [bundle, join(folder, 'files')], build };
  return (await buildIfChanged(join(folder, 'cache/stamp'), options)).isBuilt;
}

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tollkeeper-changed-'));
  source = join(folder, 'source.ts');
  bundle = join(folder, 'bundle.js');
  part = join(folder, 'files/01.json');
  await writeFile(source, 'source');
  expect(await run()).toBe(false);
  expect(await run()).toBe(true);
});

afterEach(async () => rm(folder, { recursive: true }));

describe('a build', () => {
  it.each<[string, () => Promise<void>]>([
    ['its bundle is missing', async () => rm(bundle)],
    ['its bundle is half-written', async () => writeFile(bundle, 'bun')],
    ['a file of a folder is missing', async () => rm(part)],
    ['a folder is missing', async () => rm(join(folder, 'files'), { recursive: true })],
    ['a source has changed', async () => writeFile(source, 'other source')],
  ])('is repeated if %s', async (_what, spoil) => {
    await spoil();
    expect(await run()).toBe(false);
    expect(await run()).toBe(true);
  });

  it('is repeated if the last one was interrupted', async () => {
    await writeFile(source, 'other source');
    const interrupted = run(async () => {
      await writeFile(bundle, 'bun');
      throw new Error('Interrupted.');
    });
    await expect(interrupted).rejects.toThrow('Interrupted.');
    await writeFile(source, 'source');
    expect(await run()).toBe(false);
  });

  it('is repeated until a changed manifest is committed', async () => {
    await writeFile(source, 'other source');
    const build = async (): Promise<boolean> => Promise.resolve(true);
    expect(await run(build)).toBe(false);
    expect(await run(build)).toBe(false);
  });
});
