// Warnings in the dialogs for transactions, calls and user operations: approvals, nonces,
// recipients, opaque call data and outdated descriptors.
import type { JSXElement } from '@metamask/snaps-sdk/jsx';
import type { Json } from '@metamask/utils';
import {
  concatHex,
  encodeEventTopics,
  formatEther,
  maxUint256,
  numberToHex,
  pad,
  parseAbi,
  zeroAddress,
} from 'viem';
import type { Address, Hex } from 'viem';

import { bindSources, packFiles } from '../../dev/clear-signing/build';
import about from '../../package.json' with { type: 'json' };
import { DESCRIPTOR_RELEASE } from '../../src/review/upgrades';
import { toShortHex } from '../../src/ui/format';
import { dataOf } from '../fixtures/trust/call';
import { createCallsBench } from '../support/calls-bench';
import type { CallsBench } from '../support/calls-bench';
import { refuses } from '../support/fake-node';
import { toFieldPairs } from '../support/field-pairs';
import { createOperationBench, answerContractCalls } from '../support/operation-bench';
import type { OperationBench } from '../support/operation-bench';
import { severitiesOf, textsOf, textOf, warningsOf } from '../support/view';

const TOKEN = '0x6b175474e89094c44da98b954eedeac495271d0f';
const UNKNOWN_TOKEN = '0xc0ffee00000000000000000000000000c0ffee00';
const SPENDER = '0x2222222222222222222222222222222222222222';
const PERMIT2 = '0x000000000022D473030F116dDEE9F6B43aC78BA3';
const SUPPLY = 10n ** 24n;

const approve = (amount: bigint) => dataOf('approve(address,uint256)', SPENDER, amount);

const permit2Approve = (amount: bigint, expiration: number, token: string = TOKEN) => {
  const signature = 'approve(address,address,uint160,uint48)';
  return dataOf(signature, token, SPENDER, amount, expiration);
};

const unlimited = (token = 'DAI'): string =>
  textOf('alert.unlimited', { spender: toShortHex(SPENDER), token });

const spenderNoCode = textOf('typed.spenderNoCode', { address: SPENDER });

const toWord = (value: bigint): Hex => numberToHex(value, { size: 32 });

type ChainState = {
  /** Addresses with code, in addition to the tokens. */
  contracts?: readonly string[];
  /** The tokens' total supply; by default, `totalSupply()` returns nothing. */
  supply?: bigint | undefined;
  /** The tokens' answer to `decimals()`; NFT collections answer nothing or zero. */
  decimals?: Hex;
  /** Whether calls to the tokens fail, or never return. */
  tokens?: 'failing' | 'silent';
  /** The node's answer for addresses without code. */
  noCode?: Json;
  /** Whether the results of calls depend on the block. */
  dependsOnBlock?: boolean;
};

function answerChain({
  contracts = [SPENDER],
  supply,
  decimals = toWord(18n),
  tokens,
  noCode = '0x',
  dependsOnBlock = false,
}: ChainState) {
  const known = [TOKEN, UNKNOWN_TOKEN, ...contracts];
  const others = answerContractCalls();
  return {
    eth_getCode: ([address]: Json[]) =>
      known.includes(address as string) ? '0x6080' : noCode,
    eth_call: (params: Json[]) => {
      const { to, data } = params[0] as { to: string; data: Hex };
      const block = params[3] as { prevRandao: Hex } | undefined;
      if (dependsOnBlock && block) return block.prevRandao;
      if (![TOKEN, UNKNOWN_TOKEN].includes(to.toLowerCase())) return others(params);
      if (tokens === 'failing') throw new Error('out of gas');
      if (tokens === 'silent') return new Promise(() => undefined) as never;
      if (data === '0x18160ddd') return supply === undefined ? '0x' : toWord(supply);
      return decimals;
    },
  };
}

/** Sends a call, and lists the warnings in its dialog. */
type Review = (
  call: { to: Hex; data?: Hex; value?: Hex },
  state?: ChainState,
) => Promise<string[]>;

const asTransaction: Review = async (call, state = {}) => {
  const bench = await createCallsBench();
  Object.assign(bench.edges.wallet.answers, answerChain(state));
  const gas = { gas: '0x186a0', maxFeePerGas: '0x77359400' };
  await bench.send({ value: '0x0', ...gas, ...call });
  return lastWarnings(bench);
};

const asCalls: Review = async (call, state = {}) => {
  const bench = await createCallsBench();
  Object.assign(bench.edges.wallet.answers, answerChain(state));
  await bench.sendCalls({ calls: [call] });
  return lastWarnings(bench).map(withoutNumber);
};

