import { jest } from '@jest/globals';

import { withTimeLimit } from '../../../src/client/abort';
import { errorOf } from '../../support/error-of';
import { pass, useFakeClock } from '../../support/fake-clock';

useFakeClock();

const never = new Promise<never>(() => undefined);

describe('a time limit', () => {
  it('changes nothing for what ends before it, and leaves no timer', async () => {
    expect(await withTimeLimit(() => Promise.resolve(7), 10)).toBe(7);
    const failure = new Error('no');
    const failing = withTimeLimit(() => Promise.reject(failure), 10);
    expect(await errorOf(() => failing)).toBe(failure);
    expect(jest.getTimerCount()).toBe(0);
  });

  it('tells what goes on when the time is over, and not before', async () => {
    let signal: AbortSignal | undefined;
    const failing = errorOf(() =>
      withTimeLimit((given) => {
        signal = given;
        return new Promise((_resolve, reject) =>
          given.addEventListener('abort', () => reject(given.reason as Error)),
        );
      }, 10),
    );
    await pass(9);
    expect(signal?.aborted).toBe(false);
    await pass(1);
    expect(await failing).toBe(signal?.reason);
    expect(await failing).toMatchObject({
      code: -32002,
      message: 'It took longer than 10 ms.',
    });
  });

  it('does not wait for what heeds no signal', async () => {
    let isOver = false;
    const failing = errorOf(() => withTimeLimit(() => never, 10));
    void failing.then(() => (isOver = true));
    await pass(9);
    expect(isOver).toBe(false);
    await pass(1);
    expect(isOver).toBe(true);
  });
});
