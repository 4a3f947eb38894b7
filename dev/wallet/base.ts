// Basic parts of the wallet: messengers, timers, JSON copies, and a snap's files.
import { AsyncLocalStorage, createHook } from 'node:async_hooks';
import { readFile } from 'node:fs/promises';
import path from 'node:path';

import {
  type ActionConstraint,
  type EventConstraint,
  Messenger,
  MOCK_ANY_NAMESPACE,
} from '@metamask/messenger';

export type RootMessenger = Messenger<string, ActionConstraint, EventConstraint>;

export function createMessenger(): RootMessenger {
  return new Messenger({ namespace: MOCK_ANY_NAMESPACE });
}

export function messengerFor<Child>(root: RootMessenger): Child {
  // Two versions of the messenger class are installed. They behave the same but have different
  // private fields, so no type covers both.
  return root as unknown as Child;
}

/** Tracks a wallet's timers, so that the process can end when the wallet stops. MetaMask's
 * controllers set some timers that nothing else can clear. */
export class TimerScope {
  readonly #inside = new AsyncLocalStorage<boolean>();

  #timers: WeakRef<NodeJS.Timeout>[] = [];

  #pruneAt = 1_000;

  readonly #hook = createHook({
    init: (...[, type, , resource]) => {
      if (type === 'Timeout' && this.#inside.getStore()) {
        this.#remember(resource as NodeJS.Timeout);
      }
    },
  }).enable();

  /** Runs a function, and tracks the timers of everything that it starts. */
  run<Result>(action: () => Result): Result {
    return this.#inside.run(true, action);
  }

  leave<Result>(action: () => Result): Result {
    return this.#inside.run(false, action);
  }

  clear(): void {
    this.#hook.disable();
    // Otherwise, every promise of the process would keep carrying this scope's value.
    this.#inside.disable();
    for (const timer of this.#timers) clearTimeout(timer.deref());
    this.#timers = [];
  }

  #remember(timer: NodeJS.Timeout): void {
    this.#timers.push(new WeakRef(timer));
    if (this.#timers.length < this.#pruneAt) return;
    this.#timers = this.#timers.filter((each) => each.deref() !== undefined);
    this.#pruneAt = Math.max(1_000, this.#timers.length * 2);
  }
}

/** Copies a value through JSON, as MetaMask does between its processes. */
export function toJson<Value>(value: Value): Value {
  return JSON.parse(JSON.stringify(value)) as Value;
}

/** Creates a `fetch` that reads files from a folder. MetaMask uses it to install a `local:` snap,
 * so that the snap passes the checks of a real installation. */
export function createFolderFetch(folder: string): typeof fetch {
  return async (input) => {
    const { pathname } = new URL(input instanceof Request ? input.url : input);
    const content = await readWithin(folder, decodeURIComponent(pathname));
    return content
      ? new Response(new Uint8Array(content))
      : new Response(null, { status: 404 });
  };
}

/** Reads a file in a folder; undefined if it is missing or its path leads out of the folder. */
export async function readWithin(
  folder: string,
  name: string,
): Promise<Buffer | undefined> {
  const root = path.resolve(folder);
  const file = path.join(root, name);
  if (!file.startsWith(root + path.sep)) return undefined;
  return readFile(file).catch(() => undefined);
}

export function words(text: string): string[] {
  return text.trim().split(/\s+/u);
}
