// tollkeeper_getPermissions, tollkeeper_revoke and the permissions tab, on an in-memory node. viem
// decodes the sent transactions.
import type { Json } from '@metamask/utils';
import {
  decodeFunctionData,
  encodeAbiParameters,
  encodeEventTopics,
  encodePacked,
  erc20Abi,
  padHex,
  parseAbi,
  zeroAddress,
} from 'viem';
import type { Hex } from 'viem';

import { dataOf } from '../fixtures/trust/call';
import { PERMIT2 } from '../fixtures/trust/document';
import { createCallsBench } from '../support/calls-bench';
import { refuses } from '../support/fake-node';
import { openHome } from '../support/home-bench';
import type { HomeBench } from '../support/home-bench';
import { expectRefusal } from '../support/refusal';
import { createAccount, createTestApp } from '../support/test-app';
import { elementsOf, textOf, textsOf } from '../support/view';

const TOKEN: Hex = '0x7000000000000000000000000000000000000007';

const UNLIMITED = 2n ** 256n - 1n;

const spenderOf = (index: number): Hex =>
  padHex(`0x${(0xab_0000 + index).toString(16)}`, { size: 20 });

const word = (value: bigint) => encodeAbiParameters([{ type: 'uint256' }], [value]);

type Bench = Awaited<ReturnType<typeof setup>>;

type Found = { permissions: Record<string, Json>[]; logs: Record<string, Json> };

/** Sets up an account that granted token allowances to `count` spenders. */
async function setup(count = 3) {
  const bench = await createCallsBench();
  const { edges, address, call, signed } = bench;
  const allowances = new Map(
    Array.from({ length: count }, (_each, index) => [
      spenderOf(index).toLowerCase(),
      index === 1 ? UNLIMITED : BigInt(index + 1),
    ]),
  );
  const { answers } = edges.wallet;
  const callBefore = answers.eth_call;
  answers.eth_blockNumber = '0x64';
  answers.eth_getLogs = [...allowances.keys()].map((spender) => ({
    address: TOKEN,
    blockNumber: '0x5',
    data: word(9n),
    removed: false,
    topics: encodeEventTopics({
      abi: erc20Abi,
      eventName: 'Approval',
      args: { owner: address as Hex, spender: spender as Hex },
    }) as Hex[],
  }));
  answers.eth_call = (params: Json[]) => {
    const { to, data } = params[0] as { to?: string; data: Hex };
    if (to?.toLowerCase() !== TOKEN) {
      return typeof callBefore === 'function' ? callBefore(params) : '0x';
    }
    if (data.startsWith('0x70a08231')) return word(5n);
    if (!data.startsWith('0xdd62ed3e')) return '0x';
    return word(allowances.get(`0x${data.slice(-40)}`) ?? 0n);
  };
  const target = { account: address, chainId: '0x1' };
  return {
    ...bench,
    find: async (envelope?: object) => {
      const params = envelope ? { ...envelope, params: [target] } : [target];
      return (await call('tollkeeper_getPermissions', params)) as unknown as Found;
    },
    /** Changes the first spender's allowance on chain. */
    allow: (amount: bigint) => allowances.set(spenderOf(0), amount),
    revoke: async (permissions: Json) =>
      call('tollkeeper_revoke', [{ ...target, permissions }]),
    sent: () =>
      signed().map(({ to, data = '0x' }) => {
        expect(to).toBe(TOKEN);
        const { functionName, args } = decodeFunctionData({ abi: erc20Abi, data });
        expect(functionName).toBe('approve');
        const [spender, amount] = args as [string, bigint];
        return [spender.toLowerCase(), amount] as const;
      }),
  };
}

const allowanceOf = (index: number, fields: Record<string, Json> = {}) => ({
  kind: 'allowance',
  spender: spenderOf(index),
  token: TOKEN,
  ...fields,
});