const asOperation: Review = async (call, state = {}) => {
  const bench = await createOperationBench();
  const { eth_getCode: getCode, ...answers } = answerChain(state);
  Object.assign(bench.edges.wallet.answers, answers, {
    eth_getCode: ([address]: Json[]) =>
      address === bench.address.toLowerCase() ? '0x6080' : getCode([address ?? null]),
  });
  const { to, data = '0x', value = '0x0' } = call;
  await bench.call('eth_sendUserOperation', [{ to, data, value }]);
  return warningsOf(bench.shown().at(-1)).map(withoutNumber);
};

const forms: [string, Review][] = [
  ['a transaction', asTransaction],
  ['calls', asCalls],
  ['a user operation', asOperation],
];

function lastWarnings({ edges }: CallsBench): string[] {
  return warningsOf(edges.dialogs.shown.at(-1));
}

function withoutNumber(text: string): string {
  return text.replace(/^(?:Transaction|Call) 1: /u, '');
}

describe.each(forms)('a token amount in %s', (_form, review) => {
  const unknownToken = textOf('alert.unknownToken');

  it.each<[string, Hex]>([
    ['transfer', dataOf('transfer(address,uint256)', SPENDER, 5n)],
    [
      'transferFrom, even for an NFT',
      dataOf('transferFrom(address,address,uint256)', SPENDER, SPENDER, 5n),
    ],
    [
      'transferFrom of 0, even for NFT 0',
      dataOf('transferFrom(address,address,uint256)', SPENDER, SPENDER, 0n),
    ],
    ['approve', approve(5n)],
  ])('causes a warning if the token is unknown: %s', async (_call, data) => {
    expect(await review({ to: UNKNOWN_TOKEN, data }, { tokens: 'failing' })).toContain(
      unknownToken,
    );
    expect(await review({ to: TOKEN, data }, { tokens: 'failing' })).not.toContain(
      unknownToken,
    );
  });

  it('causes no warning if the approval is zero or unlimited', async () => {
    for (const data of [approve(0n), approve(maxUint256)]) {
      expect(
        await review({ to: UNKNOWN_TOKEN, data }, { tokens: 'failing' }),
      ).not.toContain(unknownToken);
    }
  });
});

describe.each(forms)('the outcome of %s', (_form, review) => {
  it.each([true, false])(
    'is reported to depend on the block: %j',
    async (dependsOnBlock) => {
      const warnings = await review(
        { to: TOKEN, data: approve(5n) },
        { dependsOnBlock },
      );
      expect(warnings.includes(textOf('alert.dependsOnBlock'))).toBe(dependsOnBlock);
    },
  );
});

