// Insights next to transactions and signatures in MetaMask's own confirmations.
import { SignTypedDataVersion, TypedDataUtils } from '@metamask/eth-sig-util';
import type { OnSignatureHandler } from '@metamask/snaps-sdk';
import type { JSXElement } from '@metamask/snaps-sdk/jsx';
import type { Json } from '@metamask/utils';
import {
  encodeAbiParameters,
  encodeFunctionData,
  encodePacked,
  pad,
  parseAbi,
  parseAbiParameters,
  stringToHex,
} from 'viem';
import type { Hex } from 'viem';

import { implementations } from '../../src/core/authorization';
import { toShortHex } from '../../src/ui/format';
import { safeTransaction } from '../fixtures/safe-transaction';
import { ALL, dataOf } from '../fixtures/trust/call';
import { permit } from '../fixtures/trust/shapes';
import { FOREIGN as METAMASK_DELEGATE } from '../support/delegations';
import { advance, useFakeClock } from '../support/fake-clock';
import { refuses } from '../support/fake-node';
import type { NodeAnswers } from '../support/fake-node';
import { toFieldPairs } from '../support/field-pairs';
import { createTestApp } from '../support/test-app';
import { TO } from '../support/transactions';
import { mailOf } from '../support/typed-data';
import { textOf, warningsOf } from '../support/view';

const FROM = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266';

/** MetaMask's contract that redeems delegations. */
const DELEGATION_MANAGER = '0xdb9b1e94b5b69df7e401ddbede43491141047db3';

const FRIEND = '0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc';

/** Begins and ends like USDC's address. */
const LOOK_ALIKE = '0xa0b8bad0000000000000000000000000000ceb48';

const lookAlike = textOf('warning.lookAlike', {
  address: LOOK_ALIKE,
  known: '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48',
});

type Insight = { content: JSXElement; severity?: string } | null;

type Signature = Parameters<OnSignatureHandler>[0]['signature'];

const gwei = (amount: number): string => `0x${Math.round(amount * 1e9).toString(16)}`;

/** Sets up the snap on a node with a base fee of 1 gwei and priority fees of 1 to 3 wei. */
function setup() {
  const { entry, edges } = createTestApp();
  const transaction = { from: FROM, to: TO, nonce: '0x1', value: '0x2', data: '0x' };
  const fees = { gas: '0x5208', maxFeePerGas: gwei(2), maxPriorityFeePerGas: gwei(1) };
  return {
    edges,
    inspectTransaction: async (changes = {}, chainId = 'eip155:1') => {
      const request = { transaction: { ...transaction, ...fees, ...changes }, chainId };
      return (await entry.onTransaction(request as never)) as Insight;
    },
    inspectSignature: async (signature: Signature, signatureOrigin?: string) =>
      (await entry.onSignature({
        signature,
        ...(signatureOrigin === undefined ? {} : { signatureOrigin }),
      })) as Insight,
  };
}

/** Encodes calls as MetaMask does for its delegate (ERC-7579). */
function encodeExecute(calls: { to: Hex; data: Hex }[]): Hex {
  const type = [
    {
      type: 'tuple[]',
      components: [
        { name: 'to', type: 'address' },
        { name: 'value', type: 'uint256' },
        { name: 'data', type: 'bytes' },
      ],
    },
  ] as const;
  const executions = encodeAbiParameters(type, [
    calls.map((call) => ({ ...call, value: 0n })),
  ]);
  const abi = parseAbi(['function execute(bytes32 mode, bytes executionCalldata)']);
  const mode: Hex = `0x01${'0'.repeat(62)}`;
  return encodeFunctionData({ abi, args: [mode, executions] });
}

/** Encodes the redemption of a delegated transfer: by MetaMask for its "added protection" or, with
 * a context, by another account. */
function encodeRedeem(mode: Hex, context: Hex = '0x'): Hex {
  const abi = parseAbi([
    'function redeemDelegations(bytes[] contexts, bytes32[] modes, bytes[] executions)',
  ]);
  const transfer = dataOf('transfer(address,uint256)', FRIEND, 1n);
  const isBatch = mode.startsWith('0x01');
  const execution = isBatch
    ? encodeAbiParameters(
        [
          {
            type: 'tuple[]',
            components: [{ type: 'address' }, { type: 'uint256' }, { type: 'bytes' }],
          },
        ],
        [[[TO, 0n, transfer]]] as never,
      )
    : encodePacked(['address', 'uint256', 'bytes'], [TO, 0n, transfer]);
  return encodeFunctionData({ abi, args: [[context], [mode], [execution]] });
}

