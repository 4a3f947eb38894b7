import { danger, info, sortNotices, warning } from '../../../src/ui/notice';

describe('notices', () => {
  it('stand the worst first, and otherwise as they came', () => {
    const all = [info('a'), warning('b'), danger('c'), warning('d'), danger('e')];
    expect(
      sortNotices(all)
        .map(({ text }) => text)
        .join(''),
    ).toBe('cebda');
    expect(all.map(({ text }) => text).join('')).toBe('abcde');
  });
});
