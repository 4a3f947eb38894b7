import { formatUserOperationRequest } from 'viem/account-abstraction';

import { createBundlerClient } from '../../../../src/client';
import type { BundlerClient } from '../../../../src/client';
import { entryPoints, entryPointVersions } from '../../../../src/eth/entry-point';
import { sponsored, toOurs, toViem } from '../../../fixtures/eth/user-operation';
import {
  createServiceBench,
  HASH,
  OTHER_HASH,
  SERVICE_URL,
} from '../../../support/bundler-bench';
import type { ServiceBench } from '../../../support/bundler-bench';
import { failureOf } from '../../../support/error-of';
import { breaking } from '../../../support/fake-fetch';
import type { Server } from '../../../support/fake-fetch';
import type { NodeAnswers } from '../../../support/fake-node';

const GAS = {
  callGasLimit: '0x1',
  verificationGasLimit: '0x2',
  preVerificationGas: '0x3',
};

const operation = toOurs(sponsored, '0.7');

function setup(
  answers: NodeAnswers = {},
  server?: Server,
): ServiceBench & { bundler: BundlerClient } {
  const bench = createServiceBench(answers, server);
  return { ...bench, bundler: createBundlerClient(bench.transport) };
}

describe('a bundler', () => {
  it('tells in one request what it serves', async () => {
    const { entryPoint } = entryPoints['0.7'];
    const { bundler, sent } = setup({
      eth_chainId: '0x7a69',
      eth_supportedEntryPoints: [entryPoint],
    });
    expect(await bundler.fetchSupport()).toStrictEqual({
      chainId: 31_337n,
      entryPoints: [entryPoint],
    });
    expect(sent()).toStrictEqual([['eth_chainId', 'eth_supportedEntryPoints']]);
    expect(bundler.label).toBe(SERVICE_URL);
  });

  it('is not believed to serve without end', async () => {
    const { entryPoint } = entryPoints['0.7'];
    const { bundler } = setup({
      eth_chainId: '0x1',
      eth_supportedEntryPoints: Array<string>(101).fill(entryPoint),
    });
    expect((await failureOf(bundler.fetchSupport)).message).toBe(
      `eth_supportedEntryPoints at ${SERVICE_URL} gave an invalid answer: result must be ` +
        'an array of 0 to 100 entries. Check that it is the right server.',
    );
  });
});

describe('an estimate', () => {
  it.each<[string, object, object]>([
    ['hex', GAS, {}],
    [
      'numbers',
      { callGasLimit: 1, verificationGasLimit: 2, preVerificationGas: 3 },
      {},
    ],
    [
      'decimals',
      { callGasLimit: '1', verificationGasLimit: '2', preVerificationGas: '3' },
      {},
    ],
    ['padded hex', { ...GAS, callGasLimit: `0x${'1'.padStart(64, '0')}` }, {}],
    [
      'fields of another version',
      { ...GAS, verificationGas: '0x2', validUntil: 7 },
      {},
    ],
    [
      'null where nobody else pays',
      { ...GAS, paymasterVerificationGasLimit: null, paymasterPostOpGasLimit: null },
      {},
    ],
    [
      'the limits of a paymaster',
      { ...GAS, paymasterVerificationGasLimit: '0x4', paymasterPostOpGasLimit: '0x0' },
      { paymasterVerificationGasLimit: 4n, paymasterPostOpGasLimit: 0n },
    ],
  ])('is read from %s', async (_what, answer, others) => {
    const { bundler } = setup({ eth_estimateUserOperationGas: answer as never });
    expect(await bundler.estimate(operation, '0.7')).toStrictEqual({
      callGasLimit: 1n,
      verificationGasLimit: 2n,
      preVerificationGas: 3n,
      ...others,
    });
  });

  it.each(entryPointVersions)('is asked for in the form of %s', async (version) => {
    const { bundler, node } = setup({ eth_estimateUserOperationGas: GAS });
    await bundler.estimate(toOurs(sponsored, version), version);
    const form = formatUserOperationRequest(toViem(sponsored, version));
    const lower = (value: unknown): unknown =>
      JSON.parse(JSON.stringify(value).toLowerCase());
    expect(lower(node.calls[0]?.params)).toStrictEqual(
      lower([form, entryPoints[version].entryPoint]),
    );
  });

  it.each([-1, '-0x1', 1.5, 2 ** 53, `0x1${'0'.repeat(16)}`, null, {}])(
    'is not read from %j',
    async (callGasLimit) => {
      const { bundler } = setup({
        eth_estimateUserOperationGas: { ...GAS, callGasLimit },
      });
      const { message } = await failureOf(() => bundler.estimate(operation, '0.7'));
      expect(message).toBe(
        `eth_estimateUserOperationGas at ${SERVICE_URL} gave an invalid answer: ` +
          'result.callGasLimit must be a quantity below 2^64 ' +
          '(hex with 0x, decimal string, or safe integer). ' +
          'Check that it is the right server.',
      );
    },
  );

  it('is not asked for with what cannot be unpacked', async () => {
    const { bundler, sent } = setup({ eth_estimateUserOperationGas: GAS });
    const short = { ...operation, initCode: '0x12' } as const;
    expect(await failureOf(() => bundler.estimate(short, '0.7'))).toMatchObject({
      name: 'InvalidParamsError',
      message: 'initCode must be empty or at least 20 bytes long for this EntryPoint.',
    });
    expect(sent()).toStrictEqual([]);
  });
});

describe('sending an operation', () => {
  const sending = { version: '0.7', hash: HASH } as const;

  it.each([HASH, `0x${'AB'.repeat(32)}`])('gives its hash for %s', async (answer) => {
    const { bundler, node } = setup({ eth_sendUserOperation: answer });
    expect(await bundler.send(operation, sending)).toBe(HASH);
    const form = node.calls[0]?.params[0] as { factory: string; signature: string };
    expect(form).toMatchObject({
      signature: '0x',
      factory: sponsored.deployment?.factory,
    });
    expect(node.calls[0]?.params[1]).toBe(entryPoints['0.7'].entryPoint);
  });

  it('fails if the bundler took it for another one', async () => {
    const { bundler } = setup({ eth_sendUserOperation: OTHER_HASH });
    expect(await failureOf(() => bundler.send(operation, sending))).toStrictEqual({
      name: 'InvalidResponseError',
      code: -32002,
      message:
        `eth_sendUserOperation at ${SERVICE_URL} gave an invalid answer: it gave the ` +
        `hash ${OTHER_HASH} to the operation ${HASH}. Whether it was carried out is not ` +
        'known: look before you send it again.',
      context: { mayBeDone: true },
    });
  });

  it('fails if the answer is no hash, and says that it may be on its way', async () => {
    const { bundler } = setup({ eth_sendUserOperation: 'ok' });
    expect(await failureOf(() => bundler.send(operation, sending))).toMatchObject({
      name: 'InvalidResponseError',
      context: { mayBeDone: true },
    });
  });

  it('is tried once, whatever happens', async () => {
    const bench = createServiceBench({}, breaking);
    const bundler = createBundlerClient(bench.transport);
    expect(await failureOf(() => bundler.send(operation, sending))).toMatchObject({
      name: 'NetworkError',
      context: { mayBeDone: true },
    });
    expect(bench.sent()).toStrictEqual([['eth_sendUserOperation']]);
  });
});
