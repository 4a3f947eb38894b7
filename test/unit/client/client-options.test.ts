import { createClient } from '../../../src/client';
import type { ClientOptions } from '../../../src/client';
import { failureOf } from '../../support/error-of';

const HTTP = 'a URL with https:// or http:// and without credentials in it';
const WS = 'a URL with wss:// or ws:// and without credentials in it';
const SECRET = 'a string of 1 to 256 characters';
const COUNT = 'an integer from 1 to 9007199254740991';
const MS = 'an integer from 1 to 2147483647';
const CHAIN = 'a chain id (hex, decimal or CAIP-2 such as "eip155:1")';

async function refusal(options: unknown): Promise<{ name: string; message: string }> {
  const { name, message } = await failureOf(() =>
    createClient(options as ClientOptions),
  );
  return { name, message };
}

function create(options: object): unknown {
  return createClient({ chainId: 1, ...options });
}

describe('a client is not created', () => {
  it.each([
    [undefined, 'options is missing: it must be an object.'],
    [null, 'options must be an object.'],
    ['https://node.example', 'options must be an object.'],
    [{}, `options.chainId is missing: it must be ${CHAIN}.`],
  ])('with %j for options', async (options, message) => {
    expect(await refusal(options)).toStrictEqual({
      name: 'InvalidParamsError',
      message,
    });
  });

  it.each<[string, unknown, string]>([
    ['chainId', 0, CHAIN],
    ['chainId', -1, CHAIN],
    ['chainId', 1.5, CHAIN],
    ['chainId', 'main', CHAIN],
    ['chainId', null, CHAIN],
    ['chainId', 2n ** 256n, CHAIN],
    ['rpcUrl', '', HTTP],
    ['rpcUrl', 'node.example', HTTP],
    ['rpcUrl', 'wss://node.example', HTTP],
    ['rpcUrl', 'file:///etc/passwd', HTTP],
    ['rpcUrl', 'https://user:pass@node.example', HTTP],
    ['rpcUrl', 'https://user@node.example', HTTP],
    ['rpcUrl', 'https://:pass@node.example', HTTP],
    ['rpcUrl', 1, HTTP],
    ['rpcUrl', null, HTTP],
    ['gasBaseUrl', 'gas.example', HTTP],
    ['wsUrl', 'https://node.example', WS],
    ['wsUrl', ['wss://node.example'], WS],
    ['gasAuth', 'header', 'one of "basic", "path"'],
    ['apiKey', '', SECRET],
    ['apiKey', 'k'.repeat(257), SECRET],
    ['apiKey', 12, SECRET],
    ['apiKeySecret', {}, SECRET],
    ['fetch', 'fetch', 'a function'],
    ['WebSocket', {}, 'a function'],
    ['timeoutMs', 0, MS],
    ['timeoutMs', -1, MS],
    ['timeoutMs', Infinity, MS],
    ['timeoutMs', '100', MS],
    ['timeoutMs', 2 ** 31, MS],
    ['maxBytes', 0, COUNT],
    ['maxBytes', NaN, COUNT],
    ['batchLimit', 0, COUNT],
    ['batchLimit', 1.5, COUNT],
    ['retry', 3, 'an object'],
    ['retry', null, 'an object'],
    ['services', 'now', 'an object'],
  ])('with %s: %p', async (name, value, expected) => {
    expect(await refusal({ chainId: 1, [name]: value })).toStrictEqual({
      name: 'InvalidParamsError',
      message: `options.${name} must be ${expected}.`,
    });
  });

  it.each<[object, string]>([
    [{ retry: { maxAttempts: 0 } }, `options.retry.maxAttempts must be ${COUNT}.`],
    [{ retry: { budgetMs: 1e12 } }, `options.retry.budgetMs must be ${MS}.`],
    [{ retry: { delay: 1 } }, 'options.retry.delay is not expected here.'],
    [{ services: { now: 1 } }, 'options.services.now must be a function.'],
    [{ services: { sleep: 1 } }, 'options.services.sleep must be a function.'],
    [{ services: { random: 1 } }, 'options.services.random must be a function.'],
    [{ rpcURL: 'https://node.example' }, 'options.rpcURL is not expected here.'],
  ])('with %j', async (options, message) => {
    expect((await refusal({ chainId: 1, ...options })).message).toBe(message);
  });

  it('with a socket where the platform has none, and says what is needed', async () => {
    const { WebSocket: own } = globalThis;
    Object.assign(globalThis, { WebSocket: undefined });
    try {
      const options = { chainId: 1, wsUrl: 'wss://node.example' };
      expect(await refusal(options)).toStrictEqual({
        name: 'InvalidParamsError',
        message:
          'options.WebSocket is missing: this platform has no WebSocket of its own, so ' +
          'that options.wsUrl needs a class such as that of the package "ws".',
      });
      expect(create({ rpcUrl: 'https://node.example' })).toBeDefined();
    } finally {
      Object.assign(globalThis, { WebSocket: own });
    }
  });
});

describe('a client is created', () => {
  it("with the platform's own WebSocket", () => {
    const { WebSocket: own } = globalThis;
    Object.assign(globalThis, { WebSocket: own ?? EventTarget });
    expect(create({ wsUrl: 'wss://node.example' })).toBeDefined();
    Object.assign(globalThis, { WebSocket: own });
  });

  it.each([1, 1n, '1', '0x1', 'eip155:1'])('for the chain %p', (chainId) => {
    expect(create({ chainId })).toHaveProperty('chainId', 1n);
  });

  it('with everything left out by undefined', () => {
    const names = ['rpcUrl', 'wsUrl', 'fetch', 'timeoutMs', 'retry', 'services'];
    const options = Object.fromEntries(names.map((name) => [name, undefined]));
    expect(create(options)).toBeDefined();
  });
});
