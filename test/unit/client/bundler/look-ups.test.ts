import { encodeErrorResult, parseAbi } from 'viem';

import { createBundlerClient } from '../../../../src/client';
import type { BundlerClient } from '../../../../src/client';
import { entryPoints } from '../../../../src/eth/entry-point';
import { OTHER } from '../../../fixtures/eth/owner';
import {
  createServiceBench,
  HASH,
  OTHER_HASH,
  SERVICE_URL,
} from '../../../support/bundler-bench';
import { failureOf } from '../../../support/error-of';
import type { NodeAnswers } from '../../../support/fake-node';
import { without } from '../../../support/without';

const { entryPoint } = entryPoints['0.7'];

const BLOCK = `0x${'b1'.repeat(32)}`;
const TRANSACTION = `0x${'71'.repeat(32)}`;

const receipt = {
  userOpHash: HASH,
  sender: OTHER,
  nonce: '0x07',
  success: true,
  actualGasUsed: '0x10',
  actualGasCost: '0x20',
  logs: [],
  receipt: { transactionHash: TRANSACTION, blockHash: BLOCK, blockNumber: '0x5' },
};

const read = {
  userOpHash: HASH,
  sender: OTHER,
  nonce: 7n,
  success: true,
  actualGasUsed: 16n,
  actualGasCost: 32n,
  transactionHash: TRANSACTION,
  blockHash: BLOCK,
  blockNumber: '0x5',
};

const found = {
  userOperation: { sender: OTHER, nonce: '0x7', callData: '0x' },
  entryPoint,
  blockNumber: '0x5',
  blockHash: BLOCK,
  transactionHash: TRANSACTION,
};

function setup(answers: NodeAnswers): BundlerClient {
  return createBundlerClient(createServiceBench(answers).transport);
}

describe('the receipt of an operation', () => {
  const find = async (
    answer: object | null,
  ): ReturnType<BundlerClient['findReceipt']> =>
    setup({ eth_getUserOperationReceipt: answer as never }).findReceipt(HASH);

  it('is null while no block includes it', async () => {
    expect(await find(null)).toBeNull();
  });

  it('is read, and kept as it came', async () => {
    expect(await find(receipt)).toStrictEqual({ ...read, raw: receipt });
  });

  it.each<[string, object, object]>([
    ['its paymaster', { paymaster: OTHER }, { paymaster: OTHER }],
    ['its entry point', { entryPoint }, { entryPoint }],
    ['no paymaster: null', { paymaster: null }, {}],
    ['no paymaster: no bytes', { paymaster: '0x' }, {}],
    ['no paymaster: zeros', { paymaster: `0x${'0'.repeat(40)}` }, {}],
    ['its hash in capitals', { userOpHash: `0x${'AB'.repeat(32)}` }, {}],
    ['failure', { success: false }, { success: false }],
    ['a reason in words', { reason: 'too late' }, { reason: 'too late' }],
    ['a reason without end', { reason: 'x'.repeat(999) }, { reason: 'x'.repeat(300) }],
    ['a reason that is no text', { reason: 7 }, {}],
    ['no reason: no text', { reason: '' }, {}],
    ['no reason: no bytes', { reason: '0x' }, {}],
    [
      'a reason in bytes of its own',
      { reason: '0x12345678' },
      { reason: '0x12345678' },
    ],
    [
      'a reason in bytes',
      {
        reason: encodeErrorResult({
          abi: parseAbi(['error Error(string)']),
          errorName: 'Error',
          args: ['too poor'],
        }),
      },
      { reason: 'too poor' },
    ],
    [
      'numbers',
      {
        nonce: 7,
        actualGasUsed: '16',
        receipt: { ...receipt.receipt, blockNumber: 5 },
      },
      {},
    ],
  ])('is read with %s', async (_what, fields, expected) => {
    const answer = { ...receipt, ...fields };
    const { userOpHash } = answer;
    expect(await find(answer)).toStrictEqual({
      ...read,
      userOpHash,
      ...expected,
      raw: answer,
    });
  });

  it('is refused if it is about another operation', async () => {
    const ask = async (): Promise<unknown> =>
      find({ ...receipt, userOpHash: OTHER_HASH });
    expect(await failureOf(ask)).toStrictEqual({
      name: 'InvalidResponseError',
      code: -32002,
      message:
        `eth_getUserOperationReceipt at ${SERVICE_URL} gave an invalid answer: it is ` +
        `about the operation ${OTHER_HASH}, not ${HASH}. ` +
        'Check that it is the right server.',
      context: {},
    });
  });

  it.each(['userOpHash', 'sender', 'nonce', 'success', 'actualGasCost', 'receipt'])(
    'is refused without %s',
    async (name) => {
      const ask = async (): Promise<unknown> => find(without(receipt, name as never));
      expect((await failureOf(ask)).message).toContain(
        `gave an invalid answer: result.${name} is missing`,
      );
    },
  );

  it('is refused if it is a list', async () => {
    const { message } = await failureOf(async () => find([receipt]));
    expect(message).toContain('gave an invalid answer: result must be an object.');
  });
});

describe('an operation that a bundler knows', () => {
  const find = async (
    answer: object | null,
  ): ReturnType<BundlerClient['findOperation']> =>
    setup({ eth_getUserOperationByHash: answer as never }).findOperation(HASH);

  it('is null if the bundler knows none', async () => {
    expect(await find(null)).toBeNull();
  });

  it.each<[string, object, boolean]>([
    ['in a block', found, true],
    ['that waits', { ...found, blockNumber: null, transactionHash: null }, false],
    ['that waits without saying so', without(found, 'blockNumber'), false],
    ['whose block is not named yet', { ...found, transactionHash: null }, false],
  ])('is read for one %s', async (_what, answer, isIncluded) => {
    const expected = { isIncluded, sender: OTHER, nonce: 7n, entryPoint, raw: answer };
    expect(await find(answer)).toStrictEqual(expected);
  });

  it('is refused without its fields', async () => {
    const { message } = await failureOf(async () => find({ entryPoint }));
    expect(message).toBe(
      `eth_getUserOperationByHash at ${SERVICE_URL} gave an invalid answer: ` +
        'result.userOperation is missing: it must be an object. ' +
        'Check that it is the right server.',
    );
  });
});
