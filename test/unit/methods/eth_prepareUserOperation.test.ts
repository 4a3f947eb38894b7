import { EthBaseUserOperationStruct } from '@metamask/keyring-api';
import { strictMask } from '@metamask/keyring-utils';
import type { Json } from '@metamask/utils';
import { decodeFunctionData, parseAbi } from 'viem';
import type { Hex } from 'viem';

import { entryPointVersions } from '../../../src/eth/entry-point';
import { serving } from '../../support/fake-fetch';
import { createFakeNode } from '../../support/fake-node';
import type { FakeNode } from '../../support/fake-node';
import { callEntryPoint } from '../../support/operations';
import { refusalOf } from '../../support/refusal';
import { createSignBench } from '../../support/sign-bench';
import type { SignBench } from '../../support/sign-bench';
import { TO } from '../../support/transactions';

const METHOD = 'eth_prepareUserOperation';
const KEY = 'k3y-of-the-user-0123456789abcdef';

const intent = { to: TO, value: '0x1', data: '0xa9059cbb' };

type Bench = SignBench & {
  account: string;
  address: string;
  bundler: FakeNode;
  prepare: (params: Json, mayHoldSecrets?: boolean) => Promise<Json>;
};

/** A smart account on chain 1, whose bundler has a key. */
async function setup(options: Record<string, Json> = {}): Promise<Bench> {
  const bench = createSignBench();
  const { edges, app } = bench;
  const bundler = createFakeNode({
    eth_estimateUserOperationGas: {
      callGasLimit: '0x186a0',
      verificationGasLimit: '0x30d40',
      preVerificationGas: '0xc350',
    },
  });
  edges.network.serve('https://bundler.example', serving(bundler));
  Object.assign(edges.wallet.answers, {
    eth_getCode: '0x',
    eth_call: callEntryPoint,
  });
  const row = { bundlerUrl: 'https://bundler.example', bundlerApiKey: KEY };
  await app.services.store.update((state) => ({
    ...state,
    chains: { 'eip155:1': row },
  }));
  const { id, address } = await bench.create({
    type: 'eip155:erc4337',
    entryPoint: '0.6',
    ...options,
  });
  const prepare: Bench['prepare'] = (params, mayHoldSecrets = false) =>
    bench.sign({ account: id, method: METHOD, params, mayHoldSecrets });
  return { ...bench, account: id, address, bundler, prepare };
}

const execute = parseAbi(['function execute(address,uint256,bytes)']);

describe('eth_prepareUserOperation', () => {
  it.each(entryPointVersions)(
    'answers for EntryPoint %s as the strict struct of MetaMask has it',
    async (entryPoint) => {
      const { prepare } = await setup({ entryPoint });
      const answer = await prepare([intent], true);
      expect(strictMask(answer, EthBaseUserOperationStruct)).toBe(answer);
      expect(answer).toMatchObject({
        nonce: '0x0',
        gasLimits: { verificationGasLimit: '0x46500', preVerificationGas: '0xd6d8' },
        dummyPaymasterAndData: '0x',
      });
    },
  );

  it('carries out the intent through the account', async () => {
    const { prepare } = await setup();
    const { callData } = (await prepare([intent])) as { callData: Hex };
    const { args } = decodeFunctionData({ abi: execute, data: callData });
    expect(args.map(String)).toStrictEqual([
      '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
      '1',
      '0xa9059cbb',
    ]);
  });

  it('asks no user, since nothing is signed', async () => {
    const { prepare, consents } = await setup();
    await prepare([intent]);
    expect(consents.asked).toHaveLength(0);
  });

  it('gives the address of the bundler with its key to MetaMask alone', async () => {
    const { prepare, edges } = await setup();
    const secretUrl = `https://bundler.example/${KEY}`;
    expect(await prepare([intent], true)).toHaveProperty('bundlerUrl', secretUrl);
    const forDapp = await prepare([intent], false);
    expect(forDapp).toHaveProperty('bundlerUrl', 'https://bundler.example');
    expect(JSON.stringify(forDapp)).not.toContain(KEY);
    expect(edges.network.sent.map(({ url }) => url)).toStrictEqual([
      secretUrl,
      secretUrl,
    ]);
  });

  it('has nothing to deploy once the account has code', async () => {
    const { prepare, edges } = await setup();
    edges.wallet.answers.eth_getCode = '0x6080';
    expect(await prepare([intent])).toHaveProperty('initCode', '0x');
  });

  it('says that no bundler is configured, and how to configure one', async () => {
    const { prepare, app } = await setup();
    await app.services.store.update((state) => ({ ...state, chains: {} }));
    expect(await refusalOf(prepare([intent]))).toStrictEqual({
      code: -32002,
      message:
        'No bundler is configured for eip155:1. Configure one with tollkeeper_setChain.',
    });
  });

  it('says what the bundler says, without its key', async () => {
    const { prepare, bundler } = await setup();
    delete bundler.answers.eth_estimateUserOperationGas;
    expect(await refusalOf(prepare([intent]))).toStrictEqual({
      code: -32601,
      message:
        'eth_estimateUserOperationGas at https://bundler.example failed: the method ' +
        'eth_estimateUserOperationGas does not exist.',
    });
  });

  it('refuses a chain that the account does not serve', async () => {
    const { sign, account, address } = await setup();
    const asked = { account, method: METHOD, params: [intent], scope: 5n };
    expect(await refusalOf(sign(asked))).toStrictEqual({
      code: -32602,
      message: `The account ${address} serves eip155:1, not eip155:5.`,
    });
  });

  it('refuses several intents with values in version 0.6, which has no place for them', async () => {
    const { prepare } = await setup();
    expect(await refusalOf(prepare([intent, intent]))).toStrictEqual({
      code: -32602,
      message:
        'Several intents with a value do not fit in one user operation of EntryPoint 0.6, ' +
        'whose executeBatch carries no values; send them one by one.',
    });
  });

  it.each(['0.7', '0.8'])('takes several intents in version %s', async (entryPoint) => {
    const { prepare } = await setup({ entryPoint });
    expect(await prepare([intent, { ...intent, to: null }])).toHaveProperty('callData');
  });

  const ROOT = 'eth_prepareUserOperation: params';
  const quantity =
    'a quantity below 2^256 (hex with 0x, decimal string, or safe integer).';

  it.each<[Json, string]>([
    [[], `${ROOT} must be an array of 1 to 100 entries.`],
    [[{ ...intent, value: 'x' }], `${ROOT}[0].value must be ${quantity}`],
    [
      [intent, { ...intent, to: '0x12' }],
      `${ROOT}[1].to must be a 20-byte address, or null, "" or "0x" (contract creation).`,
    ],
    [[{ ...intent, from: TO }], `${ROOT}[0].from is not expected here.`],
    [[TO], `${ROOT}[0] must be an object.`],
    [{}, `${ROOT} must be an array.`],
  ])('refuses malformed params by name (case %#)', async (params, message) => {
    const { prepare } = await setup();
    expect(await refusalOf(prepare(params))).toStrictEqual({ code: -32602, message });
  });
});
