// Type-checks programs that are not in files.
import { dirname, resolve } from 'node:path';

import ts from 'typescript';

const options: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.ESNext,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
  moduleDetection: ts.ModuleDetectionKind.Force,
  lib: ['lib.es2023.d.ts', 'lib.dom.d.ts'],
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  noEmit: true,
  resolveJsonModule: true,
  jsx: ts.JsxEmit.ReactJSX,
  skipLibCheck: true,
  types: [],
  // Packages that include the snap's code are checked with their built types.
  paths: {
    'tollkeeper-snap/playwright': [resolve('dist/playwright/index.d.ts')],
    'tollkeeper-snap/provider': [resolve('packages/provider/src/index.ts')],
    'tollkeeper-snap/testing': [resolve('dist/testing/index.d.ts')],
    'tollkeeper-snap/viem': [resolve('packages/viem/src/index.ts')],
    'tollkeeper-snap/wagmi': [resolve('packages/wagmi/src/index.ts')],
    vitest: [resolve('test/support/runner.ts')],
    '@playwright/test': [resolve('test/support/runner.ts')],
  },
};

/**
 * Type-checks several programs together, each as its own module.
 *
 * @param programs - Texts by name; a component's name ends with `.tsx`.
 * @returns Messages, each after its program's name and line.
 */
export function findTypeErrors(programs: Readonly<Record<string, string>>): string[] {
  const texts = new Map(
    Object.entries(programs).map(([name, text]) => [
      resolve(name.endsWith('.tsx') ? name : `${name}.ts`),
      text,
    ]),
  );
  const host = ts.createCompilerHost(options);
  const plain = ts.createCompilerHost(options);
  host.fileExists = (path) => texts.has(path) || plain.fileExists(path);
  host.readFile = (path) => texts.get(path) ?? plain.readFile(path);
  host.getSourceFile = (path, ...others) => {
    const text = texts.get(path);
    return text === undefined
      ? plain.getSourceFile(path, ...others)
      : ts.createSourceFile(path, text, ts.ScriptTarget.ES2022);
  };
  const program = ts.createProgram([...texts.keys()], options, host);
  return ts.getPreEmitDiagnostics(program).map(({ file, start = 0, messageText }) => {
    const name = file?.fileName.slice(dirname(resolve('x')).length + 1);
    const line = (file?.getLineAndCharacterOfPosition(start).line ?? 0) + 1;
    return `${name}:${line}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`;
  });
}
