// One bundler address for EntryPoint 0.6, 0.7 and 0.8: what it says of itself, who may ask,
// and the faults that it can be asked for.
import type { Address, Hex } from 'viem';

import { callRpc, type RpcAnswer } from '../../dev/stack/server';
import { type ChainStack, startChainStack } from '../../dev/stack/stack';
import { type BundlerUser, prepare, useBundler } from '../fixtures/stack/bundler';
import { createAccount } from '../fixtures/stack/simple-account';
import { draftOperation } from '../fixtures/stack/wire-operation';

const versions = ['0.6', '0.7', '0.8', '0.9'] as const;
const nobody: Address = '0x000000000000000000000000000000000000dEaD';

let stack: ChainStack;
let bundler: BundlerUser;

beforeAll(async () => {
  stack = await startChainStack();
  bundler = useBundler(stack);
});
afterAll(async () => {
  await stack?.stop();
});

describe('the address', () => {
  it('names its chain, EntryPoints and prices in one batch', async () => {
    const methods = [
      'eth_chainId',
      'eth_supportedEntryPoints',
      'pimlico_getUserOperationGasPrice',
      'eth_nothing',
    ];
    const response = await fetch(stack.bundler.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: 'null' },
      body: JSON.stringify(
        methods.map((method, id) => ({ jsonrpc: '2.0', id, method, params: [] })),
      ),
    });
    expect(response.headers.get('access-control-allow-origin')).toBe('*');
    const price = {
      maxFeePerGas: expect.stringMatching(/^0x[\da-f]+$/u) as string,
      maxPriorityFeePerGas: '0x3b9aca00',
    };
    const error = { code: -32601, message: 'The method eth_nothing is not served.' };
    expect(JSON.parse(await response.text())).toStrictEqual([
      { jsonrpc: '2.0', id: 0, result: '0x7a69' },
      {
        jsonrpc: '2.0',
        id: 1,
        result: versions.map((version) => stack.contracts[version].entryPoint),
      },
      { jsonrpc: '2.0', id: 2, result: { slow: price, standard: price, fast: price } },
      { jsonrpc: '2.0', id: 3, error },
    ]);
  });

  it('lets a snap ask, whose origin is null', async () => {
    const response = await fetch(stack.bundler.url, {
      method: 'OPTIONS',
      headers: {
        origin: 'null',
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'content-type',
      },
    });
    expect(response.status).toBe(204);
    expect(response.headers.get('access-control-allow-origin')).toBe('*');
    expect(response.headers.get('access-control-allow-headers')).toBe('content-type');
  });

  it('refuses other EntryPoints, and hashes that are none', async () => {
    const params = [await draftOperation(await createAccount(stack, '0.7')), nobody];
    const method = 'eth_sendUserOperation';
    expect(await callRpc(stack.bundler.url, method, params)).toMatchObject({
      error: { code: -32602 },
    });
    for (const lookUp of [
      'eth_getUserOperationReceipt',
      'eth_getUserOperationByHash',
    ]) {
      expect(await callRpc(stack.bundler.url, lookUp, ['0x12'])).toMatchObject({
        error: { code: -32602 },
      });
      const unknown = `0x${'12'.repeat(32)}`;
      expect(await callRpc(stack.bundler.url, lookUp, [unknown])).toStrictEqual({
        result: null,
      });
    }
  });
});

describe('a fault', () => {
  const at = (fault: string): string => `${stack.bundler.url}?fault=${fault}`;

  async function sendAt(
    fault: string,
  ): Promise<{ hash: Hex; answer: RpcAnswer | null }> {
    const { operation, hash } = await prepare(await bundler.createFunded('0.7'));
    const { entryPoint } = stack.contracts['0.7'];
    const params = [operation, entryPoint];
    const answer = await callRpc(at(fault), 'eth_sendUserOperation', params).catch(
      () => null,
    );
    return { hash, answer };
  }

  it.each([
    ['wrongChain', 'eth_chainId', { result: '0x539' }],
    ['noEntryPoints', 'eth_supportedEntryPoints', { result: [] }],
    ['noEstimate', 'eth_estimateUserOperationGas', { error: { code: -32601 } }],
    ['noPrice', 'pimlico_getUserOperationGasPrice', { error: { code: -32601 } }],
    ['nothing', 'eth_chainId', { error: { code: -32602 } }],
  ])('spoils its method alone: %s', async (fault, method, answer) => {
    expect(await callRpc(at(fault), method, [])).toMatchObject(answer);
    const other = await callRpc(at(fault), 'debug_bundler_setBundlingMode', ['auto']);
    expect('result' in other).toBe(fault !== 'nothing');
  });

  it('destroys the connection: down', async () => {
    await expect(callRpc(at('down'), 'eth_chainId', [])).rejects.toThrow(
      'fetch failed',
    );
  });

  it('never answers: hang', async () => {
    const request = fetch(at('hang'), {
      method: 'POST',
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_chainId' }),
      signal: AbortSignal.timeout(300),
    });
    await expect(request).rejects.toThrow('aborted due to timeout');
  });

  it('sends and answers with a wrong hash: wrongHash', async () => {
    const { hash, answer } = await sendAt('wrongHash');
    expect(answer).toStrictEqual({ result: `0x${'ab'.repeat(32)}` });
    expect(await bundler.waitForReceipt(hash)).toMatchObject({ success: true });
    const method = 'eth_getUserOperationReceipt';
    expect(await callRpc(at('lieReceipt'), method, [hash])).toMatchObject({
      result: { userOpHash: `0x${'ab'.repeat(32)}`, success: true },
    });
  });

  it('sends and destroys the connection: loseSend', async () => {
    const { hash, answer } = await sendAt('loseSend');
    expect(answer).toBeNull();
    expect(await bundler.waitForReceipt(hash)).toMatchObject({ success: true });
  });
});