const feeRating = (insight: Insight) => toFieldPairs(insight?.content)[0]?.[1];

describe('the insight of a transaction', () => {
  it('compares the fees with the market', async () => {
    const insight = await setup().inspectTransaction();
    const wait = { cost: '0.00003591 ETH', wait: '1 min' };
    expect(toFieldPairs(insight?.content)).toStrictEqual([
      [
        textOf('insight.fee'),
        textOf('insight.fee.at', { level: textOf('level.high') }),
      ],
      [textOf('insight.medium'), textOf('insight.medium.wait', wait)],
      [textOf('insight.trend'), textOf('trend.down')],
      [textOf('insight.congestion'), '50 %'],
    ]);
    expect(warningsOf(insight?.content)).toStrictEqual([]);
    expect(insight).not.toHaveProperty('severity');
  });

  it.each<[string, Hex]>([
    ['single', pad('0x00', { dir: 'right' })],
    ['single, which may fail', pad('0x0001', { dir: 'right' })],
    ['batch', pad('0x01', { dir: 'right' })],
    ['batch, which may fail', pad('0x0101', { dir: 'right' })],
  ])("reads a call inside MetaMask's wrapper: %s", async (_mode, mode) => {
    const { inspectTransaction, edges } = setup();
    edges.wallet.answers.eth_getCode = '0x60';
    edges.wallet.answers.eth_estimateGas = '0x30d40';
    const wrapped = { to: DELEGATION_MANAGER, value: '0x0', data: encodeRedeem(mode) };
    const tight = { gas: '200000', estimate: '200000' };
    const notices = async (gas: string): Promise<string[]> =>
      warningsOf((await inspectTransaction({ ...wrapped, gas }))?.content);
    expect(await notices('0x30d40')).toEqual(
      expect.arrayContaining([
        textOf('insight.wrapped'),
        textOf('insight.tightGas', tight),
      ]),
    );
    const roomy = await notices('0x35b60');
    expect(roomy).toContain(textOf('insight.wrapped'));
    expect(roomy.join()).not.toContain(textOf('insight.tightGas', tight).slice(0, 20));
    const upper = `0x${wrapped.data.slice(2).toUpperCase()}`;
    const insight = await inspectTransaction({ ...wrapped, data: upper });
    expect(warningsOf(insight?.content)).toContain(textOf('insight.wrapped'));
    expect(toFieldPairs(insight?.content)).toContainEqual([
      textOf('field.tokensTo'),
      FRIEND,
    ]);
  });

  it('names the account whose call another account redeems', async () => {
    const { inspectTransaction, edges } = setup();
    edges.wallet.answers.eth_getCode = '0x60';
    const delegation = [TO, FROM, pad('0x01'), [], 0n, '0x'];
    const context = encodeAbiParameters(
      parseAbiParameters(
        '(address,address,bytes32,(address,bytes,bytes)[],uint256,bytes)[]',
      ),
      [[delegation]] as never,
    );
    const data = encodeRedeem(pad('0x00'), context);
    const redeemed = { from: TO, to: DELEGATION_MANAGER, value: '0x0', data };
    const insight = await inspectTransaction(redeemed);
    expect(toFieldPairs(insight?.content)).toContainEqual([
      textOf('field.madeBy'),
      FROM,
    ]);
    expect(warningsOf(insight?.content)).not.toContain(textOf('insight.wrapped'));
  });

  it('is critical if it cannot show all calls', async () => {
    const transfer = dataOf('transfer(address,uint256)', FRIEND, 1n);
    const calls = Array<{ to: Hex; data: Hex }>(40).fill({ to: TO, data: transfer });
    const { inspectTransaction, edges } = setup();
    edges.wallet.answers.eth_getCode = '0x60';
    const data = encodeExecute(calls);
    const insight = await inspectTransaction({ to: FROM, value: '0x0', data });
    const [notShown] = warningsOf(insight?.content);
    expect(notShown).toContain(FRIEND);
    expect(insight?.severity).toBe('critical');
  });

  it('shows the fee in US dollars if there is a price feed', async () => {
    const { inspectTransaction, edges } = setup();
    const encodeWords = (...values: number[]): string =>
      `0x${values.map((value) => value.toString(16).padStart(64, '0')).join('')}`;
    const at = 1_700_000_000 - 720;
    edges.wallet.answers.eth_call = ([call]) =>
      (call as { data: string }).data === '0x313ce567'
        ? encodeWords(8)
        : encodeWords(7, 345_678_000_000, at, at, 7);
    const fields = Object.fromEntries(
      toFieldPairs((await inspectTransaction())?.content),
    );
    expect(fields[textOf('insight.medium')]).toContain('ETH (≈ $0.12)');
  });

  const noFees = { maxFeePerGas: '', maxPriorityFeePerGas: '' };

  it.each<[Record<string, Json>, string]>([
    [{ maxFeePerGas: gwei(0.5) }, textOf('insight.fee.belowBase')],
    [{ maxPriorityFeePerGas: '0x0' }, textOf('insight.fee.below')],
    [
      { maxFeePerGas: gwei(1.501), maxPriorityFeePerGas: gwei(0.001) },
      'at the Low level',
    ],
    [
      { maxFeePerGas: gwei(2.1), maxPriorityFeePerGas: gwei(0.0999) },
      'at the Medium level',
    ],
    // The maximum fee leaves a tip of 0.01 gwei.
    [{ maxFeePerGas: gwei(1.01) }, 'at the Medium level'],
    [{ maxFeePerGas: gwei(2.1) }, 'at the High level'],
    [{ maxFeePerGas: gwei(3.1) }, 'at the High level'],
    [{ maxFeePerGas: gwei(3.16) }, '1.5 times the high level'],
    [{ maxFeePerGas: gwei(6.2) }, '2.9 times the high level'],
    [{ maxFeePerGas: gwei(6.4) }, '3 times the high level'],
    [{ maxFeePerGas: gwei(210.1) }, '100 times the high level'],
    [{ ...noFees, gasPrice: gwei(6.4) }, '3 times the high level'],
  ])('rates the fees of %j: %j', async (changes, rating) => {
    expect(feeRating(await setup().inspectTransaction(changes))).toBe(rating);
  });

  const cases: [string, Record<string, Json>, string[], string | undefined][] = [
    [
      'fees that are too high',
      { maxFeePerGas: gwei(6.5) },
      [textOf('alert.fee', { fee: '6.5 gwei', high: '2.1 gwei' })],
      undefined,
    ],
    [
      'an approval without limit',
      { data: dataOf('approve(address,uint256)', TO, ALL) },
      [textOf('alert.unlimited', { spender: toShortHex(TO), token: toShortHex(TO) })],
      undefined,
    ],
    [
      'value for a new contract, the worse warning first',
      { to: null, data: '0x6080' },
      [
        textOf('alert.creationValue', { value: '0.000000000000000002 ETH' }),
        textOf('insight.creation'),
      ],
      undefined,
    ],
    [
      'an approval for a whole collection',
      { data: dataOf('setApprovalForAll(address,bool)', TO, true) },
      [textOf('alert.operator', { operator: TO })],
      'critical',
    ],
    [
      'ether for the zero address',
      { to: `0x${'0'.repeat(40)}` },
      [textOf('alert.nobody', { value: '0.000000000000000002 ETH' })],
      'critical',
    ],
    ['a look-alike address', { to: LOOK_ALIKE }, [lookAlike], 'critical'],
  ];

  it.each(cases)('warns of %s', async (_what, ...[changes, warnings, severity]) => {
    const { inspectTransaction, edges } = setup();
    edges.wallet.answers.eth_getCode = '0x60';
    const insight = await inspectTransaction(changes);
    expect(warningsOf(insight?.content)).toStrictEqual(warnings);
    expect(insight?.severity).toBe(severity);
  });

  it('warns of a call even if the node does not answer', async () => {
    const { inspectTransaction, edges } = setup();
    edges.wallet.answers = {};
    const data = dataOf('approve(address,uint256)', TO, ALL);
    const insight = await inspectTransaction({ data });
    const unchecked = textOf('insight.unchecked');
    expect(warningsOf(insight?.content)).toStrictEqual([expect.any(String), unchecked]);
    const creation = await inspectTransaction({ to: '', value: '0x0' });
    expect(warningsOf(creation?.content)).toStrictEqual([
      textOf('insight.creation'),
      unchecked,
    ]);
    expect(toFieldPairs(creation?.content)).toStrictEqual([]);
  });

  it('shows no cost while the gas is unknown', async () => {
    const insight = await setup().inspectTransaction({ gas: '' });
    const labels = toFieldPairs(insight?.content).map(([label]) => label);
    expect(labels).toContain(textOf('insight.fee'));
    expect(labels).not.toContain(textOf('insight.medium'));
  });

  it('is omitted if there is nothing to report, or the request or state cannot be read', async () => {
    const { inspectTransaction } = setup();
    expect(await inspectTransaction(noFees)).toBeNull();
    expect(await inspectTransaction({ from: 'me' })).toBeNull();
    expect(await inspectTransaction({}, 'nonsense')).toBeNull();
    const damaged = setup();
    damaged.edges.backend.document = { version: 99 };
    damaged.edges.publicBackend.document = 'spoiled';
    expect(await damaged.inspectTransaction()).toBeNull();
  });

  it.each<[string, NodeAnswers, string]>([
    ['a network that MetaMask does not have', {}, 'eip155:7'],
    ['a node that fails every request', { eth_chainId: '0x1' }, 'eip155:1'],
  ])('says that nothing was checked for %s', async (_what, answers, chain) => {
    const { inspectTransaction, edges } = setup();
    edges.wallet.answers = answers;
    const insight = await inspectTransaction({}, chain);
    expect(warningsOf(insight?.content)).toStrictEqual([textOf('insight.unchecked')]);
    expect(insight).not.toHaveProperty('severity');
  });
});

