// The base of every part of the wallet: the tree of messengers, timers that can be
// cleared, and the border that values cross as JSON.
import { AsyncLocalStorage, createHook } from 'node:async_hooks';
import { readFile } from 'node:fs/promises';
import path from 'node:path';

import {
  type ActionConstraint,
  type EventConstraint,
  Messenger,
} from '@metamask/messenger';

// MetaMask's controllers talk over a tree of messengers. This builds that tree; it
// is the only place that sees past its types.

/** The messenger at the root of one wallet, which carries every action and event. */
export type RootMessenger = Messenger<string, ActionConstraint, EventConstraint>;

/** What a child may call and hear, beside what it registers itself. */
type Delegation = { actions?: string[]; events?: string[] };

export function createRootMessenger(): RootMessenger {
  return new Messenger({ namespace: 'Root' });
}

/**
 * Creates the messenger of one controller, or of our own code.
 *
 * @param delegation - The actions that it may call and events that it may hear.
 */
export function createMessenger<Child>(
  root: RootMessenger,
  namespace: string,
  delegation: Delegation = {},
): Child {
  const child = new Messenger<string, ActionConstraint, EventConstraint, RootMessenger>(
    {
      namespace,
      parent: root,
    },
  );
  root.delegate({
    messenger: child,
    actions: (delegation.actions ?? []) as ActionConstraint['type'][],
    events: (delegation.events ?? []) as EventConstraint['type'][],
  });
  // Each controller types its messenger by the union of what it carries, and two
  // versions of the class are installed, nominally different by their private
  // fields and alike in behaviour. No type spans both, hence the cast.
  return child as unknown as Child;
}

// MetaMask's controllers set timers that nothing can clear (usage statistics of a
// minute, state writes of half a second). This remembers those that were set on
// behalf of one wallet, so that its end lets the process end.

/** The timers set while running inside of it. */
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

  /** Runs a function and what follows from it inside the scope. */
  run<Result>(action: () => Result): Result {
    return this.#inside.run(true, action);
  }

  /** Runs a function outside the scope: its timers are its own. */
  leave<Result>(action: () => Result): Result {
    return this.#inside.run(false, action);
  }

  /** Clears every timer of the scope that is still waiting. */
  clear(): void {
    this.#hook.disable();
    // Or every promise of the process would go on to carry this scope's value along.
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

// Values that leave the wallet cross a process border in MetaMask. This is that border.

/** Copies a value through JSON, which drops what JSON cannot say. */
export function toJson<Value>(value: Value): Value {
  return JSON.parse(JSON.stringify(value)) as Value;
}

// Serves a built snap from its folder to MetaMask's own `local:` location, so that
// the manifest, the checksum and the files go through the checks of a real install.

/**
 * Creates a `fetch` that answers any URL with the file of that path in a folder.
 *
 * @returns A function with the signature of `fetch`; 404 for missing files.
 */
export function createFolderFetch(folder: string): typeof fetch {
  const root = path.resolve(folder);
  return async (input) => {
    const url = new URL(input instanceof Request ? input.url : input);
    const file = path.join(root, decodeURIComponent(url.pathname));
    if (!file.startsWith(root + path.sep)) return new Response(null, { status: 404 });
    try {
      return new Response(new Uint8Array(await readFile(file)));
    } catch {
      return new Response(null, { status: 404 });
    }
  };
}

/** Splits a list that is written as one text. */
export function words(text: string): string[] {
  return text.trim().split(/\s+/u);
}
