import { createWalletTransport } from '../../../src/chains/wallet-transport';
import { createFakeNode, refuses } from '../../support/fake-node';
import { contextOf, refusalOf } from '../../support/refusal';

const call = { method: 'eth_call', params: [{ to: null }, 'latest'] };

describe('the transport over the wallet', () => {
  it('passes calls on as they are and gives what the wallet answers', async () => {
    const node = createFakeNode({ eth_call: '0x2a' });
    const transport = createWalletTransport(node.request);
    expect(await transport.request(call)).toBe('0x2a');
    expect(node.calls).toStrictEqual([call]);
  });

  it("keeps code, message and data of the wallet's errors", async () => {
    const fault = { code: 3, message: 'execution reverted', data: '0x08c379a0' };
    const node = createFakeNode({ eth_call: refuses(fault) });
    const { request } = createWalletTransport(node.request);
    expect(await refusalOf(request(call))).toStrictEqual({
      code: 3,
      message: "eth_call at the wallet's node failed: execution reverted",
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
      message: "the wallet's node could not be reached.",
    });
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
