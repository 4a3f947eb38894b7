// The platform's own time limit pauses while it owes the snap an answer: without one, the
// caller would wait for ever, with everything behind it. So a request that the user does not
// decide has to be answered in time.
import { PlatformError, UnavailableError } from '../errors';

/** Longest that the platform may take, in milliseconds. */
const LIMIT_MS = 15_000;

/** Waits for what the platform answers to a method, which errors name. */
type Wait = <Result>(method: string, answer: Promise<Result>) => Promise<Result>;

/** Waits for the platform's answer to a request that the user does not decide. Throws
 * `PlatformError` if it fails, or there is none in time: it may have been carried out then. */
export const answered: Wait = async (method, answer) =>
  inOurWords(method, heard(method, answer));

/** Like {@link answered}, for what the wallet answers only when it is unlocked: its user has all the
 * time for that. */
export const answeredUnlocked: Wait = async (method, answer) =>
  inOurWords(method, heardUnlocked(method, answer));

/** Like {@link answered}, but rethrows errors of the platform unchanged. */
export const heard: Wait = async (method, answer) =>
  withLimit(method, answer, async () => Promise.resolve(false));

/** Like {@link answeredUnlocked}, but rethrows errors of the platform unchanged. */
export const heardUnlocked: Wait = async (method, answer) =>
  withLimit(method, answer, isLocked);

/** Like {@link answered}, for what a person decides on. */
export const decided: Wait = async (method, answer) => inOurWords(method, answer);

/** Resolves when the requests that were begun are on their way to the platform, so that it works on
 * them while we compute something. (A timer of a snap takes 10 ms at least.) */
export async function untilSent(): Promise<void> {
  await crypto.subtle.digest('SHA-256', new Uint8Array());
}

/** Returns whether the wallet is locked. */
export async function isLocked(): Promise<boolean> {
  const method = 'snap_getClientStatus';
  const { locked } = await answered(method, snap.request({ method }));
  return locked;
}

// The platform's words are about its own parts, and its code says that we are at fault.
async function inOurWords<Result>(
  method: string,
  answer: Promise<Result>,
): Promise<Result> {
  try {
    return await answer;
  } catch (cause) {
    if (cause instanceof UnavailableError) throw cause;
    throw new PlatformError(`MetaMask failed ${method}`, { cause });
  }
}

async function withLimit<Result>(
  method: string,
  answer: Promise<Result>,
  mayWait: () => Promise<boolean>,
): Promise<Result> {
  return new Promise((resolve, reject) => {
    const words = `MetaMask did not answer ${method} within ${LIMIT_MS / 1000} s`;
    const refuse = (): void => reject(new PlatformError(words));
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
