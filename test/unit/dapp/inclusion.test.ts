import { jest } from '@jest/globals';

import type { Sent } from '../../../dev/dapp/inclusion';
import { follow, followAny } from '../../../dev/dapp/inclusion';

type Ask = Parameters<typeof follow>[1]['request'];

const sentAs = (hash: '0xaa' | '0xbb'): Sent => ({
  kind: 'transaction',
  hash,
  chainId: '0x1',
});

const receipt = { status: '0x1', blockNumber: '0x7' };

beforeEach(() => {
  jest.useFakeTimers();
  // Outside of a page there is none.
  Object.assign(globalThis, { document: new FakeDocument() });
});

afterEach(() => {
  jest.useRealTimers();
  Reflect.deleteProperty(globalThis, 'document');
});

class FakeDocument extends EventTarget {
  hidden = false;
}

function setup(answers: unknown[]): { asked: () => number; request: Ask } {
  let asked = 0;
  const request: Ask = ({ method }) => {
    if (method === 'tollkeeper_getActivity') return Promise.resolve([]);
    const answer = answers[Math.min(asked, answers.length - 1)];
    asked += 1;
    return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer);
  };
  return { asked: () => asked, request };
}

const signal = new AbortController().signal;

it('asks until there is a receipt, past failures', async () => {
  const { request, asked } = setup([null, new Error('Down.'), null, receipt]);
  const found = follow(sentAs('0xaa'), { request, signal });
  await jest.advanceTimersByTimeAsync(6_000);
  expect(await found).toStrictEqual({ state: 'included', block: 7n });
  expect(asked()).toBe(4);
});

it('gives up after four failures on end', async () => {
  const { request } = setup([new Error('Down.')]);
  const found = expect(follow(sentAs('0xaa'), { request, signal })).rejects.toThrow(
    'Down.',
  );
  await jest.advanceTimersByTimeAsync(6_000);
  await found;
});

it('asks nothing while the page is hidden', async () => {
  const { request, asked } = setup([null]);
  const ending = new AbortController();
  void follow(sentAs('0xaa'), { request, signal: ending.signal });
  const page = document as unknown as FakeDocument;
  page.hidden = true;
  await jest.advanceTimersByTimeAsync(60_000);
  expect(asked()).toBe(1);
  page.hidden = false;
  page.dispatchEvent(new Event('visibilitychange'));
  await jest.advanceTimersByTimeAsync(0);
  expect(asked()).toBe(2);
  ending.abort();
});

it('ends when it is told to', async () => {
  const { request, asked } = setup([null]);
  const ending = new AbortController();
  const found = follow(sentAs('0xaa'), { request, signal: ending.signal });
  await jest.advanceTimersByTimeAsync(0);
  ending.abort();
  expect(await found).toStrictEqual({ state: 'pending' });
  expect(asked()).toBe(1);
});

it('tells which of several was included', async () => {
  const request: Ask = ({ params }) =>
    Promise.resolve(JSON.stringify(params)?.includes('0xbb') ? receipt : null);
  const tools = { request, signal };
  expect(await followAny([sentAs('0xaa'), sentAs('0xbb')], tools)).toStrictEqual({
    inclusion: { state: 'included', block: 7n },
    index: 1,
  });
});

it('tells that nobody could say', async () => {
  const { request } = setup([new Error('Down.')]);
  const found = followAny([sentAs('0xaa')], { request, signal });
  await jest.advanceTimersByTimeAsync(6_000);
  expect(await found).toStrictEqual({ inclusion: { state: 'unknown' }, index: 0 });
});
