// Checks the built snap's calls against openrpc.json, with a real chain, bundler and service.
import type { Json } from '@metamask/utils';
import { encodeFunctionData, erc20Abi, zeroAddress } from 'viem';
import type { Hex } from 'viem';

import {
  configureChain,
  connect,
  createAccount,
  type DemoAccount,
  startWorld,
  type World,
} from '../../dev/demo/world';
import { contract } from '../../dev/docs/contract';
import { deployVerifiers } from '../../dev/stack/verifiers';
import { approveAll, closeAll } from '../../dev/wallet/user';
import { findRoute } from '../../src/routes';
import { poll } from '../fixtures/stack/requests';
import { paramsFaults, resultFaults } from '../support/contract';
import { createNode } from '../support/smart-world';
import { mailOf } from '../support/typed-data';

const CHAIN = '0x7a69';

const RECIPIENT = '0x000000000000000000000000000000000000bEEF';

const UNKNOWN_HASH = `0x${'00'.repeat(32)}`;

type Prepared = Record<'callData' | 'nonce' | 'initCode' | 'dummySignature', string> & {
  gasLimits: Record<string, string>;
};

let world: World;
let account: DemoAccount;
let smart: DemoAccount;

const covered = new Set<string>();

beforeAll(async () => {
  world = await startWorld();
});

afterAll(async () => {
  await world?.stop();
});

/**
 * Calls a method as a site, or as the companion if sites may not call it, and validates params and
 * result against the contract.
 */
async function call(name: string, params: Json[] = []): Promise<Json> {
  const isOpen = findRoute(name)?.by.includes('dapp') === true;
  const site = isOpen ? world.dapp : world.companion;
  const result = await site.snap(name, params);
  const faults = [paramsFaults(name)(params), resultFaults(name)(result)];
  expect({ name, result, faults }).toStrictEqual({
    name,
    result,
    faults: [undefined, undefined],
  });
  covered.add(name);
  return result;
}

it('configures chains and settings as the contract says', async () => {
  await call('tollkeeper_getChains');
  await configureChain(world);
  await call('tollkeeper_setChain', [{ chainId: CHAIN, wsUrl: null }]);
  await call('tollkeeper_getChains');
  await call('tollkeeper_setSettings', [{ feeLevel: 'high', notifications: false }]);
  account = await createAccount(world, { type: 'eip155:eoa' });
  smart = await createAccount(world, {
    type: 'eip155:erc4337',
    scopes: ['eip155:31337'],
  });
  await Promise.all(
    [account, smart].map(async ({ address }) => world.stack.fund(address, '1')),
  );
});

it('grants and revokes access to accounts as the contract says', async () => {
  const { user } = world.wallet;
  await call('eth_accounts');
  await call('wallet_getPermissions');
  user.onDialog = async (dialog) => {
    for (const { id } of [account, smart]) await dialog.fill(id, true);
    await dialog.approve();
  };
  await call('eth_requestAccounts');
  await call('wallet_disconnect');
  await call('wallet_revokePermissions', [{ eth_accounts: {} }]);
  await call('wallet_requestPermissions', [{ eth_accounts: {} }]);
  user.onDialog = approveAll;
  await call('wallet_connect', [
    {
      version: '1',
      capabilities: {
        signInWithEthereum: { nonce: 'k13wuyv6db6cz', chainId: '0x7a69' },
      },
    },
  ]);
  await call('wallet_getPermissions');
});

it('signs messages as the contract says', async () => {
  const { address } = account;
  await call('personal_sign', ['0x54', address]);
  const revocation = { account: address, address: zeroAddress, chainId: CHAIN };
  await call('wallet_signAuthorization', [revocation]);
  await call('eth_signTypedData_v4', [address, mailOf()]);
  await call('eth_signTypedData_v3', [address, mailOf()]);
  const entries = [{ type: 'string', name: 'Message', value: 'Hello.' }];
  await call('eth_signTypedData_v1', [address, entries]);
  await call('eth_signTypedData', [address, entries]);
});

it('fills in, signs, sends and finds transactions as the contract says', async () => {
  const payment = { from: account.address, to: RECIPIENT, value: '0x1' };
  const { raw } = (await call('eth_signTransaction', [payment])) as { raw: string };
  const { tx } = (await call('eth_fillTransaction', [payment])) as { tx: Json };
  await call('eth_signTransaction', [tx]);
  await call('eth_signTransaction', [{ ...payment, type: '0x1', accessList: [] }]);
  await call('eth_sendRawTransaction', [raw]);
  const chain = createNode(world.stack.chain.url);
  await chain.setAutomine(false);
  const pending = await call('eth_sendTransaction', [{ ...payment, gasLimit: 50_000 }]);
  await call('eth_getTransactionByHash', [pending]);
  const hash = await call('tollkeeper_replaceTransaction', [
    pending,
    { action: 'speedUp' },
  ]);
  await chain.setAutomine(true);
  await chain.mine({ blocks: 1 });
  await call('eth_getTransactionByHash', [hash]);
  expect(await call('eth_getTransactionReceipt', [hash])).toMatchObject({
    status: '0x1',
  });
});

