// tollkeeper_setChain against the development stack: what is what it is configured as is
// stored, anything else is refused with what was found.
import type { Json } from '@metamask/utils';

import { configureChain, startWorld, type World } from '../../dev/demo/world';
import { entryPoints } from '../../src/eth/user-operation';
import { answerChain } from '../support/answer-rpc';
import { failureOf } from '../support/error-of';
import { findDeadUrl, startHttpServer } from '../support/http-server';
import { refusalOf } from '../support/refusal';
import type { Refusal } from '../support/refusal';
import { startRelay, until } from '../support/ws-relay';

const SECRET = 's3cret-that-nobody-may-see';

const NOBODY = `0x${'fa'.repeat(20)}`;

let world: World;

beforeAll(async () => {
  world = await startWorld();
});

afterAll(async () => {
  await world?.stop();
});

async function set(row: Record<string, Json>): Promise<Json> {
  return world.companion.snap('tollkeeper_setChain', [row]);
}

const refused = async (row: Record<string, Json>): Promise<Refusal> =>
  refusalOf(set(row));

const wrong = (reason: string): Refusal => ({
  code: -32602,
  message: `tollkeeper_setChain: params.${reason} Nothing was saved.`,
});

it('stores what is what it is configured as', async () => {
  const { service, bundler, chainId } = world.stack;
  const shown = {
    chainId: 'eip155:31337',
    rpcUrl: service.url,
    gasBaseUrl: service.url,
    apiKey: '[redacted]',
    apiKeySecret: '[redacted]',
    bundlerUrl: new URL(bundler.url).origin,
  };
  expect(await configureChain(world)).toEqual(shown);
  const wsUrl = service.url.replace('http', 'ws');
  expect(await set({ chainId, wsUrl })).toEqual({ ...shown, wsUrl });
  expect(await set({ chainId, wsUrl: null })).toEqual(shown);
});

it.each(['0.6', '0.7', '0.8', '0.9'] as const)(
  'takes the contracts of EntryPoint %s, which are on the chain',
  async (entryPoint) => {
    const { chainId } = world.stack;
    const { entryPoint: address, factory } = entryPoints[entryPoint];
    expect(await set({ chainId, bundlerUrl: null, entryPoint })).toMatchObject({
      contracts: { entryPoint: { version: entryPoint, address }, factory },
    });
    expect(await refused({ chainId, factory: NOBODY })).toEqual(
      wrong(`factory cannot be ${NOBODY}: there is no code at it on eip155:31337.`),
    );
    await set({ chainId, entryPoint: null });
  },
);

it('refuses the servers of another chain', async () => {
  const { chain, bundler } = world.stack;
  const relay = await startRelay(chain.url);
  const foreign = 'eip155:31337, not of eip155:5.';
  expect(await refused({ chainId: 5, rpcUrl: chain.url })).toEqual(
    wrong(`rpcUrl is the address of ${foreign}`),
  );
  expect(await refused({ chainId: 5, wsUrl: relay.url })).toEqual(
    wrong(`wsUrl is the address of ${foreign}`),
  );
  await until(() => relay.open() === 0);
  expect(relay.connections()).toBe(1);
  expect(await refused({ chainId: 5, bundlerUrl: bundler.url })).toEqual(
    wrong(`bundlerUrl is a bundler of ${foreign}`),
  );
  await relay.stop();
  expect(
    JSON.stringify(await world.companion.snap('tollkeeper_getChains')),
  ).not.toContain('"eip155:5"');
});

it('refuses a bundler that does not serve the EntryPoint', async () => {
  const { chainId } = world.stack;
  const server = await startHttpServer(answerChain(chainId));
  const { entryPoint: served } = entryPoints['0.6'];
  const row = { chainId, bundlerUrl: server.url };
  const { entryPoint: wanted } = entryPoints['0.7'];
  expect(await refused({ ...row, entryPoint: '0.7' })).toEqual(
    wrong(
      `bundlerUrl does not serve EntryPoint 0.7 at ${wanted}; it serves ${served}.`,
    ),
  );
  expect(await set(row)).toMatchObject({ bundlerUrl: server.url });
  await set({ chainId, bundlerUrl: null });
  await server.stop();
});

it('refuses what cannot be reached, or does not answer, without a credential', async () => {
  const { service, chain, chainId } = world.stack;
  const before = await world.companion.snap('tollkeeper_getChains');
  const dead = await findDeadUrl();
  const rows: [string, Record<string, Json>][] = [
    ['rpcUrl', { rpcUrl: dead, apiKey: SECRET }],
    ['rpcUrl', { rpcUrl: service.url, apiKey: SECRET }],
    ['gasBaseUrl', { gasBaseUrl: service.url, apiKeySecret: SECRET }],
    [
      'gasBaseUrl',
      { rpcUrl: null, gasBaseUrl: chain.url, apiKey: SECRET, apiKeySecret: SECRET },
    ],
    ['bundlerUrl', { bundlerUrl: dead, bundlerApiKey: SECRET }],
    ['paymasterUrl', { paymasterUrl: `${dead}/?key=${SECRET}` }],
  ];
  for (const [field, row] of rows) {
    const failure = await failureOf(async () => set({ chainId, ...row }));
    expect(failure).toMatchObject({ code: -32002 });
    expect(failure.message).toContain(`params.${field}: `);
    expect(failure.message).toContain('Nothing was saved.');
    expect(JSON.stringify(failure)).not.toContain(SECRET);
  }
  expect(await world.companion.snap('tollkeeper_getChains')).toEqual(before);
});

it('sends what is kept of credentials to no other host', async () => {
  const { chainId } = world.stack;
  const heard: string[] = [];
  const thief = await startHttpServer((response, request) => {
    heard.push(JSON.stringify(request));
    response.end();
  });
  for (const field of ['rpcUrl', 'gasBaseUrl']) {
    expect(await refused({ chainId, [field]: thief.url })).toMatchObject({
      code: -32602,
    });
  }
  expect(heard).toEqual([]);
  await thief.stop();
});

it('refuses a server that is no paymaster’s', async () => {
  const { chain, chainId } = world.stack;
  expect(await refused({ chainId, paymasterUrl: chain.url })).toEqual(
    wrong(
      "paymasterUrl is no paymaster's service: it has no pm_getPaymasterStubData (ERC-7677).",
    ),
  );
});
