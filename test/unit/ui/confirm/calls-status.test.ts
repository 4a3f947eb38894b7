import type { Hex } from '../../../../src/eth/hex';
import { CallsStatusView } from '../../../../src/ui/confirm/calls-status';
import type { CallsStatus } from '../../../../src/ui/confirm/calls-status';
import { textOf, textsOf, translate } from '../../../support/view';

const HASH: Hex = `0x${'ab'.repeat(32)}`;
const OTHER: Hex = `0x${'cd'.repeat(32)}`;

const draw = (about: Partial<CallsStatus> = {}): string[] =>
  textsOf(
    CallsStatusView({
      translate,
      id: '0x1234',
      chain: 'eip155:1',
      status: 100,
      sent: [{ hash: HASH, state: 'pending' }],
      ...about,
    }),
  );

describe('the status of calls', () => {
  it('is a word, the chain, and each hash with what became of it', () => {
    const sent = [
      { hash: HASH, state: 'included' },
      { hash: OTHER, state: 'failed' },
    ] as const;
    expect(draw({ status: 600, sent })).toStrictEqual([
      textOf('callsStatus.title'),
      textOf('field.status'),
      textOf('callsStatus.partial'),
      textOf('field.chain'),
      'Ethereum (eip155:1)',
      textOf('field.callsId'),
      '0x1234',
      textOf('sent.included'),
      HASH,
      textOf('sent.failed'),
      OTHER,
    ]);
  });

  it.each([
    [100, 'callsStatus.pending'],
    [200, 'callsStatus.confirmed'],
    [400, 'callsStatus.notSent'],
    [500, 'callsStatus.reverted'],
    [600, 'callsStatus.partial'],
  ] as const)('of %d is %s', (status, key) => {
    expect(draw({ status })[2]).toBe(textOf(key));
  });

  it.each([
    ['pending', 'sent.pending'],
    ['included', 'sent.included'],
    ['failed', 'sent.failed'],
    ['replaced', 'sent.replaced'],
    ['dropped', 'sent.dropped'],
    ['unknown', 'sent.unknown'],
  ] as const)('tells what is %s', (state, key) => {
    expect(draw({ sent: [{ hash: HASH, state }] })).toContain(textOf(key));
  });

  it('shows the tricks of an id, which the site chose', () => {
    expect(draw({ id: 'a\u202eb' })).toContain('a\\u{202e}b');
  });

  it('lists fifty, and counts the others', () => {
    const sent = Array<CallsStatus['sent'][number]>(52).fill({
      hash: HASH,
      state: 'included',
    });
    const texts = draw({ sent });
    expect(texts.filter((text) => text === HASH)).toHaveLength(50);
    expect(texts.at(-1)).toBe(textOf('callsStatus.more', { count: '2' }));
    expect(draw({ sent: sent.slice(0, 50) }).at(-1)).toBe(HASH);
  });
});
