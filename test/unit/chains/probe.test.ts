import { probeChain } from '../../../src/chains/probe';
import { NetworkError } from '../../../src/client';
import type { ChainRow } from '../../../src/state/chain-row';
import { errorOf } from '../../support/error-of';
import { breaking } from '../../support/fake-fetch';
import { createProbeBench as setup, servers } from '../../support/probe-bench';
import { contextOf, refusalOf } from '../../support/refusal';

const row: ChainRow = {
  ...servers,
  gasAuth: 'path',
  apiKey: 'key',
  apiKeySecret: 'secret',
  bundlerApiKey: 'bundler-key',
  entryPoint: '0.6',
  factory: '0x9406Cc6185a346906296840746125a0E44976454',
  paymasterContext: { policy: 'free', limits: [1, 2] },
};

const NODE = ['eth_chainId', 'eth_blockNumber'];
const SOCKET = ['eth_chainId at the socket'];
const GAS = ['/v3/key/networks/1/suggestedGasFees'];
const BUNDLER = ['eth_chainId', 'eth_supportedEntryPoints'];
const CODE = ['eth_getCode', 'eth_getCode'];
const PAYMASTER = ['pm_getPaymasterStubData'];

describe('what is asked', () => {
  const changes: [ChainRow, string[]][] = [
    [{}, []],
    [{ paymasterContext: { policy: 'free', limits: [1, 2] } }, []],
    [{ rpcUrl: 'https://node.example/2' }, NODE],
    [{ wsUrl: 'wss://node.example/2' }, SOCKET],
    [{ gasBaseUrl: 'https://gas.example/' }, GAS],
    [{ gasAuth: 'basic' }, ['/networks/1/suggestedGasFees']],
    [{ apiKeySecret: 'other' }, GAS],
    [
      { apiKey: 'other' },
      [...NODE, '/v3/other/networks/1/suggestedGasFees', ...SOCKET],
    ],
    [{ bundlerUrl: 'https://bundler.example/2' }, BUNDLER],
    [{ bundlerApiKey: 'other' }, BUNDLER],
    [{ factory: `0x${'fa'.repeat(20)}` }, CODE],
    [{ paymasterUrl: 'https://paymaster.example/2' }, PAYMASTER],
    [{ paymasterContext: { policy: 'free', limits: [1, 3] } }, PAYMASTER],
    [{ entryPoint: '0.7' }, [...BUNDLER, ...CODE, ...PAYMASTER]],
  ];

  it.each(changes)('is about what changes: %j', async (change, expected) => {
    const { probe, asked, sockets, paymaster } = setup();
    const stub = { paymaster: `0x${'77'.repeat(20)}`, paymasterData: '0x' };
    const limits = { paymasterPostOpGasLimit: '0x1' };
    paymaster.answers.pm_getPaymasterStubData = ([, entryPoint]) =>
      (entryPoint as string).startsWith('0x5FF1')
        ? { paymasterAndData: `0x${'77'.repeat(85)}` }
        : { ...stub, ...limits };
    await probe({ ...row, ...change }, row);
    const overSockets = sockets.opened.flatMap(({ sent }) => sent);
    const all = [
      ...asked(),
      ...overSockets.map(({ method }) => `${method} at the socket`),
    ];
    expect(all.sort()).toStrictEqual([...expected].sort());
  });

  it('is nothing about a server that is cleared', async () => {
    const { probe, asked, sockets, wallet } = setup();
    await probe({}, row);
    expect([...asked(), ...sockets.opened, ...wallet.calls]).toStrictEqual([]);
  });
});

describe('several faults at once', () => {
  it('are told of one, in the order of the fields', async () => {
    const { probe, network, node, bundler } = setup();
    network.serve(servers.gasBaseUrl, breaking);
    bundler.answers.eth_chainId = '0x5';
    const probing = probe({ ...row, gasAuth: 'basic' });
    expect((await refusalOf(probing)).message).toContain('params.gasBaseUrl: ');
    node.answers.eth_chainId = '0x5';
    expect((await refusalOf(probe(row))).message).toContain('params.rpcUrl is ');
  });

  it('have facts for programs: the field, and what the client tells', async () => {
    const { probe, network, node } = setup();
    node.answers.eth_chainId = '0x5';
    const { rpcUrl, gasBaseUrl } = servers;
    expect(await contextOf(probe({ rpcUrl }))).toStrictEqual({ field: 'rpcUrl' });
    network.serve(gasBaseUrl, () => new Response('', { status: 403 }));
    expect(await contextOf(probe({ gasBaseUrl }))).toStrictEqual({
      status: 403,
      field: 'gasBaseUrl',
    });
    network.serve(gasBaseUrl, breaking);
    const { cause } = await errorOf(() => probe({ gasBaseUrl }));
    expect(cause).toBeInstanceOf(NetworkError);
  });
});

it('passes on what is no answer of anybody’s as it is', async () => {
  const fault = new TypeError('a fault of ours');
  const live = { withSocket: async () => Promise.reject(fault) };
  const services = {
    http: { fetch },
    live,
    requestWallet: async () => Promise.reject(fault),
  };
  const change = { before: {}, after: { wsUrl: servers.wsUrl } };
  expect(await errorOf(() => probeChain(1n, change, services))).toBe(fault);
});
