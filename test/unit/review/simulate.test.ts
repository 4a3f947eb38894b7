// Simulation results: transfers and approvals of every standard, encoded by viem, and wrong answers
// from nodes and contracts.
import {
  concat,
  encodeAbiParameters,
  encodeErrorResult,
  encodeEventTopics,
  encodeFunctionData,
  encodeFunctionResult,
  parseAbi,
  stringToHex,
  toHex,
} from 'viem';
import type { AbiEvent, Address, Hex } from 'viem';

import { createNodeClient, RpcError } from '../../../packages/client/src';
import type { RpcCall } from '../../../packages/client/src';
import { ZERO_ADDRESS } from '../../../src/eth/hex';
import { createStatedUnits } from '../../../src/review/describe/describe';
import type { AllowanceEffect, CallEffect, Effect } from '../../../src/review/effects';
import { warnOfOutcome } from '../../../src/review/outcome';
import { readCall } from '../../../src/review/read';
import { drawAllowances, drawChanges } from '../../../src/review/screen/changes';
import { createSimulate, listRisks, warnOfFailure } from '../../../src/review/simulate';
import type { BalanceChanges, Simulation } from '../../../src/review/simulate';
import { danger, warning } from '../../../src/ui/warnings';
import { textOf, translate, writeView } from '../../support/view';

const SELF: Address = '0x00000000000000000000000000000000005e1f00';
const SAFE: Address = '0x0000000000000000000000000000000000005afe';
const OTHER: Address = '0x000000000000000000000000000000000007e400';
const TOKEN: Address = '0x00000000000000000000000000000000000707e2';
const COIN: Address = '0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE';
/** The emitter of the logs of native transfers (EIP-7708). */
const SYSTEM: Address = '0xfffffffffffffffffffffffffffffffffffffffe';
const USDC: Address = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48';
const WETH: Address = '0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2';
const CHAIN = 'eip155:1';
const UNLIMITED = 2n ** 256n - 1n;
const PERMIT2: Address = '0x000000000022D473030F116dDEE9F6B43aC78BA3';

const events = {
  erc20: 'event Transfer(address indexed from, address indexed to, uint256 value)',
  erc721:
    'event Transfer(address indexed from, address indexed to, uint256 indexed id)',
  /** The Transfer event of early NFT collections. */
  plain: 'event Transfer(address from, address to, uint256 id)',
  single:
    'event TransferSingle(address indexed by, address indexed from, address indexed to, uint256 id, uint256 value)',
  batch:
    'event TransferBatch(address indexed by, address indexed from, address indexed to, uint256[] ids, uint256[] values)',
  burn: 'event Burn(address indexed account, uint256 amount)',
  selfdestruct: 'event Selfdestruct(address indexed account, uint256 amount)',
  deposit: 'event Deposit(address indexed to, uint256 value)',
  withdrawal: 'event Withdrawal(address indexed from, uint256 value)',
  approval20:
    'event Approval(address indexed owner, address indexed to, uint256 value)',
  approval721:
    'event Approval(address indexed owner, address indexed to, uint256 indexed id)',
  forAll:
    'event ApprovalForAll(address indexed owner, address indexed to, bool isApproved)',
  permit2:
    'event Approval(address indexed owner, address indexed token, address indexed to, uint160 amount, uint48 end)',
  sent: 'event Sent(address indexed by, address indexed from, address indexed to, uint256 amount, bytes data, bytes note)',
  minted:
    'event Minted(address indexed by, address indexed to, uint256 amount, bytes data, bytes note)',
  burned:
    'event Burned(address indexed by, address indexed from, uint256 amount, bytes data, bytes note)',
  authorized:
    'event AuthorizedOperator(address indexed operator, address indexed holder)',
  revoked: 'event RevokedOperator(address indexed operator, address indexed holder)',
  transfer6909:
    'event Transfer(address caller, address indexed from, address indexed to, uint256 indexed id, uint256 amount)',
  operator6909:
    'event OperatorSet(address indexed owner, address indexed spender, bool approved)',
  approval6909:
    'event Approval(address indexed owner, address indexed spender, uint256 indexed id, uint256 amount)',
  owner:
    'event OwnershipTransferred(address indexed previousOwner, address indexed newOwner)',
  admin: 'event AdminChanged(address previousAdmin, address newAdmin)',
  upgraded: 'event Upgraded(address indexed implementation)',
  role: 'event RoleGranted(bytes32 indexed role, address indexed account, address indexed sender)',
  module: 'event EnabledModule(address module)',
  added: 'event AddedOwner(address indexed owner)',
  guard: 'event ChangedGuard(address guard)',
  handler: 'event ChangedFallbackHandler(address indexed handler)',
} as const;

type Log = { address: Hex; topics: Hex[]; data: Hex };

function log(address: Address, name: keyof typeof events, ...values: unknown[]): Log {
  const [event] = parseAbi([events[name]]) as unknown as [AbiEvent];
  const isIndexed = (index: number) => event.inputs[index]?.indexed;
  const args = values.filter((_value, index) => isIndexed(index));
  const topics = encodeEventTopics({ abi: [event], args } as never) as Hex[];
  const data = encodeAbiParameters(
    event.inputs.filter(({ indexed }) => !indexed),
    values.filter((_value, index) => !isIndexed(index)),
  );
  return { address, topics, data };
}

const called = (logs: unknown, fields = {}): object => ({
  status: '0x1',
  gasUsed: '0x5208',
  returnData: '0x',
  logs,
  ...fields,
});

const unknown = (): CallEffect =>
  readCall({ from: SELF, to: TOKEN, value: 0n, data: '0x12345678' });

/** A call of a known function with the given effects. */
const known = (...inside: Effect[]): CallEffect => ({
  ...readCall({ from: SELF, to: USDC, value: 0n, data: '0xa9059cbb' }),
  inside,
});

const addressesOf = (count: number) =>
  Array.from(
    { length: count },
    (_, index): Address => `0x${String(100 + index).padStart(40, '0')}`,
  );

