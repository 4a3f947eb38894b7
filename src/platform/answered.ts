// MetaMask pauses the snap's time limit while one of the snap's own requests is pending, so a
// request without an answer would block its caller forever. Every request that does not wait for
// the user therefore gets a time limit here.
import type { SnapsProvider } from '@metamask/snaps-sdk';

import { PlatformError, UnavailableError } from '../core/errors';

const LIMIT_MS = 15_000;

type Ask = SnapsProvider['request'];

/** Asks the platform without involving the user. Throws `PlatformError` if the request fails or
 * times out. After a timeout, MetaMask may still execute the request. */
export const ask: Ask = async (request) => inOurWords(request.method, askRaw(request));

/** Like {@link ask}, but waits as long as the wallet is locked. */
export const askWhenUnlocked: Ask = async (request) =>
  inOurWords(request.method, askRawWhenUnlocked(request));

/** Like {@link ask}, but rethrows the platform's errors unchanged. */
export const askRaw: Ask = async (request) =>
  withLimit(request.method, snap.request(request));

/** Like {@link askWhenUnlocked}, but rethrows the platform's errors unchanged. */
export const askRawWhenUnlocked: Ask = async (request) =>
  withLimit(request.method, snap.request(request), isLocked);

/** Like {@link ask}, but without a time limit, for requests that wait for the user. */
export const askUser: Ask = async (request) =>
  inOurWords(request.method, snap.request(request));

export async function isLocked(): Promise<boolean> {
  const { locked } = await ask({ method: 'snap_getClientStatus' });
  return locked;
}

// The platform's messages describe its internals, and its codes blame the snap.
async function inOurWords<Result>(
  method: string,
  answer: Promise<Result>,
): Promise<Result> {
  try {
    return await answer;
  } catch (cause) {
    if (cause instanceof UnavailableError) throw cause;
    throw new PlatformError(`MetaMask could not execute ${method}`, { cause });
  }
}

/** Waits for the platform's answer to a method. Whenever the time limit passes, asks `mayWait`
 * whether to keep waiting, and throws `PlatformError` if not. */
export async function withLimit<Result>(
  method: string,
  answer: Promise<Result>,
  mayWait = async (): Promise<boolean> => Promise.resolve(false),
): Promise<Result> {
  return new Promise((resolve, reject) => {
    const words = `MetaMask did not answer ${method} within ${LIMIT_MS / 1000} s`;
    const refuse = (): void => reject(new PlatformError(words));
    let timer: ReturnType<typeof setTimeout>;
    let isSettled = false;
    const watch = (): void => {
      if (isSettled) return;
      timer = setTimeout(() => {
        mayWait().then((may) => (may ? watch() : refuse()), refuse);
      }, LIMIT_MS);
    };
    watch();
    answer.then(resolve, reject).finally(() => {
      isSettled = true;
      clearTimeout(timer);
    });
  });
}
