// Installs the packages if the lockfile and npm's record of installed packages differ. This is
// plain JavaScript, because it runs before any package is installed.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';

const LOWEST_NODE = [20, 19];

const [major, minor] = process.versions.node.split('.').map(Number);
if (major < LOWEST_NODE[0] || (major === LOWEST_NODE[0] && minor < LOWEST_NODE[1])) {
  fail(
    `Node ${LOWEST_NODE.join('.')} or newer is needed; this is ${process.versions.node}.`,
  );
}

const missing = findMissing();
if (missing !== undefined) {
  process.stdout.write(`Installing packages (${missing}) …\n`);
  const npm = process.env.npm_execpath;
  const [command, args] = npm ? [process.execPath, [npm, 'ci']] : ['npm', ['ci']];
  const { status, error } = spawnSync(command, args, { stdio: 'inherit' });
  if (error) fail(`npm could not be started: ${error.message}`);
  if (status !== 0) fail('npm ci failed; see above.');
}

/** Returns the reason to install packages; undefined if they are up to date. */
function findMissing() {
  // npm writes this file last, so it is missing after an interrupted installation.
  const installedFile = 'node_modules/.package-lock.json';
  if (!existsSync(installedFile)) return 'none are installed';
  const wanted = readPackages('package-lock.json');
  const installed = readPackages(installedFile);
  const [name] =
    Object.entries(wanted).find(
      ([path, { version, optional }]) =>
        path !== '' &&
        installed[path]?.version !== version &&
        // Optional packages for other platforms are not installed.
        !(optional && installed[path] === undefined),
    ) ?? [];
  return name && `${name} is missing or has another version`;
}

function readPackages(file) {
  return JSON.parse(readFileSync(file, 'utf8')).packages;
}

function fail(message) {
  process.stderr.write(`${message}\n`);
  process.exit(1);
}