async function simulateWith(
  answer: (call: RpcCall) => unknown,
  calls: number | readonly object[] = 1,
  others: readonly Address[] = [],
) {
  const node = createNodeClient({
    label: 'the node',
    request: async (call) => Promise.resolve(answer(call)),
  });
  const each = { from: SELF, to: OTHER };
  const pendingSimulation = createSimulate(createStatedUnits())(
    [SELF, ...others],
    typeof calls === 'number' ? Array(calls).fill(each) : calls,
    { id: 1n, node },
  );
  expect(pendingSimulation.now()).toBe('pending');
  await pendingSimulation.pending();
  expect(pendingSimulation.pending()).toBeUndefined();
  return pendingSimulation.now();
}

const simulate = async (
  answer: unknown,
  calls?: number | readonly object[],
  others?: readonly Address[],
) => simulateWith(() => answer, calls, others);

async function read(...logs: Log[]): Promise<BalanceChanges> {
  return (await simulate([{ calls: [called(logs)] }])) as BalanceChanges;
}

const readWithSafe = async (...logs: Log[]) =>
  simulate([{ calls: [called(logs)] }], 1, [SAFE]);

const listWarnings = (found: Simulation, calls: readonly CallEffect[]): string[] =>
  warnOfOutcome(found, calls, CHAIN).map(({ key, severity }) => `${severity} ${key}`);

const nothing = {
  others: [],
  changes: [],
  approvals: [],
  controls: [],
  notShown: [],
  more: 0,
  units: new Map(),
  balances: new Map(),
};

it.each<[string, Log[], BalanceChanges['changes']]>([
  [
    'the native currency',
    [log(COIN, 'erc20', SELF, OTHER, 5n)],
    [{ token: ZERO_ADDRESS, amount: -5n }],
  ],
  [
    'an ERC-20 token',
    [log(TOKEN, 'erc20', OTHER, SELF, 2n ** 256n - 1n)],
    [{ token: TOKEN, amount: 2n ** 256n - 1n }],
  ],
  [
    'an ERC-721 token',
    [log(TOKEN, 'erc721', SELF, OTHER, 4711n)],
    [{ token: TOKEN, id: 4711n, amount: -1n }],
  ],
  [
    'a token without indexed values',
    [log(TOKEN, 'plain', SELF, OTHER, 7n)],
    [{ token: TOKEN, amount: -7n }],
  ],
  [
    'an ERC-1155 token',
    [log(TOKEN, 'single', OTHER, SELF, OTHER, 3n, 9n)],
    [{ token: TOKEN, id: 3n, amount: -9n }],
  ],
  [
    'several ERC-1155 tokens',
    [log(TOKEN, 'batch', OTHER, OTHER, SELF, [1n, 2n], [10n, 20n])],
    [
      { token: TOKEN, id: 1n, amount: 10n },
      { token: TOKEN, id: 2n, amount: 20n },
    ],
  ],
  [
    'ether that is wrapped and partly unwrapped',
    [
      log(COIN, 'erc20', SELF, WETH, 10n),
      log(WETH, 'deposit', SELF, 10n),
      log(WETH, 'withdrawal', SELF, 4n),
      log(COIN, 'erc20', WETH, SELF, 4n),
    ],
    [
      { token: ZERO_ADDRESS, amount: -6n },
      { token: WETH.toLowerCase() as Hex, amount: 6n },
    ],
  ],
  ['a deposit of another contract', [log(TOKEN, 'deposit', SELF, 10n)], []],
  ['a transfer to oneself', [log(TOKEN, 'erc20', SELF, SELF, 10n)], []],
  [
    'an ERC-6909 token',
    [log(TOKEN, 'transfer6909', OTHER, SELF, OTHER, 3n, 9n)],
    [{ token: TOKEN, id: 3n, amount: -9n }],
  ],
  [
    'an ERC-777 token that is sent, burnt and minted',
    [
      log(TOKEN, 'sent', OTHER, SELF, OTHER, 10n, '0x', '0x'),
      log(TOKEN, 'burned', OTHER, SELF, 5n, '0x', '0x'),
      log(TOKEN, 'minted', OTHER, SELF, 1n, '0x', '0x'),
    ],
    [{ token: TOKEN, amount: -14n }],
  ],
  [
    'an ERC-777 token that is an ERC-20 token as well, once',
    [
      log(TOKEN, 'sent', OTHER, SELF, OTHER, 10n, '0x', '0x'),
      log(TOKEN, 'erc20', SELF, OTHER, 10n),
    ],
    [{ token: TOKEN, amount: -10n }],
  ],
  ['transfers of others', [log(TOKEN, 'erc20', OTHER, TOKEN, 10n)], []],
  [
    'a transfer that is returned',
    [log(TOKEN, 'erc20', SELF, OTHER, 10n), log(TOKEN, 'erc20', OTHER, SELF, 10n)],
    [],
  ],
  [
    'several transfers of one token',
    [log(TOKEN, 'erc20', SELF, OTHER, 10n), log(TOKEN, 'erc20', SELF, TOKEN, 1n)],
    [{ token: TOKEN, amount: -11n }],
  ],
])('reads transfers: %s', async (_what, logs, changes) => {
  expect(await read(...logs)).toStrictEqual({ ...nothing, changes });
});

