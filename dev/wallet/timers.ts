// MetaMask's controllers set timers that nothing can clear (usage statistics of a
// minute, state writes of half a second). This remembers those that were set on
// behalf of one wallet, so that its end lets the process end.
import { AsyncLocalStorage, createHook } from 'node:async_hooks';

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

  /**
   * Run a function and what follows from it inside the scope.
   *
   * @param action - The function.
   * @returns Its result.
   */
  run<Result>(action: () => Result): Result {
    return this.#inside.run(true, action);
  }

  /**
   * Run a function outside the scope: its timers are its own.
   *
   * @param action - The function.
   * @returns Its result.
   */
  leave<Result>(action: () => Result): Result {
    return this.#inside.run(false, action);
  }

  /** Clear every timer of the scope that is still waiting. */
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