describe('code that may change before a call is included', () => {
  const IMPLEMENTATION =
    '0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc';
  const BEACON = '0xa3f0ad74e5423aebfd80d3ef4346578335a9a72aeaee59ff6cb3582b35133d50';
  const USDC = '0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48';
  const claim = { data: '0x4e71d92d', value: '0x0' };

  type NodeAnswer = NodeAnswers[string];

  async function inspectCall(
    answers: NodeAnswers,
    changes: Record<string, Json> = claim,
  ) {
    const { inspectTransaction, edges } = setup();
    Object.assign(edges.wallet.answers, { eth_getCode: '0x60', ...answers });
    return (await inspectTransaction(changes)) as NonNullable<Insight>;
  }

  const proxyBy =
    (slot: string): NodeAnswer =>
    ([, position]) =>
      position === slot ? pad(TO) : pad('0x0');

  it.each<[string, NodeAnswer, boolean]>([
    ['a proxy with its implementation in a slot', proxyBy(IMPLEMENTATION), true],
    ['a beacon proxy', proxyBy(BEACON), true],
    ['a contract or a clone', pad('0x0'), false],
    ['a node without an answer', refuses('down'), false],
  ])('is reported only if upgradeable: %s', async (_what, answer, isReported) => {
    const { content, severity } = await inspectCall({
      eth_getStorageAt: answer,
    });
    const warning = textOf('alert.upgradeable', { address: TO.toLowerCase() });
    expect(warningsOf(content).includes(warning)).toBe(isReported);
    expect(severity).toBeUndefined();
  });

  it('is reported for a well-known token only in the collapsed section of the call', async () => {
    const { content } = await inspectCall(
      { eth_getStorageAt: proxyBy(IMPLEMENTATION) },
      { ...claim, to: USDC, data: dataOf('transfer(address,uint256)', FRIEND, 1n) },
    );
    const warning = textOf('alert.upgradeable', { address: USDC });
    expect(warningsOf(content)).not.toContain(warning);
    expect(JSON.stringify(content)).toContain(warning);
  });

  /** Answers a call by its block's time, in seconds from now. */
  const byTime =
    (answer: (seconds: number) => Json): NodeAnswer =>
    ([, , , block]) =>
      block === undefined
        ? '0x'
        : answer(Number((block as { time: string }).time) - 1_700_000_000);
  const revert = refuses({ code: 3, message: 'execution reverted' });

  it.each<[string, NodeAnswer, boolean]>([
    ['returns the time', byTime((seconds) => pad(`0x${seconds}`)), true],
    ['fails later', byTime((seconds) => (seconds > 0 ? revert() : '0x')), true],
    ['always returns the same', byTime(() => '0x'), false],
    ['always fails', byTime(revert), false],
    [
      'cannot be tried in another block',
      byTime((seconds) =>
        seconds > 0 ? refuses({ code: -32005, message: 'too many requests' })() : '0x',
      ),
      false,
    ],
  ])(
    'is reported if the result depends on the block: a call that %s',
    async (_what, ...[answer, isReported]) => {
      const { content, severity } = await inspectCall({ eth_call: answer });
      const warning = textOf('alert.dependsOnBlock');
      expect(warningsOf(content).includes(warning)).toBe(isReported);
      expect(severity).toBeUndefined();
    },
  );

  it('is not checked in another block if the node is slow', async () => {
    const never = new Promise<Json>(() => undefined) as unknown as Json;
    const start = Date.now();
    const { content } = await inspectCall({ eth_call: byTime(() => never) });
    expect(Date.now() - start).toBeLessThan(1_000);
    expect(toFieldPairs(content)).not.toStrictEqual([]);
  });
});