describe('the native currency', () => {
  const synthetic = (from: Address, to: Address, value: bigint): Log =>
    log(COIN, 'erc20', from, to, value);
  const protocol = (from: Address, to: Address, value: bigint): Log =>
    log(SYSTEM, 'erc20', from, to, value);
  const coins = (amount: bigint): BalanceChanges['changes'] =>
    amount === 0n ? [] : [{ token: ZERO_ADDRESS, amount }];

  it.each<[string, Log[], bigint]>([
    ['are reported by the node alone', [synthetic(SELF, OTHER, 5n)], -5n],
    ['are reported by the protocol alone', [protocol(SELF, OTHER, 5n)], -5n],
    [
      'are reported by both, the node first',
      [synthetic(SELF, OTHER, 5n), protocol(SELF, OTHER, 5n)],
      -5n,
    ],
    [
      'are reported by both, the protocol first',
      [protocol(SELF, OTHER, 5n), synthetic(SELF, OTHER, 5n)],
      -5n,
    ],
    [
      'are reported by the node, and then by the protocol',
      [
        synthetic(SELF, OTHER, 5n),
        synthetic(OTHER, SELF, 2n),
        protocol(SELF, OTHER, 5n),
        protocol(OTHER, SELF, 2n),
      ],
      -3n,
    ],
    [
      'are identical',
      [
        protocol(SELF, OTHER, 5n),
        protocol(SELF, OTHER, 5n),
        synthetic(SELF, OTHER, 5n),
      ],
      -10n,
    ],
    [
      'are between others, and both report one to the account',
      [
        protocol(OTHER, TOKEN, 9n),
        synthetic(OTHER, TOKEN, 9n),
        protocol(OTHER, SELF, 1n),
        synthetic(OTHER, SELF, 1n),
      ],
      1n,
    ],
    ['go to the sender, which only the node logs', [synthetic(SELF, SELF, 5n)], 0n],
    ['are burnt', [log(SYSTEM, 'burn', SELF, 5n)], -5n],
    [
      'are burnt, in the event of a draft',
      [log(SYSTEM, 'selfdestruct', SELF, 5n)],
      -5n,
    ],
    ['are burnt by others', [log(SYSTEM, 'burn', OTHER, 5n)], 0n],
    [
      'are accompanied by burns',
      [
        synthetic(SELF, OTHER, 5n),
        protocol(SELF, OTHER, 5n),
        log(SYSTEM, 'burn', SELF, 1n),
      ],
      -6n,
    ],
    ['are burnt in the log of a token', [log(TOKEN, 'burn', SELF, 5n)], 0n],
  ])('is counted correctly if transfers %s', async (_what, logs, amount) => {
    expect(await read(...logs)).toStrictEqual({ ...nothing, changes: coins(amount) });
  });

  it('is counted in each call, whoever reports it', async () => {
    const answer = [
      { calls: [called([synthetic(SELF, OTHER, 1n)])] },
      {
        calls: [
          called([protocol(SELF, OTHER, 10n), synthetic(SELF, OTHER, 10n)]),
          called([protocol(SELF, OTHER, 100n)]),
          called([protocol(SELF, OTHER, 1_000n)], { status: '0x0' }),
        ],
      },
    ];
    expect(await simulate(answer, 4)).toMatchObject({ changes: coins(-111n) });
  });

  it('is not confused with a token that emits the same log', async () => {
    const almost: Address = '0xfffffffffffffffffffffffffffffffffffffffd';
    const found = await read(
      log(almost, 'erc20', SELF, OTHER, 5n),
      synthetic(SELF, OTHER, 1n),
    );
    expect(found.changes).toStrictEqual([
      ...coins(-1n),
      { token: almost, amount: -5n },
    ]);
  });

  it('is counted once for a Safe that the calls act for', async () => {
    const logs = [synthetic(SAFE, OTHER, 5n), protocol(SAFE, OTHER, 5n)];
    expect(await readWithSafe(...logs)).toMatchObject({
      others: [{ account: SAFE, losses: coins(-5n) }],
    });
  });
});

it.each<[string, Log[], BalanceChanges['approvals']]>([
  [
    'an ERC-20 token',
    [log(TOKEN, 'approval20', SELF, OTHER, 250n)],
    [{ token: TOKEN, spender: OTHER, amount: 250n }],
  ],
  [
    'an ERC-20 token that is spent at once',
    [
      log(TOKEN, 'approval20', SELF, OTHER, 250n),
      log(TOKEN, 'approval20', SELF, OTHER, 0n),
    ],
    [],
  ],
  [
    'an ERC-721 token',
    [log(TOKEN, 'approval721', SELF, OTHER, 12n)],
    [{ token: TOKEN, spender: OTHER, id: 12n }],
  ],
  [
    'an ERC-721 token for the zero address',
    [
      log(TOKEN, 'approval721', SELF, OTHER, 12n),
      log(TOKEN, 'approval721', SELF, `0x${'00'.repeat(20)}`, 12n),
    ],
    [],
  ],
  [
    'a collection',
    [log(TOKEN, 'forAll', SELF, OTHER, true)],
    [{ token: TOKEN, spender: OTHER }],
  ],
  ['a collection, then revoked', [log(TOKEN, 'forAll', SELF, OTHER, false)], []],
  [
    'Permit2',
    [log(PERMIT2, 'permit2', SELF, TOKEN, OTHER, 5n, 0)],
    [{ token: TOKEN, spender: OTHER, amount: 5n }],
  ],
  [
    "another contract that emits Permit2's event",
    [log(TOKEN, 'permit2', SELF, TOKEN, OTHER, 5n, 0)],
    [],
  ],
  [
    'everything of an ERC-777 token',
    [log(TOKEN, 'authorized', OTHER, SELF)],
    [{ token: TOKEN, spender: OTHER }],
  ],
  [
    'an ERC-777 token, then revoked',
    [log(TOKEN, 'authorized', OTHER, SELF), log(TOKEN, 'revoked', OTHER, SELF)],
    [],
  ],
  [
    'everything of an ERC-6909 contract',
    [log(TOKEN, 'operator6909', SELF, OTHER, true)],
    [{ token: TOKEN, spender: OTHER }],
  ],
  [
    'one id of an ERC-6909 contract',
    [log(TOKEN, 'approval6909', SELF, OTHER, 3n, 9n)],
    [{ token: TOKEN, spender: OTHER, id: 3n, amount: 9n }],
  ],
  ["another account's token", [log(TOKEN, 'approval20', OTHER, SELF, 250n)], []],
])('reads approvals of %s', async (_what, logs, approvals) => {
  expect(await read(...logs)).toStrictEqual({ ...nothing, approvals });
});

it('adds up calls, and ignores failing ones', async () => {
  const abi = parseAbi(['error Error(string)']);
  const returnData = encodeErrorResult({ abi, errorName: 'Error', args: ['too late'] });
  const pays = called([log(TOKEN, 'erc20', SELF, OTHER, 1n)]);
  const fails = { ...pays, status: '0x0', returnData };
  expect(await simulate([{ calls: [pays, fails, fails, pays] }], 4)).toStrictEqual({
    ...nothing,
    changes: [{ token: TOKEN, amount: -2n }],
    failure: { number: 2, reason: 'too late' },
  });
});