describe.each(forms)('an approval in %s', (_form, review) => {
  it.each<[string, Hex]>([
    ['approve of 2^128', approve(2n ** 128n)],
    ['approve of 2^256 - 1', approve(maxUint256)],
    ['approve of 2^96 - 1', approve(2n ** 96n - 1n)],
    [
      'increaseAllowance of 2^128',
      dataOf('increaseAllowance(address,uint256)', SPENDER, 2n ** 128n),
    ],
    ['approve with trailing bytes', `${approve(2n ** 128n)}c0ffee`],
    [
      'approve in a multicall with a trailing byte',
      `${dataOf('multicall(bytes[])', [approve(2n ** 128n)])}00`,
    ],
  ])('is reported as unlimited: %s', async (_call, data) => {
    expect(await review({ to: TOKEN, data })).toContain(unlimited());
  });

  it("is reported as unlimited if it covers the token's total supply", async () => {
    const state = { supply: SUPPLY };
    const all = { to: UNKNOWN_TOKEN, data: approve(SUPPLY) } as const;
    expect(await review(all, state)).toContain(unlimited(toShortHex(UNKNOWN_TOKEN)));
    const known = { to: TOKEN, data: approve(SUPPLY + 1n) } as const;
    expect(await review(known, state)).toStrictEqual([unlimited()]);
    expect(
      await review({ to: TOKEN, data: approve(SUPPLY - 1n) }, state),
    ).toStrictEqual([]);
  });

  it.each<[string, ChainState]>([
    ['the total supply is unknown', {}],
    ['the total supply is zero', { supply: 0n }],
    ['the token is an NFT collection', { supply: 5n, decimals: '0x' }],
    [
      'the token is an NFT collection with decimals',
      { supply: 5n, decimals: toWord(0n) },
    ],
  ])('causes no warning if %s', async (_condition, state) => {
    expect(await review({ to: TOKEN, data: approve(9n) }, state)).toStrictEqual([]);
  });

  it.each<[string, Hex]>([
    ['approve of 2^64 - 1', approve(2n ** 64n - 1n)],
    ['approve of 1', approve(1n)],
    ['increaseAllowance', dataOf('increaseAllowance(address,uint256)', SPENDER, 1n)],
    ["Permit2's approve", permit2Approve(1n, 1)],
  ])('warns that the spender has no code: %s', async (_call, data) => {
    expect(await review({ to: TOKEN, data }, { contracts: [] })).toStrictEqual([
      spenderNoCode,
    ]);
  });

  it.each<[Json, string]>([
    ...[null, '', '0x0', '0X', '0x00'].map((code): [Json, string] => [
      code,
      spenderNoCode,
    ]),
    ...['0x608', 'no', 7].map((code): [Json, string] => [
      code,
      textOf('alert.codeUnknown', { address: SPENDER }),
    ]),
  ])('warns about a spender with the code %j: %s', async (code, warning) => {
    const data = approve(1n);
    const state = { contracts: [], noCode: code };
    expect(await review({ to: TOKEN, data }, state)).toStrictEqual([warning]);
  });

  it('warns about a spender that is an ordinary account with a delegation', async () => {
    const noCode = concatHex(['0xef0100', PERMIT2]);
    for (const data of [approve(1n), approve(maxUint256)]) {
      const warnings = await review({ to: TOKEN, data }, { contracts: [], noCode });
      expect(warnings).toContain(spenderNoCode);
    }
    // Calls run the code of the delegation.
    const called = { to: SPENDER, data: '0x12345678' } as const;
    expect(await review(called, { contracts: [], noCode })).not.toContain(
      textOf('alert.noContract', { address: SPENDER }),
    );
  });

  it('warns about the operator of a collection, and that it has no code', async () => {
    const data = dataOf('setApprovalForAll(address,bool)', SPENDER, true);
    expect(await review({ to: TOKEN, data }, { contracts: [] })).toStrictEqual([
      textOf('alert.operator', { operator: SPENDER }),
      spenderNoCode,
    ]);
  });

  it.each<[string, Hex]>([
    ['approve of 0', approve(0n)],
    [
      'setApprovalForAll with false',
      dataOf('setApprovalForAll(address,bool)', SPENDER, false),
    ],
    [
      'decreaseAllowance',
      dataOf('decreaseAllowance(address,uint256)', SPENDER, maxUint256),
    ],
    ["Permit2's approve of 0", permit2Approve(0n, 2 ** 48 - 1)],
  ])('causes no warning if it reduces an allowance: %s', async (_call, data) => {
    expect(await review({ to: TOKEN, data }, { contracts: [] })).toStrictEqual([]);
  });

  it("is unlimited and never expires with Permit2's largest amount and expiration", async () => {
    const data = permit2Approve(2n ** 160n - 1n, 2 ** 48 - 1);
    const state = { contracts: [SPENDER, PERMIT2.toLowerCase()] };
    expect(await review({ to: PERMIT2, data }, state)).toStrictEqual([
      unlimited(),
      textOf('typed.noDeadline'),
    ]);
  });

  it('is shown with its warnings even if the token never answers', async () => {
    const state = { contracts: [], tokens: 'silent' } as const;
    expect(await review({ to: TOKEN, data: approve(1n) }, state)).toStrictEqual([
      spenderNoCode,
    ]);
  });
});

