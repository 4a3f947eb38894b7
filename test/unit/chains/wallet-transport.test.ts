import { createWalletTransport } from '../../../src/chains/wallet-transport';
import { createFakeNode, refuses } from '../../support/fake-node';
import { contextOf, refusalOf } from '../../support/refusal';

const params = [{ to: null }, 'latest'];

const call = { method: 'eth_call', params, idempotent: true };

describe('the transport over the wallet', () => {
  it('passes calls on as they are and gives what the wallet answers', async () => {
    const node = createFakeNode({ eth_call: '0x2a' });
    const transport = createWalletTransport(node.request);
    expect(await transport.request(call)).toBe('0x2a');
    expect(node.calls).toStrictEqual([{ method: 'eth_call', params }]);
  });

  it("keeps code, message and data of the wallet's errors", async () => {
    const fault = { code: 3, message: 'execution reverted', data: '0x08c379a0' };
    const node = createFakeNode({ eth_call: refuses(fault) });
    const { request } = createWalletTransport(node.request);
    expect(await refusalOf(request(call))).toStrictEqual({
      code: 3,
      message: "eth_call at the wallet's node failed: execution reverted.",
    });
    expect(await contextOf(request(call))).toStrictEqual({ data: '0x08c379a0' });
  });

  it('has no context for an error without data', async () => {
    const node = createFakeNode();
    const { request } = createWalletTransport(node.request);
    expect(await contextOf(request(call))).toStrictEqual({});
  });

  it('caps the message of the wallet, which is foreign text', async () => {
    const fault = { code: -32000, message: 'x'.repeat(100_000) };
    const node = createFakeNode({ eth_call: refuses(fault) });
    const { request } = createWalletTransport(node.request);
    expect((await refusalOf(request(call))).message.length).toBeLessThan(1_000);
  });

  it.each([
    ['a plain Error', new Error('disconnected')],
    ['an error whose code is a word', Object.assign(new Error(), { code: 'ECONN' })],
    ['a string', 'disconnected'],
    ['nothing', undefined],
    ['null', null],
  ])('says that the node cannot be reached on %s', async (_what, thrown) => {
    const { request } = createWalletTransport(throwing(thrown));
    expect(await refusalOf(request(call))).toStrictEqual({
      code: -32002,
      message:
        "eth_call at the wallet's node could not be reached. Check the address and the connection.",
    });
  });

  it('says that it is not known whether an unsafe call was carried out', async () => {
    const { request } = createWalletTransport(throwing(new Error('disconnected')));
    const unsafe = { method: 'eth_sendRawTransaction', params: ['0x'] };
    expect(await refusalOf(request(unsafe))).toStrictEqual({
      code: -32002,
      message:
        "eth_sendRawTransaction at the wallet's node could not be reached. Whether it " +
        'was carried out is not known: look before you send it again.',
    });
  });

  it.each([-32603, -32002, -32700])(
    'says the same where the wallet failed on the way (%i), but not of a safe call',
    async (code) => {
      const node = createFakeNode({
        eth_sendRawTransaction: refuses({ code, message: 'Failed to fetch' }),
        eth_call: refuses({ code, message: 'Failed to fetch' }),
      });
      const { request } = createWalletTransport(node.request);
      const unsafe = { method: 'eth_sendRawTransaction', params: ['0x'] };
      expect(await contextOf(request(unsafe))).toStrictEqual({ mayBeDone: true });
      expect((await refusalOf(request(call))).message).toContain('Failed to fetch');
    },
  );

  it('tells what the node said where the wallet wraps it', async () => {
    const data = { code: -32000, message: 'nonce too low', data: '0x1234' };
    const fault = { code: -32603, message: 'Internal JSON-RPC error.', data };
    const node = createFakeNode({ eth_sendRawTransaction: refuses(fault) });
    const { request } = createWalletTransport(node.request);
    const unsafe = { method: 'eth_sendRawTransaction', params: ['0x'] };
    expect(await refusalOf(request(unsafe))).toStrictEqual({
      code: -32000,
      message: "eth_sendRawTransaction at the wallet's node failed: nonce too low.",
    });
    expect(await contextOf(request(unsafe))).toStrictEqual({ data: '0x1234' });
  });

  it('gives a call up by its signal, before it is made and while it waits', async () => {
    const node = createFakeNode({ eth_call: '0x2a' });
    const { request } = createWalletTransport(node.request);
    const abort = new AbortController();
    const waiting = request({ ...call, signal: abort.signal });
    abort.abort(new Error('Enough.'));
    await expect(waiting).rejects.toThrow('Enough.');
    const late = request({ ...call, signal: abort.signal });
    await expect(late).rejects.toThrow('Enough.');
    expect(node.calls).toHaveLength(1);
  });

  it('answers a call whose signal stays silent', async () => {
    const node = createFakeNode({ eth_call: '0x2a' });
    const { request } = createWalletTransport(node.request);
    const { signal } = new AbortController();
    expect(await request({ ...call, signal })).toBe('0x2a');
    node.answers = {};
    await expect(request({ ...call, signal })).rejects.toThrow('does not exist');
  });

  it('does not make up words for an error without a message', async () => {
    const { request } = createWalletTransport(throwing({ code: -32000 }));
    const { message } = await refusalOf(request(call));
    expect(message).not.toContain('undefined');
  });
});

function throwing(thrown: unknown): () => Promise<never> {
  return async () => {
    await Promise.resolve();
    throw thrown;
  };
}
