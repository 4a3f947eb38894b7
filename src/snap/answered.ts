// The platform's own time limit stands still while it owes the snap an answer: what it never
// answers would hold its caller for ever, and all that waits behind it. So whatever needs
// nobody's decision has to be answered in time.
import { UnavailableError } from '../errors';

/** Longest that the platform may take, in milliseconds. */
const LIMIT_MS = 15_000;

/**
 * Wait for the platform's answer to what nobody has to decide on.
 *
 * @param method - What was asked, for the error.
 * @param answer - The answer to come.
 * @returns The answer.
 * @throws {UnavailableError} If there is none in time. Nobody can tell then whether what was
 * asked for is done, or will be.
 */
export async function answered<Result>(
  method: string,
  answer: Promise<Result>,
): Promise<Result> {
  return withLimit(method, answer, async () => Promise.resolve(false));
}

/**
 * Like {@link answered}, for what the wallet answers only when it is unlocked: its user has
 * all the time for that.
 */
export async function answeredUnlocked<Result>(
  method: string,
  answer: Promise<Result>,
): Promise<Result> {
  return withLimit(method, answer, isLocked);
}

/** Tell whether the wallet is locked. */
export async function isLocked(): Promise<boolean> {
  const method = 'snap_getClientStatus';
  const { locked } = await answered(method, snap.request({ method }));
  return locked;
}

async function withLimit<Result>(
  method: string,
  answer: Promise<Result>,
  mayWait: () => Promise<boolean>,
): Promise<Result> {
  return new Promise((resolve, reject) => {
    const refuse = (): void => {
      const seconds = LIMIT_MS / 1000;
      const message = `MetaMask did not answer ${method} within ${seconds} s; try again.`;
      reject(new UnavailableError(message));
    };
    let timer: ReturnType<typeof setTimeout>;
    const watch = (): void => {
      timer = setTimeout(() => {
        mayWait().then((may) => (may ? watch() : refuse()), refuse);
      }, LIMIT_MS);
    };
    watch();
    answer.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
