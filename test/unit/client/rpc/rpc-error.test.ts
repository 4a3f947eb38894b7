// What a caller learns when the server answers a call with an error.
import { encodeErrorResult, parseAbi } from 'viem';

import { createHttpTransport, RpcError } from '../../../../src/client';
import { failureOf } from '../../../support/error-of';
import type { Failure } from '../../../support/error-of';
import { useHttpServers } from '../../../support/http-server';
import { answerEach, answerRequests } from '../../../support/json-rpc';

const serve = useHttpServers();

/** Ask a server that answers with this error. */
async function ask(error: unknown): Promise<Failure> {
  const { url } = await serve(answerRequests(([each]) => ({ id: each?.id, error })));
  const transport = createHttpTransport(
    { url, headers: {}, label: 'It', redact: String },
    { fetch },
  );
  return failureOf(() => transport.request({ method: 'eth_call', params: [] }));
}

describe('an error of the server', () => {
  it('comes with its code, message and data', async () => {
    const error = { code: 3, message: 'execution reverted', data: '0x08c379a0' };
    expect(await ask(error)).toStrictEqual({
      name: 'RpcError',
      code: 3,
      message: 'eth_call at It failed: execution reverted.',
      context: { data: '0x08c379a0' },
    });
  });

  it('is cut where it is long', async () => {
    const { message } = await ask({ code: -32000, message: 'x'.repeat(5_000) });
    expect(message).toBe(`eth_call at It failed: ${'x'.repeat(300)}.`);
  });

  it.each([undefined, null, 'CALL_EXCEPTION', 1.5, {}])(
    'gets a code of its own in place of %j',
    async (code) => {
      expect(await ask({ code, message: 'Failed' })).toStrictEqual({
        name: 'RpcError',
        code: -32000,
        message: 'eth_call at It failed: Failed.',
        context: {},
      });
    },
  );

  it.each([
    ['a text', 'failed'],
    ['an error without a message', { code: -32000 }],
    ['an error whose message is no text', { code: -32000, message: { a: 1 } }],
    ['an array', [-32000, 'failed']],
  ])('that is %s is an invalid answer', async (_what, error) => {
    expect(await ask(error)).toMatchObject({ name: 'InvalidResponseError' });
  });
});

describe('a call that cannot be written as JSON', () => {
  it('harms only its caller', async () => {
    const { url } = await serve(answerEach);
    const transport = createHttpTransport(
      { url, headers: {}, label: 'It', redact: String },
      { fetch },
    );
    const [bad, good] = await Promise.allSettled([
      transport.request({ method: 'a', params: [1n as never] }),
      transport.request({ method: 'b', params: [] }),
    ]);
    expect([bad?.status, good?.status]).toStrictEqual(['rejected', 'fulfilled']);
  });
});

describe('an RpcError of a revert', () => {
  const abi = parseAbi(['error Error(string reason)', 'error Own(uint256 what)']);
  const NOT_OWNER = encodeErrorResult({
    abi,
    errorName: 'Error',
    args: ['Not the owner'],
  });
  const OWN = encodeErrorResult({ abi, errorName: 'Own', args: [7n] });
  const place = { label: 'eth_call at It' };
  const make = (message: string, data: unknown): RpcError =>
    new RpcError(place, { code: 3, message, data });

  it('says the reason where the node does not', () => {
    const data = NOT_OWNER;
    const told = make('execution reverted', data);
    expect(told.message).toBe(
      'eth_call at It failed: execution reverted (Not the owner).',
    );
    expect(told.revertReason).toBe('Not the owner');
    expect(told.context).toStrictEqual({ data, revertReason: 'Not the owner' });
  });

  it('does not say it twice', () => {
    const told = make('execution reverted: Not the owner', NOT_OWNER);
    expect(told.message).toBe(
      'eth_call at It failed: execution reverted: Not the owner.',
    );
  });

  it('has none where there is none', () => {
    const told = make('execution reverted', OWN);
    expect(told.message).toBe('eth_call at It failed: execution reverted.');
    expect(told.revertReason).toBeUndefined();
    expect(told.context).toStrictEqual({ data: OWN });
  });
});
