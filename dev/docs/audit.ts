// The audit scope page: the core's files, the packages below them, and an auditor's questions.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

import ts from 'typescript';

import { listAudits, readLock } from './packages';
import type { LockEntry } from './packages';
import { toTable } from './tables';

const CORE = 'src/core';

/** The core must stay small enough to be read in full. */
const MAX_LINES = 2_000;

type CoreFile = { path: string; lines: number; purpose: string; packages: string[] };

/** An installed package: its entry in package-lock.json, and its dependents. */
type Installed = { path: string; name: string; entry: LockEntry; needers: string[] };

/** Writes the page; throws if the core is too long, or imports any of our other code. */
export function writeAuditPage(): string {
  const files = readdirSync(CORE).sort().map(readCoreFile);
  const total = files.reduce((sum, { lines }) => sum + lines, 0);
  if (total > MAX_LINES) {
    throw new Error(
      `${CORE} has ${total} lines, which is more than ${MAX_LINES}. Move out what needs no key.`,
    );
  }
  const packages = listPackages(files);
  return assertPaths(`# Audit scope

The core, \`${CORE}\`, has the keys. It alone shows what is signed, makes approvals and signs; everything else can only ask it. It imports libraries and itself: \`dev/lint/core.mjs\` and \`dev/lint/layers.mjs\` make lint enforce that, and that nothing else imports a library of elliptic curves or what signs in \`eth-sig-util\` and \`@ethereumjs/util\`.

\`npm run docs\` writes this page from the code, and fails if the core has more than ${toShown(MAX_LINES)} lines. Tollkeeper itself has not been audited.

## Files

${writeFiles(files, total)}

## Packages

The packages that the core imports:

${writePackages(packages.direct, 'Imported by')}

The packages below them, as the lockfile has them:

${writePackages(packages.below, 'Needed by')}

The audits are those that the README of the installed version names, with the version that was audited; “none published” means that it names none. [The bundle](../internals/bundle.md) has fewer packages: its page lists those whose code is in it, and which of their modules are left out.

## Questions

${questions.map(([question, answer]) => `### ${question}\n\n${answer}`).join('\n\n')}

## Limits

- The core draws what it signs by functions of the features. It does not judge whether a drawing tells the truth: \`src/review\` does that, and its tests.
- All code of the snap runs in one worker. SES freezes the objects of JavaScript, but not those of libraries, and lint is the only wall between modules.
- The code that creates accounts passes an imported key to the core, and an exported key passes through the code that encrypts it or answers MetaMask.
- Attacks that still work are the "known gaps" of \`test/entry/core-attacks.test.ts\`: tests that turn red when the core refuses them.
`);
}

const questions: readonly [question: string, answer: string][] = [
  [
    'Who can read a key?',
    `\`src/core/keys.ts\` alone gets keys. It lends a copy to the functions of \`src/core/sign.ts\`, which return signatures. \`src/core/vault.ts\` takes imported keys out of the stored document before other code sees it. A key leaves the core only by \`exportKey\`, for an approved task of kind \`key\`. The other code gets an \`AppContext\` without entropy and without the stored document (\`src/app.ts\`).

Test: \`test/entry/core-attacks.test.ts\` searches everything that a hostile feature can reach.`,
  ],
  [
    'Who can make an approval?',
    `\`src/core/dialog.ts\` makes one when the user presses the button of a snapshot, after every page was seen and every danger acknowledged. \`acceptDecided\` in \`src/core/core.ts\` makes one for a decision of MetaMask or of the home page, which the entry points alone can note. The core knows approvals by identity: a copy or a forgery has no tasks.

Tests: \`test/entry/core-attacks.test.ts\` forges approvals and decisions, \`test/entry/pages.test.ts\` presses buttons too early.`,
  ],
  [
    'Is what is signed what was shown?',
    `\`src/core/approval.ts\` copies a task before it is drawn, refuses everything but plain data, and freezes the copy. The dialog draws this copy, and the key signs it. If the user presses an older snapshot, the core signs that one, or asks again if a newer one costs more or warns of more (\`src/core/dialog.ts\`).

Tests: \`test/entry/core-attacks.test.ts\` exchanges the payload at every step, \`test/entry/fee-refresh.test.ts\` presses outdated buttons, and \`test/live/differential.test.ts\` compares signatures with viem's.`,
  ],
  [
    'Is each approval used once?',
    `\`takeTask\` in \`src/core/approval.ts\` gives each task of an approval once, before anything is signed. A signature that fails uses it up as well.

Test: \`test/entry/core-attacks.test.ts\`.`,
  ],
  [
    'What is open until the signature?',
    `Only what a task declares (\`OpenField\` in \`src/core/payload.ts\`): the nonce, the signatures of other tasks of the same approval, and whether an operation still deploys its account. \`src/core/core.ts\` fills these fields and no others. Authorizations are signed for the contracts in \`src/core/authorization.ts\`, and for one chain.

Tests: \`test/entry/core-attacks.test.ts\`, and \`test/entry/delegations.test.ts\` for transactions that carry authorizations.`,
  ],
  [
    'Where do keys come from, and how are they wiped?',
    `\`src/core/keys.ts\` derives a key from 32 bytes of \`snap_getEntropy\`, whose salt is the derivation path, or takes an imported one from \`src/core/vault.ts\`. It compares the address of the key with the owner of the account. Lent copies are filled with zeros after use; one copy for each account stays in memory until MetaMask stops the worker. [Keys](keys.md) has the derivation with test vectors.

Tests: \`test/entry/keys.test.ts\`, and \`test/unit/accounts/signer.test.ts\` for the wiping.`,
  ],
  [
    'What leaves the worker, and what do errors and logs say?',
    `Addresses, signatures, signed transactions and exported keys. Imported keys are stored in the state that MetaMask encrypts. Messages of errors quote no secret (\`src/core/errors.ts\`), callers see a general message of errors that the code does not expect, and the log writes named fields only (\`src/platform/boundary.ts\`).

Tests: \`test/live/accounts-secrets.test.ts\` searches answers, errors, screens, logs and the disk for keys.`,
  ],
];

