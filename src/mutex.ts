// Lets one piece of work run at a time.

/** Runs work in the order in which it is given, each when the one before has ended. */
export class Mutex {
  #last: Promise<void> = Promise.resolve();

  #count = 0;

  isLocked(): boolean {
    return this.#count > 0;
  }

  /** Waits until all work that was given has ended. */
  async waitForUnlock(): Promise<void> {
    await this.#last;
  }

  async runExclusive<Result>(work: () => Promise<Result> | Result): Promise<Result> {
    const before = this.#last;
    let release = (): void => undefined;
    this.#last = new Promise((resolve) => {
      release = resolve;
    });
    this.#count += 1;
    await before;
    try {
      return await work();
    } finally {
      this.#count -= 1;
      release();
    }
  }
}
