// Jest's clock, for what waits by timers as well as by a clock.
import { jest } from '@jest/globals';

/** Lets time pass, and everything that follows from it happen. */
export async function pass(ms: number): Promise<void> {
  await jest.advanceTimersByTimeAsync(ms);
}

/** Stops the clock in every test of a file: it moves by {@link pass} alone. */
export function useFakeClock(): void {
  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => void jest.useRealTimers());
}
