// The wallet's background events of which a method has several, in memory.
import type { HomeServices } from '../../src/handlers/home/tab';

/** An event that is due in some seconds. */
export type Wake = [method: string, id: string, seconds: number];

/** Create a wallet that keeps the events that it was asked for. */
export function createFakeWakes(due: Wake[]): HomeServices['wakes'] {
  return {
    has: (method, id) =>
      Promise.resolve(due.some((each) => each[0] === method && each[1] === id)),
    add: async (...wake) => {
      due.push(wake);
      return Promise.resolve();
    },
  };
}
