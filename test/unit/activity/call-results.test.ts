import { toStatusCode } from '../../../src/activity/call-results';
import type { CallResult } from '../../../src/activity/call-results';

type State = CallResult['state'];

const codeOf = (size: number, ...states: State[]): number =>
  toStatusCode(
    { size, atomic: false, isSending: false },
    states.map((state) => ({ state })),
  );

describe('the status code of separate transactions', () => {
  it.each<[number, State[], string]>([
    [100, ['pending', 'included'], 'one is pending'],
    [100, ['failed', 'pending'], 'one is pending, and one failed'],
    [200, ['included', 'included'], 'all are included'],
    [600, ['included', 'failed'], 'one failed'],
    [600, ['included', 'dropped'], 'one was dropped'],
    [600, ['included', 'replaced'], 'one was replaced'],
    [600, ['included', 'unknown'], 'nobody knows of one'],
    [600, ['included'], 'one was never sent'],
    [500, ['failed', 'failed'], 'all failed'],
    [500, ['failed', 'dropped'], 'one failed, and one was dropped'],
    [500, ['failed'], 'one failed, and one was never sent'],
    [400, ['dropped', 'replaced'], 'none was included'],
    [400, ['unknown'], 'nobody knows of any'],
    [400, [], 'none was sent'],
  ])('is %i for %j: %s', (code, states) => {
    expect(codeOf(2, ...states)).toBe(code);
  });

  it.each<[State[]]>([[[]], [['included']], [['failed']]])(
    'is 100 while more may go out than %j',
    (states) => {
      const results = states.map((state) => ({ state }));
      const sending = { size: 2, atomic: false, isSending: true };
      expect(toStatusCode(sending, results)).toBe(100);
    },
  );
});

describe('the status code of a user operation', () => {
  it.each<[number, State]>([
    [100, 'pending'],
    [200, 'included'],
    [500, 'failed'],
    [400, 'replaced'],
    [400, 'dropped'],
    [400, 'unknown'],
  ])('is %i for one that is %j', (code, state) => {
    const batch = { size: 7, atomic: true, isSending: false };
    expect(toStatusCode(batch, [{ state }])).toBe(code);
  });
});