describe('tollkeeper_getPermissions', () => {
  it('lists spenders and amounts, unlimited first, and the blocks whose logs were searched', async () => {
    const { find } = await setup();
    const { permissions, logs } = await find();
    const known = { isKnown: true, isUnlimited: false, balance: '0x5', block: '0x5' };
    expect(permissions).toStrictEqual([
      allowanceOf(1, { ...known, isUnlimited: true, amount: `0x${'f'.repeat(64)}` }),
      allowanceOf(2, { ...known, amount: '0x3' }),
      allowanceOf(0, { ...known, amount: '0x1' }),
    ]);
    expect(logs).toStrictEqual({
      status: 'complete',
      fromBlock: '0x0',
      toBlock: '0x64',
      omitted: 0,
    });
  });

  it('lists unreadable permissions as unknown', async () => {
    const { find, edges } = await setup(1);
    edges.wallet.answers.eth_call = refuses('no');
    edges.wallet.answers.eth_getCode = refuses('no');
    const { permissions } = await find();
    expect(permissions.map(({ kind, isKnown }) => [kind, isKnown])).toStrictEqual([
      ['delegation', false],
      ['allowance', false],
    ]);
  });

  it.each<[string, 'unknown' | 'absent', Json | (() => Json)]>([
    ['runs out of gas', 'unknown', refuses('out of gas')],
    [
      'fails with data that says out of gas',
      'unknown',
      refuses({ code: -32015, message: 'VM execution error.', data: 'OutOfGas' }),
    ],
    ['is refused', 'unknown', refuses('gas required exceeds allowance (0)')],
    ['returns less than a word', 'unknown', '0x01'],
    ['reverts', 'absent', refuses({ code: 3, message: 'execution reverted' })],
    ['hits an invalid opcode', 'absent', refuses('invalid opcode: INVALID')],
    ['returns nothing', 'absent', '0x'],
  ])('treats an allowance whose call %s as %s', async (_how, expected, answer) => {
    const { find, edges } = await setup(1);
    edges.wallet.answers.eth_call = answer;
    const { permissions } = await find();
    const known = permissions.map(({ isKnown }) => isKnown);
    expect(known).toStrictEqual(expected === 'absent' ? [] : [false]);
  });

  it('reports that the node returns no logs, and lists permissions granted through the snap', async () => {
    const { find, edges, call, address } = await setup(1);
    edges.wallet.answers.eth_getLogs = refuses({ code: -32601, message: 'none' });
    expect(await find()).toStrictEqual({
      permissions: [],
      logs: { status: 'refused', omitted: 0 },
    });
    const data = `0x095ea7b3${padHex(spenderOf(0)).slice(2)}${word(7n).slice(2)}`;
    await call('eth_sendTransaction', [{ from: address, to: TOKEN, data }]);
    const { permissions } = await find();
    expect(permissions).toMatchObject([allowanceOf(0, { amount: '0x1' })]);
  });

  it('lists permissions older than 1,000 invented ones at the second call', async () => {
    const { find, edges } = await setup(1);
    const [log] = edges.wallet.answers.eth_getLogs as Record<string, Json>[];
    const invented = Array.from({ length: 1_000 }, (_each, index) => ({
      ...log,
      address: spenderOf(index),
      blockNumber: '0x6',
    }));
    edges.wallet.answers.eth_getLogs = [{ ...log }, ...invented];
    expect(await find()).toMatchObject({ permissions: [], logs: { omitted: 1 } });
    const { permissions, logs } = await find();
    expect(permissions).toMatchObject([allowanceOf(0)]);
    expect(logs).toMatchObject({ omitted: 0 });
  });

  it('reads permissions again after 30 seconds, and immediately after a failure', async () => {
    const { find, allow, edges } = await setup(1);
    const amounts = async (): Promise<unknown[]> =>
      (await find()).permissions.map(({ amount, isKnown }) => amount ?? isKnown);
    const { eth_call: answer = null } = edges.wallet.answers;
    edges.wallet.answers.eth_call = refuses('no');
    expect(await amounts()).toStrictEqual([false]);
    edges.wallet.answers.eth_call = answer;
    expect(await amounts()).toStrictEqual(['0x1']);
    allow(7n);
    edges.clock.time += 30_000;
    expect(await amounts()).toStrictEqual(['0x7']);
  });

  it('reads permissions again after a sent transaction is included', async () => {
    const { find, allow, send, mine, poll } = await setup(1);
    const hash = await send({
      to: TOKEN,
      data: dataOf('approve(address,uint256)', spenderOf(0), 7n),
    });
    const given = { ...allowanceOf(0), block: '0x5' };
    expect(await find()).toMatchObject({ permissions: [{ ...given, amount: '0x1' }] });
    allow(7n);
    mine(hash);
    await poll(3_000);
    expect(await find()).toMatchObject({ permissions: [{ ...given, amount: '0x7' }] });
  });

  it('reveals nothing about an account without a grant, and sends no request', async () => {
    const { app, call, edges } = await setup();
    const { address } = await createAccount(app);
    edges.wallet.calls.length = 0;
    const params = [{ account: address, chainId: '0x1' }];
    await expectRefusal(call('tollkeeper_getPermissions', params), 4100);
    expect(edges.wallet.calls).toStrictEqual([]);
  });

  it.each<[Json, string]>([
    [{ account: TOKEN }, `tollkeeper_getPermissions: params.account is ${TOKEN}`],
    [{ scope: 'eip155:10' }, 'eip155:10, but its content is for eip155:1'],
  ])(
    'refuses an envelope %j that disagrees with its params',
    async (envelope, words) => {
      const { find } = await setup();
      await expectRefusal(find(envelope as object), -32602, words);
    },
  );

  it('counts its requests towards the rate limit', async () => {
    const { find } = await setup();
    for (let times = 0; times < 3; times += 1) await find();
    await expectRefusal(find(), -32005);
  });
});

