// The published client and provider in a real Chromium page, imported without a bundler under a
// Content-Security-Policy that allows only the page's own scripts.
import type { Browser, JSHandle, Page } from 'playwright-core';

import { KEY, SECRET, startServiceBench } from '../../dev/stack/service-bench';
import type { ServiceBench } from '../../dev/stack/service-bench';
import { startStaticServer } from '../../dev/start/serve';
import type { StaticServer } from '../../dev/start/serve';
import { startBrowser } from '../../dev/wallet/browser';
import type * as client from '../../packages/client/src';

let bench: ServiceBench;
let server: StaticServer;
let browser: Browser;
let page: Page;
const problems: string[] = [];

beforeAll(async () => {
  [bench, browser] = await Promise.all([startServiceBench(), startBrowser()]);
  server = await startStaticServer({
    port: 0,
    folders: {
      '/': 'test/fixtures/client/page',
      '/client/': 'dist/client',
      '/provider/': 'dist/provider',
    },
    headers: {
      'Content-Security-Policy':
        "default-src 'none'; script-src 'self'; img-src data:; " +
        `connect-src ${bench.service.url}; base-uri 'none'; form-action 'none'`,
    },
  });
  page = await browser.newPage();
  page.on('pageerror', (error) => problems.push(error.message));
  page.on('console', (message) => problems.push(message.text()));
  await page.goto(server.url);
});

afterAll(async () => {
  await browser?.close();
  await server?.stop();
  await bench?.stop();
});

it('requests fees and a receipt from a service', async () => {
  const module: JSHandle<typeof client> = await page.evaluateHandle(
    "import('/client/index.js')",
  );
  const { url } = bench.service;
  const access = { module, url, key: KEY, secret: SECRET, hash: bench.hash };
  const answer = await page.evaluate(async ({ module, url, key, secret, hash }) => {
    const credentials = { apiKey: key, apiKeySecret: secret };
    const endpoint = module.createGasEndpoint({ gasBaseUrl: url, ...credentials });
    const options = { fetch };
    const gas = module.createGasApi(endpoint, options);
    const transport = module.createHttpTransport(
      module.createRpcEndpoint(url, key),
      options,
    );
    const node = module.createRpcClient(module.nodeSchema, transport);
    const [fees, receipt] = await Promise.all([
      gas.suggestedGasFees(31_337n),
      node.request('eth_getTransactionReceipt', [hash]),
    ]);
    return { fee: fees.low.suggestedMaxPriorityFeePerGas, status: receipt?.status };
  }, access);
  expect(answer).toStrictEqual({ fee: 1_000_000_000n, status: '0x1' });
});

it('loads the provider, which finds no MetaMask', async () => {
  const status = await page.evaluate(
    "import('/provider/index.js').then((module) => module.createProvider().status())",
  );
  expect(status).toStrictEqual({ state: 'no-metamask' });
});

it("violates none of the page's policies, and writes nothing to the console", () => {
  expect(problems).toEqual([]);
});