describe("the insight of MetaMask's own batch", () => {
  const transfer = dataOf('transfer(address,uint256)', FRIEND, 1n);
  const data = encodeExecute([{ to: TO, data: transfer }]);
  const batch = { to: FROM, value: '0x0', data };
  const withoutEffect = textOf('alert.ownData');
  const delegating = (...addresses: unknown[]): Record<string, Json> => ({
    ...batch,
    authorizationList: addresses.map((address) => ({ address })) as Json,
  });
  const ZERO = `0x${'0'.repeat(40)}`;

  async function warn(changes: Record<string, Json>, code: Hex | (() => never)) {
    const { inspectTransaction, edges } = setup();
    edges.wallet.answers.eth_getCode =
      typeof code === 'string'
        ? ([address]) => (address === FROM ? code : '0x60')
        : code;
    const insight = await inspectTransaction(changes);
    return [warningsOf(insight?.content), insight?.severity];
  }

  it('calls the batch ineffective only if the account will have no code', async () => {
    const delegated: Hex = `0xef0100${'63'.repeat(20)}`;
    const failing = refuses('down');
    expect(await warn(batch, delegated)).toStrictEqual([[], undefined]);
    expect(await warn(batch, failing)).toStrictEqual([
      [textOf('alert.codeUnknown', { address: TO })],
      undefined,
    ]);
    expect(await warn(delegating(METAMASK_DELEGATE), '0x')).toStrictEqual([
      [],
      undefined,
    ]);
    expect(await warn(batch, '0x')).toStrictEqual([[withoutEffect], undefined]);
    expect(await warn({ ...batch, authorizationList: 'x' }, '0x')).toStrictEqual([
      [textOf('warning.authorizations')],
      'critical',
    ]);
    expect((await warn(delegating(ZERO), delegated))[0]).toContain(withoutEffect);
  });

  it('names every unknown delegate, and uses the last delegate', async () => {
    const stranger = textOf('insight.delegate', { address: TO });
    const revokes = textOf('delegation.revokes');
    const cases: [unknown[], string[], string | undefined][] = [
      [[TO, METAMASK_DELEGATE], [stranger], 'critical'],
      [[METAMASK_DELEGATE, TO], [stranger], 'critical'],
      [[ZERO, METAMASK_DELEGATE], [revokes], undefined],
      [[METAMASK_DELEGATE, ZERO], [withoutEffect, revokes], undefined],
    ];
    for (const [delegates, ...expected] of cases) {
      expect(await warn(delegating(...delegates), '0x')).toStrictEqual(expected);
    }
  });

  it('names an unknown delegate, a known one, and a revocation', async () => {
    expect(await warn(delegating(TO), '0x')).toStrictEqual([
      [textOf('insight.delegate', { address: TO })],
      'critical',
    ]);
    const [known] = implementations;
    expect(await warn(delegating(known?.address), '0x')).toStrictEqual([
      [textOf('delegation.allows')],
      undefined,
    ]);
    expect(await warn({ ...delegating(ZERO), data: '0x' }, '0x')).toStrictEqual([
      [textOf('delegation.revokes')],
      undefined,
    ]);
  });
});