describe('a nonce', () => {
  const gap = (nonce: string, next: string): string =>
    textOf('alert.nonceGap', { nonce, next });
  const used = (nonce: string, next: string): string =>
    textOf('alert.nonceUsed', { nonce, next });

  it.each([
    ['0x5', []],
    ['0x6', [gap('6', '5')]],
    ['0x7', [gap('7', '5')]],
    ['0x3e8', [gap('1,000', '5')]],
    ['0x4', [used('4', '5')]],
    ['0x0', [used('0', '5')]],
  ])('is compared with the next nonce, 5: %j causes %j', async (nonce, expected) => {
    const bench = await createCallsBench();
    await bench.send({ nonce });
    expect(lastWarnings(bench)).toStrictEqual(expected);
  });

  it('may follow the transactions that this snap has sent', async () => {
    const bench = await createCallsBench();
    await bench.send();
    await bench.send({ nonce: '0x6', value: '0x2' });
    expect(lastWarnings(bench)).toStrictEqual([]);
    await bench.send({ nonce: '0x8', value: '0x3' });
    expect(lastWarnings(bench)).toStrictEqual([gap('8', '7')]);
  });

  it('is not reported as used while its transaction is pending', async () => {
    const bench = await createCallsBench();
    bench.edges.wallet.answers.eth_getTransactionCount = ([, block]) =>
      block === 'latest' ? '0x5' : '0x6';
    await bench.send();
    await bench.send({ nonce: '0x5' });
    expect(lastWarnings(bench)).not.toContain(used('5', '6'));
  });

  it('causes no warning if the snap chose it or the node returns no next nonce', async () => {
    const bench = await createCallsBench();
    await bench.send();
    expect(lastWarnings(bench)).toStrictEqual([]);
    bench.edges.wallet.answers.eth_getTransactionCount = 'nonsense';
    const fees = { maxFeePerGas: '0x77359400', maxPriorityFeePerGas: '0x1' };
    await bench.call('eth_signTransaction', [
      { from: bench.address, to: SPENDER, nonce: '0x99', gas: '0x5208', ...fees },
    ]);
    expect(lastWarnings(bench)).not.toContain(gap('153', '6'));
  });

  it('is compared with the next nonce of its key in a user operation', async () => {
    const bench = await createOperationBench();
    const send = async (nonce: bigint): Promise<string[]> => {
      const operation = { callData: '0x', nonce: numberToHex(nonce) };
      await bench.call('eth_sendUserOperation', [operation]);
      return warningsOf(bench.shown().at(-1));
    };
    expect(await send(7n)).toStrictEqual([]);
    expect(await send(9n)).toContain(gap('9', '8'));
    expect(await send((3n << 64n) + 7n)).toStrictEqual([]);
    expect(await send((3n << 64n) + 12n)).toContain(gap('12', '8'));
    expect(await send(6n)).toContain(used('6', '8'));
  });
});

