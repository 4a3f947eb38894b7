import { entryPoints } from '../../../src/eth/entry-point';
import { breaking } from '../../support/fake-fetch';
import { createProbeBench as setup, servers } from '../../support/probe-bench';
import { refusalOf } from '../../support/refusal';

describe('examining a server', () => {
  it('tells the chain and the newest block of a node', async () => {
    const { examine } = setup();
    expect(await examine('rpcUrl', servers)).toStrictEqual({
      facts: { chain: 'eip155:1', block: 16n },
      ms: 10,
    });
  });

  it('tells the same of a node at a socket', async () => {
    const { examine } = setup();
    expect(await examine('wsUrl', servers)).toStrictEqual({
      facts: { chain: 'eip155:1', block: 17n },
      ms: 10,
    });
  });

  it('tells fees of a gas API, which is asked once', async () => {
    const { examine, asked } = setup();
    expect(await examine('gasBaseUrl', servers)).toStrictEqual({
      facts: { fees: { base: 16_284_026_964n, medium: 22_083_436_402n } },
      ms: 10,
    });
    expect(asked()).toStrictEqual(['/networks/1/suggestedGasFees']);
  });

  it('tells the chain and the EntryPoints of a bundler', async () => {
    const { examine } = setup();
    expect(await examine('bundlerUrl', servers)).toStrictEqual({
      facts: {
        chain: 'eip155:1',
        entryPoints: Object.values(entryPoints).map(({ entryPoint }) => entryPoint),
      },
      ms: 10,
    });
  });

  it('tells no more of a paymaster than that it is one', async () => {
    const { examine } = setup();
    expect(await examine('paymasterUrl', servers)).toStrictEqual({ facts: {}, ms: 10 });
  });

  it('tells what is wrong, and what is there instead', async () => {
    const { examine, node, bundler } = setup();
    node.answers.eth_chainId = '0x5';
    bundler.answers.eth_supportedEntryPoints = [];
    expect(await examine('rpcUrl', servers)).toStrictEqual({
      facts: { chain: 'eip155:5', block: 16n },
      fault: 'is the address of eip155:5, not of eip155:1.',
      ms: 10,
    });
    expect(await examine('bundlerUrl', servers)).toStrictEqual({
      facts: { chain: 'eip155:1', entryPoints: [] },
      fault: 'serves no EntryPoint that Tollkeeper knows (0.6, 0.7, 0.8), but none.',
      ms: 10,
    });
  });

  it('finds nothing where no server is', async () => {
    const { examine, asked } = setup();
    expect(await examine('rpcUrl', {})).toBeUndefined();
    expect(asked()).toStrictEqual([]);
  });

  it('fails in words where nobody answers, without the key', async () => {
    const { examine, network } = setup();
    network.serve(servers.rpcUrl, breaking);
    const row = { ...servers, apiKey: 'k3y-of-the-user' };
    expect(await refusalOf(examine('rpcUrl', row))).toStrictEqual({
      code: -32002,
      message:
        'eth_chainId at https://node.example could not be reached. Check the address and the connection.',
    });
  });
});