const message = (text: string): Signature => ({
  from: FROM,
  data: stringToHex(text),
  signatureMethod: 'personal_sign',
});

const typed = (data: unknown): Signature => ({
  from: FROM,
  data: data as Record<string, unknown>,
  signatureMethod: 'eth_signTypedData_v4',
});

const siwe = (domain: string): Signature =>
  message(
    `${domain} wants you to sign in with your Ethereum account:\n` +
      `0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266\n\nSign in.\n\nURI: https://${domain}\n` +
      'Version: 1\nChain ID: 1\nNonce: abcdefgh\nIssued At: 2023-11-14T22:13:20.000Z',
  );

const permitOf = (changes: Record<string, Json> = {}): Signature =>
  typed(permit({ spender: TO, ...changes }));

const SITE = 'https://dapp.example';

describe('an insight without an answer from the node', () => {
  useFakeClock();

  it.each<[string, (bench: ReturnType<typeof setup>) => Promise<Insight>]>([
    ['a transaction', async ({ inspectTransaction }) => inspectTransaction()],
    ['a signature', async ({ inspectSignature }) => inspectSignature(permitOf(), SITE)],
  ])('appears within two seconds for %s', async (_what, request) => {
    const bench = setup();
    const never = (() => new Promise(() => undefined)) as never;
    for (const method of [
      'eth_call',
      'eth_feeHistory',
      'eth_getCode',
      'eth_simulateV1',
    ]) {
      bench.edges.wallet.answers[method] = never;
    }
    const insights: Insight[] = [];
    void request(bench).then((insight) => insights.push(insight));
    await advance(2_000);
    expect(insights).toHaveLength(1);
    expect(insights[0]?.content).toBeDefined();
  });
});

