// One child process of the stack, tied to this process: it ends on `stop`, and its IPC
// channel tells it when this process is gone, however that happened. Its output is kept
// off our own and its last part is shown when something goes wrong.
import { fork, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const TAIL_LENGTH = 2_000;
const GRACE_MS = 2_000;

/** A running (or ended) child process. */
export type Child = {
  process: ChildProcess;
  /** The last 2,000 characters that the child wrote. */
  tail: () => string;
  /** Resolves with what happened if the child ends without having been asked to. */
  died: Promise<Error>;
  /** Ends the child and what it started; resolves when both are gone. Idempotent. */
  stop: () => Promise<void>;
};

/** What to start, and how to name it in errors. */
export type ChildOptions = {
  name: string;
  /** The ES module to run; it must exit on the IPC event `disconnect`. */
  script: URL;
  args?: string[];
  /** Puts a known cause into plain words, given the output; else the tail is shown. */
  explain?: (tail: string) => string | undefined;
};

/**
 * Start a Node process beside this one.
 *
 * A message `{ pid }` from it names a process of its own that must end with it.
 *
 * @param options - Script, arguments and name.
 * @returns The child, running; a failure to start is told by `died`.
 */
export function startChild(options: ChildOptions): Child {
  const child = fork(fileURLToPath(options.script), options.args ?? [], {
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    // Not the loaders of this process: the scripts are plain JavaScript.
    execArgv: [],
    detached: process.platform !== 'win32',
  });
  const tail = keepTail(child);
  const pids = collectPids(child);
  let stopping: Promise<void> | undefined;

  const ended = waitForEnd(child, pids);
  const died = new Promise<Error>((resolve) => {
    void ended.then((how) => stopping ?? resolve(toError(options, how, tail())));
  });
  const stop = async (): Promise<void> => {
    if (child.connected) child.disconnect();
    const timer = setTimeout(() => [...pids, child.pid].forEach(kill), GRACE_MS);
    await ended;
    clearTimeout(timer);
  };
  return { process: child, tail, died, stop: () => (stopping ??= stop()) };
}

/** Read the port of a child that says `Listening on 127.0.0.1:PORT`. Never rejects. */
export function readPort({ process: { stdout }, tail }: Child): Promise<number> {
  return new Promise((resolve) => {
    const read = (): void => {
      const port = /^Listening on 127\.0\.0\.1:(\d+)\r?\n/mu.exec(tail())?.[1];
      if (port === undefined) return;
      stdout?.off('data', read);
      resolve(Number(port));
    };
    stdout?.on('data', read);
  });
}

function keepTail(child: ChildProcess): () => string {
  let text = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (chunk: string) => {
      text = (text + chunk).slice(-TAIL_LENGTH);
    });
  }
  return () => text;
}

/**
 * Resolves with how it ended when the process is gone and its output is complete. (Not by
 * the event `close`: it never comes after `disconnect` was called on this side.)
 */
async function waitForEnd(child: ChildProcess, pids: number[]): Promise<string> {
  const closed = [child.stdout, child.stderr].map(
    (stream) => new Promise((resolve) => stream?.once('close', resolve)),
  );
  const how = await new Promise<string>((resolve) => {
    // Also a failed `send` is an `error`; only without a pid did it not start.
    child.on('error', ({ message }) => child.pid === undefined && resolve(message));
    child.once('exit', (code, signal) => resolve(signal ?? `exit code ${code}`));
  });
  // Killed, it could not end what it had started.
  if (child.signalCode) pids.forEach(kill);
  if (child.pid !== undefined) await Promise.all(closed);
  return how;
}

function collectPids(child: ChildProcess): number[] {
  const pids: number[] = [];
  child.on('message', (message) => {
    if (typeof message === 'object' && 'pid' in message) pids.push(Number(message.pid));
  });
  return pids;
}

function kill(pid: number | undefined): void {
  try {
    if (pid !== undefined) process.kill(pid, 'SIGKILL');
  } catch {
    // It is gone already, which is all we want.
  }
}

function toError({ name, explain }: ChildOptions, how: string, tail: string): Error {
  const message = explain?.(tail) ?? `${name} ended by itself (${how}).`;
  return new Error(`${message}\nIts last output:\n${tail.trim() || '(none)'}`);
}
