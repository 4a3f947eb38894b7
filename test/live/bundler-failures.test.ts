// The bundler over a node that fails at times.
import type { Hex } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';

import { startBundler } from '../../dev/bundler/bundler';
import type { JsonRpcServer } from '../../dev/stack/server';
import { type ChainStack, startChainStack } from '../../dev/stack/stack';
import { type BundlerUser, prepare, useBundler } from '../fixtures/stack/bundler';
import { answerJson, type HttpServer, startHttpServer } from '../support/http-server';
import { toRequests, type WireRequest } from '../support/json-rpc';

/** Answers in place of the node, or not. */
type Fault = (request: WireRequest) => object | undefined;

let stack: ChainStack;
let node: HttpServer;
let server: JsonRpcServer;
let bundler: BundlerUser;
let fault: Fault;

beforeAll(async () => {
  stack = await startChainStack();
  node = await startHttpServer((response, arrived) => {
    const [request] = toRequests(arrived) as [WireRequest];
    const { jsonrpc, id } = request;
    const failure = fault(request);
    if (failure) {
      return answerJson({ jsonrpc, id, ...failure })(response, arrived);
    }
    fetch(stack.chain.url, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: arrived.body,
    })
      .then(async (answer) => response.end(await answer.text()))
      .catch(() => response.destroy());
  });
  server = await startBundler({
    port: 0,
    chainUrl: node.url,
    contracts: stack.contracts,
    account: privateKeyToAccount(stack.funded.privateKey),
    url06: stack.bundler.url,
  });
  bundler = useBundler({ ...stack, bundler: server });
  await bundler.setMode('manual');
});

beforeEach(() => {
  fault = () => undefined;
});

afterAll(async () => {
  await server?.stop();
  await node?.stop();
  await stack?.stop();
});

async function send(version: '0.7' | '0.8'): Promise<{ hash: Hex; sender: Hex }> {
  const account = await bundler.createFunded(version);
  const { operation, hash } = await prepare(account);
  expect(await bundler.send(version, operation)).toStrictEqual({ result: hash });
  return { hash, sender: account.address };
}

const isMined = { transactionHash: expect.any(String) as string };

it('keeps the bundle of one EntryPoint when that of the other fails', async () => {
  const [first, second] = [await send('0.7'), await send('0.8')];
  let sent = 0;
  fault = ({ method }) => {
    if (method !== 'eth_sendRawTransaction' || (sent += 1) !== 2) return undefined;
    return { error: { code: -32000, message: 'The node is busy.' } };
  };
  await expect(bundler.bundleNow()).rejects.toThrow();
  await bundler.waitForReceipt(first.hash);
  expect(await bundler.findReceipt(second.hash)).toBeNull();
  await bundler.bundleNow();
  await bundler.waitForReceipt(second.hash);
  expect(await bundler.find(first.hash)).toMatchObject(isMined);
  expect(await bundler.find(second.hash)).toMatchObject(isMined);
  expect(sent).toBe(3);
});

it.each([0, 1, 2])(
  'drops an operation that makes bundles revert for no reason, and no other: %d',
  async (place) => {
    const all = [await send('0.7'), await send('0.7'), await send('0.7')];
    const [bad] = all.splice(place, 1) as [(typeof all)[0]];
    const inCalldata = bad.sender.slice(2).toLowerCase();
    fault = ({ method, params }) => {
      const isBad = JSON.stringify(params).toLowerCase().includes(inCalldata);
      if (method !== 'eth_simulateV1' || !isBad) return undefined;
      return { result: [{ calls: [{ status: '0x0', returnData: '0x', logs: [] }] }] };
    };
    for (let round = 0; round < 3; round += 1) await bundler.bundleNow();
    for (const { hash } of all) {
      expect(await bundler.waitForReceipt(hash)).toMatchObject({ success: true });
    }
    expect(await bundler.find(bad.hash)).toBeNull();
  },
);