describe('the insight of a signature', () => {
  // Without the stored state, the snap does not know how to reach a chain.
  const unchecked = ['0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48', TO].map((address) =>
    textOf('alert.codeUnknown', { address }),
  );

  it.each<[string, Signature, string[], string | undefined]>([
    ['a permit', permitOf(), [...unchecked, textOf('shape.permit')], undefined],
    [
      'a permit without limit',
      permitOf({ value: String(2n ** 256n - 1n) }),
      [
        unchecked[0] ?? '',
        textOf('typed.unlimited'),
        ...unchecked.slice(1),
        textOf('shape.permit'),
      ],
      undefined,
    ],
    [
      'a permit for a look-alike address',
      permitOf({ value: '1', spender: LOOK_ALIKE }),
      expect.arrayContaining([lookAlike]) as string[],
      'critical',
    ],
    [
      'a sign-in to another site',
      siwe('bank.example'),
      [expect.stringContaining('bank.example') as string],
      'critical',
    ],
  ])('warns of %s without state', async (_what, ...[signature, warnings, severity]) => {
    const { inspectSignature, edges } = setup();
    edges.backend.document = { version: 99 };
    const insight = await inspectSignature(signature, SITE);
    expect(warningsOf(insight?.content)).toStrictEqual(warnings);
    expect(insight?.severity).toBe(severity);
  });

  it("shows the spender and amount of a permit, and the account's balance", async () => {
    const { inspectSignature, edges } = setup();
    const balance = 1_000_000_000n;
    edges.wallet.answers.eth_call = pad(`0x${balance.toString(16)}`);
    const insight = await inspectSignature(permitOf(), SITE);
    expect(toFieldPairs(insight?.content)).toStrictEqual(
      expect.arrayContaining([
        [textOf('changes.spender'), TO],
        [textOf('changes.approve'), '250 USDC'],
        [textOf('changes.balance'), '250 USDC'],
      ]),
    );
  });

  it.each<[string, Signature, string | undefined]>([
    ['a sign-in to the requesting site', siwe('dapp.example'), SITE],
    ['a sign-in that the wallet itself requests', siwe('bank.example'), undefined],
    ['a plain message', message('hello'), SITE],
    ['plain typed data', typed(mailOf(1)), SITE],
  ])('shows only a digest for %s', async (_what, signature, origin) => {
    const { inspectSignature, edges } = setup();
    edges.wallet.answers.eth_getCode = '0x60';
    const insight = await inspectSignature(signature, origin);
    expect(warningsOf(insight?.content)).toStrictEqual([]);
    expect(JSON.stringify(insight?.content)).toMatch(/"(?:EIP-712|ERC-191) digest"/u);
    expect(insight?.severity).toBeUndefined();
  });

  it.each<[string, Record<string, Json>, boolean]>([
    ['an owner', { eth_call: pad('0x1') }, false],
    ['not an owner', { eth_call: pad('0x0') }, true],
    ['unknown', {}, false],
  ])(
    'warns of a Safe transaction if its signer is not an owner: the signer is %s',
    async (_what, answers, isWarned) => {
      const { inspectSignature, edges } = setup();
      edges.wallet.answers = { ...edges.wallet.answers, eth_call: null, ...answers };
      const safe = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8';
      const transaction = typed(safeTransaction(safe, { to: TO }));
      const insight = await inspectSignature(transaction, SITE);
      const notOwner = textOf('typed.notOwner', { address: safe });
      expect(warningsOf(insight?.content).includes(notOwner)).toBe(isWarned);
      expect(JSON.stringify(insight?.content)).toContain('Safe transaction hash');
    },
  );

  const V4 = SignTypedDataVersion.V4;

  /** Creates a permit whose values can be in unusual notations. */
  const unusualPermit = (changes: Record<string, Json>): Record<string, unknown> => {
    const { types, primaryType, domain, message: plain } = permit({ spender: TO });
    return { types, primaryType, domain, message: { ...plain, ...changes } };
  };

  it.each<Record<string, Json>>([
    { value: ` ${2n ** 256n - 1n}` },
    { value: `0X${'f'.repeat(64)}` },
    { value: `0b${'1'.repeat(256)}` },
    { value: `\n${2n ** 256n - 1n}\t`, nonce: '' },
    { value: 2 ** 255, deadline: '+1700001800' },
    { value: `0o1${'7'.repeat(85)}`, spender: TO.replace('0x', '0X') },
    { value: 2 ** 255, spender: TO.slice(0, 2) + TO.slice(2).replace(/^0+/u, '') },
  ])("reads %j as MetaMask's signer does", async (changes) => {
    const { inspectSignature, edges } = setup();
    edges.wallet.answers.eth_getCode = '0x60';
    const document = unusualPermit(changes);
    const insight = await inspectSignature(typed(document), SITE);
    expect(warningsOf(insight?.content)).toStrictEqual([
      textOf('typed.unlimited'),
      textOf('shape.permit'),
    ]);
    const digest = TypedDataUtils.eip712Hash(document as never, V4).toString('hex');
    expect(JSON.stringify(insight?.content)).toContain(digest);
  });

  it.each<[string, Signature]>([
    ['malformed typed data', typed({ types: 7 })],
    ['a malformed address', typed(unusualPermit({ spender: 'me' }))],
    ['a number for a string', typed({ ...unusualPermit({}), domain: { name: 7 } })],
    ['a fraction', typed(unusualPermit({ value: 1.5 }))],
    ['a missing value', typed(unusualPermit({ value: null }))],
    ['a wrong primary type', typed({ ...unusualPermit({}), primaryType: 'Permit ' })],
    ['a long message', message('x'.repeat(1_000_001))],
    [
      'a list with an invalid type',
      {
        from: FROM,
        data: [{ type: 'uint7', name: 'a', value: 1 }],
        signatureMethod: 'eth_signTypedData',
      },
    ],
  ])('is critical for %s', async (_what, signature) => {
    const insight = await setup().inspectSignature(signature, SITE);
    expect(warningsOf(insight?.content)).toStrictEqual([textOf('insight.unreadable')]);
    expect(insight?.severity).toBe('critical');
  });

  it('reads a message with an odd number of digits as MetaMask does', async () => {
    const signature = { ...message(''), data: '0x95ea7b3' } as Signature;
    const insight = await setup().inspectSignature(signature, SITE);
    expect(warningsOf(insight?.content)).toStrictEqual([
      textOf('message.call', { function: 'approve(address,uint256)' }),
    ]);
    expect(insight?.severity).toBe('critical');
  });
});