it.each([
  [{ error: { message: 'out of gas', code: -32000 } }, 'out of gas'],
  [{ error: { message: '' } }, 'execution reverted'],
  [{ error: null }, 'execution reverted'],
  [{}, 'execution reverted'],
])(
  'reports why a call fails, or a generic reason if the node gives none: %j',
  async (fields, reason) => {
    const failed = await simulate([
      { calls: [called([], { status: '0x0', ...fields })] },
    ]);
    expect(failed).toStrictEqual({ ...nothing, failure: { number: 1, reason } });
    expect(warnOfFailure(failed, [])).toStrictEqual([
      warning('alert.willFail', { reason: { text: reason } }),
    ]);
    expect(warnOfFailure(failed, [warning('alert.mayFail')])).toStrictEqual([]);
  },
);

it('lists losses and well-known tokens first, however many logs a contract emits', async () => {
  const spam = Array.from({ length: 5_000 }, (_, id) => [
    log(TOKEN, 'erc721', OTHER, SELF, BigInt(id)),
    log(TOKEN, 'erc721', SELF, OTHER, 10n ** 60n + BigInt(id)),
  ]).flat();
  const { changes, more } = await read(
    ...spam.slice(0, -1),
    log(USDC, 'erc20', SELF, OTHER, 250n),
  );
  expect(warnOfOutcome(await read(...spam), [], CHAIN)).toContainEqual(
    danger('alert.notShown', { addresses: { list: `${SELF}, ${TOKEN}` } }),
  );
  expect(changes).toHaveLength(200 + 20);
  expect(changes[0]).toMatchObject({ amount: -250n });
  expect(changes.slice(0, 200).every(({ amount }) => amount < 0n)).toBe(true);
  expect(more).toBe(10_000 - 220);
  const approvals = addressesOf(210).map((token) =>
    log(token, 'approval20', SELF, OTHER, 1n),
  );
  const found = await read(...approvals, log(TOKEN, 'forAll', SELF, OTHER, true));
  expect(found.approvals[0]).not.toHaveProperty('amount');
  expect(found.more).toBe(11);
  expect(listRisks(found)).toContain('more');
});

it('ignores logs that are truncated, malformed or of other events', async () => {
  const [transfer, many] = [
    log(TOKEN, 'erc20', SELF, OTHER, 5n),
    log(TOKEN, 'batch', OTHER, SELF, OTHER, [1n], [2n]),
  ];
  const word = 'ff'.repeat(32);
  expect(
    await read(
      { ...transfer, topics: [] },
      { ...transfer, topics: transfer.topics.slice(0, 1), data: '0x' },
      { ...transfer, data: '0x' },
      { ...transfer, data: '0x05' },
      { ...transfer, topics: [`0x${word}`, ...transfer.topics.slice(1)] },
      { ...many, data: '0x' },
      { ...many, data: `0x${word.repeat(2)}` },
      { ...many, data: `0x${'00'.repeat(63)}21${word}` },
    ),
  ).toStrictEqual(nothing);
});

const whole = log(TOKEN, 'erc20', SELF, OTHER, 5n);

it.each<[string, unknown]>([
  ['no content', null],
  ['no blocks', []],
  ['no calls', [{}]],
  ['fewer calls', [{ calls: [] }]],
  ['more calls', [{ calls: [called([]), called([])] }]],
  ['no status', [{ calls: [called([], { status: 'done' })] }]],
  ['malformed logs', [{ calls: [called([7])] }]],
  ['a malformed topic', [{ calls: [called([{ ...whole, topics: ['0x1'] }])] }]],
  [
    'five topics',
    [{ calls: [called([{ ...whole, topics: Array(5).fill(whole.topics[0]) }])] }],
  ],
  ['malformed data', [{ calls: [called([{ ...whole, data: '0xzz' }])] }]],
  ['a number for an address', [{ calls: [called([{ ...whole, address: 7 }])] }]],
  ['too many logs', [{ calls: [called(Array(10_001).fill(whole))] }]],
  ['a malformed error', [{ calls: [called([], { error: 'no' })] }]],
])('ignores an answer with %s', async (_what, answer) => {
  const simulation = await simulate(answer);
  expect(simulation).toBe('unknown');
  expect(listRisks(simulation)).toStrictEqual([]);
  expect(warnOfFailure(simulation, [])).toStrictEqual([]);
});

it('lists transfers out of a Safe that the calls act for, but not into it', async () => {
  const logs = [
    log(USDC, 'erc20', SAFE, OTHER, 30_000n),
    log(TOKEN, 'erc20', OTHER, SAFE, 1n),
  ];
  const found = await readWithSafe(...logs);
  const losses = [{ token: USDC.toLowerCase(), amount: -30_000n }];
  expect(found).toMatchObject({ changes: [], others: [{ account: SAFE, losses }] });
  expect(listRisks(found)).toHaveLength(1);
  const shown = writeView(drawChanges(found, { translate, chain: 'eip155:1' }));
  expect(shown).toContain(`${textOf('changes.leaves')}\n${SAFE}`);
  expect(shown).toContain('0.03 USDC');
});

it('lists gains of the native currency and well-known tokens first', async () => {
  const spam = addressesOf(30).map((token) => log(token, 'erc20', OTHER, SELF, 1n));
  const { changes, more } = await read(
    ...spam,
    log(USDC, 'erc20', OTHER, SELF, 2n),
    log(COIN, 'erc20', OTHER, SELF, 3n),
  );
  expect(changes.slice(0, 3).map(({ amount }) => amount)).toStrictEqual([3n, 2n, 1n]);
  expect([changes.length, more]).toStrictEqual([20, 12]);
});

it.each<[string, Address, [string, bigint][]]>([
  ['it approves', SELF, [[TOKEN, 9n]]],
  ['a Safe approves', SAFE, []],
])(
  "requests the account's balance of a token that %s",
  async (_who, owner, balances) => {
    const logs = [log(TOKEN, 'approval20', owner, OTHER, 250n)];
    const found = await simulateWith(
      ({ method, params }) => {
        if (method !== 'eth_call') return [{ calls: [called(logs)] }];
        const isBalance = JSON.stringify(params).includes('70a08231');
        return encodeAbiParameters([{ type: 'uint256' }], [isBalance ? 9n : 0n]);
      },
      1,
      [SAFE],
    );
    expect(found).toMatchObject({ balances: new Map(balances) });
  },
);

