// A credential that was given for one host is sent to no other, unless it is given anew.
import { failureOf } from '../../support/error-of';
import { createSetChainBench, full, KEY } from '../../support/set-chain-bench';
import type { SetChainBench } from '../../support/set-chain-bench';

async function setup(fields: Record<string, unknown> = full): Promise<SetChainBench> {
  const bench = createSetChainBench();
  await bench.set(fields);
  bench.probed.length = 0;
  return bench;
}

describe('a credential that is kept', () => {
  it.each([
    ['apiKey', 'rpcUrl', { rpcUrl: 'https://thief.example' }],
    ['apiKey', 'rpcUrl', { rpcUrl: 'https://node.example.thief.example' }],
    ['apiKey', 'rpcUrl', { rpcUrl: 'https://node.example:8443' }],
    ['apiKey', 'wsUrl', { wsUrl: 'wss://thief.example' }],
    ['apiKey', 'gasBaseUrl', { gasBaseUrl: 'https://thief.example' }],
    // Its secret is another credential.
    [
      'apiKeySecret',
      'gasBaseUrl',
      { gasBaseUrl: 'https://thief.example', apiKey: 'x' },
    ],
    ['apiKeySecret', 'gasBaseUrl', { gasBaseUrl: 'https://node.example' }],
    ['bundlerApiKey', 'bundlerUrl', { bundlerUrl: 'https://thief.example' }],
  ])('as %s goes to no other host by %s', async (name, field, change) => {
    const { set, probed, store } = await setup();
    expect(await failureOf(() => set(change))).toStrictEqual({
      name: 'InvalidParamsError',
      code: -32602,
      message:
        `tollkeeper_setChain: params.${name} must be given anew, or removed: it was not ` +
        `given for the host of ${field}. Nothing was saved.`,
      context: { field: name },
    });
    expect(probed).toStrictEqual([]);
    expect((await store.read()).chains['eip155:1']).toStrictEqual(full);
  });

  it('does not follow after its server was removed either', async () => {
    const { set } = await setup({ rpcUrl: 'https://node.example', apiKey: KEY });
    await set({ rpcUrl: null });
    const { message } = await failureOf(() => set({ rpcUrl: 'https://thief.example' }));
    expect(message).toContain('params.apiKey must be given anew');
  });

  it('is looked at again when it is saved', async () => {
    const bench: SetChainBench = createSetChainBench(async (_chainId, { after }) => {
      // Meanwhile another call has the key set.
      if (after.rpcUrl === 'https://thief.example') {
        await bench.set({ gasBaseUrl: 'https://gas.example', apiKey: KEY });
      }
      return {};
    });
    const { message } = await failureOf(() =>
      bench.set({ rpcUrl: 'https://thief.example' }),
    );
    expect(message).toContain('params.apiKey must be given anew');
  });

  it.each([
    ['at the same host', { rpcUrl: 'https://node.example/other' }],
    [
      'at the host of another of its servers',
      { gasBaseUrl: null, rpcUrl: 'https://gas.example' },
    ],
    ['by another scheme', { wsUrl: 'wss://node.example' }],
    ['if it is given anew', { rpcUrl: 'https://other.example', apiKey: KEY }],
    ['if it is removed', { bundlerUrl: 'https://other.example', bundlerApiKey: null }],
    ['where its servers go', { rpcUrl: null, wsUrl: null, gasBaseUrl: null }],
    ['beside servers that are not sent it', { paymasterUrl: 'https://other.example' }],
  ])('serves %s', async (_where, change) => {
    const { set, probed } = await setup();
    await set(change);
    expect(probed).toHaveLength(1);
  });
});
