// What no server can cause: a fault of ours is thrown, and not hidden by another source.
import { InternalError } from '../../../src/errors';
import { fetchLevels } from '../../../src/fees/level-sources';
import { fetchSuggestedFees } from '../../../src/fees/suggested-fees';
import { gasAnswer } from '../../fixtures/client/gas-answer';
import { answering } from '../../support/fake-fetch';
import { askedOf } from '../../support/fake-node';
import { createFeeBench } from '../../support/fee-bench';

it.each([
  ['a programming error', new TypeError('x is not a function')],
  ['an internal error', new InternalError('This cannot be.')],
])('is not taken for a source that failed: %s', async (_what, fault) => {
  const { chainOf, node } = createFeeBench(answering(gasAnswer));
  const fail = async (): Promise<never> => Promise.reject(fault);
  const gas = { suggestedGasFees: fail, baseFeePercentile: fail };
  await expect(fetchLevels({ ...chainOf(), gas })).rejects.toBe(fault);
  expect(askedOf(node)).toStrictEqual(['eth_feeHistory']);
  await expect(fetchSuggestedFees({ ...chainOf(), gas })).rejects.toBe(fault);
  const broken = { label: 'node', request: fail };
  await expect(fetchLevels({ id: 1n, node: broken })).rejects.toBe(fault);
});
