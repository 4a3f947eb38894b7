// The package as its users get it: packed by npm, and installed by npm where nothing else is.
import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** A packed package. */
export type Packed = {
  tarball: string;
  /** Where it was installed. */
  folder: string;
  /** Paths of what is in it. */
  files: string[];
};

/**
 * Pack what was built, and install it in a folder, from the tarball alone.
 *
 * @param target - An empty folder.
 * @throws {Error} With npm's output, if it fails.
 */
export async function installPacked(target: string): Promise<Packed> {
  const destination = ['--pack-destination', resolve(target)];
  const packed = await runNpm(['pack', '--json', '--ignore-scripts', ...destination]);
  const [{ name, filename, files }] = JSON.parse(packed) as [
    { name: string; filename: string; files: { path: string }[] },
  ];
  await writeFile(join(target, 'package.json'), JSON.stringify({ type: 'module' }));
  await runNpm(['install', '--offline', '--prefix', target, join(target, filename)]);
  return {
    tarball: join(target, filename),
    folder: join(target, 'node_modules', name),
    files: files.map(({ path }) => path),
  };
}

async function runNpm(args: string[]): Promise<string> {
  // What npm start and npm test run under says where npm is.
  const npm = process.env.npm_execpath;
  const [command, first] = npm ? [process.execPath, [npm]] : ['npm', []];
  const { stdout } = await run(command, [...first, ...args]);
  return stdout;
}
