import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { encodeErrorResult, parseAbi } from 'viem';

import { BundlerError, createBundlerClient } from '../../../../src/client';
import { explainAaCode } from '../../../../src/client/bundler/aa-codes';
import { toBundlerError } from '../../../../src/client/bundler/bundler-error';
import { sponsored, toOurs } from '../../../fixtures/eth/user-operation';
import { createServiceBench, SERVICE_URL } from '../../../support/bundler-bench';
import { errorOf, failureOf } from '../../../support/error-of';
import { refuses } from '../../../support/fake-node';
import type { RpcFault } from '../../../support/fake-node';

const AT = `eth_estimateUserOperationGas at ${SERVICE_URL} failed:`;

const estimateWith = (fault: RpcFault) => async (): Promise<unknown> => {
  const answers = { eth_estimateUserOperationGas: refuses(fault) };
  const bundler = createBundlerClient(createServiceBench(answers).transport);
  return bundler.estimate(toOurs(sponsored, '0.7'), '0.7');
};

/** A contract's own reason, as nodes hand it on. */
const revertWith = (reason: string): string =>
  encodeErrorResult({
    abi: parseAbi(['error Error(string)']),
    errorName: 'Error',
    args: [reason],
  });

const emitted = ['0.6', '0.7', '0.8'].flatMap((version) => {
  const folder = `node_modules/@account-abstraction/contracts-${version}/core`;
  return readdirSync(folder)
    .map((name) => readFileSync(join(folder, name), 'utf8'))
    .flatMap((source) => [...source.matchAll(/"(AA\d\d)\b/gu)].map(([, code]) => code));
});

describe('the words for a code of the EntryPoint', () => {
  it('are there for every code that the contracts emit', () => {
    expect(emitted.length).toBeGreaterThan(50);
    const unexplained = emitted.filter(
      (code = '') => !/^[^.]+\. [^.]+\.$/u.test(explainAaCode(code) ?? ''),
    );
    expect(unexplained).toStrictEqual([]);
  });

  it.each(['AA00', 'AA2', 'toString', ''])('are missing for %j', (code) => {
    expect(explainAaCode(code)).toBeUndefined();
  });
});

describe('a refusal of the bundler', () => {
  it('is told in words, with what it said after them', async () => {
    const fault = { code: -32500, message: "AA21 didn't pay prefund", data: { a: 1 } };
    const error = await errorOf(estimateWith(fault));
    expect(error).toBeInstanceOf(BundlerError);
    expect(error).toMatchObject({ aaCode: 'AA21', revertReason: undefined });
    expect(await failureOf(estimateWith(fault))).toStrictEqual({
      name: 'BundlerError',
      code: -32500,
      message:
        `${AT} the account cannot pay for the gas. Send it money, or use a paymaster. ` +
        "The bundler said: AA21 didn't pay prefund.",
      context: { data: { a: 1 }, aaCode: 'AA21' },
    });
  });

  it('is told by the code of the EntryPoint in what the contract said', async () => {
    const data = revertWith('AA31 paymaster deposit too low');
    const fault = { code: -32521, message: 'execution reverted', data };
    expect(await failureOf(estimateWith(fault))).toStrictEqual({
      name: 'BundlerError',
      code: -32521,
      message:
        `${AT} the deposit of the paymaster is too low. Ask the paymaster, or send the ` +
        'operation without one. The bundler said: execution reverted. ' +
        'The contract said: AA31 paymaster deposit too low.',
      context: { data, revertReason: 'AA31 paymaster deposit too low', aaCode: 'AA31' },
    });
  });

  it.each<[number, string, string]>([
    [-32500, 'rejected', 'the account refused the operation.'],
    [-32501, 'rejected', 'the paymaster refused the operation.'],
    [-32502, 'banned opcode', 'does what bundlers do not allow'],
    [-32503, 'expires soon', 'the operation has expired, is about to, or is not due.'],
    [-32504, 'throttled', 'is banned or throttled'],
    [-32505, 'stake too low', 'has too little at stake.'],
    [-32506, 'aggregator', 'the aggregator of the signature is not supported.'],
    [-32507, 'invalid signature', 'the signature is not that of the owner'],
    [-32508, 'balance', 'the paymaster cannot pay for all that it has promised.'],
    [-32521, 'execution reverted', 'the calls of the operation fail.'],
    [-32602, 'replacement underpriced', 'To replace it, offer at least a tenth more'],
    [-32602, 'replacement fee too low', 'To replace it, offer at least a tenth more'],
    [-32602, 'maxFeePerGas must be higher to replace', 'To replace it, offer'],
    [-32602, 'Already known', 'the bundler has this operation already'],
    [-32602, 'duplicate operation', 'the bundler has this operation already'],
    [
      -32602,
      'maxFeePerGas must be at least 5',
      'the fees are lower than the bundler takes',
    ],
    [
      -32602,
      'maxPriorityFeePerGas too low',
      'the fees are lower than the bundler takes',
    ],
    [-32602, 'preVerificationGas is not enough', 'preVerificationGas is too low'],
    [-32602, 'preVerificationGas: below 5', 'preVerificationGas is too low'],
  ])('with the code %s and the words %j is explained', async (code, message, words) => {
    const failure = await failureOf(estimateWith({ code, message }));
    expect(failure).toMatchObject({ name: 'BundlerError', code, context: {} });
    expect(failure.message).toContain(words);
    expect(failure.message).toMatch(
      new RegExp(`The bundler said: ${message}\\.$`, 'u'),
    );
  });

  it('is explained where the bundler says nothing but its code', async () => {
    const { message } = await failureOf(estimateWith({ code: -32508, message: '' }));
    expect(message).toBe(
      `${AT} the paymaster cannot pay for all that it has promised. Try again later, or ` +
        'without it.',
    );
  });

  it('quotes no more than the beginning of what the bundler said', async () => {
    const fault = { code: -32507, message: `AA24 ${'x'.repeat(1_000)}` };
    const { message } = await failureOf(estimateWith(fault));
    expect(message.length).toBeLessThan(600);
  });

  it.each<[number, string]>([
    [-32602, 'Missing/invalid field nonce'],
    [-32601, 'the method does not exist'],
    [-32000, 'header not found'],
    [-32000, 'AA00 unknown'],
    [-32000, '0xAA21AA21'],
  ])('with the code %s and the words %j is passed on', async (code, message) => {
    expect(await failureOf(estimateWith({ code, message }))).toStrictEqual({
      name: 'RpcError',
      code,
      message: `${AT} ${message}.`,
      context: {},
    });
  });
});

describe('what is no refusal', () => {
  it('is passed on as it is', () => {
    const error = new Error('AA21');
    expect(toBundlerError(error)).toBe(error);
  });
});
