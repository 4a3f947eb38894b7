import type { ChainRow } from '../../../src/state/chain-row';
import { answering, breaking, serving } from '../../support/fake-fetch';
import type { Server } from '../../support/fake-fetch';
import { refuses } from '../../support/fake-node';
import { createProbeBench as setup, servers } from '../../support/probe-bench';
import { refusalOf } from '../../support/refusal';

const KEY = 'k3y-of-the-user-0123456789abcdef';
const ROOT = 'tollkeeper_setChain: params';
const V07 = '0x0000000071727De22E5E9d8BAf0edAc6f37da032';

const wrong = (reason: string): unknown => ({
  code: -32602,
  message: `${ROOT}.${reason} Nothing was saved.`,
});

const unknown = (reason: string): unknown => ({
  code: -32002,
  message: `${ROOT}.${reason} Nothing was saved.`,
});

describe('a node that is to be configured', () => {
  it('must be the chain’s', async () => {
    const { probe, node, asked } = setup();
    await probe({ rpcUrl: servers.rpcUrl });
    expect(asked()).toStrictEqual(['eth_chainId', 'eth_blockNumber']);
    node.answers.eth_chainId = '0x5';
    expect(await refusalOf(probe({ rpcUrl: servers.rpcUrl }))).toStrictEqual(
      wrong('rpcUrl is the address of eip155:5, not of eip155:1.'),
    );
  });
});

describe('a server that is sent several calls at once', () => {
  const refuseArrays =
    (server: Server, refusal: Server): Server =>
    (request) =>
      request.body?.startsWith('[') ? refusal(request) : server(request);

  it.each<[string, Server]>([
    ['refuses arrays', answering({ id: null, error: { code: -32600, message: 'No' } })],
    ['answers them with status 405', answering(null, 405)],
    ['answers them with status 500', answering(null, 500)],
    ['breaks the connection', breaking],
  ])('is found out if it %s', async (_how, refusal) => {
    const { probe, network, node, bundler } = setup();
    const { rpcUrl, bundlerUrl } = servers;
    expect(await probe({ rpcUrl, bundlerUrl })).toStrictEqual({
      rpcUrl: true,
      bundlerUrl: true,
    });
    network.serve(rpcUrl, refuseArrays(serving(node), refusal));
    expect(await probe({ rpcUrl, bundlerUrl })).toStrictEqual({
      rpcUrl: false,
      bundlerUrl: true,
    });
    network.serve(bundlerUrl, refuseArrays(serving(bundler), refusal));
    expect(await probe({ bundlerUrl })).toStrictEqual({ bundlerUrl: false });
  });

  it('may not tell the number of its newest block', async () => {
    const { probe, node } = setup();
    delete node.answers.eth_blockNumber;
    expect(await probe({ rpcUrl: servers.rpcUrl })).toStrictEqual({ rpcUrl: true });
  });
});

describe('a gas API that is to be configured', () => {
  it('must tell the chain’s fees', async () => {
    const { probe, network, asked } = setup();
    const row = { gasBaseUrl: servers.gasBaseUrl, apiKey: 'user', apiKeySecret: KEY };
    await probe(row);
    expect(asked()).toStrictEqual(['/networks/1/suggestedGasFees']);
    expect(network.sent[0]?.headers.authorization).toBe(`Basic ${btoa(`user:${KEY}`)}`);
    network.serve(servers.gasBaseUrl, answering({ low: {} }));
    expect(await refusalOf(probe(row))).toStrictEqual(
      unknown(
        'gasBaseUrl: suggestedGasFees at https://gas.example gave an invalid answer: suggestedGasFees.low.suggestedMaxPriorityFeePerGas is missing: it must be a decimal string in gwei. Check that it is the right server.',
      ),
    );
  });
});

