// Child processes of the stack. Each ends on `stop`, and also when its IPC channel closes because
// this process has ended.
import { type ChildProcess, fork } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

import type { Address } from 'viem';

import { bundlerMnemonic } from './accounts';
import { findPackageFolder } from './compile';

const TAIL_LENGTH = 2_000;
const GRACE_MS = 2_000;

export type Child = {
  process: ChildProcess;
  /** The last 2,000 characters of the output. */
  tail: () => string;
  /** Processes that the child has started, which must end with it. */
  pids: readonly number[];
  /** Resolves with the cause if the child ends before `stop` is called. */
  died: Promise<Error>;
  /** Ends the child and its processes. Resolves when they are gone. Idempotent. */
  stop: () => Promise<void>;
};

type ChildOptions = {
  name: string;
  /** The ES module to run. It must exit on the IPC event `disconnect`. */
  script: URL;
  args?: string[];
  /** Explains a known cause of failure, given the end of the output. */
  explain?: (tail: string) => string | undefined;
};

/** Starts a Node process. If the start fails, `died` resolves with the reason. A child reports each
 * process that it starts with a message `{ pid }`. */
export function startChild({ name, script, args = [], explain }: ChildOptions): Child {
  const child = fork(fileURLToPath(script), args, {
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    // The scripts are plain JavaScript and do not need this process's loaders.
    execArgv: [],
    detached: process.platform !== 'win32',
  });
  let tail = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (chunk: string) => {
      tail = (tail + chunk).slice(-TAIL_LENGTH);
    });
  }
  const pids: number[] = [];
  child.on('message', (message) => {
    if (typeof message === 'object' && 'pid' in message) pids.push(Number(message.pid));
  });
  let stopping: Promise<void> | undefined;

  const ended = waitForEnd(child, pids);
  const died = new Promise<Error>((resolve) => {
    void ended.then((how) => {
      const message = explain?.(tail) ?? `${name} ended unexpectedly (${how}).`;
      const output = `Its last output:\n${tail.trim() || '(none)'}`;
      return stopping ?? resolve(new Error(`${message}\n${output}`));
    });
  });
  const stop = async (): Promise<void> => {
    if (child.connected) child.disconnect();
    const timer = setTimeout(() => [...pids, child.pid].forEach(kill), GRACE_MS);
    await ended;
    clearTimeout(timer);
  };
  return {
    process: child,
    tail: () => tail,
    pids,
    died,
    stop: () => (stopping ??= stop()),
  };
}

export function startCommand({
  command,
  flags,
  ...options
}: Omit<ChildOptions, 'script' | 'args'> & {
  command: string[];
  flags: Record<string, string | number | boolean>;
}): Child {
  const pairs = Object.entries(flags).map(([flag, value]) => [`--${flag}`, `${value}`]);
  const script = new URL('./guard.mjs', import.meta.url);
  return startChild({ ...options, script, args: [...command, ...pairs.flat()] });
}

const LISTENING = /^Listening on 127\.0\.0\.1:(\d+)\r?\n/mu;

/** Waits until a child's output matches a pattern, and returns the first group. By default, the
 * group is the port of a child that prints `Listening on 127.0.0.1:PORT`. Never rejects. */
export function readOutput(
  { process: { stdout }, tail }: Child,
  pattern = LISTENING,
): Promise<string> {
  return new Promise((resolve) => {
    const read = (): void => {
      const found = pattern.exec(tail())?.[1];
      if (found === undefined) return;
      stdout?.off('data', read);
      resolve(found);
    };
    stdout?.on('data', read);
  });
}

/** Waits for work. Rejects if the child ends first. */
export async function orDied<Value>(
  work: Promise<Value>,
  { died }: Pick<Child, 'died'>,
): Promise<Value> {
  const failed = died.then((error) => {
    throw error;
  });
  return Promise.race([work, failed]);
}

// Resolves with the reason once the process has ended and its output is complete. Node never emits
// `close` if `disconnect` was called on this side.
async function waitForEnd(child: ChildProcess, pids: number[]): Promise<string> {
  const closed = [child.stdout, child.stderr].map(
    (stream) => new Promise((resolve) => stream?.once('close', resolve)),
  );
  const how = await new Promise<string>((resolve) => {
    // A failed `send` also emits `error`. Only a child without a pid has failed to start.
    child.on('error', ({ message }) => child.pid === undefined && resolve(message));
    child.once('exit', (code, signal) => resolve(signal ?? `exit code ${code}`));
  });
  // A guard that was killed by a signal may not have ended its command.
  if (child.signalCode) pids.forEach(kill);
  if (child.pid !== undefined) await Promise.all(closed);
  return how;
}

function kill(pid: number | undefined): void {
  try {
    if (pid !== undefined) process.kill(pid, 'SIGKILL');
  } catch {
    // The process has already ended.
  }
}

// The system chooses the port, so that simultaneous starts do not compete for one. The package's
// own script would add another process, and install scripts may not have run, so the platform's
// binary is run directly.

export type Anvil = { child: Child; port: Promise<number> };

export const chainId = 31337;

const architectures: Partial<Record<string, string>> = { x64: 'amd64', arm64: 'arm64' };

/** Starts an empty chain that mines only on request. Throws if anvil is not installed. `port` never
 * rejects: if the start fails, `child.died` resolves with the reason. */
export function startAnvil(port = 0): Anvil {
  const child = startCommand({
    name: 'The chain (anvil)',
    command: [findBinary(), '--no-mining'],
    flags: {
      host: '127.0.0.1',
      port,
      'chain-id': chainId,
      // A block is final after two blocks instead of 64, so that tests can use `finalized`.
      'slots-in-an-epoch': 1,
      color: 'never',
    },
    explain: (tail) =>
      /address already in use/iu.test(tail)
        ? `Port ${port}, needed for the chain, is in use.`
        : undefined,
  });
  return { child, port: readOutput(child).then(Number) };
}

function findBinary(): string {
  const architecture = architectures[process.arch] ?? process.arch;
  const name = `@foundry-rs/anvil-${process.platform}-${architecture}`;
  const folder = findPackageFolder('@foundry-rs/anvil', import.meta.url);
  const file = process.platform === 'win32' ? 'anvil.exe' : 'anvil';
  try {
    return join(findPackageFolder(name, join(folder, 'package.json')), 'bin', file);
  } catch (cause) {
    throw new Error(
      `anvil is not installed for this platform: ${name} is missing beside ${dirname(folder)}.`,
      { cause },
    );
  }
}

// The bundler for EntryPoint 0.6, `@metamask/test-bundler`, takes as long to load as the chain, so
// both start at the same time. The bundler gets the chain's URL once the contracts are deployed.

export function startBundler06(): Child {
  return startChild({
    name: 'The bundler for EntryPoint 0.6',
    script: new URL('./bundler-process.mjs', import.meta.url),
  });
}

export async function serveBundler06(
  child: Child,
  chain: { network: string; entryPoint: Address; beneficiary: Address },
): Promise<string> {
  child.process.send({
    mnemonic: bundlerMnemonic,
    config: {
      ...chain,
      port: '0',
      // Bundles an operation on arrival, and tries again every second until that succeeds.
      autoBundleMempoolSize: 1,
      autoBundleInterval: 1,
      // The package sends bundles with 10,000,000 gas, so it must refuse larger operations.
      maxBundleGas: 9_000_000,
      minBalance: '0',
      conditionalRpc: false,
    },
  });
  return readOutput(child);
}
