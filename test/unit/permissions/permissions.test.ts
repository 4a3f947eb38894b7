// Permissions of an account: listing and revoking the modules of a Safe, whose contract
// (ModuleManager 1.4.1) returns them in pages, and searching logs on nodes that refuse, lie and
// fail.
import {
  decodeFunctionData,
  encodeAbiParameters,
  encodeEventTopics,
  encodeFunctionResult,
  getAddress,
  pad,
  padHex,
  parseAbi,
  toHex,
  zeroAddress,
} from 'viem';
import type { Abi, Hex } from 'viem';

import {
  BodyTooLargeError,
  HttpStatusError,
  InvalidResponseError,
  NetworkError,
  RpcError,
  TimeoutError,
} from '../../../packages/client/src';
import type { NodeClient } from '../../../packages/client/src';
import type { Log } from '../../../packages/client/src/rpc/node-client';
import type { Chain } from '../../../src/chains/chain';
import {
  fetchControllers,
  toKey,
  toRevocations,
} from '../../../src/permissions/permission';
import { createLogScan } from '../../../src/permissions/scan';
import type { AccountRecord } from '../../../src/state/account-record';
import { PERMIT2 } from '../../../src/ui/tokens';
import { settle } from '../../support/gate';

const SAFE = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8';
const SENTINEL = pad('0x1', { size: 20 });

const abi = parseAbi([
  'function getModulesPaginated(address start, uint256 size) view returns (address[], address)',
  'function disableModule(address before, address module)',
  'function setGuard(address guard)',
]);

const modulesOf = (count: number): Hex[] =>
  Array.from({ length: count }, (_each, index) => pad(toHex(index + 2), { size: 20 }));

type AnswerModules = (start: Hex, size: bigint) => Hex;

/** Creates a Safe, and a node that lists its modules and has `slot` in every storage slot. */
function setupSafe(answer: AnswerModules, slot: Hex = '0x') {
  const request = async (method: string, [call]: [{ data: Hex }]): Promise<Hex> => {
    if (method !== 'eth_call') return Promise.resolve(pad(slot, { size: 32 }));
    const { args } = decodeFunctionData({ abi, data: call.data });
    return Promise.resolve(answer(...(args as [Hex, bigint])));
  };
  const record = { type: 'eip155:erc4337', implementation: 'safe', address: SAFE };
  const node = { request } as unknown as NodeClient;
  return { record: record as AccountRecord, node, now: 0n };
}

async function list(answer: AnswerModules) {
  const { record, node } = setupSafe(answer);
  const found = await fetchControllers(record, node);
  return found.map(({ spender }) => spender);
}

const encode = (modules: readonly Hex[], next: Hex): Hex =>
  encodeFunctionResult({
    abi,
    functionName: 'getModulesPaginated',
    result: [modules, next],
  });

function pageOf(all: readonly Hex[]): (start: Hex, size: bigint) => Hex {
  return (start, size) => {
    const from = all.indexOf(start) + 1;
    const page = all.slice(from, from + Number(size));
    const isLast = from + page.length >= all.length;
    return encode(page, isLast ? SENTINEL : (page.at(-1) ?? SENTINEL));
  };
}

it.each([0, 1, 50, 51, 120])('lists all %i modules', async (count) => {
  const modules = modulesOf(count);
  expect(await list(pageOf(modules))).toStrictEqual(modules);
});

it('lists no modules of a Safe that is not deployed', async () => {
  expect(await list(() => '0x')).toStrictEqual([]);
});

it('omits the module that a Safe needs for user operations', async () => {
  // Safe4337Module 0.3.0, which is also the fallback handler.
  const own: Hex = '0x75cf11467937ce3F2f357CE24ffc3DBF8fD5c226';
  const [other = own] = modulesOf(1);
  const { record, node } = setupSafe(pageOf([own, other]), own);
  expect(await fetchControllers(record, node)).toMatchObject([{ spender: other }]);
});

