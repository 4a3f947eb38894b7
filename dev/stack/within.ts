// Bounds a wait. A development stack that hangs must say which part hangs: the caller
// gives the text, and it is built only when the time is up, with the newest output in it.

/**
 * Wait for `work`, but not longer than until `deadline`.
 *
 * @param work - What to wait for; it is not cancelled when the time is up.
 * @param deadline - Point in time, in ms since the epoch.
 * @param explain - Builds the message of the error when the time is up.
 * @returns What `work` resolves with.
 * @throws {Error} If the deadline passes first, or whatever `work` rejects with.
 */
export async function within<T>(
  work: Promise<T>,
  deadline: number,
  explain: () => string,
): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const timeUp = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(
      () => reject(new Error(explain())),
      Math.max(0, deadline - Date.now()),
    );
  });
  return Promise.race([work, timeUp]).finally(() => clearTimeout(timer));
}
