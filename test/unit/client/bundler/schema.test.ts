import {
  bundlerSchema,
  createBundlerEndpoint,
  createHttpTransport,
  createRpcClient,
} from '../../../../src/client';
import type { BundlerClient } from '../../../../src/client';
import { entryPoints } from '../../../../src/eth/entry-point';
import { failureOf } from '../../../support/error-of';
import { useHttpServers } from '../../../support/http-server';
import type { HttpServer } from '../../../support/http-server';
import { answerRequests } from '../../../support/json-rpc';

const KEY = 'pim_7238211010344719ad14';
const { entryPoint } = entryPoints['0.6'];

const serve = useHttpServers();

async function setup(
  result: unknown,
): Promise<{ bundler: BundlerClient; server: HttpServer }> {
  const server = await serve(answerRequests(([each]) => ({ id: each?.id, result })));
  const endpoint = createBundlerEndpoint(`${server.url}/rpc`, KEY);
  const transport = createHttpTransport(endpoint, { fetch });
  return { bundler: createRpcClient(bundlerSchema, transport), server };
}

const gas = {
  callGasLimit: '0x1',
  verificationGasLimit: '0x2',
  preVerificationGas: '0x3',
};

describe('eth_estimateUserOperationGas', () => {
  it.each<[string, object]>([
    ['hex', gas],
    ['numbers', { callGasLimit: 1, verificationGasLimit: 2, preVerificationGas: 3 }],
    ['fields of another version', { ...gas, verificationGas: '0x2', validUntil: null }],
  ])('reads gas from %s', async (_what, result) => {
    const { bundler, server } = await setup(result);
    const operation = { sender: entryPoint };
    const params = [operation, entryPoint] as never;
    const estimate = await bundler.request('eth_estimateUserOperationGas', params);
    expect(estimate).toMatchObject({
      callGasLimit: 1n,
      verificationGasLimit: 2n,
      preVerificationGas: 3n,
    });
    expect(server.arrived[0]?.path).toBe(`/rpc/${KEY}`);
    expect(JSON.parse(server.arrived[0]?.body ?? '')).toMatchObject({
      method: 'eth_estimateUserOperationGas',
      params: [operation, entryPoint],
    });
  });

  it('says by its path what is wrong with an answer', async () => {
    const { bundler, server } = await setup({ ...gas, callGasLimit: -1 });
    const ask = (): unknown =>
      bundler.request('eth_estimateUserOperationGas', [{}, entryPoint]);
    expect((await failureOf(ask)).message).toBe(
      `eth_estimateUserOperationGas at ${server.url}/rpc gave an invalid answer: ` +
        'result.callGasLimit must be a quantity below 2^256 ' +
        '(hex with 0x, decimal string, or safe integer). Check that it is the right server.',
    );
  });

  it.each<[string, unknown, string]>([
    ['no params', [], 'params[0] is missing: it must be a user operation.'],
    ['null', [null, entryPoint], 'params[0] must be a user operation.'],
    ['a text', ['{}', entryPoint], 'params[0] must be a user operation.'],
    [
      'no entry point',
      [{}],
      'params[1] is missing: it must be a 20-byte address in hex ' +
        '(in mixed case: with its EIP-55 checksum).',
    ],
    ['one too many', [{}, entryPoint, 1], 'params[2] is not expected here.'],
  ])('sends nothing for %s', async (_what, params, message) => {
    const { bundler, server } = await setup(gas);
    const ask = (): unknown =>
      bundler.request('eth_estimateUserOperationGas', params as never);
    expect(await failureOf(ask)).toMatchObject({
      name: 'InvalidParamsError',
      message: `eth_estimateUserOperationGas: ${message}`,
    });
    expect(server.arrived).toStrictEqual([]);
  });
});
