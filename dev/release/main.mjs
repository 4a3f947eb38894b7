// npm run release: the steps of a release, each of which is a job of .github/workflows/release.yml.
//
//   plan     reports the next step for this commit: a pull request with the next version, a
//            release, or nothing
//   prepare  builds the packages into dist/release
//   publish  publishes them on the registry and in the repository's releases
//
// Without a step, it runs all of them. `--dry-run` publishes nothing. This is plain JavaScript,
// since the job that may publish installs no packages.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { appendFileSync, readdirSync, readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';

const FOLDER = 'dist/release';

// Changesets keep both packages at the same version.
const packages = ['.', 'packages/insight'].map((folder) => {
  const { name, version } = JSON.parse(readFileSync(`${folder}/package.json`, 'utf8'));
  return { name, version, tarball: `${FOLDER}/${name}-${version}.tgz` };
});
const [{ name, version }] = packages;
const tag = `v${version}`;

const { values, positionals } = parseArgs({
  options: { 'dry-run': { type: 'boolean', default: false } },
  allowPositionals: true,
});
const isDryRun = values['dry-run'];

const STEPS = { plan, prepare, publish };
const steps = positionals.length > 0 ? positionals : Object.keys(STEPS);
try {
  for (const step of steps) {
    if (!Object.hasOwn(STEPS, step)) {
      throw new Error(`No step "${step}"; there are ${Object.keys(STEPS).join(', ')}.`);
    }
    process.stdout.write(`\n== ${step} ${name} ${version}\n`);
    STEPS[step]();
  }
} catch (error) {
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}

function plan() {
  const pending = readdirSync('.changeset').filter(
    (file) => file.endsWith('.md') && file !== 'README.md',
  );
  const isTagged = git('tag', '--list', tag) !== '';
  const next = isTagged ? 'none' : 'publish';
  const mode = pending.length > 0 ? 'version' : next;
  process.stdout.write(
    `${pending.length} changesets; ${tag} ${isTagged ? 'exists' : 'does not exist'}: ${mode}\n`,
  );
  const { GITHUB_OUTPUT: output } = process.env;
  if (output) appendFileSync(output, `mode=${mode}\n`);
}

function prepare() {
  run(process.execPath, ['node_modules/tsx/dist/cli.mjs', 'dev/release/prepare.ts']);
}

// Each part can be repeated if a later one fails. The tag is created last: once it exists, the
// release is complete.
function publish() {
  for (const each of packages) publishPackage(each);
  send('gh', [
    ...['release', 'create', tag],
    ...packages.flatMap(({ tarball }) => [tarball, `${tarball}.sha512`]),
    ...['--title', tag, '--notes-file', `${FOLDER}/notes.md`],
    ...['--target', git('rev-parse', 'HEAD')],
  ]);
}

function publishPackage({ name, version, tarball }) {
  const bytes = readFileSync(tarball);
  const integrity = `sha512-${createHash('sha512').update(bytes).digest('base64')}`;
  const published = findPublished(`${name}@${version}`);
  if (published === undefined) {
    const how = ['--provenance', '--access', 'public'];
    npm(['publish', `./${tarball}`, ...how, ...(isDryRun ? ['--dry-run'] : [])]);
  } else if (published === integrity) {
    process.stdout.write(`${name}@${version} is already published.\n`);
  } else {
    throw new Error(
      `${name}@${version} is already published, from another build: ${published}, not ${integrity}.`,
    );
  }
}

/** Fetches the integrity hash of a published version; undefined if it is not published. */
function findPublished(published) {
  const { stdout, status } = npm(['view', published, 'dist.integrity', '--json'], {
    stdio: 'pipe',
    mayFail: true,
  });
  const answer = stdout.trim() === '' ? undefined : JSON.parse(stdout);
  if (status === 0) return answer;
  if (answer?.error?.code === 'E404') return undefined;
  throw new Error(`npm view failed: ${answer?.error?.summary ?? status}`);
}

function git(...args) {
  return run('git', args, { stdio: 'pipe' }).stdout.trim();
}

function send(command, args) {
  if (isDryRun) process.stdout.write(`would run: ${command} ${args.join(' ')}\n`);
  else run(command, args);
}

function npm(args, options) {
  const path = process.env.npm_execpath;
  return path
    ? run(process.execPath, [path, ...args], options)
    : run('npm', args, options);
}

function run(command, args, { stdio = 'inherit', mayFail = false } = {}) {
  const ended = spawnSync(command, args, {
    stdio: ['ignore', stdio, mayFail ? 'ignore' : 'inherit'],
    encoding: 'utf8',
  });
  if (ended.error) throw ended.error;
  if (ended.status !== 0 && !mayFail) {
    throw new Error(`${command} ${args.join(' ')} failed (exit code ${ended.status}).`);
  }
  return ended;
}
