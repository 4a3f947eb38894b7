// tollkeeper_getPermissions, tollkeeper_revoke and the tab of permissions, over a node in memory. What
// is sent is read with viem.
import type { Json } from '@metamask/utils';
import {
  decodeFunctionData,
  encodeAbiParameters,
  encodeEventTopics,
  erc20Abi,
  padHex,
} from 'viem';
import type { Hex } from 'viem';

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

/** An account that has allowed so many spenders to take tokens. */
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
  const place = { account: address, chainId: '0x1' };
  return {
    ...bench,
    find: async () =>
      (await call('tollkeeper_getPermissions', [place])) as unknown as Found,
    revoke: async (permissions: Json) =>
      call('tollkeeper_revoke', [{ ...place, permissions }]),
    /** Reads the approvals that the node was sent: spender and amount. */
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
  it('says who may take what, unlimited first, and which logs were searched', async () => {
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

  it('leaves nothing out that cannot be read', async () => {
    const { find, edges } = await setup(1);
    edges.wallet.answers.eth_call = refuses('no');
    edges.wallet.answers.eth_getCode = refuses('no');
    const { permissions } = await find();
    expect(permissions.map(({ kind, isKnown }) => [kind, isKnown])).toStrictEqual([
      ['delegation', false],
      ['allowance', false],
    ]);
  });

  it('says where the node gives no logs, and lists what was given here', async () => {
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

  it('reveals nothing of an account that was not granted, and asks no server', async () => {
    const { app, call, edges } = await setup();
    const { address } = await createAccount(app);
    edges.wallet.calls.length = 0;
    const asked = call('tollkeeper_getPermissions', [
      { account: address, chainId: '0x1' },
    ]);
    await expectRefusal(asked, 4100);
    expect(edges.wallet.calls).toStrictEqual([]);
  });

  it('is charged for what it asks', async () => {
    const { find } = await setup();
    for (let times = 0; times < 3; times += 1) await find();
    await expectRefusal(find(), -32005);
  });
});

describe('tollkeeper_revoke', () => {
  it('sends what was asked for, in one approval that names it', async () => {
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
    ['is gone', [allowanceOf(0), allowanceOf(7)], /permissions\[1\].*revoked already/u],
    ['has changed', [allowanceOf(0, { amount: '0x2' })], /has changed.*take 1/u],
    ['comes twice', [allowanceOf(0), allowanceOf(0)], /twice/u],
    [
      'is a delegation',
      [{ kind: 'delegation', spender: TOKEN }],
      /tollkeeper_revokeDelegation/u,
    ],
    ['is a handler', [{ kind: 'handler', spender: TOKEN }], /owners/u],
    ['are none', [], /permissions/u],
  ])('refuses all where one %s', async (_what, permissions, message) => {
    const { revoke, edges, pool } = await setup();
    edges.dialogs.shown.length = 0;
    await expectRefusal(revoke(permissions), -32602, message);
    expect([edges.dialogs.shown, pool.size]).toStrictEqual([[], 0]);
  });

  it('refuses what cannot be read', async () => {
    const { revoke, edges, pool } = await setup();
    edges.wallet.answers.eth_call = refuses('no');
    await expectRefusal(revoke([allowanceOf(0)]), -32002);
    expect(pool.size).toBe(0);
  });
});

describe('the tab of permissions', () => {
  async function open(bench: Bench): Promise<HomeBench> {
    const home = await openHome(createTestApp(bench.edges), 'permissions');
    return home;
  }

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

  it('shows ten of twelve, and revokes all in the order of the list', async () => {
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

  it('sends nothing where nothing is ticked, or the user refuses', async () => {
    const bench = await setup();
    const home = await open(bench);
    bench.edges.screens.filled = {};
    await home.click('home.permissions.revoke');
    expect(home.notices()).toStrictEqual([textOf('permissions.nothing')]);
    expect(bench.pool.size).toBe(0);
  });

  it('names no permission that it does not know of, while the node is silent', async () => {
    const bench = await setup();
    const { answers } = bench.edges.wallet;
    answers.eth_blockNumber = refuses('no');
    const home = await open(bench);
    expect(home.texts()).toContain(textOf('permissions.logs.silent'));
    expect(home.texts()).not.toContain(textOf('permissions.none'));
  });
});
