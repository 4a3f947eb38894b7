// What is done once, for all who wait for it.

/** A run that is shared; one that failed is made again. */
export type Once<Value> = {
  get: () => Promise<Value>;
  /** Whether it has succeeded. */
  has: () => boolean;
  forget: () => void;
};

/** Create it; nothing runs before somebody wants the value. */
export function createOnce<Value>(run: () => Promise<Value>): Once<Value> {
  let running: Promise<Value> | undefined;
  let isDone = false;
  const forget = (): void => {
    [running, isDone] = [undefined, false];
  };
  const start = async (): Promise<Value> => {
    try {
      const value = await run();
      isDone = true;
      return value;
    } catch (error) {
      forget();
      throw error;
    }
  };
  return { get: async () => (running ??= start()), has: () => isDone, forget };
}