describe('a bundler that is to be configured', () => {
  const { bundlerUrl } = servers;

  it('is asked for its chain and its EntryPoints in one request', async () => {
    const { probe, network, asked } = setup();
    await probe({ bundlerUrl });
    expect(asked()).toStrictEqual(['eth_chainId', 'eth_supportedEntryPoints']);
    expect(network.sent).toHaveLength(1);
  });

  it('must be the chain’s', async () => {
    const { probe, bundler } = setup();
    bundler.answers.eth_chainId = '0x5';
    expect(await refusalOf(probe({ bundlerUrl }))).toStrictEqual(
      wrong('bundlerUrl is a bundler of eip155:5, not of eip155:1.'),
    );
  });

  it('may write the EntryPoint in lower case', async () => {
    const { probe, bundler } = setup();
    bundler.answers.eth_supportedEntryPoints = [V07.toLowerCase()];
    const row: ChainRow = { bundlerUrl, entryPoint: '0.7' };
    expect(await probe(row)).toStrictEqual({ bundlerUrl: true });
  });

  const other = (last: number): string => `0x${String(last).padStart(40, '0')}`;

  it.each([
    [[], 'none'],
    [[other(1), other(2)], `${other(1)}, ${other(2)}`],
    [
      [1, 2, 3, 4, 5, 6, 7].map(other),
      `${[1, 2, 3, 4, 5].map(other).join(', ')} and 2 more`,
    ],
  ])('must serve the EntryPoint that holds: %j', async (served, listed) => {
    const { probe, bundler } = setup();
    bundler.answers.eth_supportedEntryPoints = served;
    const row: ChainRow = { bundlerUrl, entryPoint: '0.7' };
    expect(await refusalOf(probe(row))).toStrictEqual(
      wrong(`bundlerUrl does not serve EntryPoint 0.7 at ${V07}; it serves ${listed}.`),
    );
  });

  it('may serve any EntryPoint that is known where none is configured', async () => {
    const { probe, bundler } = setup();
    bundler.answers.eth_supportedEntryPoints = [other(1), V07];
    expect(await probe({ bundlerUrl })).toStrictEqual({ bundlerUrl: true });
  });

  it.each([
    [[], 'none'],
    [[other(1)], other(1)],
  ])('must serve one that is known: %j', async (served, listed) => {
    const { probe, bundler } = setup();
    bundler.answers.eth_supportedEntryPoints = served;
    expect(await refusalOf(probe({ bundlerUrl }))).toStrictEqual(
      wrong(
        `bundlerUrl serves no EntryPoint that Tollkeeper knows (0.6, 0.7, 0.8), but ${listed}.`,
      ),
    );
  });

  it('must be a bundler', async () => {
    const { probe, bundler } = setup();
    delete bundler.answers.eth_supportedEntryPoints;
    expect(await refusalOf(probe({ bundlerUrl }))).toStrictEqual(
      unknown(
        'bundlerUrl: eth_supportedEntryPoints at https://bundler.example failed: the method eth_supportedEntryPoints does not exist.',
      ),
    );
  });
});

describe("a paymaster's service that is to be configured", () => {
  const { paymasterUrl } = servers;

  it('is asked for data for an operation that does nothing', async () => {
    const { probe, paymaster } = setup();
    await probe({ paymasterUrl, paymasterContext: { policy: 'free' } });
    expect(paymaster.calls).toHaveLength(1);
    expect(paymaster.calls[0]).toMatchObject({
      method: 'pm_getPaymasterStubData',
      params: [
        {
          sender: '0x0000000000000000000000000000000000000001',
          callData: '0x',
          callGasLimit: '0x0',
          maxFeePerGas: '0x0',
        },
        '0x4337084D9E255Ff0702461CF8895CE9E3b5Ff108',
        '0x1',
        { policy: 'free' },
      ],
    });
  });

  it.each([-32602, -32000, -32500, 3])(
    'may refuse the operation with the code %i',
    async (code) => {
      const { probe, paymaster } = setup();
      paymaster.answers.pm_getPaymasterStubData = refuses({ code, message: 'not you' });
      expect(await probe({ paymasterUrl })).toStrictEqual({});
    },
  );

  it('must have the method that it is asked for', async () => {
    const { probe, paymaster } = setup();
    delete paymaster.answers.pm_getPaymasterStubData;
    expect(await refusalOf(probe({ paymasterUrl }))).toStrictEqual(
      wrong(
        "paymasterUrl is no paymaster's service: it has no pm_getPaymasterStubData (ERC-7677).",
      ),
    );
  });

  it('must answer with what can be used', async () => {
    const { probe, paymaster } = setup();
    paymaster.answers.pm_getPaymasterStubData = 'hello';
    expect(await refusalOf(probe({ paymasterUrl }))).toStrictEqual(
      unknown(
        'paymasterUrl: pm_getPaymasterStubData at https://paymaster.example gave an invalid answer: result must be an object. Check that it is the right server.',
      ),
    );
  });
});
