// The package as its users get it: packed by npm, and unpacked where it would be installed.
import { execFile } from 'node:child_process';
import { mkdir, rename } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** A packed package. */
export type Packed = { tarball: string; folder: string };

/**
 * Pack what was built, and unpack it into `node_modules` of a folder.
 *
 * @param target - The folder of a package that depends on ours.
 * @throws {Error} With npm's output, if it fails.
 */
export async function installPacked(target: string): Promise<Packed> {
  // What npm start and npm test run under says where npm is.
  const npm = process.env.npm_execpath;
  const [command, first] = npm ? [process.execPath, [npm]] : ['npm', []];
  const { stdout } = await run(command, [
    ...first,
    ...['pack', '--json', '--ignore-scripts', '--pack-destination', resolve(target)],
  ]);
  const [{ name, filename }] = JSON.parse(stdout) as [
    { name: string; filename: string },
  ];
  const folder = join(target, 'node_modules', name);
  await mkdir(join(target, 'node_modules'), { recursive: true });
  await run('tar', ['-xzf', filename], { cwd: target });
  await rename(join(target, 'package'), folder);
  return { tarball: join(target, filename), folder };
}
