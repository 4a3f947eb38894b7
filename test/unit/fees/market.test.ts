import { toMarket } from '../../../src/fees/market';
import { gasAnswerInWei } from '../../fixtures/client/gas-answer';
import { SUGGESTED_LEVELS } from '../../support/fees';

describe('the market of fees', () => {
  it('is what the source says of it', () => {
    expect(toMarket(gasAnswerInWei)).toStrictEqual(SUGGESTED_LEVELS.market);
  });

  it('has waits in order, and none that cannot be kept', () => {
    const low = {
      ...gasAnswerInWei.low,
      minWaitTimeEstimate: 1e300,
      maxWaitTimeEstimate: 7,
    };
    expect(toMarket({ ...gasAnswerInWei, low }).waits.low).toStrictEqual({
      min: 7,
      max: Number.MAX_SAFE_INTEGER,
    });
  });
});
