import type { Json } from '@metamask/utils';
import { decodeFunctionData, getAddress, parseAbi } from 'viem';
import type { Hex } from 'viem';

import { entryPointVersions } from '../../../src/eth/entry-point';
import { hashUserOperation, isSignedBy } from '../../../src/eth/sign-user-operation';
import { UserOperationStruct } from '../../../src/eth/user-operation';
import { parse } from '../../../src/parse';
import { askedOf } from '../../support/fake-node';
import { createOperationBench } from '../../support/operation-bench';
import type { OperationBench } from '../../support/operation-bench';
import { refusalOf } from '../../support/refusal';
import { refuse } from '../../support/test-app';
import { TO } from '../../support/transactions';

const METHOD = 'eth_sendUserOperation';

const intent = { to: TO, value: '0x1', data: '0xa9059cbb' };

const execute = parseAbi(['function execute(address,uint256,bytes)']);

const activityOf = async ({ app }: OperationBench): Promise<object[]> =>
  app.services.ledger.list();

describe('eth_sendUserOperation', () => {
  it.each(entryPointVersions)(
    'fills, confirms, signs, sends and follows an intent, for EntryPoint %s',
    async (version) => {
      const bench = await createOperationBench({ version });
      const hash = await bench.call(METHOD, [intent]);
      expect(bench.sent()).toHaveLength(1);
      const [json] = bench.sent();
      const operation = parse(json, UserOperationStruct, 'operation');
      const domain = { chainId: 1n, entryPoint: version };
      expect(hash).toBe(hashUserOperation(operation, domain));
      expect(isSignedBy(operation, domain, bench.owner)).toBe(true);
      const { args } = decodeFunctionData({ abi: execute, data: operation.callData });
      expect(args.map(String)).toStrictEqual([getAddress(TO), '1', '0xa9059cbb']);
      expect(json).toMatchObject({
        sender: bench.address,
        nonce: '0x7',
        initCode: '0x',
        callGasLimit: '0x1d4c0',
        verificationGasLimit: '0x46500',
        preVerificationGas: '0xd6d8',
        paymasterAndData: '0x',
      });
      expect(bench.shown()).toHaveLength(1);
      expect(await activityOf(bench)).toStrictEqual([
        expect.objectContaining({
          hash,
          entryPoint: version,
          from: bench.address,
          to: TO.toLowerCase(),
          value: '0x1',
          nonce: '0x7',
          status: 'pending',
        }),
      ]);
    },
  );

  it('asks node and bundler in few requests', async () => {
    const { call, bundler, edges } = await createOperationBench();
    const before = edges.network.sent.length;
    await call(METHOD, [intent]);
    expect(edges.network.sent.length - before).toBe(3);
    expect(askedOf(bundler).slice(0, 2)).toStrictEqual([
      'eth_chainId',
      'eth_supportedEntryPoints',
    ]);
    expect(askedOf(bundler).slice(-2)).toStrictEqual([
      'eth_estimateUserOperationGas',
      METHOD,
    ]);
  });

  it('sends nothing where the user refuses', async () => {
    const bench = await createOperationBench();
    bench.edges.dialogs.answer = refuse;
    expect(await refusalOf(bench.call(METHOD, [intent]))).toHaveProperty('code', 4001);
    expect([bench.sent(), await activityOf(bench)]).toStrictEqual([[], []]);
  });

  it('alters nothing that is given', async () => {
    const { call, sent, address } = await createOperationBench();
    const given = {
      nonce: '0x9',
      callData: '0xb61d27f6',
      callGasLimit: '0x1',
      verificationGasLimit: '0x2',
      preVerificationGas: '0x3',
      maxFeePerGas: '0x5',
      maxPriorityFeePerGas: '0x4',
    };
    await call(METHOD, [{ ...given, sender: address, signature: '0x' }]);
    expect(sent()).toMatchObject([
      {
        nonce: '0x9',
        callData: '0xb61d27f6',
        callGasLimit: '0x1',
        verificationGasLimit: '0x2',
        preVerificationGas: '0x3',
        maxFeePerGas: '0x5',
        maxPriorityFeePerGas: '0x4',
      },
    ]);
  });

  it('takes the unpacked form, and the entry point of the account', async () => {
    const bench = await createOperationBench();
    const { call, sent, address, bundler } = bench;
    const operation = { sender: address, callData: '0xb61d27f6', factory: TO };
    const [entryPoint] = (bundler.answers.eth_supportedEntryPoints as Hex[]).slice(1);
    await call(METHOD, [{ ...operation, factoryData: '0x12' }, entryPoint as Json]);
    expect(sent()).toMatchObject([{ initCode: `${TO}12` }]);
  });

  it('raises the fees to what the bundler asks for', async () => {
    const floor = { maxFeePerGas: '0x2540be400', maxPriorityFeePerGas: '0x12a05f200' };
    const { call, sent } = await createOperationBench({
      bundler: { pimlico_getUserOperationGasPrice: { slow: floor, standard: floor } },
    });
    await call(METHOD, [intent]);
    expect(sent()).toMatchObject([
      { maxFeePerGas: '0x2540be400', maxPriorityFeePerGas: '0x12a05f200' },
    ]);
  });

  it('takes a nonce of the key that is wanted', async () => {
    const { call, sent } = await createOperationBench();
    await call(METHOD, { nonceKey: '0x5', params: [intent] });
    expect(sent()).toMatchObject([{ nonce: '0x50000000000000007' }]);
  });

  it('takes another nonce key while its own operations are pending', async () => {
    const { call, sent } = await createOperationBench();
    await call(METHOD, [intent]);
    await call(METHOD, [intent]);
    await call(METHOD, { nonceKey: '0x5', params: [intent] });
    expect(sent().map(({ nonce }) => nonce)).toStrictEqual([
      '0x7',
      '0x10000000000000007',
      '0x50000000000000007',
    ]);
  });
});