function writeFiles(files: readonly CoreFile[], total: number): string {
  const rows = files.map(({ path, lines, purpose }) => [
    `\`${path}\``,
    toShown(lines),
    purpose,
  ]);
  return toTable(
    ['File', 'Lines', 'What it does'],
    [...rows, ['**Total**', `**${toShown(total)}**`, '']],
  );
}

function writePackages(packages: readonly Installed[], needed: string): string {
  const rows = packages.map(({ path, name, entry, needers }) => [
    `\`${name}\``,
    entry.version,
    entry.license ?? 'unknown',
    needers.map((each) => `\`${each}\``).join(', '),
    listAudits(path).join(', ') || 'none published',
  ]);
  return toTable(['Package', 'Version', 'Licence', needed, 'Audits'], rows);
}

function readCoreFile(name: string): CoreFile {
  const path = join(CORE, name);
  const text = readFileSync(path, 'utf8');
  const comment = /^(?:\/\/.*\n)+/u.exec(text)?.[0].replaceAll(/^\/\/ ?/gmu, '') ?? '';
  const [purpose] = /^.+?\.(?=\s|$)/su.exec(comment) ?? [];
  if (purpose === undefined) throw new Error(`${path} does not say what it does.`);
  return {
    path,
    lines: text.split('\n').length - 1,
    purpose: purpose.replaceAll('\n', ' '),
    packages: listPackageImports(path, text),
  };
}

/** Lists the packages that a file imports; throws if it imports a file outside the core. */
function listPackageImports(path: string, text: string): string[] {
  const { statements } = ts.createSourceFile(path, text, ts.ScriptTarget.Latest);
  return statements.flatMap((statement) => {
    const isImport = ts.isImportDeclaration(statement);
    if (!isImport && !ts.isExportDeclaration(statement)) return [];
    const { moduleSpecifier: specifier } = statement;
    if (!specifier || !ts.isStringLiteral(specifier)) return [];
    const { text: target } = specifier;
    if (target.startsWith('.')) {
      if (dirname(relative('.', join(CORE, target))) === CORE) return [];
      throw new Error(`${path} imports ${target}, which is not in the core.`);
    }
    const isType = isImport ? statement.importClause?.isTypeOnly : statement.isTypeOnly;
    const [name] = /^(?:@[^/]+\/)?[^/]+/u.exec(target) ?? [];
    return isType || name === undefined ? [] : [name];
  });
}

/** Lists the packages that files import, and their dependencies, each version once. */
function listPackages(files: readonly CoreFile[]): {
  direct: Installed[];
  below: Installed[];
} {
  const lock = readLock();
  const found = new Map<string, Installed>();
  let direct: Installed[] = [];
  const add = (name: string, from: string, needer: string): void => {
    const path = findInstalled(name, from, lock);
    const entry = path === undefined ? undefined : lock[path];
    // Types have no code, and optional packages can be missing.
    if (!path || !entry || name.startsWith('@types/')) return;
    const key = `${name} ${entry.version}`;
    const known = found.get(key) ?? { path, name, entry, needers: [] };
    found.set(key, known);
    const isKnown = direct.includes(known) || known.needers.includes(needer);
    if (!isKnown) known.needers.push(needer);
  };
  for (const { path, packages } of files) {
    for (const name of packages) add(name, '', path.slice(CORE.length + 1));
  }
  direct = [...found.values()];
  // The map grows while it is read.
  for (const { path, name, entry } of found.values()) {
    const { dependencies, optionalDependencies } = entry;
    for (const each of Object.keys({ ...dependencies, ...optionalDependencies })) {
      add(each, path, name);
    }
  }
  const below = [...found.values()].filter((each) => !direct.includes(each));
  return { direct: sorted(direct), below: sorted(below) };
}

/** Finds the copy of a package that another one loads, as Node does. */
function findInstalled(
  name: string,
  from: string,
  lock: Record<string, LockEntry>,
): string | undefined {
  const path = [from, 'node_modules', name].filter(Boolean).join('/');
  if (Object.hasOwn(lock, path)) return path;
  if (from === '') return undefined;
  const parent = from.slice(0, Math.max(0, from.lastIndexOf('/node_modules/')));
  return findInstalled(name, parent, lock);
}

function sorted(packages: readonly Installed[]): Installed[] {
  return [...packages].sort((one, other) =>
    `${one.name} ${one.entry.version}`.localeCompare(
      `${other.name} ${other.entry.version}`,
      'en',
    ),
  );
}

function toShown(count: number): string {
  return count.toLocaleString('en');
}

/** Throws if the page names a missing file. */
function assertPaths(page: string): string {
  const paths = [...page.matchAll(/`((?:src|test|dev)\/[^`]+)`/gu)].flatMap(
    ([, path]) => path ?? [],
  );
  const gone = paths.find((path) => !existsSync(path));
  if (gone === undefined) return page;
  throw new Error(`The audit scope names ${gone}, which is gone.`);
}
