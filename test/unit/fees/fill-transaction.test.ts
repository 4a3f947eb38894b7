import { parseTransactionRequest } from '../../../src/eth/transaction-request';
import { isComplete } from '../../../src/fees/complete-transaction';
import { askedOf, refuses } from '../../support/fake-node';
import { createFillBench, FROM, MARKET } from '../../support/fill-bench';
import { refusalOf } from '../../support/refusal';
import { ACCESS_LIST, TO, withoutFields } from '../../support/transactions';

const complete = {
  type: '0x2',
  chainId: '0x1',
  nonce: '0x9',
  gasLimit: '0x30d40',
  maxFeePerGas: '0x5',
  maxPriorityFeePerGas: '0x4',
};

describe('filling nonce and gas limit', () => {
  it('asks for the nonce with the pending block, so that sends can follow each other', async () => {
    const { node, fill } = createFillBench();
    expect(await fill(withoutFields(complete, ['nonce']))).toHaveProperty('nonce', 5n);
    expect(node.calls).toStrictEqual([
      { method: 'eth_getTransactionCount', params: [FROM, 'pending'] },
    ]);
  });

  it('estimates gas without fees, with a fifth on top', async () => {
    const { node, fill } = createFillBench();
    const fields = withoutFields(complete, ['gasLimit']);
    const filled = await fill({ ...fields, data: '0xa9', accessList: ACCESS_LIST });
    expect(filled).toHaveProperty('gasLimit', 120_000n);
    const call = {
      from: FROM,
      to: TO,
      value: '0x1',
      data: '0xa9',
      accessList: ACCESS_LIST,
    };
    expect(node.calls).toStrictEqual([{ method: 'eth_estimateGas', params: [call] }]);
  });

  it('takes the gas of a plain transfer as it is', async () => {
    const { fill } = createFillBench(MARKET, { eth_estimateGas: '0x5208' });
    expect(await fill({})).toHaveProperty('gasLimit', 21_000n);
  });

  it('estimates a creation without a recipient', async () => {
    const { node, fill } = createFillBench();
    await fill({ ...withoutFields(complete, ['gasLimit']), to: null, data: '0x60' });
    const call = { from: FROM, value: '0x1', data: '0x60' };
    expect(node.calls).toStrictEqual([{ method: 'eth_estimateGas', params: [call] }]);
  });

  it('says why an estimate fails', async () => {
    const fault = { code: 3, message: 'execution reverted: no', data: '0x08c379a0' };
    const { fill } = createFillBench(MARKET, { eth_estimateGas: refuses(fault) });
    expect(await refusalOf(fill({}))).toStrictEqual({
      code: 3,
      message: "eth_estimateGas at the wallet's node failed: execution reverted: no.",
    });
  });

  it('asks independent questions together', async () => {
    const { node, fill } = createFillBench();
    await fill({});
    expect(askedOf(node).sort()).toStrictEqual([
      'eth_estimateGas',
      'eth_getTransactionCount',
    ]);
  });
});

describe('isComplete', () => {
  const isFilled = (fields: Record<string, unknown>): boolean =>
    isComplete(parseTransactionRequest({ from: FROM, to: TO, ...fields }, 'tx'));

  it('tells that nothing is missing', () => {
    const names = ['type', 'maxFeePerGas', 'maxPriorityFeePerGas'];
    const priced = { ...withoutFields(complete, names), type: '0x0', gasPrice: '0x1' };
    expect(isFilled(complete)).toBe(true);
    expect(isFilled(priced)).toBe(true);
  });

  it.each(Object.keys(complete))('tells that %s is missing', (name) => {
    expect(isFilled(withoutFields(complete, [name]))).toBe(false);
  });
});
