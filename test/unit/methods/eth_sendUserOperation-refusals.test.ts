import type { Json } from '@metamask/utils';
import type { Hex } from 'viem';

import { entryPoints } from '../../../src/eth/entry-point';
import { DUMMY_SIGNATURE } from '../../../src/eth/user-operation';
import { breaking, serving } from '../../support/fake-fetch';
import { askedOf, refuses } from '../../support/fake-node';
import type { NodeAnswers } from '../../support/fake-node';
import { BUNDLER_URL, createOperationBench } from '../../support/operation-bench';
import type { OperationBench } from '../../support/operation-bench';
import { operationOf } from '../../support/operations';
import { refusalOf } from '../../support/refusal';
import { hashOf } from '../../support/sent-transactions';
import { TO } from '../../support/transactions';
import { warningsOf } from '../../support/view';

const METHOD = 'eth_sendUserOperation';

const SIGN = 'eth_signUserOperation';

const intent = { to: TO, value: '0x1', data: '0x' };

const kept = async ({ app }: OperationBench): Promise<unknown[]> =>
  app.services.ledger.list();

const without = (operation: Record<string, Json>): Record<string, Json> => {
  const { signature, ...others } = operation;
  void signature;
  return others;
};

describe('an operation that is signed', () => {
  it('is sent and followed, and its user is not asked again', async () => {
    const bench = await createOperationBench();
    const operation = operationOf(bench.address);
    const signature = await bench.call(SIGN, [operation]);
    const dialogs = bench.shown().length;
    const signed = { ...operation, signature };
    const hash = await bench.call(METHOD, [signed]);
    expect(bench.shown()).toHaveLength(dialogs);
    expect(bench.sent()).toStrictEqual([expect.objectContaining(signed)]);
    expect(await kept(bench)).toMatchObject([{ hash, status: 'pending' }]);
  });

  it('may leave out what it has none of, as the unpacked form does', async () => {
    const bench = await createOperationBench();
    const operation = operationOf(bench.address);
    const signature = await bench.call(SIGN, [operation]);
    const entries = Object.entries(operation).filter(([, value]) => value !== '0x');
    const unpacked = { ...Object.fromEntries(entries), signature };
    await bench.call(METHOD, [unpacked, entryPoints['0.7'].entryPoint]);
    expect(bench.sent()).toStrictEqual([{ ...operation, signature }]);
  });

  it('is refused where the signature is for another content', async () => {
    const bench = await createOperationBench();
    const operation = operationOf(bench.address);
    const signature = await bench.call(SIGN, [operation]);
    const changed = { ...operation, nonce: '0x8', signature };
    expect(await refusalOf(bench.call(METHOD, [changed]))).toStrictEqual({
      code: -32602,
      message:
        `eth_sendUserOperation: params[0].signature is not that of ${bench.address}'s ` +
        'owner for this operation. Leave it out to have the operation signed.',
    });
    expect(bench.sent()).toStrictEqual([]);
  });

  it('must be whole', async () => {
    const { call } = await createOperationBench();
    const partial = { callData: '0x', signature: `0x${'12'.repeat(65)}` };
    const { code, message } = await refusalOf(call(METHOD, [partial]));
    expect([code, message]).toStrictEqual([
      -32602,
      expect.stringContaining('is missing'),
    ]);
  });

  it('is not, where what stands for a signature is the one of estimates', async () => {
    const bench = await createOperationBench();
    const operation = operationOf(bench.address, { signature: DUMMY_SIGNATURE });
    await bench.call(METHOD, [operation]);
    expect(bench.shown()).toHaveLength(1);
  });
});

describe('another operation of a nonce', () => {
  it('is shown to take the place of the one that was signed before', async () => {
    const bench = await createOperationBench();
    const operation = without(operationOf(bench.address));
    const hash = (await bench.call(METHOD, [operation])) as Hex;
    expect(warningsOf(bench.shown()[0]).join()).not.toContain(hash.slice(0, 10));
    await bench.call(METHOD, [{ ...operation, maxFeePerGas: '0x87359400' }]);
    expect(warningsOf(bench.shown()[1]).join()).toContain(hash);
  });

  it('is shown so when it is only signed, too', async () => {
    const bench = await createOperationBench();
    await bench.call(SIGN, [operationOf(bench.address)]);
    await bench.call(SIGN, [operationOf(bench.address)]);
    await bench.call(SIGN, [operationOf(bench.address, { callData: '0x' })]);
    const replays = bench
      .shown()
      .map((view) =>
        warningsOf(view).some((text) => /same nonce|this nonce/u.test(text)),
      );
    expect(replays).toStrictEqual([false, false, true]);
  });
});

describe('a bundler that is not the right one', () => {
  it.each<[string, NodeAnswers, string]>([
    ['of another chain', { eth_chainId: '0x5' }, 'is for eip155:5'],
    [
      'of other EntryPoints',
      { eth_supportedEntryPoints: [entryPoints['0.6'].entryPoint] },
      `does not serve the account's EntryPoint ${entryPoints['0.7'].entryPoint}`,
    ],
  ])('%s is told, and nothing is sent', async (_which, bundler, words) => {
    const bench = await createOperationBench({ bundler });
    const { code, message } = await refusalOf(bench.call(METHOD, [intent]));
    expect(code).toBe(-32002);
    expect(message).toContain(words);
    expect(bench.shown()).toHaveLength(0);
    expect(askedOf(bench.bundler)).not.toContain(METHOD);
  });

  it('is missing: the message says what to do', async () => {
    const { app, call } = await createOperationBench();
    await app.services.store.update((state) => ({ ...state, chains: {} }));
    expect(await refusalOf(call(METHOD, [intent]))).toStrictEqual({
      code: -32002,
      message:
        'No bundler is configured for eip155:1. Configure one with tollkeeper_setChain.',
    });
  });
});

describe('what a bundler refuses', () => {
  it.each<[string, { code: number; message: string }]>([
    ['AA21', { code: -32500, message: "AA21 didn't pay prefund" }],
    ['AA25', { code: -32500, message: 'AA25 invalid account nonce' }],
    ['underpriced', { code: -32602, message: 'replacement underpriced' }],
  ])('is told with its code, and forgotten: %s', async (words, fault) => {
    const bench = await createOperationBench({ bundler: { [METHOD]: refuses(fault) } });
    const { code, message } = await refusalOf(bench.call(METHOD, [intent]));
    expect(code).toBe(fault.code);
    expect(message).toContain(words);
    expect(await kept(bench)).toStrictEqual([]);
  });

  it('may have been taken all the same: it is followed', async () => {
    const bench = await createOperationBench();
    bench.edges.network.serve(BUNDLER_URL, (request) =>
      request.body?.includes(METHOD)
        ? breaking(request)
        : serving(bench.bundler)(request),
    );
    const { message } = await refusalOf(bench.call(METHOD, [intent]));
    expect(message).toContain('which is followed');
    expect(await kept(bench)).toMatchObject([{ status: 'pending' }]);
    expect(bench.edges.alarm.due).toBeDefined();
  });

  it('is taken for another: both hashes are told', async () => {
    const bench = await createOperationBench({ bundler: { [METHOD]: hashOf(9) } });
    const { message } = await refusalOf(bench.call(METHOD, [intent]));
    expect(message).toContain(hashOf(9));
    expect(await kept(bench)).toHaveLength(1);
  });
});