describe('tollkeeper_revoke', () => {
  it('sends the requested revocations after one dialog that names them', async () => {
    const { find, revoke, sent, edges, batches } = await setup();
    const { permissions } = await find();
    edges.dialogs.shown.length = 0;
    const { id } = (await revoke(permissions.slice(0, 2))) as { id: string };
    expect(sent()).toStrictEqual([
      [spenderOf(1), 0n],
      [spenderOf(2), 0n],
    ]);
    expect(edges.dialogs.shown).toHaveLength(1);
    const texts = textsOf(edges.dialogs.shown[0]);
    const act = textOf('act.revoke');
    expect(texts).toContain(textOf('act.several', { act, count: '1' }));
    expect(texts).toContain(textOf('act.verb.revoke'));
    expect(texts.filter((each) => each === textOf('call.revoke'))).toHaveLength(2);
    expect(batches()).toMatchObject([{ id, size: 2 }]);
  });

  it.each<[string, Json[], RegExp]>([
    ['is gone', [allowanceOf(0), allowanceOf(7)], /permissions\[1\].*already revoked/u],
    ['has changed', [allowanceOf(0, { amount: '0x2' })], /has changed.*take 1/u],
    ['is listed twice', [allowanceOf(0), allowanceOf(0)], /duplicate/u],
    [
      'is a delegation',
      [{ kind: 'delegation', spender: TOKEN }],
      /tollkeeper_revokeDelegation/u,
    ],
    ['is a handler', [{ kind: 'handler', spender: TOKEN }], /owners/u],
    ['is missing', [], /permissions/u],
  ])(
    'rejects the whole request if a permission %s',
    async (_what, permissions, message) => {
      const { revoke, edges, pool } = await setup();
      edges.dialogs.shown.length = 0;
      await expectRefusal(revoke(permissions), -32602, message);
      expect([edges.dialogs.shown, pool.size]).toStrictEqual([[], 0]);
    },
  );

  it('fails if the permission cannot be read', async () => {
    const { revoke, edges, pool } = await setup();
    edges.wallet.answers.eth_call = refuses('no');
    await expectRefusal(revoke([allowanceOf(0)]), -32002);
    expect(pool.size).toBe(0);
  });
});

