// How long an exchange may take, and how much may come back.
import { gzipSync } from 'node:zlib';

import { fetchJson } from '../../../src/client/http';
import type { ExchangeOptions } from '../../../src/client/http';
import { failureOf } from '../../support/error-of';
import { answerText, useHttpServers } from '../../support/http-server';
import type { Answer } from '../../support/http-server';

const serve = useHttpServers();

const limits: ExchangeOptions = { fetch, timeoutMs: 1_000, maxBytes: 1_000_000 };

type Bench = { ask: (options: Partial<ExchangeOptions>) => Promise<unknown> };

async function setup(answer: Answer): Promise<Bench> {
  const { url } = await serve(answer);
  const endpoint = { url, headers: {}, label: 'It', redact: String };
  return { ask: (options) => fetchJson({ endpoint }, { ...limits, ...options }) };
}

describe('the time limit', () => {
  const TIMEOUT = {
    name: 'TimeoutError',
    code: -32002,
    message: 'It did not answer within 60 ms. Try again later.',
    context: {},
  };

  it('covers the wait for headers', async () => {
    const { ask } = await setup(() => undefined);
    expect(await failureOf(() => ask({ timeoutMs: 60 }))).toStrictEqual(TIMEOUT);
  });

  it('covers a body that stalls', async () => {
    const { ask } = await setup((response) => response.write('{"a":'));
    expect(await failureOf(() => ask({ timeoutMs: 60 }))).toStrictEqual(TIMEOUT);
  });

  it('covers a body that trickles for ever', async () => {
    const { ask } = await setup((response) => {
      const timer = setInterval(() => response.write(' '), 10);
      response.on('close', () => clearInterval(timer));
    });
    expect(await failureOf(() => ask({ timeoutMs: 60 }))).toStrictEqual(TIMEOUT);
  });

  it('ends the connection', async () => {
    let close = (): void => undefined;
    const closed = new Promise<void>((resolve) => (close = resolve));
    const { ask } = await setup((response) => response.on('close', close).write('{'));
    await failureOf(() => ask({ timeoutMs: 60 }));
    await closed;
  });
});

describe('what is not wanted any more', () => {
  it.each<[string, number]>([
    ['the rest of a body that is too large', 200],
    ['the body of a refusal', 500],
  ])('is not waited for: %s', async (_what, status) => {
    let close = (): void => undefined;
    const closed = new Promise<void>((resolve) => (close = resolve));
    const { ask } = await setup((response) => {
      response.on('close', close).writeHead(status).write('x'.repeat(101));
    });
    await failureOf(() => ask({ maxBytes: 100 }));
    await closed;
  });
});

describe('the size limit', () => {
  const TOO_LARGE = {
    name: 'BodyTooLargeError',
    code: -32002,
    message: 'It answered with more than 100 bytes. Ask for less at once.',
    context: {},
  };
  const text = (length: number): string => JSON.stringify('x'.repeat(length - 2));

  it('lets through what just fits', async () => {
    const { ask } = await setup(answerText(text(100)));
    expect(await ask({ maxBytes: 100 })).toHaveLength(98);
  });

  it.each<[string, Answer]>([
    ['an announced body', answerText(text(101))],
    ['a body of many bytes and few characters', answerText(`"${'é'.repeat(60)}"`)],
    [
      'an endless body, and ends the connection',
      (response) => {
        const timer = setInterval(() => response.write('x'.repeat(60)), 5);
        response.on('close', () => clearInterval(timer));
      },
    ],
    [
      'a small body that unpacks into a large one',
      (response) => {
        response.writeHead(200, { 'Content-Encoding': 'gzip' });
        response.end(gzipSync(text(1_000_000)));
      },
    ],
  ])('refuses %s', async (_what, answer) => {
    const { ask } = await setup(answer);
    expect(await failureOf(() => ask({ maxBytes: 100 }))).toStrictEqual(TOO_LARGE);
  });
});
