// What a bundler may ask for gas before the user is warned: the snap over a node and a bundler.
import type { Json } from '@metamask/utils';
import { numberToHex } from 'viem';

import { refuses } from '../support/fake-node';
import type { NodeAnswers } from '../support/fake-node';
import { createOperationBench, ESTIMATE } from '../support/operation-bench';
import { refuse } from '../support/test-app';
import { TO } from '../support/transactions';
import { textOf, warningsOf } from '../support/view';

const intent = { to: TO, value: '0x1', data: '0x' };

/** 100,000 gas for the calls as for the check, in blocks of 30 million. */
const NODE: NodeAnswers = {
  eth_estimateGas: '0x186a0',
  eth_getBlockByNumber: { number: '0x1', timestamp: '0x1', gasLimit: '0x1c9c380' },
};

/** 999,999 with the margin of 10 %. */
const GREEDY = { preVerificationGas: numberToHex(909_090) };

/** Has an operation sent, and lists what its user is warned of. */
async function listWarnings(estimate: Record<string, Json>, node: NodeAnswers = {}) {
  const bench = await createOperationBench({
    node: { ...NODE, ...node },
    bundler: { eth_estimateUserOperationGas: { ...ESTIMATE, ...estimate } },
  });
  await bench.call('eth_sendUserOperation', [intent]);
  return warningsOf(bench.shown()[0]);
}

const above = (field: 'callGas' | 'verificationGas', gas: string, by: string): string =>
  textOf('alert.gasEstimate', {
    field: textOf(`field.${field}`),
    gas,
    estimate: by,
  });

describe('a bundler', () => {
  it('asks for about what the node says', async () => {
    expect(await listWarnings({})).toStrictEqual([]);
  });

  it('is not believed at 29.9 million for the calls', async () => {
    // 20 % come on top.
    const callGasLimit = numberToHex(24_900_000);
    expect(await listWarnings({ callGasLimit })).toStrictEqual([
      above('callGas', '29,880,000', '100,000'),
    ]);
  });

  it('is not believed at more than twice the check', async () => {
    // What the EntryPoint does (30,000) and the prefund (40,000) come on top of the node's.
    const estimate = '170,000';
    const fitting = { verificationGasLimit: numberToHex(243_000) };
    expect(await listWarnings(fitting)).toStrictEqual([]);
    expect(
      await listWarnings({ verificationGasLimit: numberToHex(250_000) }),
    ).toStrictEqual([above('verificationGas', '348,000', estimate)]);
  });

  it('is not believed at 999,999 for its own work, with or without a node', async () => {
    const dead = { eth_estimateGas: refuses({ code: -32601, message: 'no' }) };
    for (const node of [NODE, dead]) {
      expect(await listWarnings(GREEDY, node)).toStrictEqual([
        textOf('alert.preVerificationGas', { gas: '999,999', estimate: '50,058' }),
      ]);
    }
  });

  it('is measured by a block where the node estimates nothing', async () => {
    const answers = {
      eth_estimateGas: refuses({ code: -32601, message: 'no' }),
      eth_getBlockByNumber: {
        number: '0x1',
        timestamp: '0x1',
        gasLimit: numberToHex(5_000_000),
      },
    };
    const fitting = { callGasLimit: numberToHex(4_160_000) };
    expect(await listWarnings(fitting, answers)).toStrictEqual([]);
    const dear = { callGasLimit: numberToHex(4_170_000) };
    expect(await listWarnings(dear, answers)).toStrictEqual([
      textOf('alert.gasLimit', {
        field: textOf('field.callGas'),
        gas: '5,004,000',
        bound: '5,000,000',
      }),
    ]);
    // A block without its limit is taken for one of Ethereum.
    const untold = { number: '0x1', timestamp: '0x1' };
    const huge = { callGasLimit: numberToHex(26_000_000) };
    expect(
      await listWarnings(huge, { ...answers, eth_getBlockByNumber: untold }),
    ).toStrictEqual([
      textOf('alert.gasLimit', {
        field: textOf('field.callGas'),
        gas: '31,200,000',
        bound: '30,000,000',
      }),
    ]);
  });

  it('is not sent anything if its user refuses what it asks for', async () => {
    const bench = await createOperationBench({
      node: NODE,
      bundler: {
        eth_estimateUserOperationGas: { ...ESTIMATE, ...GREEDY },
      },
    });
    bench.edges.dialogs.answer = refuse;
    await expect(bench.call('eth_sendUserOperation', [intent])).rejects.toThrow();
    expect(bench.sent()).toStrictEqual([]);
  });
});

describe('limits that a site gives', () => {
  it('are measured in the same way', async () => {
    const callGasLimit = numberToHex(29_900_000);
    const bench = await createOperationBench({ node: NODE });
    await bench.call('eth_sendUserOperation', [
      { callData: '0xb61d27f6', callGasLimit },
    ]);
    expect(warningsOf(bench.shown()[0])).toContain(
      above('callGas', '29,900,000', '100,000'),
    );
  });
});
