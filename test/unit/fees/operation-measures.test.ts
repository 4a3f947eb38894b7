import type { Json } from '@metamask/utils';
import { encodeFunctionData, parseAbi } from 'viem';

import type { ChainId } from '../../../src/eth/chain';
import { entryPoints } from '../../../src/eth/entry-point';
import type { Hex } from '../../../src/eth/hex';
import type { UserOperation } from '../../../src/eth/user-operation';
import { fetchOperationMeasures } from '../../../src/fees/operation-measures';
import { toInitCode } from '../../../src/fees/operation-state';
import { breaking } from '../../support/fake-fetch';
import { refuses } from '../../support/fake-node';
import { MARKET } from '../../support/fill-bench';
import { createOperationBench, simulated } from '../../support/fill-operation-bench';
import type { OperationBench } from '../../support/fill-operation-bench';
import { OPERATION } from '../../support/plain-operation';
import { smartRecord } from '../../support/records';
import { without } from '../../support/without';

const account = smartRecord();

const KNOWN = {
  version: '0.6',
  ownInitCode: toInitCode(account, false),
  paysDataInGas: false,
};

const MEASURED = {
  ...KNOWN,
  levels: MARKET,
  balance: 5n,
  deposit: 7n,
  isDeployed: true,
  blockGasLimit: undefined,
  dataFee: undefined,
  // 21,000, what the EntryPoint does, and the prefund.
  nodeGas: { callGasLimit: 21_000n, verificationGasLimit: 91_000n },
  failure: undefined,
};

const levels = (): Promise<typeof MARKET> => Promise.resolve(MARKET);

function setup(answers = {}): OperationBench {
  return createOperationBench({ node: { eth_getBalance: '0x5', ...answers } });
}

const measure = async (
  { node }: Partial<Pick<OperationBench, 'node'>>,
  sources: { chainId?: ChainId; levels?: typeof levels } = {},
  changes: Partial<UserOperation> = {},
): ReturnType<typeof fetchOperationMeasures> =>
  fetchOperationMeasures({ ...OPERATION, ...changes }, account, {
    chainId: 1n,
    node,
    levels,
    ...sources,
  });

describe('what an operation is measured by', () => {
  it('is fetched in one batch', async () => {
    const bench = setup();
    expect(await measure(bench)).toStrictEqual(MEASURED);
    expect(bench.askedBy('node')).toStrictEqual([
      [
        'eth_getBalance',
        'eth_call',
        'eth_getCode',
        'eth_estimateGas',
        'eth_estimateGas',
        'eth_getBlockByNumber',
      ],
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

  it('tells a chain that charges for its base layer in gas', async () => {
    expect(await measure({}, { chainId: 59_144n })).toStrictEqual({
      ...KNOWN,
      paysDataInGas: true,
    });
  });

  it('has the gas limit of a block', async () => {
    const block = { number: '0x1', timestamp: '0x1', gasLimit: '0x1c9c380' };
    const bench = setup({ eth_getBlockByNumber: block });
    expect(await measure(bench)).toHaveProperty('blockGasLimit', 30_000_000n);
    const lax = setup({ eth_getBlockByNumber: without(block, 'gasLimit') });
    expect(await measure(lax)).toStrictEqual(MEASURED);
  });

  it('has the data fee of its bytes', async () => {
    const fee = `0x${77n.toString(16).padStart(64, '0')}`;
    const getL1Fee = '0x49948e0e';
    const eth_call = ([call]: Json[]): Json =>
      JSON.stringify(call).includes(getL1Fee) ? fee : '0x';
    expect(await measure(setup({ eth_call }), { chainId: 10n })).toStrictEqual({
      ...MEASURED,
      deposit: undefined,
      dataFee: 77n,
    });
    const mute = setup({ eth_call: '0x' });
    expect(await measure(mute, { chainId: 10n })).toStrictEqual({
      ...MEASURED,
      deposit: undefined,
    });
  });

  it('has what the node estimates, and why calls fail', async () => {
    const eth_estimateGas = ([call]: Json[]): Json =>
      (call as { data: string }).data === OPERATION.callData
        ? refuses({ code: 3, message: 'execution reverted: no' })()
        : '0x186a0';
    expect(await measure(setup({ eth_estimateGas }))).toStrictEqual({
      ...MEASURED,
      nodeGas: { callGasLimit: undefined, verificationGasLimit: 170_000n },
      failure: { kind: 'willFail', reason: 'execution reverted: no' },
    });
    const none = setup({ eth_estimateGas: refuses({ code: -32601, message: 'no' }) });
    expect(await measure(none)).toStrictEqual({
      ...MEASURED,
      nodeGas: { callGasLimit: undefined, verificationGasLimit: undefined },
    });
  });

  describe('while the account is not deployed', () => {
    const initCode: Hex = `0x${'fa'.repeat(20)}01`;

    it.each<[string, Json, object]>([
      [
        'has what a simulation tells',
        simulated({ gas: 121_000 }, { gas: 61_000 }, { gas: 31_000 }),
        { nodeGas: { callGasLimit: 10_000n, verificationGasLimit: 210_000n } },
      ],
      [
        'tells why the calls fail',
        simulated({ gas: 121_000 }, { gas: 61_000 }, { reverts: '0x' }),
        { failure: { kind: 'willFail', reason: 'execution reverted' } },
      ],
      [
        'says nothing of a deployment that fails: the bundler does',
        simulated({ reverts: '0x' }, { gas: 61_000 }, { gas: 31_000 }),
        { failure: undefined },
      ],
      ['is less where the node does not simulate', null, { failure: undefined }],
    ])('%s', async (_what, eth_simulateV1, figures) => {
      const bench = setup({ eth_simulateV1 });
      expect(await measure(bench, {}, { initCode })).toStrictEqual({
        ...without(MEASURED, 'nodeGas', 'failure'),
        ...figures,
      });
      expect(bench.askedBy('node')).toHaveLength(1);
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
