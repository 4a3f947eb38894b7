// npm run measure: the size and shape of the code, as a table in Markdown. Everything is of
// the files of the checkout; the bundle is that of the last build.
import { existsSync, readFileSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';

import type { Json } from '@metamask/utils';

import { weigh } from '../../dev/build/size';
import { createOperationBench } from '../support/operation-bench';
import { createSendBench } from '../support/send-bench';
import { setupSubmitBench } from '../support/submit-bench';
import { findCircles, graphOf, listFiles, read } from './imports';

type Row = [what: string, figure: string];

const BUNDLE = 'dist/bundle.js';

const field = (name: string, type: string): Json => ({ name, type });

/** What MetaMask has signed. */
const MAIL = {
  types: {
    EIP712Domain: [field('name', 'string'), field('chainId', 'uint256')],
    Mail: [field('to', 'address'), field('contents', 'string')],
  },
  primaryType: 'Mail',
  domain: { name: 'Mail', chainId: 1 },
  message: { to: `0x${'22'.repeat(20)}`, contents: 'Hello' },
};

const sources = ['src', 'packages'].flatMap(listFiles);
const tools = listFiles('dev');

const rows: Row[] = [
  ['lines / files of `src` and `packages`', sizeOf(sources)],
  ['files with one importer', String(countSingleImporters())],
  ...(await countPassed()),
  ['tables that list method names', String(sources.filter(listsMethods).length)],
  ['`*Services` types', String(countMatches(/\b(?:type|interface) \w*Services\b/gu))],
  ['`Pick`/`Omit`', String(countMatches(/\b(?:Pick|Omit)</gu))],
  ['bundle, raw / gzip', weighBundle()],
  ['lines / files of `dev`', sizeOf(tools)],
  [
    'files in circles, types included: `src` and `packages`',
    String(findCircles(sources).length),
  ],
  ['files in circles, types included: `dev`', String(findCircles(tools).length)],
];
const lines = rows.map((row) => `| ${row.join(' | ')} |\n`);
process.stdout.write(`| | figure |\n|---|---|\n${lines.join('')}`);
// What the requests of the fakes left behind may wait for timers.
process.exit(0);

// All lines of code files, blank ones and comments too; no styles, pictures or fixtures.
function sizeOf(paths: readonly string[]): string {
  const count = paths.reduce((sum, path) => sum + read(path).split('\n').length - 1, 0);
  return `${count.toLocaleString('en')} / ${paths.length}`;
}

// Importers within src alone: tests and dev do not make a file shared.
function countSingleImporters(): number {
  const importers = new Map<string, number>();
  for (const targets of graphOf(sources).values()) {
    for (const target of targets) {
      importers.set(target, (importers.get(target) ?? 0) + 1);
    }
  }
  return [...importers.values()].filter((count) => count === 1).length;
}

// A judgement: a file is such a table if five different names of methods stand in it as keys
// of an object or as items of a list, be they strings or members of a package's enum. What the
// client asks of servers is no route, and does not count.
function listsMethods(path: string): boolean {
  if (path.startsWith('packages/client/')) return false;
  const names = read(path).matchAll(
    /^\s*(?:method: |name: |\[|\.\.\.\[)?(?:['"]?((?:eth|personal|wallet|tollkeeper|keyring)_\w+)['"]?|\[?KeyringRpcMethod\.(\w+)\]?)\s*[:,\]]/gmu,
  );
  return new Set([...names].map(([, name, member]) => name ?? member)).size >= 5;
}

function countMatches(pattern: RegExp): number {
  return sources.reduce(
    (sum, path) => sum + (read(path).match(pattern)?.length ?? 0),
    0,
  );
}

function weighBundle(): string {
  if (!existsSync(BUNDLE)) return 'not built';
  const { raw, gzipped } = weigh(readFileSync(BUNDLE));
  return [raw, gzipped].map((bytes) => bytes.toLocaleString('en')).join(' / ');
}

/**
 * Counts the files of src of which a function runs while a request is answered: V8's coverage
 * of the requests that the tests of the entry points make. Loading a file is no passing.
 */
async function countPassed(): Promise<Row[]> {
  const site = await createSendBench();
  const sent = await passedBy(async () => site.send());
  const wallet = await setupSubmitBench();
  const signed = await passedBy(async () =>
    wallet.submit('eth_signTypedData_v4', [wallet.eoa.address, MAIL]),
  );
  const smart = await createOperationBench();
  const intent = [{ to: `0x${'11'.repeat(20)}`, value: '0x1', data: '0x' }];
  const operated = await passedBy(async () => {
    await smart.call('eth_prepareUserOperation', intent);
    await smart.call('eth_sendUserOperation', intent);
  });
  const more = new Set([...operated].filter((path) => !sent.has(path)));
  return [
    ["files that a dapp's `eth_sendTransaction` passes", describePassed(sent)],
    ["… MetaMask's `eth_signTypedData_v4`", describePassed(signed)],
    ['… prepare → send of a user operation, those beside', describePassed(more)],
  ];
}

async function passedBy(work: () => Promise<unknown>): Promise<Set<string>> {
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', {
    callCount: true,
    detailed: true,
  });
  await work();
  const { result } = await session.post('Profiler.takePreciseCoverage');
  session.disconnect();
  const ran = result.filter(({ functions }) =>
    functions.some(
      ({ functionName, ranges: [whole] }) =>
        // `__name` is the loader's. What begins at 0 is the module itself.
        functionName !== '__name' && whole && whole.startOffset > 0 && whole.count > 0,
    ),
  );
  const paths = ran
    .filter(({ url }) => url.startsWith('file:'))
    .map(({ url }) => relative('.', fileURLToPath(url.replace(/\?.*/u, ''))));
  return new Set(paths.filter((path) => sources.includes(path)));
}

function describePassed(paths: ReadonlySet<string>): string {
  const below = [...paths].filter((path) =>
    /^src\/(?:client|eth)\//u.test(path),
  ).length;
  if (process.argv.includes('--list')) {
    process.stdout.write(`${[...paths].sort().join('\n')}\n\n`);
  }
  return `${paths.size - below} and ${below} of \`client\` and \`eth\``;
}
