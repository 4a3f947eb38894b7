// Jest's fake clock, for code that uses timers and the time.
import { jest } from '@jest/globals';

/** Advances the clock, and runs the timers that become due, with their promises. */
export async function advance(ms: number): Promise<void> {
  await jest.advanceTimersByTimeAsync(ms);
}

/** Uses a fake clock in every test of a file; only {@link advance} advances it. */
export function useFakeClock(): void {
  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => void jest.useRealTimers());
}
