// A promise that a test resolves, to keep something pending meanwhile.

/** A gate: those who wait go on once it is opened. */
export type Gate = { opened: Promise<void>; open: () => void };

/** Creates a closed gate. */
export function createGate(): Gate {
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open: () => open() };
}

/** Lets everything that can go on without a timer go on. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) {
    await new Promise((resolve) => setImmediate(resolve));
  }
}