describe('a recipient', () => {
  it("causes no warning if it is the user's smart account, unless the call has data", async () => {
    const bench = await createCallsBench();
    await bench.send({ to: bench.smart.address });
    expect(lastWarnings(bench)).toStrictEqual([]);
    const operations = await createOperationBench();
    const { address } = operations;
    await operations.call('eth_sendUserOperation', [{ to: address, value: '0x1' }]);
    expect(warningsOf(operations.shown().at(-1))).toStrictEqual([]);
    const bare = { to: address, data: '0x12345678' };
    await operations.call('eth_sendUserOperation', [bare]);
    expect(warningsOf(operations.shown().at(-1))).toStrictEqual([
      textOf('userOperation.about', { number: '1', text: textOf('alert.ownCall') }),
    ]);
  });

  const lookAlike = (address: string, known: string): string =>
    textOf('warning.lookAlike', { address, known });

  it('is never a look-alike of the zero address, and vice versa', async () => {
    const bench = await createCallsBench();
    const recent = '0x0000123412341234123412341234123412340000';
    await bench.send({ to: recent });
    await bench.send({ to: zeroAddress });
    expect(lastWarnings(bench)).toStrictEqual([
      textOf('alert.nobody', { value: '0.000000000000000001 ETH' }),
    ]);
    // The zero address is now a recent recipient.
    await bench.send({ to: '0x00009999999999999999999999999999999a0000' });
    expect(lastWarnings(bench)).toStrictEqual([
      lookAlike('0x00009999999999999999999999999999999a0000', recent),
    ]);
    const fresh = await createCallsBench();
    await fresh.send({ to: zeroAddress });
    await fresh.send({ to: recent });
    expect(lastWarnings(fresh)).toStrictEqual([
      textOf('alert.firstPayment', { address: recent }),
    ]);
  });

  it.each([
    ['a precompile', '0x0000000000000000000000000000000000000004'],
    ['a burn address', '0x000000000000000000000000000000000000dEaD'],
    ['the EntryPoint', '0x0000000071727De22E5E9d8BAf0edAc6f37da032'],
  ])('is not a look-alike if it is %s', async (_which, to) => {
    const bench = await createCallsBench();
    const ends = [to.slice(0, 6), to.slice(-4).toLowerCase()];
    await bench.send({ to: ends.join('5'.repeat(32)) });
    await bench.send({ to });
    expect(lastWarnings(bench)).toStrictEqual([]);
  });

  it('causes a danger warning if it imitates a recent recipient, even with extra call data', async () => {
    const bench = await createCallsBench();
    Object.assign(bench.edges.wallet.answers, answerChain({}));
    await bench.send({ to: friend });
    const transfer = dataOf('transfer(address,uint256)', poison, 1n);
    await bench.send({ to: TOKEN, data: `${transfer}00` });
    expect(lastWarnings(bench)).toContain(lookAlike(poison, friend));
  });

  const friend = '0xabcd111111111111111111111111111111111234';
  const poison = '0xabcd999999999999999999999999999999991234';
  const firstPayment = (address: string): string =>
    textOf('alert.firstPayment', { address });
  const pay = (to: Address) => ({
    to: TOKEN,
    value: '0x0',
    data: dataOf('transfer(address,uint256)', to, 1n),
  });

  const setup = async (): Promise<CallsBench> => {
    const bench = await createCallsBench();
    const contracts = [PERMIT2.toLowerCase(), SPENDER];
    Object.assign(bench.edges.wallet.answers, answerChain({ contracts }));
    await bench.send(pay(friend));
    return bench;
  };

  it('is known after the first token payment to it', async () => {
    const bench = await setup();
    await bench.send(pay(SPENDER));
    expect(lastWarnings(bench)).toStrictEqual([firstPayment(SPENDER)]);
    await bench.send({ to: SPENDER, value: '0x2' });
    expect(lastWarnings(bench)).toStrictEqual([]);
    await bench.send({ to: friend });
    expect(lastWarnings(bench)).toStrictEqual([]);
  });

  it('is remembered from a call in a user operation', async () => {
    const bench = await createOperationBench();
    Object.assign(bench.edges.wallet.answers, { eth_call: answerContractCalls() });
    const calls = [friend, SPENDER].map((to) => ({ to, value: '0x1' }));
    await bench.call('eth_sendUserOperation', calls);
    await bench.call('eth_sendUserOperation', [{ to: poison, value: '0x1' }]);
    expect(warningsOf(bench.shown().at(-1))).toContain(lookAlike(poison, friend));
    await bench.call('eth_sendUserOperation', [{ to: friend, value: '0x3' }]);
    expect(warningsOf(bench.shown().at(-1))).toStrictEqual([]);
  });

  it.each<[string, Hex]>([
    ['a transfer', dataOf('transfer(address,uint256)', poison, 1n)],
    ['an approval', approve(1n).replace(SPENDER.slice(2), poison.slice(2)) as Hex],
    [
      'a Permit2 batch',
      dataOf('transferFrom((address,address,uint160,address)[])', [
        [SPENDER, poison, 5n, TOKEN],
      ]),
    ],
    [
      'a Permit2 allowance',
      dataOf(
        'permit(address,((address,uint160,uint48,uint48),address,uint256),bytes)',
        SPENDER,
        [[TOKEN, 5n, 1, 1], poison, 1n],
        '0x',
      ),
    ],
    ['a new owner', dataOf('transferOwnership(address)', poison)],
    ['a call inside an unknown function', dataOf('odd(bytes)', pay(poison).data)],
    ['an address list', dataOf('multicall(address[],bytes[])', [poison], ['0x'])],
  ])(
    'is reported in %s if it resembles an earlier token recipient',
    async (_what, data) => {
      const bench = await setup();
      await bench.send({ to: PERMIT2, value: '0x0', data });
      expect(lastWarnings(bench)).toContain(lookAlike(poison, friend));
    },
  );
});

describe('the check of many addresses', () => {
  const addressAt = (index: number): Address =>
    numberToHex(2n ** 100n + BigInt(index), { size: 20 });
  const skipped = (count: number): string =>
    textOf('alert.notChecked', { count: String(count) });

  const approveEach = async (spenders: readonly Address[]): Promise<string[]> => {
    const contracts = spenders.filter((each) => each !== SPENDER);
    const calls = spenders.map((each) => dataOf('approve(address,uint256)', each, 1n));
    const data = dataOf('multicall(bytes[])', calls);
    return asTransaction({ to: TOKEN, data }, { contracts });
  };

  it.each([0, 50, 99])('covers an address after %i others', async (count) => {
    const decoys = Array.from({ length: count }, (_, index) => addressAt(index));
    expect(await approveEach([...decoys, SPENDER])).toStrictEqual([spenderNoCode]);
    const same = Array<Address>(count).fill(addressAt(1));
    expect(await approveEach([...same, SPENDER])).toStrictEqual([spenderNoCode]);
  });

  it.each([100, 101, 200])(
    'counts skipped addresses after %i others',
    async (count) => {
      const decoys = Array.from({ length: count }, (_, index) => addressAt(index));
      expect(await approveEach([...decoys, SPENDER])).toContain(skipped(count - 99));
    },
  );

  it('starts with the most dangerous approvals', async () => {
    const decoys = Array.from({ length: 100 }, (_, index) => addressAt(index));
    const calls = [
      ...decoys.map((each) => dataOf('approve(address,uint256)', each, 1n)),
      dataOf('setApprovalForAll(address,bool)', SPENDER, true),
    ];
    const data = dataOf('multicall(bytes[])', calls);
    const warnings = await asTransaction({ to: TOKEN, data }, { contracts: decoys });
    expect(warnings).toStrictEqual(expect.arrayContaining([spenderNoCode, skipped(1)]));
  });

  it('counts tokens towards its limit', async () => {
    const calls = Array.from({ length: 102 }, (_, index) =>
      permit2Approve(1n, 1, addressAt(index)),
    );
    const data = dataOf('multicall(bytes[])', calls);
    expect(await asTransaction({ to: TOKEN, data })).toContain(skipped(2));
  });

  it('counts contracts towards its limit', async () => {
    const calls = Array.from({ length: 103 }, (_, index) => [
      addressAt(index),
      '0x12345678',
    ]);
    const data = dataOf('aggregate((address,bytes)[])', calls);
    expect(await asTransaction({ to: TOKEN, data })).toContain(skipped(4));
  });
});

