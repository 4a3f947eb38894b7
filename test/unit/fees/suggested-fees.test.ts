import type { SuggestedGasFees } from '../../../src/client';
import {
  fetchBaseFeePercentile,
  fetchSuggestedFees,
} from '../../../src/fees/suggested-fees';
import type { Told } from '../../../src/fees/suggested-fees';
import { gasAnswer, gasAnswerInWei } from '../../fixtures/client/gas-answer';
import { answering } from '../../support/fake-fetch';
import type { Server } from '../../support/fake-fetch';
import { askedOf, refuses } from '../../support/fake-node';
import { createFeeBench } from '../../support/fee-bench';
import type { FeeBench } from '../../support/fee-bench';
import { FEE_ANSWERS } from '../../support/fees';
import { refusalOf } from '../../support/refusal';

const FREE = { ...FEE_ANSWERS.eth_feeHistory, baseFeePerGas: ['0x0', '0x0', '0x0'] };

const percentile = answering({ baseFeePercentile: '23.227829059' });

const both: Server = (request) =>
  (request.url.endsWith('suggestedGasFees') ? answering(gasAnswer) : percentile)(
    request,
  );

const fetch = async (
  bench: FeeBench,
): Promise<[Told<SuggestedGasFees>, Told<bigint>]> => [
  await fetchSuggestedFees(bench.chainOf()),
  await fetchBaseFeePercentile(bench.chainOf()),
];

describe('suggested fees and the percentile', () => {
  it("are the gas API's, and no node is asked", async () => {
    const bench = createFeeBench(both);
    expect(await fetch(bench)).toStrictEqual([
      { result: gasAnswerInWei, isComputed: false },
      { result: 23_227_829_059n, isComputed: false },
    ]);
    expect(bench.node.calls).toStrictEqual([]);
  });

  it.each<[string, Server | undefined]>([
    ['is none', undefined],
    ['refuses', answering('no', 401)],
    ['answers nonsense', answering({ low: 1 })],
  ])('are computed from past blocks where the gas API %s', async (_how, server) => {
    const bench = createFeeBench(server, FEE_ANSWERS);
    const [fees, base] = await fetch(bench);
    expect(base).toStrictEqual({ result: 1_000_000_000n, isComputed: true });
    expect(fees).toMatchObject({
      result: {
        estimatedBaseFee: 1_000_000_000n,
        medium: {
          suggestedMaxFeePerGas: 1_350_000_002n,
          suggestedMaxPriorityFeePerGas: 2n,
        },
      },
      isComputed: true,
    });
    const asked = askedOf(bench.node).filter((method) => method === 'eth_feeHistory');
    expect(asked).toHaveLength(2);
  });

  it('are not to be had on a chain without a base fee', async () => {
    const { chainOf } = createFeeBench(undefined, { eth_feeHistory: FREE });
    const refusal = {
      code: -32002,
      message: 'The chain has no base fee, and so no suggested fees.',
    };
    expect(await refusalOf(fetchSuggestedFees(chainOf()))).toStrictEqual(refusal);
    expect(await refusalOf(fetchBaseFeePercentile(chainOf()))).toStrictEqual(refusal);
  });

  it('fail with what the node says', async () => {
    const eth_feeHistory = refuses({ code: -32601, message: 'no such method' });
    const { chainOf } = createFeeBench(answering('no', 401), { eth_feeHistory });
    expect(await refusalOf(fetchSuggestedFees(chainOf()))).toStrictEqual({
      code: -32601,
      message: "eth_feeHistory at the wallet's node failed: no such method.",
    });
  });

  it('do not hide a fault of ours', async () => {
    const { chainOf } = createFeeBench(both);
    const broken = async (): Promise<never> => Promise.reject(new TypeError('broken'));
    const gas = { suggestedGasFees: broken, baseFeePercentile: broken };
    const fetching = fetchSuggestedFees({ ...chainOf(), gas: gas });
    await expect(fetching).rejects.toThrow(new TypeError('broken'));
  });
});