it.each<[string, (start: Hex) => Hex]>([
  ['has no end', () => encode(modulesOf(50), pad('0x33', { size: 20 }))],
  ['is empty and has no end', () => encode([], pad('0x33', { size: 20 }))],
  ['is not a list', () => '0x1234'],
  [
    'breaks off',
    (start) =>
      start === SENTINEL
        ? encode(modulesOf(50), modulesOf(50).at(-1) ?? SENTINEL)
        : '0x',
  ],
])('fails if the answer %s', async (_what, answer) => {
  await expect(list(answer)).rejects.toThrow('cannot be read');
});

describe('revoking modules and guards of a Safe', () => {
  /** Applies the calls as ModuleManager 1.4.1 does: each names a module and the one before it. */
  async function disable(all: readonly Hex[], order: readonly number[]) {
    const revoked = order.map((index) => ({
      kind: 'module' as const,
      spender: getAddress(all[index] ?? '0x'),
    }));
    const remaining = [SENTINEL, ...all];
    for (const { to, value, data } of await toRevocations(
      revoked,
      setupSafe(pageOf(all)),
    )) {
      expect([to, value]).toStrictEqual([SAFE, 0n]);
      const { functionName, args } = decodeFunctionData({ abi, data });
      expect(functionName).toBe('disableModule');
      const [before, module] = args.map((each) => String(each).toLowerCase());
      const index = remaining.indexOf(module as Hex);
      expect(remaining[index - 1]).toBe(before);
      remaining.splice(index, 1);
    }
    return remaining.slice(1);
  }

  it.each<[number, number[]]>([
    [1, [0]],
    [3, [1]],
    [3, [2]],
    [3, [0, 1]],
    [3, [2, 1, 0]],
    [120, [60, 49, 50, 119]],
  ])('finds %i modules, and disables those at the indexes %j', async (count, order) => {
    const all = modulesOf(count);
    const kept = all.filter((_each, index) => !order.includes(index));
    expect(await disable(all, order)).toStrictEqual(kept);
  });

  it('removes the guard', async () => {
    const guard = pad('0x77', { size: 20 });
    const safe = setupSafe(pageOf([]), guard);
    const [intent, ...more] = await toRevocations(
      [{ kind: 'guard', spender: guard }],
      safe,
    );
    expect(more).toStrictEqual([]);
    const { to = null, data = '0x' } = intent ?? {};
    expect(to).toBe(SAFE);
    expect(decodeFunctionData({ abi, data })).toStrictEqual({
      functionName: 'setGuard',
      args: [zeroAddress],
    });
  });
});

const OWNER: Hex = '0x9d8a62f656a8d1615c1294fd71e9cfb3e4855a4f';
const OTHER: Hex = '0x3535353535353535353535353535353535353535';
const TOKEN: Hex = '0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48';

const HEAD = 1_000_000n;

const erc20 = parseAbi(['event Approval(address indexed, address indexed, uint256)']);
const erc721 = parseAbi([
  'event Approval(address indexed, address indexed, uint256 indexed)',
  'event ApprovalForAll(address indexed, address indexed, bool)',
]);
const permit2 = parseAbi([
  'event Approval(address indexed, address indexed, address indexed, uint160, uint48)',
  'event Permit(address indexed, address indexed, address indexed, uint160, uint48, uint48)',
]);

const topicsOf = (abi: Abi, eventName: string, ...args: unknown[]): Hex[] =>
  encodeEventTopics({ abi, eventName, args }) as Hex[];

const permit2Topics = topicsOf(permit2, 'Permit', OWNER, TOKEN, OTHER);

const ONE = encodeAbiParameters([{ type: 'uint256' }], [1n]);

const spenderOf = (index: number): Hex =>
  padHex(toHex(BigInt(0xab_0000 + index)), { size: 20 });

function approvalAt(block: bigint, index = 0, fields: Partial<Log> = {}): Log {
  const topics = topicsOf(erc20, 'Approval', OWNER, spenderOf(index));
  return { address: TOKEN, blockNumber: toHex(block), data: ONE, topics, ...fields };
}

type Range = { from: bigint; to: bigint };