it('delegates and revokes delegations as the contract says', async () => {
  await deployVerifiers(world.stack);
  await connect(world, world.companion, [account]);
  const node = createNode(world.stack.chain.url);
  for (const name of ['tollkeeper_delegate', 'tollkeeper_revokeDelegation']) {
    const result = await call(name, [{ account: account.address, chainId: CHAIN }]);
    await node.waitForTransactionReceipt(result as { hash: Hex });
  }
});

it('prepares, signs, sends and finds user operations as the contract says', async () => {
  const intent = { to: RECIPIENT, value: '0x1', data: '0x' };
  const prepared = (await call('eth_prepareUserOperation', [intent])) as Prepared;
  const { callData, initCode, nonce, gasLimits, dummySignature } = prepared;
  const fees = { maxFeePerGas: '0x77359400', maxPriorityFeePerGas: '0x3b9aca00' };
  const operation = {
    sender: smart.address,
    nonce,
    initCode,
    callData,
    ...gasLimits,
    ...fees,
    paymasterAndData: '0x',
    signature: dummySignature,
  };
  await call('eth_patchUserOperation', [operation]);
  await call('eth_signUserOperation', [operation]);
  await call('eth_estimateUserOperationGas', [intent]);
  await call('eth_estimateUserOperationGas', [{ sender: smart.address, callData }]);
  const hash = await call('eth_sendUserOperation', [intent]);
  await call('eth_getUserOperationByHash', [hash]);
  await poll(async () => call('eth_getUserOperationReceipt', [hash]));
  await call('eth_getUserOperationByHash', [hash]);
  await call('eth_supportedEntryPoints');
});

it('sends calls as the contract says', async () => {
  await call('wallet_getCapabilities', [smart.address]);
  const { id } = (await call('wallet_sendCalls', [
    {
      version: '2.0.0',
      from: account.address,
      chainId: CHAIN,
      atomicRequired: false,
      calls: [{ to: RECIPIENT, value: '0x1' }],
    },
  ])) as { id: string };
  await poll(async () => {
    const { status } = (await call('wallet_getCallsStatus', [id])) as {
      status: number;
    };
    return status === 200;
  });
  world.wallet.user.onDialog = closeAll;
  await call('wallet_showCallsStatus', [id]);
  world.wallet.user.onDialog = approveAll;
});

it('finds and revokes permissions as the contract says', async () => {
  const { url } = world.stack.chain;
  const token = `0x${'70'.repeat(20)}` as const;
  // Every function of this contract returns 1.
  await createNode(url).setCode({ address: token, bytecode: '0x600160005260206000f3' });
  const data = encodeFunctionData({
    abi: erc20Abi,
    functionName: 'approve',
    args: [RECIPIENT as Hex, 1n],
  });
  const approval = { from: account.address, to: token, data };
  await call('eth_sendTransaction', [approval]);
  const accountOnChain = { account: account.address, chainId: CHAIN };
  const { permissions } = (await call('tollkeeper_getPermissions', [
    accountOnChain,
  ])) as {
    permissions: { kind: string }[];
  };
  const allowances = permissions.filter(({ kind }) => kind === 'allowance');
  expect(allowances).toHaveLength(1);
  await call('tollkeeper_revoke', [{ ...accountOnChain, permissions: allowances }]);
});

it('answers the remaining methods as the contract says', async () => {
  await call('eth_chainId');
  await call('eth_getUncleByBlockNumberAndIndex', ['latest', '0x0']);
  await call('eth_getUncleByBlockHashAndIndex', [UNKNOWN_HASH, '0x0']);
  await call('rollup_estimateGas', [{ from: account.address, to: RECIPIENT }]);
  await call('gas_suggestedGasFees', [CHAIN]);
  await call('gas_baseFeePercentile', [CHAIN]);
  await call('tollkeeper_getFeeLevels');
});

it('returns the contract itself', async () => {
  expect(await call('rpc.discover')).toStrictEqual(contract);
});

it('covers every method except the refused ones', () => {
  const all = contract.methods.map(({ name }) => name);
  const refused = all.filter((name) => findRoute(name)?.kind === 'refused');
  expect([...covered, ...refused].sort()).toStrictEqual(all.sort());
});