describe('a permission other than a token allowance', () => {
  const COLLECTION: Hex = '0x8000000000000000000000000000000000000008';
  const SPENDER = spenderOf(0);
  /** Start time of the tests, in seconds. */
  const NOW = 1_700_000_000n;

  const REVERT = { code: 3, message: 'execution reverted' };

  const abi = parseAbi([
    'function setApprovalForAll(address, bool)',
    'function approve(address, uint256)',
    'function approve(address, address, uint160, uint48)',
  ]);

  const operator = { kind: 'operator', spender: SPENDER, token: COLLECTION };
  const nft = { kind: 'nft', spender: SPENDER, token: COLLECTION, id: '0x9' };
  const permit2 = { kind: 'permit2', spender: SPENDER, token: TOKEN };

  type World = {
    approved?: bigint;
    holder?: Hex;
    taker?: Hex;
    amount?: bigint;
    end?: bigint;
  };

  /** Lets the spender take a whole collection, NFT 9, and 5 units through Permit2. */
  async function setupWorld(world: World = {}) {
    const bench = await setup(0);
    const { edges, signed } = bench;
    const owner = bench.address as Hex;
    const {
      approved = 1n,
      holder = owner,
      taker = SPENDER,
      amount = 5n,
      end = NOW,
    } = world;
    const keyOf = (to: Hex, ...call: Parameters<typeof dataOf>): string =>
      `${to}${dataOf(...call)}`.toLowerCase();
    const results = new Map([
      [
        keyOf(COLLECTION, 'isApprovedForAll(address,address)', owner, SPENDER),
        [approved],
      ],
      [keyOf(COLLECTION, 'ownerOf(uint256)', 9n), [BigInt(holder)]],
      [keyOf(COLLECTION, 'getApproved(uint256)', 9n), [BigInt(taker)]],
      [
        keyOf(PERMIT2, 'allowance(address,address,address)', owner, TOKEN, SPENDER),
        [amount, end, 0n],
      ],
    ]);
    const { answers } = edges.wallet;
    const callBefore = answers.eth_call as (params: Json[]) => Json;
    answers.eth_call = (params: Json[]) => {
      const { to, data } = params[0] as { to?: string; data: Hex };
      const words = results.get(`${to}${data}`.toLowerCase());
      // A real collection has no balances or allowances by amount.
      if (!words && to === COLLECTION) return refuses(REVERT)();
      if (!words) return callBefore(params);
      return encodePacked(
        words.map(() => 'uint256'),
        words,
      );
    };
    return {
      ...bench,
      sentCall: () => {
        const [{ to, data = '0x' } = {}, ...more] = signed();
        expect(more).toStrictEqual([]);
        const { functionName, args } = decodeFunctionData({ abi, data });
        const written = args.map((each) => String(each).toLowerCase());
        return [to, functionName, ...written];
      },
    };
  }

  it.each<[string, Record<string, Json>, string[]]>([
    ['an operator', operator, [COLLECTION, 'setApprovalForAll', SPENDER, 'false']],
    ['an NFT approval', nft, [COLLECTION, 'approve', zeroAddress, '9']],
    [
      'a Permit2 allowance',
      permit2,
      [PERMIT2.toLowerCase(), 'approve', TOKEN, SPENDER, '0', '0'],
    ],
  ])('is revoked by the right call: %s', async (_what, permission, call) => {
    const { revoke, sentCall, edges } = await setupWorld();
    await revoke([permission]);
    expect(sentCall()).toStrictEqual(call);
    expect(textsOf(edges.dialogs.shown.at(-1))).toContain(textOf('act.revoke'));
  });

  const revoked = /already revoked/u;

  it.each<[string, World, Record<string, Json>, RegExp]>([
    ['the operator is not approved', { approved: 0n }, operator, revoked],
    ['the NFT is sold', { holder: COLLECTION }, nft, revoked],
    ['the NFT has no approved address', { taker: zeroAddress }, nft, revoked],
    ['another address is approved', { taker: spenderOf(1) }, nft, /has changed/u],
    ['Permit2 allows nothing', { amount: 0n }, permit2, revoked],
    ['the Permit2 allowance just expired', { end: NOW - 1n }, permit2, revoked],
  ])('is not revoked if %s', async (_what, world, ...[permission, message]) => {
    const { revoke, pool } = await setupWorld(world);
    await expectRefusal(revoke([permission]), -32602, message);
    expect(pool.size).toBe(0);
  });

  it.each<[string, Record<string, Json>, Hex, Hex]>([
    [
      'an operator',
      operator,
      COLLECTION,
      dataOf('setApprovalForAll(address,bool)', SPENDER, true),
    ],
    [
      'an NFT approval',
      nft,
      COLLECTION,
      dataOf('approve(address,uint256)', SPENDER, 9n),
    ],
    [
      "an NFT's permit",
      nft,
      COLLECTION,
      dataOf('permit(address,uint256,uint256,bytes)', SPENDER, 9n, 1n, '0x'),
    ],
    [
      'a Permit2 allowance',
      permit2,
      PERMIT2,
      dataOf('approve(address,address,uint160,uint48)', TOKEN, SPENDER, 5n, 1),
    ],
  ])(
    'is listed if the snap granted it: %s',
    async (_what, permission, ...[to, data]) => {
      const { find, edges, address, call } = await setupWorld();
      edges.wallet.answers.eth_getLogs = refuses({ code: -32601, message: 'none' });
      await call('eth_sendTransaction', [{ from: address, to, data }]);
      const { permissions } = await find();
      expect(permissions).toMatchObject([permission]);
    },
  );

  it.each([
    [NOW, 1],
    [NOW - 1n, 0],
  ])('is listed only until it expires (at %i)', async (end, count) => {
    const { find, edges, address } = await setupWorld({ end });
    const topics = encodeEventTopics({
      abi: parseAbi([
        'event Approval(address indexed, address indexed, address indexed, uint160, uint48)',
      ]),
      args: [address as Hex, TOKEN, SPENDER],
    }) as Hex[];
    edges.wallet.answers.eth_getLogs = [
      { address: PERMIT2, blockNumber: '0x5', data: word(9n), removed: false, topics },
    ];
    const { permissions } = await find();
    const listed = { ...permit2, amount: '0x5', expiration: `0x${end.toString(16)}` };
    expect(permissions).toMatchObject(Array(count).fill(listed));
    expect(permissions).toHaveLength(count);
  });
});