function setup(
  answer: (range: Range) => readonly Log[] | undefined | Promise<never>,
  head = (): bigint => HEAD,
) {
  const asked: Range[] = [];
  const filters: unknown[] = [];
  const clock = { now: 0, epoch: 0 };
  const chain = {
    node: {
      request: async () => Promise.resolve(toHex(head())),
      tryRequest: async (
        _method: string,
        [filter]: [{ fromBlock: Hex; toBlock: Hex }],
      ) => {
        const range = { from: BigInt(filter.fromBlock), to: BigInt(filter.toBlock) };
        filters.push(filter);
        asked.push(range);
        return Promise.resolve(answer(range));
      },
    },
  } as unknown as Chain;
  const connect = async (): Promise<Chain> => Promise.resolve(chain);
  return {
    asked,
    filters,
    clock,
    scan: createLogScan(OWNER, {
      connect,
      now: () => clock.now,
      epoch: () => clock.epoch,
    }),
  };
}

const refusal = (): never => {
  throw new RpcError({}, { code: -32005, message: 'query returned too many results' });
};

const sizeOf = ({ from, to }: Range): bigint => to - from + 1n;

describe('the log search', () => {
  it('requests the whole chain once, with the owner and no contract', async () => {
    const { scan, filters } = setup(() => [approvalAt(5n)]);
    await scan.advance();
    expect(filters).toStrictEqual([
      {
        fromBlock: '0x0',
        toBlock: toHex(HEAD),
        topics: [
          [
            ...encodeEventTopics({ abi: erc20 }),
            ...encodeEventTopics({ abi: erc721, eventName: 'ApprovalForAll' }),
            ...encodeEventTopics({ abi: permit2, eventName: 'Approval' }),
            ...encodeEventTopics({ abi: permit2, eventName: 'Permit' }),
          ],
          [padHex(OWNER)],
        ],
      },
    ]);
    expect(scan.list()).toStrictEqual([
      { kind: 'allowance', spender: spenderOf(0), token: TOKEN, block: 5n },
    ]);
    expect(scan.report()).toStrictEqual({
      status: 'complete',
      fromBlock: 0n,
      toBlock: HEAD,
      omitted: 0,
    });
  });

  it('distinguishes the kinds of permissions', async () => {
    const log = approvalAt(7n);
    const { scan } = setup(() => [
      { ...log, topics: topicsOf(erc721, 'Approval', OWNER, OTHER, 9n) },
      { ...log, topics: topicsOf(erc721, 'ApprovalForAll', OWNER, OTHER) },
      { ...log, address: PERMIT2, topics: permit2Topics },
      {
        ...log,
        address: PERMIT2,
        topics: topicsOf(permit2, 'Approval', OWNER, OTHER, TOKEN),
      },
    ]);
    await scan.advance();
    const common = { spender: OTHER, token: TOKEN, block: 7n };
    expect(scan.list()).toStrictEqual([
      { kind: 'permit2', spender: TOKEN, token: OTHER, block: 7n },
      { kind: 'permit2', ...common },
      { kind: 'operator', ...common },
      { kind: 'nft', ...common, id: 9n },
    ]);
  });

  it.each<[string, Error]>([
    ['with an error', new RpcError({}, { code: -32005, message: 'too many results' })],
    ['with an HTTP status', new HttpStatusError({}, 413)],
    ['with an invalid answer', new InvalidResponseError({}, 'result is cut')],
    ['with an answer that is too long', new BodyTooLargeError({}, 1)],
  ])(
    'halves the range, newest blocks first, if the node refuses it %s',
    async (_how, error) => {
      const { scan, asked } = setup((range) => {
        if (sizeOf(range) > 40_000n) throw error;
        return [approvalAt(range.to)];
      });
      await scan.advance();
      expect(scan.report()).toMatchObject({ status: 'complete', fromBlock: 0n });
      const answered = asked.filter((range) => sizeOf(range) <= 40_000n);
      // The ranges have no gaps or overlaps, and go down from the head.
      expect(answered[0]?.to).toBe(HEAD);
      expect(answered.at(-1)?.from).toBe(0n);
      for (const [index, { from }] of answered.slice(0, -1).entries()) {
        expect(answered[index + 1]?.to).toBe(from - 1n);
      }
      expect(asked.length).toBeLessThan(60);
      expect(scan.list()[0]).toMatchObject({ block: HEAD });
    },
  );

  it('stops after a hundred requests, and reports the lowest block that it searched', async () => {
    const { scan, asked, clock } = setup((range) =>
      sizeOf(range) > 1_000n ? refusal() : [],
    );
    await scan.advance();
    expect(asked).toHaveLength(100);
    const lowest = asked.at(-1)?.from;
    expect(scan.report()).toStrictEqual({
      status: 'partial',
      fromBlock: lowest,
      toBlock: HEAD,
      omitted: 0,
    });
    clock.now = 60_000;
    await scan.advance();
    expect(asked).toHaveLength(100);
  });

  it.each<[string, () => undefined]>([
    ['refuses every range', refusal],
    ['lacks the method', () => undefined],
  ])('reports a node that %s', async (_what, answer) => {
    const { scan, asked } = setup(answer);
    await scan.advance();
    expect(scan.report()).toStrictEqual({ status: 'refused', omitted: 0 });
    expect(asked.length).toBeLessThan(30);
  });

  it('does not report a block as searched if the node refuses that block alone', async () => {
    const poisoned = 999_000n;
    const { scan } = setup(({ from, to }) =>
      from <= poisoned && poisoned <= to ? refusal() : [],
    );
    await scan.advance();
    expect(scan.report()).toMatchObject({
      status: 'partial',
      fromBlock: poisoned + 1n,
    });
  });

  it('ignores logs that it did not request', async () => {
    const topics = approvalAt(0n).topics;
    const lies: Partial<Log>[] = [
      { removed: true },
      { blockNumber: toHex(HEAD + 1n) },
      { topics: [] },
      { topics: topics.slice(0, 2) },
      { topics: [topics[0] ?? '0x', padHex(OTHER), topics[2] ?? '0x'] },
      { topics: [padHex('0x07'), padHex(OWNER), padHex(OTHER)] },
      { topics: [topics[0] ?? '0x', padHex(OWNER), `0x${'ff'.repeat(32)}`] },
      { topics: [topics[0] ?? '0x', padHex(OWNER), padHex('0x00')] },
      // A Permit2 event from another contract.
      { topics: permit2Topics },
    ];
    const { scan } = setup(() => lies.map((lie) => approvalAt(5n, 0, lie)));
    await scan.advance();
    expect(scan.list()).toStrictEqual([]);
  });

  it('keeps 1,000 of 10,000 permissions, and counts the others', async () => {
    const logs = Array.from({ length: 10_000 }, (_each, index) =>
      approvalAt(BigInt(index), index),
    );
    const { scan } = setup(() => logs);
    await scan.advance();
    expect(scan.list()).toHaveLength(1_000);
    expect(scan.list()[0]).toMatchObject({ block: 9_999n });
    expect(scan.report()).toMatchObject({ status: 'complete', omitted: 9_000 });
  });

  it('counts a permission with several logs once', async () => {
    const logs = Array.from({ length: 3_003 }, (_each, index) =>
      approvalAt(BigInt(index), index % 1_001),
    );
    const { scan } = setup(() => logs);
    await scan.advance();
    expect(scan.report()).toMatchObject({ omitted: 1 });
  });

  it("lists other contracts' permissions beside those of a contract with many logs", async () => {
    const spam = Array.from({ length: 20_000 }, (_each, index) =>
      approvalAt(9n, index, { address: OTHER }),
    );
    const { scan } = setup(() => [approvalAt(5n), ...spam]);
    await scan.advance();
    expect(scan.list()).toHaveLength(1_000);
    expect(scan.list()).toContainEqual(expect.objectContaining({ token: TOKEN }));
    expect(scan.report()).toMatchObject({ omitted: 19_001 });
  });

  it('lists older permissions once newer ones turn out to be absent', async () => {
    const spam = Array.from({ length: 1_500 }, (_each, index) =>
      approvalAt(9n, 0, { address: spenderOf(index) }),
    );
    const { scan } = setup(() => [approvalAt(5n), ...spam]);
    const isListed = (): boolean => scan.list().some(({ token }) => token === TOKEN);
    await scan.advance();
    expect(isListed()).toBe(false);
    scan.noteAbsent(scan.list().map(toKey));
    expect(isListed()).toBe(true);
    expect(scan.list()).toHaveLength(1_000);
    expect(scan.report()).toMatchObject({ omitted: 0 });
  });

  it('keeps the range if an entry point ends after fast answers', async () => {
    const never = new Promise<never>(() => undefined);
    const { scan, asked, clock } = setup((range) => {
      if (sizeOf(range) > 300_000n) return refusal();
      return asked.length === 5 ? never : [];
    });
    void scan.advance();
    await settle();
    clock.epoch += 1;
    await scan.advance();
    expect(asked[5]).toStrictEqual(asked[4]);
  });

  it.each([
    ['is lost', new NetworkError({})],
    ['is behind a gateway that fails', new HttpStatusError({}, 502)],
    ['takes too long', new TimeoutError({}, 9_000)],
  ])('resumes where it stopped after a node %s', async (_what, failure) => {
    const { scan, asked } = setup((range) => {
      if (asked.length === 5) throw failure;
      return sizeOf(range) > 300_000n ? refusal() : [];
    });
    await scan.advance();
    const { status, fromBlock } = scan.report();
    expect([status, fromBlock]).toStrictEqual(['failed', asked[3]?.from]);
    await scan.advance();
    expect(asked[5]?.to).toBe((fromBlock ?? 0n) - 1n);
    expect(scan.report()).toMatchObject({ status: 'complete', fromBlock: 0n });
  });

  it('halves the range if the platform drops the answers of a slow node', async () => {
    const { scan, asked, clock } = setup((range) =>
      sizeOf(range) > 300_000n ? new Promise<never>(() => undefined) : [],
    );
    void scan.advance();
    await settle();
    expect(scan.report()).toStrictEqual({ status: 'running', omitted: 0 });
    clock.epoch += 1;
    void scan.advance();
    await settle();
    clock.epoch += 1;
    await scan.advance();
    expect(asked.map(sizeOf).slice(0, 3)).toStrictEqual([
      HEAD + 1n,
      HEAD / 2n,
      HEAD / 4n,
    ]);
    expect(scan.report()).toMatchObject({ status: 'complete', fromBlock: 0n });
  });

  it('is shared by all callers while an entry point runs', async () => {
    const { scan, asked } = setup(() => []);
    await Promise.all([scan.advance(), scan.advance()]);
    expect(asked).toHaveLength(1);
  });

  it('adds the entries of new blocks without a gap', async () => {
    let head = HEAD;
    const { scan, asked, clock } = setup(
      ({ to }) => [approvalAt(to, Number(to - HEAD))],
      () => head,
    );
    await scan.advance();
    head += 100n;
    await scan.advance();
    expect(asked).toHaveLength(1);
    clock.now = 30_000;
    await scan.advance();
    expect(asked[1]).toStrictEqual({ from: HEAD + 1n, to: head });
    expect(scan.report()).toMatchObject({ toBlock: head, fromBlock: 0n });
    expect(scan.list()).toHaveLength(2);
  });

  it('restarts if the newest block was refused', async () => {
    let isLagging = true;
    const { scan, clock } = setup(({ to }) =>
      isLagging && to === HEAD ? refusal() : [],
    );
    await scan.advance();
    expect(scan.report()).toStrictEqual({ status: 'refused', omitted: 0 });
    isLagging = false;
    clock.now = 30_000;
    await scan.advance();
    expect(scan.report()).toMatchObject({ status: 'complete', toBlock: HEAD });
  });

  it.each<[string, (range: Range) => boolean]>([
    ['all', () => true],
    ['the newest', ({ to }) => to > HEAD + 90n],
    ['the oldest', ({ from }) => from < HEAD + 10n],
  ])(
    'does not report new blocks as searched while the node refuses %s of them',
    async (_which, isRefused) => {
      let head = HEAD;
      let isOpen = true;
      const { scan, clock } = setup(
        (range) => (isOpen || !isRefused(range) ? [approvalAt(range.to)] : refusal()),
        () => head,
      );
      await scan.advance();
      head += 100n;
      isOpen = false;
      clock.now = 30_000;
      await scan.advance();
      const before = { status: 'complete', fromBlock: 0n, toBlock: HEAD, omitted: 0 };
      expect(scan.report()).toStrictEqual(before);
      isOpen = true;
      clock.now = 60_000;
      await scan.advance();
      expect(scan.report()).toStrictEqual({ ...before, toBlock: head });
      expect(scan.list()).toMatchObject([{ block: head }]);
    },
  );
});