it('lists every loss, whatever other contracts log', async () => {
  const logs = addressesOf(60).flatMap((token) => [
    log(token, 'erc20', SELF, OTHER, 1n),
    log(`${token.slice(0, -1)}f` as Address, 'erc20', OTHER, SELF, 1n),
  ]);
  const { changes } = await read(...logs, log(TOKEN, 'erc20', SELF, OTHER, 5n));
  expect(changes).toContainEqual({ token: TOKEN, amount: -5n });
});

it('lists the losses of at most 200 other accounts, those of known tokens first', async () => {
  const accounts = addressesOf(300);
  const logs = [
    ...accounts.map((account) => log(TOKEN, 'erc20', account, OTHER, 1n)),
    log(USDC, 'erc20', SAFE, OTHER, 5n),
  ];
  const found = (await simulate([{ calls: [called(logs)] }], 1, [
    ...accounts,
    SAFE,
  ])) as BalanceChanges;
  expect(found.others).toHaveLength(200);
  expect(found.others).toContainEqual(expect.objectContaining({ account: SAFE }));
  const [notShown] = warnOfOutcome(found, [], CHAIN);
  expect(notShown).toMatchObject({ key: 'alert.notShown', severity: 'danger' });
  // The danger lists the first addresses and counts the others.
  expect(JSON.stringify(notShown)).toMatch(/, \+2"/u);
});

it.each<[string, Log, object[]]>([
  [
    'its own owner',
    log(SELF, 'added', OTHER),
    [{ event: 'AddedOwner', of: SELF, to: OTHER }],
  ],
  ['its module', log(SELF, 'module', OTHER), [{ event: 'EnabledModule', of: SELF }]],
  ['its guard', log(SELF, 'guard', OTHER), [{ event: 'ChangedGuard', of: SELF }]],
  ['its code', log(SELF, 'upgraded', OTHER), [{ event: 'Upgraded', to: OTHER }]],
  ['its admin', log(SELF, 'admin', TOKEN, OTHER), [{ to: OTHER }]],
  ["a Safe's handler", log(SAFE, 'handler', OTHER), [{ of: SAFE, to: OTHER }]],
  [
    "its contract's owner",
    log(TOKEN, 'owner', SELF, OTHER),
    [{ of: TOKEN, to: OTHER }],
  ],
  [
    'a role that it gives',
    log(TOKEN, 'role', `0x${'00'.repeat(32)}`, OTHER, SELF),
    [{ event: 'RoleGranted', to: OTHER }],
  ],
  ['no role for itself', log(TOKEN, 'role', `0x${'00'.repeat(32)}`, SELF, SELF), []],
  ["no stranger's code", log(TOKEN, 'upgraded', OTHER), []],
  ["no stranger's owner", log(TOKEN, 'owner', COIN, OTHER), []],
])('reads changes of control: %s', async (_what, changed, expected) => {
  const found = await readWithSafe(changed);
  expect(found).toMatchObject({
    controls: expected.map((each) => expect.objectContaining(each) as object),
  });
  expect(listRisks(found)).toHaveLength(expected.length);
  const [who] = writeView(drawChanges(found, { translate, chain: CHAIN })).match(
    new RegExp(`${textOf('field.newController')}\\n${OTHER}`, 'u'),
  ) ?? [''];
  expect(who === '').toBe(expected.length === 0);
  const isOwn = changed.address === SELF || changed.address === SAFE;
  expect(listWarnings(found, [unknown()])).toStrictEqual(
    expected.map(() => `${isOwn ? 'danger' : 'warning'} alert.controlShown`),
  );
});

it('omits changes of control that a call states, and those of a deployment', async () => {
  const found = await read(log(TOKEN, 'owner', SELF, OTHER));
  const stating = (to: Hex): Effect => ({
    kind: 'control',
    by: SELF,
    of: TOKEN,
    signature: 'transferOwnership(address)',
    to,
  });
  const warningsOf = (...inside: Effect[]) =>
    warnOfOutcome(found, [known(...inside)], CHAIN);
  expect(warningsOf(stating(OTHER))).toStrictEqual([]);
  expect(warningsOf(stating(SAFE))).toHaveLength(1);
  const renouncing = readCall({ from: SELF, to: TOKEN, value: 0n, data: '0x715018a6' });
  const renounced = await read(log(TOKEN, 'owner', SELF, ZERO_ADDRESS));
  expect(warnOfOutcome(renounced, [renouncing], CHAIN)).toStrictEqual([]);
  expect(warnOfOutcome(found, [renouncing], CHAIN)).toHaveLength(1);
  const deploying = { from: COIN, to: TOKEN };
  const deployed = await simulate(
    [{ calls: [called([log(SELF, 'upgraded', OTHER)])] }],
    [deploying],
  );
  expect(deployed).toMatchObject({ controls: [] });
});

it('treats an unlimited approval that no call states as a danger', async () => {
  const approval = log(TOKEN, 'approval20', SELF, OTHER, UNLIMITED);
  const found = await read(approval, log(COIN, 'forAll', SELF, OTHER, true));
  expect(warnOfOutcome(found, [], CHAIN)).toStrictEqual([
    danger('alert.unlimited', {
      spender: { short: OTHER },
      token: { token: TOKEN.toLowerCase() as Hex },
    }),
    danger('alert.operator', { operator: OTHER }),
  ]);
});

it.each<[string, Log, AllowanceEffect['amount'][], string[]]>([
  ['one unit, as stated', log(TOKEN, 'approval20', SELF, OTHER, 1n), [1n], []],
  ['less than stated', log(TOKEN, 'approval20', SELF, OTHER, 1n), [5n], []],
  [
    'more than stated',
    log(TOKEN, 'approval20', SELF, OTHER, 5n),
    [1n],
    ['warning alert.allowsMore'],
  ],
  [
    'an unstated amount',
    log(TOKEN, 'approval20', SELF, OTHER, 5n),
    [],
    ['warning alert.allowsMore'],
  ],
  [
    'everything, instead of one unit',
    log(TOKEN, 'approval20', SELF, OTHER, UNLIMITED),
    [1n],
    ['danger alert.unlimited'],
  ],
  [
    'everything, as stated',
    log(TOKEN, 'approval20', SELF, OTHER, UNLIMITED),
    [UNLIMITED],
    [],
  ],
  [
    'a collection, instead of one unit',
    log(TOKEN, 'forAll', SELF, OTHER, true),
    [1n, UNLIMITED],
    ['danger alert.operator'],
  ],
  ['a collection, as stated', log(TOKEN, 'forAll', SELF, OTHER, true), [undefined], []],
  ['an NFT, as stated', log(TOKEN, 'approval721', SELF, OTHER, 7n), [7n], []],
  [
    'one id of a stated collection',
    log(TOKEN, 'approval6909', SELF, OTHER, 3n, UNLIMITED),
    [undefined],
    [],
  ],
  [
    'another NFT than stated',
    log(TOKEN, 'approval721', SELF, OTHER, 7n),
    [8n],
    ['warning alert.allowsMore'],
  ],
  [
    'everything of one id, instead of one unit',
    log(TOKEN, 'approval6909', SELF, OTHER, 3n, UNLIMITED),
    [1n],
    ['danger alert.unlimited'],
  ],
  [
    'a Safe, unstated',
    log(TOKEN, 'approval20', SAFE, OTHER, UNLIMITED),
    [],
    ['danger alert.unlimited'],
  ],
])('compares an approval of %s with the calls', async (_what, ...rest) => {
  const [approval, stated, expected] = rest;
  const found = await readWithSafe(approval);
  const allowances = stated.map(
    (amount) => ({ kind: 'allow', token: TOKEN, spender: OTHER, amount }) as const,
  );
  expect(listWarnings(found, [known(...allowances)])).toStrictEqual(expected);
  const drawn = drawChanges(found, { translate, chain: CHAIN, allowances });
  expect(writeView(drawn).includes(textOf('changes.approve'))).toBe(
    expected.length > 0,
  );
});

it.each<[string, Hex, id: bigint]>([
  ['approves NFT 0', '0x095ea7b3', 0n],
  ['permits NFT 5', '0x745a41bc', 5n],
])('compares NFTs by their ids if a call %s', async (_what, selector, id) => {
  const words = encodeAbiParameters(
    [{ type: 'address' }, { type: 'uint256' }],
    [OTHER, id],
  );
  const data = concat([selector, words]);
  const calls = [readCall({ from: SELF, to: TOKEN, value: 0n, data })];
  const warningsOf = async (approved: bigint) =>
    listWarnings(await read(log(TOKEN, 'approval721', SELF, OTHER, approved)), calls);
  expect(await warningsOf(id)).toStrictEqual([]);
  expect(await warningsOf(1n)).toStrictEqual(['warning alert.allowsMore']);
  const taken = async (which: bigint) =>
    listWarnings(await read(log(TOKEN, 'erc721', SELF, OTHER, which)), calls);
  expect(await taken(id)).toStrictEqual([]);
  expect(await taken(1n)).toStrictEqual(['danger alert.leaves']);
});

it.each<[string, Log]>([
  ['spender', log(TOKEN, 'approval20', SELF, TOKEN, 5n)],
  ['token', log(USDC, 'approval20', SELF, OTHER, 5n)],
  ['collection', log(USDC, 'forAll', SELF, OTHER, true)],
])('does not accept a stated approval of another %s', async (_what, approval) => {
  const found = await read(approval);
  const given = { kind: 'allow', token: TOKEN, spender: OTHER } as const;
  const inside = [5n, undefined].map((amount) => ({ ...given, amount }));
  expect(warnOfOutcome(found, [known(...inside)], CHAIN)).toHaveLength(1);
});

it.each<[string, Log, bigint, boolean]>([
  ['less than before', log(TOKEN, 'approval20', SELF, OTHER, 15n), 16n, false],
  ['as much as before', log(TOKEN, 'approval20', SELF, OTHER, 15n), 15n, false],
  ['more than before', log(TOKEN, 'approval20', SELF, OTHER, 15n), 14n, true],
  ['for a single id', log(TOKEN, 'approval6909', SELF, OTHER, 3n, 15n), 16n, true],
  [
    'the rest of an unlimited one',
    log(TOKEN, 'approval20', SELF, OTHER, UNLIMITED - 4n),
    UNLIMITED,
    false,
  ],
])('lists newly allowed amounts of a spender: %s', async (_what, approval, ...rest) => {
  const [before, isListed] = rest;
  const found = await simulateWith(({ method }) =>
    method === 'eth_call'
      ? encodeAbiParameters([{ type: 'uint256' }], [before])
      : [{ calls: [called([approval])] }],
  );
  expect(found).toHaveProperty('approvals.length', isListed ? 1 : 0);
});

it('counts only the increase of an increased allowance', async () => {
  const logs = [log(TOKEN, 'approval20', SELF, OTHER, 15n)];
  const found = await simulateWith(({ method }) =>
    method === 'eth_call' ? `0x${'0'.repeat(63)}a` : [{ calls: [called(logs)] }],
  );
  const stating = (amount: bigint) => [
    known({ kind: 'allow', token: TOKEN, spender: OTHER, amount }),
  ];
  expect(warnOfOutcome(found, stating(5n), CHAIN)).toStrictEqual([]);
  expect(warnOfOutcome(found, stating(4n), CHAIN)).toHaveLength(1);
});

describe("an account's losses", () => {
  const payment = (to: Address, amount: bigint, from = SELF): Log =>
    log(USDC, 'erc20', from, to, amount);
  const nft = log(TOKEN, 'erc721', SELF, OTHER, 7n);
  const transfer = (amount: bigint | undefined, token = USDC, from = SELF): Effect => ({
    kind: 'transfer',
    by: SELF,
    token,
    from,
    to: OTHER,
    amount,
  });
  const coin = log(COIN, 'erc20', SELF, OTHER, 5n);
  const paid: CallEffect = { ...unknown(), value: 5n };
  const described: CallEffect = {
    ...unknown(),
    description: { intent: '', fields: [], omitted: 0, calls: [], stated: [] },
  };
  const UNEXPLAINED = 'danger alert.leaves';
  const FOR_UNKNOWN = 'warning alert.leavesForUnknown';

  it.each<[string, Log[], CallEffect[], string[]]>([
    ['by an unknown function', [payment(OTHER, 5n)], [unknown()], [UNEXPLAINED]],
    [
      'NFT by NFT',
      [nft, log(TOKEN, 'erc721', SELF, OTHER, 8n)],
      [unknown()],
      [UNEXPLAINED],
    ],
    ['by a function that states them', [payment(OTHER, 5n)], [known(transfer(5n))], []],
    ['in a larger amount', [payment(OTHER, 5n)], [known(transfer(4n))], [UNEXPLAINED]],
    ['of a different token', [nft], [known(transfer(5n))], [UNEXPLAINED]],
    ['of a stated NFT', [nft], [known(transfer(undefined, TOKEN))], []],
    ['of a stated token id', [nft], [known(transfer(7n, TOKEN))], []],
    [
      'of a different token id from the stated one',
      [nft],
      [known(transfer(8n, TOKEN))],
      [UNEXPLAINED],
    ],
    [
      'beyond a stated NFT',
      [nft, log(TOKEN, 'erc721', SELF, OTHER, 8n)],
      [known(transfer(undefined, TOKEN)), unknown()],
      [UNEXPLAINED],
    ],
    [
      'by an unknown function whose data contains the transfer',
      [payment(OTHER, 5n)],
      [
        readCall({
          from: SELF,
          to: TOKEN,
          value: 0n,
          data: concat([
            '0x12345678',
            encodeFunctionData({
              abi: parseAbi(['function transferFrom(address,address,uint160,address)']),
              args: [SELF, OTHER, 5n, USDC],
            }),
          ]),
        }),
      ],
      [UNEXPLAINED],
    ],
    ['of the native currency that is sent', [coin], [paid], []],
    ['by a described function', [payment(OTHER, 5n)], [described], []],
    [
      'by an unknown function or a described one',
      [payment(OTHER, 5n)],
      [described, unknown()],
      [UNEXPLAINED],
    ],
    [
      'within an allowance',
      [payment(OTHER, 5n)],
      [known({ kind: 'allow', token: USDC, spender: OTHER, amount: 5n }), unknown()],
      [],
    ],
    [
      'within an unlimited allowance',
      [payment(OTHER, 5n)],
      [
        known({ kind: 'allow', token: USDC, spender: OTHER, amount: UNLIMITED }),
        unknown(),
      ],
      [UNEXPLAINED],
    ],
    [
      'in exchange for the native currency',
      [payment(OTHER, 5n), log(COIN, 'erc20', OTHER, SELF, 10n ** 15n)],
      [unknown()],
      [],
    ],
    [
      'in exchange for dust',
      [nft, log(COIN, 'erc20', OTHER, SELF, 1n), payment(SELF, 1n, OTHER)],
      [unknown()],
      [UNEXPLAINED],
    ],
    [
      'in exchange for unknown tokens',
      [payment(OTHER, 5n), log(TOKEN, 'erc20', OTHER, SELF, 10n ** 30n)],
      [unknown()],
      [FOR_UNKNOWN],
    ],
    [
      'by an empty payment',
      [payment(OTHER, 5n)],
      [readCall({ from: SELF, to: TOKEN, value: 0n, data: '0x' })],
      [UNEXPLAINED],
    ],
    [
      'by a described call that a Safe makes',
      [payment(OTHER, 5n, SAFE)],
      [{ ...unknown(), inside: [{ ...described, from: SAFE }] }],
      [],
    ],
    [
      'despite a described call by another account',
      [payment(OTHER, 5n)],
      [{ ...unknown(), inside: [{ ...described, from: TOKEN }] }],
      [UNEXPLAINED],
    ],
    ['of a Safe', [payment(OTHER, 5n, SAFE)], [unknown()], [UNEXPLAINED]],
    [
      'of a Safe, as stated',
      [payment(OTHER, 5n, SAFE)],
      [known(transfer(5n, USDC, SAFE))],
      [],
    ],
    [
      "of the amount that a Safe's transfer states",
      [payment(OTHER, 5n)],
      [known(transfer(5n, USDC, SAFE)), unknown()],
      [UNEXPLAINED],
    ],
    ['of strangers', [payment(TOKEN, 5n, OTHER)], [unknown()], []],
  ])('cause the right warnings: %s', async (_what, logs, ...rest) => {
    const [calls, expected] = rest;
    const found = await readWithSafe(...logs);
    expect(listWarnings(found, calls)).toStrictEqual(expected);
  });
});

describe('an unknown function that is not simulated', () => {
  const word = (digits: string): string => digits.padStart(64, '0');
  const STRANGER = 'bad0000000000000000000000000000000000bad';

  it.each<[string, string, namesOthers: boolean]>([
    ["a stranger's address", word(STRANGER), true],
    ["a stranger's address after an amount", word('5') + word(STRANGER), true],
    ['its own address', word(SELF.slice(2)), false],
    ["the contract's address", word(OTHER.slice(2)), false],
    ["a known contract's address", word(PERMIT2.slice(2)), false],
    ['an amount', word('de0b6b3a7640000'), false],
    ['bytes', 'ab'.repeat(32), false],
  ])('has a warning that names only strangers: %s', (_what, words, namesOthers) => {
    const data: Hex = `0x12345678${words}`;
    const call = readCall({ from: SELF, to: OTHER, value: 0n, data });
    const named = { addresses: { list: `0x${STRANGER}` } };
    const expected = namesOthers
      ? [warning('alert.notSimulated', named)]
      : [warning('alert.unknownEffect')];
    for (const simulation of ['unknown', undefined] as const) {
      expect(warnOfOutcome(simulation, [call], CHAIN)).toStrictEqual(expected);
    }
    const failure = { number: 1, reason: '' };
    expect(warnOfOutcome({ ...nothing, failure }, [call], CHAIN)).toStrictEqual(
      expected,
    );
    // If a node hides the contract's code, bytes still cause the warning, but text counts as a
    // note.
    const codeless = { ...call, isCodeless: true };
    expect(warnOfOutcome(undefined, [codeless], CHAIN)).toStrictEqual(expected);
    const note = { ...codeless, data: stringToHex('thanks') };
    expect(warnOfOutcome(undefined, [note], CHAIN)).toStrictEqual([]);
    expect(warnOfOutcome('pending', [call], CHAIN)).toStrictEqual([]);
    expect(warnOfOutcome(nothing, [call], CHAIN)).toStrictEqual([]);
  });
});

/** Simulates payments of tokens whose units are requested. */
async function simulateStated(answerUnits: (call: RpcCall) => Promise<unknown>) {
  const logs = [TOKEN, OTHER].map((token) => log(token, 'erc20', SELF, COIN, 5n));
  const simulated = [
    { calls: [called([...logs, log(USDC, 'erc20', SELF, OTHER, 1n)])] },
  ];
  const found = await simulateWith(async (call) =>
    call.method === 'eth_call' ? answerUnits(call) : simulated,
  );
  return found as BalanceChanges;
}

it('requests the units of unknown tokens, and rejects copied symbols of known ones', async () => {
  const abi = parseAbi([
    'struct Result { bool isDone; bytes data; }',
    'function aggregate3(bytes) view returns (Result[])',
  ]);
  const text = (value: string) => encodeAbiParameters([{ type: 'string' }], [value]);
  const number = encodeAbiParameters([{ type: 'uint8' }], [2]);
  const result = ['PEAR', 'usdc']
    .flatMap((symbol) => [text(symbol), number, text('A name')])
    .map((data) => ({ isDone: true, data }));
  const asked: RpcCall[] = [];
  const found = await simulateStated(async (call) => {
    asked.push(call);
    return Promise.resolve(
      encodeFunctionResult({ abi, functionName: 'aggregate3', result }),
    );
  });
  expect([...found.units]).toStrictEqual([[TOKEN, { symbol: 'PEAR', decimals: 2 }]]);
  expect(asked).toHaveLength(1);
  expect(JSON.stringify(asked)).not.toContain(USDC.slice(2).toLowerCase());
  const shown = writeView(drawChanges(found, { translate, chain: 'eip155:1' }));
  expect(shown).toContain('0.05 PEAR');
  expect(shown).toContain(textOf('token.unverified'));
  expect(shown).toContain(textOf('changes.units', { amount: '5' }));
  expect(shown).toContain('0.000001 USDC');
});

it('finds the balance and unit of an allowance whatever the case of its address', async () => {
  const token = '0xBC4CA0EdA7647A8aB7C2061c2E118A18a936f13D';
  const logs = [log(token, 'approval20', SELF, OTHER, 900n)];
  const found = (await simulateWith(({ method }) =>
    method === 'eth_call' ? toHex(700n, { size: 32 }) : [{ calls: [called(logs)] }],
  )) as BalanceChanges;
  const key = token.toLowerCase() as Hex;
  const units = new Map([[key, { symbol: 'PEAR', decimals: 2 }]]);
  const allowance = { kind: 'allow', token, spender: OTHER, amount: 900n } as const;
  const write = (simulation: Simulation, balance?: bigint): string =>
    writeView(
      drawAllowances([{ ...allowance, balance }], {
        translate,
        chain: CHAIN,
        simulation,
      }),
    );
  const shown = write({ ...found, units });
  expect(shown).toContain('9 PEAR');
  expect(shown).toContain(`${textOf('changes.balance')}\n7 PEAR`);
  expect(shown).toContain(textOf('token.unverified'));
  // A simulation without the approval does not hide the balance.
  expect(write({ ...nothing, units }, 600n)).toContain('6 PEAR');
});

it('marks a symbol that a token states, even if the token is the called contract', () => {
  const units = new Map([[TOKEN, { symbol: 'USDC', decimals: 2 }]]);
  const changes = [{ token: TOKEN, amount: -5n }] as const;
  const props = { translate, chain: 'eip155:59144', called: TOKEN };
  const shown = writeView(drawChanges({ ...nothing, changes, units }, props));
  expect(shown).toContain('0.05 USDC');
  expect(shown).toContain(`${textOf('token.unverified')}\n${TOKEN}`);
});

it('lists the changes even if the units are unavailable', async () => {
  const refused = new RpcError({}, { code: -32601, message: 'no' });
  const found = await simulateStated(async () => Promise.reject(refused));
  expect(found.changes).toHaveLength(3);
  expect(found.units.size).toBe(0);
});

it('reports losses, allowances and a failure as risks', async () => {
  const found = await read(
    log(TOKEN, 'erc20', OTHER, SELF, 5n),
    log(COIN, 'erc20', SELF, OTHER, 5n),
    log(TOKEN, 'forAll', SELF, OTHER, true),
  );
  expect(listRisks(found)).toHaveLength(2);
  expect(listRisks({ ...found, failure: { number: 1, reason: '' } })).toHaveLength(3);
  expect(listRisks('pending')).toStrictEqual([]);
});

const ATTACKER: Address = '0x0000000000000000000000000000000000bad000';

it.each<[string, Log, Log[]]>([
  [
    'tokens that leave',
    log(TOKEN, 'erc20', SELF, OTHER, 5n),
    [
      log(TOKEN, 'erc20', SELF, OTHER, 6n),
      log(COIN, 'erc20', SELF, OTHER, 5n),
      log(TOKEN, 'erc20', SAFE, OTHER, 5n),
    ],
  ],
  [
    'an NFT that leaves',
    log(TOKEN, 'erc721', SELF, OTHER, 5n),
    [log(TOKEN, 'erc721', SELF, OTHER, 6n)],
  ],
  [
    'an allowance',
    log(TOKEN, 'approval20', SELF, OTHER, 5n),
    [
      log(TOKEN, 'approval20', SELF, OTHER, 6n),
      log(TOKEN, 'approval20', SELF, ATTACKER, 5n),
      log(USDC, 'approval20', SELF, OTHER, 5n),
      log(TOKEN, 'approval20', SAFE, OTHER, 5n),
      log(TOKEN, 'approval721', SELF, OTHER, 5n),
      log(TOKEN, 'forAll', SELF, OTHER, true),
    ],
  ],
  [
    'a new controller',
    log(SELF, 'added', OTHER),
    [
      log(SELF, 'added', ATTACKER),
      log(SAFE, 'added', OTHER),
      log(SELF, 'handler', OTHER),
    ],
  ],
])('reports a separate risk for %s', async (_what, first, others) => {
  const risksOf = async (each: Log): Promise<string[]> =>
    listRisks(await readWithSafe(each));
  const names = await Promise.all([first, ...others].map(risksOf));
  expect(names.flat()).toHaveLength(1 + others.length);
  expect(new Set(names.flat()).size).toBe(1 + others.length);
});
