import { findPause } from '../../../../src/client/rpc/connection';

describe('the pause after failures', () => {
  it('doubles up to half a minute', () => {
    const pauses = [0, 1, 2, 5, 6, 7, 2_000].map((failures) =>
      findPause(failures, () => 1),
    );
    expect(pauses).toStrictEqual([500, 1_000, 2_000, 16_000, 30_000, 30_000, 30_000]);
  });

  it('is shortened by chance, by half at most', () => {
    expect([0, 0.5].map((chance) => findPause(0, () => chance))).toStrictEqual([
      250, 375,
    ]);
  });
});
