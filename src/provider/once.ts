// What is done once, for all who wait for it.

/** A run that is shared; one that failed is made again. */
export type Once<Value> = {
  get: () => Promise<Value>;
  /** Whether it has succeeded. */
  has: () => boolean;
  /** Run again for the next who wants it; a run that is under way is left alone. */
  forget: () => void;
};

/** Create it; nothing runs before somebody wants the value. */
export function createOnce<Value>(run: () => Promise<Value>): Once<Value> {
  let running: Promise<Value> | undefined;
  let isDone = false;
  const start = async (): Promise<Value> => {
    try {
      const value = await run();
      isDone = true;
      return value;
    } catch (error) {
      running = undefined;
      throw error;
    }
  };
  return {
    get: async () => (running ??= start()),
    has: () => isDone,
    forget: () => {
      if (isDone) [running, isDone] = [undefined, false];
    },
  };
}