describe('an approval of zero', () => {
  const data = approve(0n);

  it.each(['0x', toWord(0n)] as const)(
    'warns that the spender has no code if the contract may hold NFTs: %s',
    async (decimals) => {
      const state = { contracts: [], decimals };
      expect(await asTransaction({ to: UNKNOWN_TOKEN, data }, state)).toStrictEqual([
        spenderNoCode,
      ]);
    },
  );

  it('causes no warning if the contract has decimals or is a known token', async () => {
    const state = { contracts: [] };
    expect(await asTransaction({ to: UNKNOWN_TOKEN, data }, state)).toStrictEqual([]);
    const failing = { contracts: [], tokens: 'failing' } as const;
    expect(await asTransaction({ to: TOKEN, data }, failing)).toStrictEqual([]);
  });
});

describe('the call data of a user operation', () => {
  const upgradeTo = dataOf('upgradeToAndCall(address,bytes)', SPENDER, '0x');

  const execute = (to: string, data: Hex): Hex =>
    dataOf('execute(address,uint256,bytes)', to, 0n, data);

  const show = async (toCallData: (bench: OperationBench) => Hex) => {
    const bench = await createOperationBench();
    await bench.call('eth_sendUserOperation', [{ callData: toCallData(bench) }]);
    const view = bench.shown().at(-1);
    return { view, warnings: warningsOf(view) };
  };

  const hidden = textOf('alert.hiddenBytes');

  const upgrade = textOf('userOperation.about', {
    number: '1',
    text: textOf('alert.upgrade'),
  });

  /** Inserts a word before the bytes argument of `execute`. */
  const withGap = (callData: Hex): Hex =>
    concatHex([
      callData.slice(0, 10 + 128) as Hex,
      toWord(128n),
      toWord(0n),
      `0x${callData.slice(10 + 192)}`,
    ]);

  it.each<[string, (callData: Hex) => Hex]>([
    ['a trailing byte', (callData) => `${callData}00`],
    ['trailing words', (callData) => concatHex([callData, toWord(1n), toWord(2n)])],
    ['a gap', withGap],
    ['truncated padding', (callData) => callData.slice(0, -2) as Hex],
  ])('is a danger if it upgrades the account, even with %s', async (_change, alter) => {
    const { view, warnings } = await show(({ address }) =>
      alter(execute(address, upgradeTo)),
    );
    expect(warnings).toStrictEqual([hidden, upgrade]);
    const texts = textsOf(view);
    expect(severitiesOf(view)).toStrictEqual(['danger', 'danger']);
    expect(texts).toContain('upgradeToAndCall(address,bytes)');
  });

  it('causes only the upgrade warning if it has no hidden bytes', async () => {
    const { warnings } = await show(({ address }) => execute(address, upgradeTo));
    expect(warnings).toStrictEqual([upgrade]);
  });

  it('shows the call and a danger if extra data follows it', async () => {
    const transfer = dataOf('transfer(address,uint256)', SPENDER, 5n);
    const { view, warnings } = await show(() => `${execute(TOKEN, transfer)}abcd`);
    expect(warnings).toStrictEqual([hidden]);
    expect(textsOf(view)).toContain('transfer(address,uint256)');
    expect(severitiesOf(view)).toContain('danger');
  });

  it.each<[string, Hex]>([
    ['another function', '0xdeadbeef'],
    ['a selector alone', '0xb61d27f6'],
    ["a different version's batch", '0x18dfb3c7'],
    ['a truncated call', execute(TOKEN, '0x12345678').slice(0, 170) as Hex],
    [
      'a batch whose lists differ in length',
      dataOf('executeBatch(address[],uint256[],bytes[])', [TOKEN, TOKEN], [], ['0x']),
    ],
  ])('is a danger if it cannot be decoded: %s', async (_which, callData) => {
    const { view, warnings } = await show(() => callData);
    expect(warnings).toStrictEqual([textOf('alert.opaque')]);
    expect(severitiesOf(view)).toContain('danger');
  });

  it('causes no warning if it is empty', async () => {
    const { warnings } = await show(() => '0x');
    expect(warnings).toStrictEqual([]);
  });
});

