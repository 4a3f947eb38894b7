// A ready-made hook that makes the platform fail under the snap.
import type { SnapCallHook } from './options';

/** Make the next call of a method fail. */
export function failOnce(
  method: string,
  error: Error = new Error(`${method} was made to fail.`),
): SnapCallHook {
  let isSpent = false;
  return (call) => {
    if (isSpent || call.method !== method) return;
    isSpent = true;
    throw error;
  };
}