describe('the permissions tab', () => {
  const open = async (bench: Bench) =>
    openHome(createTestApp(bench.edges), 'permissions');

  const boxesOf = (home: HomeBench): string[] =>
    elementsOf(home.page())
      .filter(({ type }) => type === 'Checkbox')
      .map(({ props }) => String(props.name));

  it('revokes the ticked permissions, and nothing else', async () => {
    const bench = await setup(12);
    const home = await open(bench);
    const [first, second = ''] = boxesOf(home);
    expect(first).toContain(spenderOf(1));
    bench.edges.screens.filled = { [second]: true };
    await home.click('home.permissions.revoke');
    expect(home.notices()).toStrictEqual([textOf('permissions.sent')]);
    expect(bench.sent()).toHaveLength(1);
    expect(second).toContain(bench.sent()[0]?.[0] ?? 'none');
    expect(home.texts()).toContain(textOf('permissions.outcome'));
    expect(home.texts()).toContain(textOf('sent.pending'));
  });

  it('shows ten permissions per page, and revokes all of them in list order', async () => {
    const bench = await setup(12);
    const home = await open(bench);
    expect(boxesOf(home)).toHaveLength(11);
    await home.click('home.frame.page:1');
    expect(boxesOf(home)).toHaveLength(3);
    bench.edges.screens.filled = { 'home.permissions.all': true };
    await home.click('home.permissions.revoke');
    expect(bench.sent()).toHaveLength(12);
    expect(bench.sent()[0]).toStrictEqual([spenderOf(1), 0n]);
  });

  it('sends nothing if nothing is ticked', async () => {
    const bench = await setup();
    const home = await open(bench);
    bench.edges.screens.filled = {};
    await home.click('home.permissions.revoke');
    expect(home.notices()).toStrictEqual([textOf('permissions.nothing')]);
    expect(bench.pool.size).toBe(0);
  });

  it('does not claim that there are no permissions if the node fails', async () => {
    const bench = await setup();
    const { answers } = bench.edges.wallet;
    answers.eth_blockNumber = refuses('no');
    const home = await open(bench);
    expect(home.texts()).toContain(textOf('permissions.logs.silent'));
    expect(home.texts()).not.toContain(textOf('permissions.none'));
  });
});
