import {
  assertSameChain,
  assertServed,
  chooseChain,
} from '../../../src/methods/choose-chain';
import { derivedRecord, smartRecord } from '../../support/records';
import { refusalIn, refusalOf } from '../../support/refusal';

const eoa = derivedRecord();
const one = smartRecord({ scopes: ['eip155:5'] });
const two = smartRecord({ scopes: ['eip155:5', 'eip155:6'] });

const ownChain = (): Promise<bigint> => Promise.resolve(7n);

describe('chooseChain', () => {
  it.each([
    ['what is named outright', { account: eoa, scope: 3n }, 3n],
    ['it if the content names the same', { account: eoa, scope: 3n, named: 3n }, 3n],
    ['what the content names', { account: eoa, scope: undefined, named: 4n }, 4n],
    ["the account's only chain", { account: one, scope: undefined }, 5n],
    ["the snap's own network", { account: eoa, scope: undefined }, 7n],
    [
      'the content before the only chain',
      { account: one, scope: undefined, named: 5n },
      5n,
    ],
  ])('takes %s', async (_what, hints, chainId) => {
    expect(await chooseChain({ ownChain, ...hints })).toBe(chainId);
  });

  it("takes the snap's own network if one of several chains is", async () => {
    const hints = { account: two, scope: undefined };
    expect(await chooseChain({ ...hints, ownChain: () => Promise.resolve(6n) })).toBe(
      6n,
    );
  });

  it("refuses the snap's own network if the account does not serve it", async () => {
    const choosing = chooseChain({ account: two, scope: undefined, ownChain });
    expect(await refusalOf(choosing)).toStrictEqual({
      code: -32602,
      message: `The account ${two.address} serves eip155:5, eip155:6, not eip155:7.`,
    });
  });

  it('refuses content for another chain than the one named outright', async () => {
    const choosing = chooseChain({ account: eoa, scope: 1n, named: 2n, ownChain });
    expect(await refusalOf(choosing)).toStrictEqual({
      code: -32602,
      message: 'The request is for eip155:1, but its content is for eip155:2.',
    });
  });

  it.each([{ scope: 9n }, { scope: undefined, named: 9n }])(
    'refuses a chain that the account does not serve (case %#)',
    async (hints) => {
      const choosing = chooseChain({ account: one, ownChain, ...hints });
      expect(await refusalOf(choosing)).toStrictEqual({
        code: -32602,
        message: `The account ${one.address} serves eip155:5, not eip155:9.`,
      });
    },
  );

  it('does not ask the wallet where something else decides', async () => {
    const asked = (): Promise<bigint> => Promise.reject(new Error('asked'));
    const hints = { account: one, scope: undefined, ownChain: asked };
    expect(await chooseChain(hints)).toBe(5n);
  });
});

describe('assertSameChain', () => {
  it.each([
    [undefined, undefined],
    [1n, undefined],
    [undefined, 1n],
    [1n, 1n],
  ])('takes a pair that does not contradict (case %#)', (scope, named) => {
    expect(() => assertSameChain(scope, named)).not.toThrow();
  });
});

describe('assertServed', () => {
  it('takes every chain for an EOA, and its own for a smart account', () => {
    expect(() => assertServed(eoa, 123n)).not.toThrow();
    expect(() => assertServed(two, 6n)).not.toThrow();
  });

  it('refuses another chain for a smart account', async () => {
    expect(await refusalIn(() => assertServed(one, 50n))).toStrictEqual({
      code: -32602,
      message: `The account ${one.address} serves eip155:5, not eip155:50.`,
    });
  });
});
