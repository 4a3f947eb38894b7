import { encodeFunctionData, parseAbi } from 'viem';

import type { ChainId } from '../../../src/eth/chain';
import { entryPoints } from '../../../src/eth/entry-point';
import { fetchOperationMeasures } from '../../../src/fees/operation-measures';
import { toInitCode } from '../../../src/fees/operation-state';
import { breaking } from '../../support/fake-fetch';
import { MARKET } from '../../support/fill-bench';
import { createOperationBench } from '../../support/fill-operation-bench';
import type { OperationBench } from '../../support/fill-operation-bench';
import { smartRecord } from '../../support/records';

const account = smartRecord();

const KNOWN = {
  version: '0.6',
  ownInitCode: toInitCode(account, false),
  isRollup: false,
};

const MEASURED = {
  ...KNOWN,
  levels: MARKET,
  balance: 5n,
  deposit: 7n,
  isDeployed: true,
};

const levels = (): Promise<typeof MARKET> => Promise.resolve(MARKET);

function setup(answers = {}): OperationBench {
  return createOperationBench({ node: { eth_getBalance: '0x5', ...answers } });
}

const measure = async (
  { node }: Partial<Pick<OperationBench, 'node'>>,
  sources: { chainId?: ChainId; levels?: typeof levels } = {},
): ReturnType<typeof fetchOperationMeasures> =>
  fetchOperationMeasures(account, { chainId: 1n, node, levels, ...sources });

describe('what an operation is measured by', () => {
  it('is fetched in one batch', async () => {
    const bench = setup();
    expect(await measure(bench)).toStrictEqual(MEASURED);
    expect(bench.askedBy('node')).toStrictEqual([
      ['eth_getBalance', 'eth_call', 'eth_getCode'],
    ]);
    const data = encodeFunctionData({
      abi: parseAbi(['function balanceOf(address)']),
      args: [account.address],
    });
    expect(bench.nodeSide.calls[1]?.params).toStrictEqual([
      { to: entryPoints['0.6'].entryPoint, data },
      'latest',
    ]);
  });

  it('tells an account without code, and a chain without the EntryPoint', async () => {
    const bench = setup({ eth_getCode: '0x', eth_call: '0x' });
    expect(await measure(bench)).toStrictEqual({
      ...MEASURED,
      isDeployed: false,
      deposit: undefined,
    });
  });

  it('tells a rollup', async () => {
    expect(await measure({}, { chainId: 59_144n })).toStrictEqual({
      ...KNOWN,
      isRollup: true,
    });
  });

  it('is little without a node', async () => {
    expect(await measure({})).toStrictEqual(KNOWN);
  });

  it('is little if the node does not answer', async () => {
    const bench = setup();
    bench.network.serve('https://node.example', breaking);
    expect(await measure(bench)).toStrictEqual(KNOWN);
  });

  it('is all but the levels if these fail', async () => {
    const failing = (): Promise<never> => Promise.reject(new Error('no levels'));
    expect(await measure(setup(), { levels: failing })).toStrictEqual({
      ...MEASURED,
      levels: undefined,
    });
  });
});
