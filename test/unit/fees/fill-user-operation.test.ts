import { decodeFunctionData, encodeFunctionData, parseAbi, size, slice } from 'viem';

import { createWalletTransport } from '../../../src/chains/wallet-transport';
import { createBundlerClient, createNodeClient } from '../../../src/client';
import type { Intent } from '../../../src/eth/account-calls';
import { entryPoints, entryPointVersions } from '../../../src/eth/entry-point';
import type { Hex } from '../../../src/eth/hex';
import {
  estimateOperation,
  fetchAccountState,
} from '../../../src/fees/fill-user-operation';
import type { AccountState } from '../../../src/fees/fill-user-operation';
import type { SmartRecord } from '../../../src/state/account-record';
import { askedOf, createFakeNode, refuses } from '../../support/fake-node';
import type { FakeNode, NodeAnswers } from '../../support/fake-node';
import { smartRecord } from '../../support/records';
import { refusalOf } from '../../support/refusal';
import { TO } from '../../support/transactions';

const abi = parseAbi([
  'function getNonce(address,uint192) view returns (uint256)',
  'function createAccount(address,uint256) returns (address)',
]);

const intent: Intent = { to: TO, value: 1n, data: '0xa9' };

const ESTIMATE = {
  callGasLimit: '0x186a1',
  verificationGasLimit: '0x30d41',
  preVerificationGas: '0xc351',
};

type Bench = {
  node: FakeNode;
  fetchState: (account: SmartRecord, intents: Intent[]) => Promise<AccountState>;
  estimate: (
    account: SmartRecord,
    callGas?: bigint,
  ) => ReturnType<typeof estimateOperation>;
};

function setup(answers: NodeAnswers = {}): Bench {
  const node = createFakeNode({
    eth_getCode: '0x',
    eth_call: `0x${'7'.padStart(64, '0')}`,
    eth_estimateGas: '0x5208',
    eth_estimateUserOperationGas: ESTIMATE,
    ...answers,
  });
  const transport = createWalletTransport(node.request);
  const bundler = createBundlerClient(transport);
  return {
    node,
    fetchState: (account, intents) =>
      fetchAccountState(account, intents, createNodeClient(transport)),
    estimate: (account, callGas = 0n) => {
      const state = { nonce: '0x7', initCode: '0x', callGas } as const;
      return estimateOperation(account, { ...state, callData: '0xb61d27f6' }, bundler);
    },
  };
}

describe('the state of an account', () => {
  it.each(entryPointVersions)(
    'of version %s holds its nonce of key 0',
    async (version) => {
      const { node, fetchState } = setup();
      const account = smartRecord({ entryPoint: version });
      expect(await fetchState(account, [])).toHaveProperty('nonce', '0x7');
      const data = encodeFunctionData({
        abi,
        functionName: 'getNonce',
        args: [account.address, 0n],
      });
      expect(node.calls).toContainEqual({
        method: 'eth_call',
        params: [{ to: entryPoints[version].entryPoint, data }, 'latest'],
      });
    },
  );

  it('holds what deploys it while it has no code', async () => {
    const account = smartRecord({ salt: '0x2a' });
    const { initCode } = await setup().fetchState(account, []);
    expect(slice(initCode, 0, 20)).toBe(account.factory);
    const call = decodeFunctionData({ abi, data: slice(initCode, 20) });
    expect(call.functionName).toBe('createAccount');
    expect(String(call.args[0]).toLowerCase()).toBe(account.owner);
    expect(call.args[1]).toBe(42n);
  });

  it('holds nothing to deploy once it has code', async () => {
    const { fetchState } = setup({ eth_getCode: '0x6080' });
    expect(await fetchState(smartRecord(), [intent])).toStrictEqual({
      nonce: '0x7',
      initCode: '0x',
      callGas: 0n,
    });
  });

  it('holds the gas of its calls, each with that of the account around it', async () => {
    const account = smartRecord();
    const { node, fetchState } = setup();
    const one = await fetchState(account, [intent]);
    const two = await fetchState(account, [intent, intent]);
    expect(one.callGas).toBeGreaterThan(21_000n);
    expect(two.callGas).toBe(2n * one.callGas);
    expect(node.calls).toContainEqual({
      method: 'eth_estimateGas',
      params: [{ from: account.address, to: TO, value: '0x1', data: '0xa9' }],
    });
  });

  it('estimates a creation through the deterministic deployer', async () => {
    const { node, fetchState } = setup();
    await fetchState(smartRecord(), [{ to: null, value: 0n, data: '0x60' }]);
    expect(node.calls.at(-1)?.params[0]).toMatchObject({
      to: '0x4e59b44847b379578588920cA78FbF26c0B4956C',
      data: `0x${'00'.repeat(32)}60`,
    });
  });

  it('reserves gas for a call that cannot be estimated alone', async () => {
    const reverted = refuses({ code: 3, message: 'execution reverted' });
    const { fetchState } = setup({ eth_estimateGas: reverted });
    const { callGas } = await fetchState(smartRecord(), [intent]);
    expect(callGas).toBeGreaterThan(500_000n);
  });

  it('is asked for at once, so that it goes in one batch', async () => {
    const { node, fetchState } = setup();
    const fetching = fetchState(smartRecord(), [intent]);
    const asked = askedOf(node);
    expect(asked.sort()).toStrictEqual(['eth_call', 'eth_estimateGas', 'eth_getCode']);
    await fetching;
    expect(node.calls).toHaveLength(asked.length);
  });
});

describe('the gas limits of an operation', () => {
  it('are the estimates and the prefund with a fifth on top, a tenth on what is paid in full', async () => {
    expect(await setup().estimate(smartRecord())).toStrictEqual({
      callGasLimit: '0x1d4c2',
      verificationGasLimit: '0x46502',
      preVerificationGas: '0xd6da',
    });
  });

  it('cover the calls that the bundler cannot see', async () => {
    const limits = await setup().estimate(smartRecord(), 1_000_000n);
    expect(limits).toHaveProperty('callGasLimit', '0x124f80');
  });

  it.each(entryPointVersions)('are asked of the entry point %s', async (version) => {
    const { node, estimate } = setup();
    const account = smartRecord({ entryPoint: version });
    await estimate(account);
    const [operation, entryPoint] = node.calls[0]?.params ?? [];
    expect(entryPoint).toBe(entryPoints[version].entryPoint);
    expect(operation).toMatchObject({
      sender: account.address,
      nonce: '0x7',
      callData: '0xb61d27f6',
      maxFeePerGas: '0x1',
    });
    const { signature } = operation as { signature: Hex };
    expect(size(signature)).toBe(65);
  });

  it('fail with the reason of the bundler', async () => {
    const fault = { code: -32500, message: "AA21 didn't pay prefund" };
    const { estimate } = setup({ eth_estimateUserOperationGas: refuses(fault) });
    expect(await refusalOf(estimate(smartRecord()))).toStrictEqual({
      code: -32500,
      message:
        "eth_estimateUserOperationGas at the wallet's node failed: the account cannot pay " +
        'for the gas. Send it money, or use a paymaster. ' +
        "The bundler said: AA21 didn't pay prefund.",
    });
  });
});
