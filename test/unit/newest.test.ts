// `npm run newest` with stand-ins for npm and Jest, and a registry that lacks packages.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';

import about from '../../package.json' with { type: 'json' };

const NPM = `#!/usr/bin/env node
const { mkdirSync, readFileSync, writeFileSync } = require('node:fs');
const [command, name] = process.argv.slice(2);
const { devDependencies, overrides } = JSON.parse(readFileSync('package.json', 'utf8'));
const write = (folder, file, text) => {
  mkdirSync(folder, { recursive: true });
  writeFileSync(folder + file, text);
};
const fail = (text) => {
  process.stderr.write(text);
  process.exit(1);
};
const commands = {
  ci() {
    write('node_modules/jest/bin/', 'jest.js', 'require("node:fs").writeFileSync(process.argv[4], process.env.REPORT);');
    if (process.env.HANGS) setInterval(() => undefined, 1e6);
  },
  view() {
    const versions = ['99.0.0', '99.10.0', '99.9.0', '100.0.0-beta.1', devDependencies[name]];
    console.log(JSON.stringify({ versions, 'dist-tags': { latest: '99.10.0' } }));
  },
  install() {
    const { viem, ethers } = devDependencies;
    if (overrides['@metamask/snaps-sdk']) fail('npm error code EOVERRIDE');
    if (viem === '99.10.0') fail('npm error code ETARGET\\nnpm error notarget No matching version found for ox@^9.1.0.\\n');
    if (viem === '99.9.0') fail("npm error code E404\\nnpm error 404  The requested resource '@a/b@^1.2.1' could not be found or you\\n");
    if (ethers.startsWith('99')) fail('npm error code EACCES\\n');
    write('node_modules/viem/', 'package.json', JSON.stringify({ version: viem }));
  },
};
commands[command]?.();
`;

const REPORT = {
  numPassedTests: 3,
  testResults: ['sends', 'lists'].map((fullName) => ({
    name: 'test',
    message: '',
    assertionResults: [
      { status: 'failed', fullName, failureMessages: ['Error: late\n    at test.ts'] },
    ],
  })),
};

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tollkeeper-test-'));
  await mkdir(join(folder, 'copies'));
  await writeFile(join(folder, 'npm'), NPM, { mode: 0o755 });
});

afterAll(async () => rm(folder, { recursive: true }));

function start(groups: string[], more: Record<string, string> = {}) {
  const args = ['--import', 'tsx', 'dev/newest/main.ts', ...groups];
  const { PATH = '' } = process.env;
  return spawn(process.execPath, args, {
    env: {
      ...process.env,
      PATH: `${folder}${delimiter}${PATH}`,
      TMPDIR: join(folder, 'copies'),
      REPORT: JSON.stringify(REPORT),
      ...more,
    },
  });
}

async function listCopies(): Promise<string[]> {
  const names = await readdir(join(folder, 'copies'));
  return names.filter((name) => name.startsWith('tollkeeper-newest-'));
}

it('takes the newest version that installs, and reports what others lack', async () => {
  const command = start(['viem', 'viem-next', 'ethers']);
  let output = '';
  command.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  expect(await once(command, 'close')).toStrictEqual([1, null]);
  const [, ...lines] = output.trimEnd().split('\n');
  const refused = ['99.10.0', '99.9.0', '99.0.0'].map(
    (version) => `ethers ${version} does not install: npm error code EACCES`,
  );
  expect(lines.map((line) => line.trim())).toStrictEqual([
    `viem: viem ${about.devDependencies.viem} → 99.0.0: 3 tests pass`,
    'viem 99.10.0 does not install: there is no ox@^9.1.0',
    'viem 99.9.0 does not install: there is no @a/b@^1.2.1',
    'broken:',
    'lists: Error: late',
    'sends: Error: late',
    'viem-next: there is no viem@next',
    ...refused.map((line, index) => (index === 0 ? `ethers: ${line}` : line)),
  ]);
  expect(await listCopies()).toStrictEqual([]);
});

it('leaves no files when it is stopped', async () => {
  const command = start(['viem'], { HANGS: 'true' });
  await once(command.stdout, 'data');
  command.kill();
  expect(await once(command, 'close')).toStrictEqual([1, null]);
  expect(await listCopies()).toStrictEqual([]);
});
