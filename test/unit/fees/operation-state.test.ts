import { decodeFunctionData, encodeFunctionData, parseAbi } from 'viem';

import type { Intent } from '../../../src/eth/account-calls';
import { entryPoints, entryPointVersions } from '../../../src/eth/entry-point';
import {
  fetchAccountState,
  fetchOperationNonce,
  toInitCode,
} from '../../../src/fees/operation-state';
import type { AccountState } from '../../../src/fees/operation-state';
import { askedOf, refuses } from '../../support/fake-node';
import type { NodeAnswers } from '../../support/fake-node';
import {
  createOperationBench,
  GAS_PRICE,
  partsOf,
} from '../../support/fill-operation-bench';
import type { OperationBench } from '../../support/fill-operation-bench';
import { smartRecord } from '../../support/records';
import { refusalOf } from '../../support/refusal';
import { TO } from '../../support/transactions';

const abi = parseAbi([
  'function getNonce(address,uint192) view returns (uint256)',
  'function createAccount(address,uint256) returns (address)',
]);

const intent: Intent = { to: TO, value: 1n, data: '0xa9' };

type Bench = Pick<OperationBench, 'nodeSide'> & {
  fetch: (intents: Intent[] | undefined) => Promise<AccountState>;
};

function setup(answers: NodeAnswers = {}): Bench {
  const bench = createOperationBench({ node: { eth_getCode: '0x', ...answers } });
  return {
    nodeSide: bench.nodeSide,
    fetch: async (intents) =>
      fetchAccountState(smartRecord(), { nonceKey: 0n, intents }, bench.node),
  };
}

describe('the nonce of an account', () => {
  it.each(entryPointVersions)('of %s is asked for by its key', async (version) => {
    const { node, nodeSide } = createOperationBench();
    const account = smartRecord({ entryPoint: version });
    const key = 2n ** 192n - 1n;
    expect(await fetchOperationNonce(account, key, node)).toBe(7n);
    const data = encodeFunctionData({
      abi,
      functionName: 'getNonce',
      args: [account.address, key],
    });
    const { entryPoint } = entryPoints[version];
    expect(nodeSide.calls.map(({ params }) => params)).toStrictEqual([
      [{ to: entryPoint, data }, 'latest'],
    ]);
  });

  it('needs an EntryPoint', async () => {
    const { node } = createOperationBench({ node: { eth_call: '0x' } });
    expect(await refusalOf(fetchOperationNonce(smartRecord(), 0n, node))).toStrictEqual(
      {
        code: -32002,
        message:
          'There is no EntryPoint 0.6 at 0x5FF137D4b0FDCD49DcA30c7CF57E578a026d2789 on the ' +
          'chain of https://node.example.',
      },
    );
  });
});

describe('what deploys an account', () => {
  it('is a call of its factory, while it has no code', () => {
    const account = smartRecord({ salt: '0x2a' });
    const { factory, call } = partsOf(toInitCode(account, false));
    expect(factory).toBe(account.factory);
    const { functionName, args } = decodeFunctionData({ abi, data: call });
    expect(functionName).toBe('createAccount');
    expect(args.map((arg) => String(arg).toLowerCase())).toStrictEqual([
      account.owner,
      '42',
    ]);
  });

  it('is nothing once it has code', () => {
    expect(toInitCode(smartRecord(), true)).toBe('0x');
  });
});

describe('the state of an account', () => {
  it('holds no gas for its calls once it has code', async () => {
    const { fetch } = setup({ eth_getCode: '0x6080' });
    expect(await fetch([intent])).toStrictEqual({
      isDeployed: true,
      nonce: 7n,
      callGas: 0n,
      gasPrice: GAS_PRICE,
    });
  });

  it('holds the gas of its calls, each with that of the account around it', async () => {
    const { nodeSide, fetch } = setup();
    expect(await fetch([intent, intent])).toStrictEqual({
      isDeployed: false,
      nonce: 7n,
      callGas: 2n * (21_000n + 40_000n),
      gasPrice: GAS_PRICE,
    });
    expect(nodeSide.calls.at(-1)?.params).toStrictEqual([
      { from: smartRecord().address, to: TO, value: '0x1', data: '0xa9' },
    ]);
  });

  it('estimates a creation through the deterministic deployer', async () => {
    const { nodeSide, fetch } = setup();
    await fetch([{ to: null, value: 0n, data: '0x60' }]);
    expect(nodeSide.calls.at(-1)?.params[0]).toMatchObject({
      to: '0x4e59b44847b379578588920cA78FbF26c0B4956C',
      data: `0x${'00'.repeat(32)}60`,
    });
  });

  it('reserves gas for a call that cannot be estimated alone', async () => {
    const reverted = refuses({ code: 3, message: 'execution reverted' });
    const { fetch } = setup({ eth_estimateGas: reverted });
    expect(await fetch([intent])).toHaveProperty('callGas', 540_000n);
  });

  it('reserves gas for calls that are not known', async () => {
    expect(await setup().fetch(undefined)).toHaveProperty('callGas', 500_000n);
  });

  it('is asked for at once', async () => {
    const { nodeSide, fetch } = setup();
    await fetch([intent]);
    expect(askedOf(nodeSide).sort()).toStrictEqual([
      'eth_call',
      'eth_estimateGas',
      'eth_gasPrice',
      'eth_getCode',
    ]);
  });
});