it('a transaction dialog shows extra data after the arguments', async () => {
  const bench = await createCallsBench();
  Object.assign(bench.edges.wallet.answers, answerChain({}));
  const transfer = dataOf('transfer(address,uint256)', SPENDER, 5n);
  await bench.send({ to: TOKEN, data: `${transfer}abcd` });
  const texts = textsOf(bench.edges.dialogs.shown.at(-1));
  expect(texts).toContain(textOf('arguments.extra'));
  expect(texts).toContain(SPENDER);
});

describe('the card of an approval', () => {
  it.each<[Hex, boolean]>([
    [toWord(18n), true],
    ['0x', false],
  ])(
    'shows the balance only for tokens with decimals: %s, %j',
    async (decimals, hasDecimals) => {
      const bench = await createCallsBench();
      Object.assign(bench.edges.wallet.answers, answerChain({ decimals }));
      const gas = { gas: '0x186a0', maxFeePerGas: '0x77359400' };
      await bench.send({ value: '0x0', ...gas, to: TOKEN, data: approve(99n) });
      const labels = toFieldPairs(bench.edges.dialogs.shown.at(-1)).map(
        ([label]) => label,
      );
      expect(labels.includes(textOf('changes.balance'))).toBe(hasDecimals);
    },
  );
});

describe('a call with a clear-signing descriptor', () => {
  const SHOP = '0x3333333333333333333333333333333333333333';

  // Descriptors can omit or hide the sent value.
  const formats = {
    'buy(uint256 item)': {
      intent: 'Buy',
      fields: [
        { path: 'item', label: 'Item', format: 'raw' },
        { path: '@.value', label: 'Price', visible: 'never' },
      ],
    },
    'run(address target, bytes content)': {
      intent: 'Run',
      fields: [
        {
          path: 'content',
          label: 'Call',
          format: 'calldata',
          params: { calleePath: 'target', spenderPath: '@.to' },
        },
      ],
    },
    'list(uint256 item, uint256 price, address currency)': {
      intent: 'List',
      fields: [
        {
          path: 'price',
          label: 'Price',
          format: 'tokenAmount',
          params: { tokenPath: 'currency' },
        },
      ],
    },
  };

  async function setup() {
    const bench = await createCallsBench();
    const deployments = [{ chainId: 1, address: SHOP }];
    const files = packFiles(
      bindSources({
        'shop.json': {
          context: { contract: { deployments } },
          metadata: { owner: 'Shop' },
          display: { formats },
        },
      }).bound,
    );
    const { read } = bench.edges.shipped;
    bench.edges.shipped.read = async (path) =>
      files.get(path.replace('clear-signing/', '')) ?? read(path);
    Object.assign(bench.edges.wallet.answers, answerChain({ contracts: [SHOP] }));
    return bench;
  }

  it.each(['0x1', '0xde0b6b3a7640000'])(
    'shows the sent value %s even if the descriptor hides it',
    async (value) => {
      const bench = await setup();
      await bench.send({ to: SHOP, value, data: dataOf('buy(uint256)', 7n) });
      const dialog = bench.edges.dialogs.shown.at(-1);
      expect(textsOf(dialog).join()).toContain('Buy');
      const amount = `${formatEther(BigInt(value))} ETH`;
      expect(toFieldPairs(dialog)).toContainEqual([textOf('field.value'), amount]);
    },
  );

  it('warns about an amount in an unknown token', async () => {
    const bench = await setup();
    const data = dataOf('list(uint256,uint256,address)', 7n, 5n, SPENDER);
    await bench.send({ to: SHOP, value: '0x0', data });
    const warnings = warningsOf(bench.edges.dialogs.shown.at(-1));
    expect(warnings).toContain(textOf('alert.unknownToken'));
  });

  it('checks calls that only the descriptor decodes', async () => {
    const bench = await setup();
    const { answers } = bench.edges.wallet;
    Object.assign(answers, answerChain({ contracts: [SHOP] }));
    const [transfer] = encodeEventTopics({
      abi: parseAbi(['event Transfer(address indexed, address indexed, uint256)']),
    });
    const ends = [SHOP, SPENDER].map((each) => pad(each as Hex));
    const lost = { address: TOKEN, topics: [transfer, ...ends], data: toWord(5n) };
    answers.eth_simulateV1 = [
      {
        calls: [{ status: '0x1', gasUsed: '0x5208', returnData: '0x', logs: [lost] }],
      },
    ] as Json;
    const data = dataOf('run(address,bytes)', SPENDER, '0x12345678');
    await bench.send({ to: SHOP, value: '0x0', data });
    const dialog = bench.edges.dialogs.shown.at(-1);
    expect(warningsOf(dialog)).toContain(
      textOf('alert.noContract', { address: SPENDER }),
    );
    expect(textsOf(dialog)).toContain(textOf('changes.leaves'));
  });

  describe('to a proxy', () => {
    const NEWEST = 30_000_000;
    // 20 days after the descriptors were published, with a block every 12 s.
    const NOW = Number(DESCRIPTOR_RELEASE.at) + 20 * 86_400;
    const upgraded = textOf('alert.upgraded', { address: SHOP });

    async function send(logs: Json | (() => Json), now = NOW) {
      const bench = await setup();
      const previous = bench.edges.wallet.answers.eth_getBlockByNumber;
      const filters: Json[] = [];
      Object.assign(bench.edges.wallet.answers, {
        eth_getBlockByNumber: ([block]: Json[]) => {
          const number = block === 'latest' ? NEWEST : Number(block);
          const head =
            typeof previous === 'function' ? previous([block ?? '']) : previous;
          return {
            ...(head as object),
            number: numberToHex(number),
            timestamp: numberToHex(now - (NEWEST - number) * 12),
          };
        },
        eth_getLogs: ([filter]: Json[]) => {
          filters.push(filter ?? null);
          return typeof logs === 'function' ? logs() : logs;
        },
      });
      await bench.send({ to: SHOP, data: dataOf('buy(uint256)', 7n) });
      return { warnings: warningsOf(bench.edges.dialogs.shown.at(-1)), filters };
    }

    const log = {
      address: SHOP,
      blockHash: `0x${'11'.repeat(32)}`,
      blockNumber: '0x1',
      data: '0x',
      logIndex: '0x0',
      removed: false,
      topics: [`0x${'22'.repeat(32)}`],
      transactionHash: `0x${'33'.repeat(32)}`,
      transactionIndex: '0x0',
    };

    it('warns if the proxy was upgraded after the descriptors were published', async () => {
      const { warnings, filters } = await send([log]);
      expect(warnings).toContain(upgraded);
      // Covers 95 % of the 20 days, so that upgrades before the descriptors were published are not
      // reported.
      const from = NEWEST - (20 * 7_200 * 95) / 100;
      const range = { fromBlock: numberToHex(from), toBlock: numberToHex(NEWEST) };
      expect(filters).toMatchObject([{ address: SHOP, ...range }]);
    });

    it.each<[string, Json | (() => Json), number]>([
      ['returns no log', [], NOW],
      ['refuses the block range', refuses('range is too large'), NOW],
      [
        'has a head that is older than the descriptors',
        [log],
        Number(DESCRIPTOR_RELEASE.at),
      ],
    ])('causes no warning if the node %s', async (_condition, logs, now) => {
      expect((await send(logs, now)).warnings).not.toContain(upgraded);
    });
  });

  it('relies on the date of the shipped descriptors', () => {
    expect(about.devDependencies['micro-eth-signer']).toBe(DESCRIPTOR_RELEASE.version);
  });
});

describe("MetaMask's insight about a transaction", () => {
  it('warns that a spender has no code and may spend the total supply', async () => {
    const { app, edges } = await createCallsBench();
    Object.assign(edges.wallet.answers, answerChain({ contracts: [], supply: 5n }));
    const from = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266' satisfies Address;
    const insight = (await app.entry.onTransaction({
      transaction: { from, to: TOKEN, value: '0x0', data: approve(5n) },
      chainId: 'eip155:1',
    } as never)) as { content: JSXElement; severity?: string };
    expect(warningsOf(insight.content)).toStrictEqual([spenderNoCode, unlimited()]);
    expect(insight.severity).toBe('critical');
  });
});
