// A package that depends on ours as it is published, and what its author writes.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { installPacked } from '../../dev/build/pack';
import { runNode } from '../../dev/test/check';
import type { Ended } from '../../dev/test/check';

/** A folder in which the package is installed, with no other package beside it. */
export type Consumer = {
  /** Paths of what was installed. */
  files: readonly string[];
  /** Run a program there, as plain Node does. */
  run: (program: string, ...args: string[]) => Promise<Ended>;
  /** Check a program's types; `moduleResolution` is TypeScript's. */
  check: (program: string, moduleResolution: string) => Promise<Ended>;
  remove: () => Promise<void>;
};

/** Compiler options that go with a way to resolve modules. */
const MODULES: Record<string, string> = {
  bundler: 'esnext',
  node16: 'node16',
  nodenext: 'nodenext',
};

/** Install the built package in a folder far from ours. */
export async function installInConsumer(): Promise<Consumer> {
  const folder = await mkdtemp(join(tmpdir(), 'tollkeeper-consumer-'));
  const write = async (name: string, text: string): Promise<string> => {
    await writeFile(join(folder, name), text);
    return join(folder, name);
  };
  const { files } = await installPacked(folder);
  return {
    files,
    run: async (program, ...args) =>
      runNode([await write('program.mjs', program), ...args]),
    check: async (program, moduleResolution) => {
      await write('program.ts', program);
      const compilerOptions = {
        module: MODULES[moduleResolution],
        moduleResolution,
        target: 'es2022',
        lib: ['es2022', 'dom'],
        types: [],
        strict: true,
        noEmit: true,
      };
      const config = { compilerOptions, files: ['program.ts'] };
      const path = await write('tsconfig.json', JSON.stringify(config));
      return runNode(['node_modules/typescript/bin/tsc', '--project', path]);
    },
    remove: async () => rm(folder, { recursive: true, force: true }),
  };
}
