// Gas limits under the rules of Prague and of Amsterdam (EIP-2780 and others).
import type { JSXElement } from '@metamask/snaps-sdk/jsx';
import type { Json } from '@metamask/utils';
import { numberToHex } from 'viem';
import type { Hex } from 'viem';

import { referenceCases } from '../fixtures/eth/gas-reference';
import { callersOf } from '../support/callers';
import { createCallsBench } from '../support/calls-bench';
import { ACCOUNT_08, delegatedTo, simulateDelegations } from '../support/delegations';
import { calledMethods, refuses } from '../support/fake-node';
import type { NodeAnswers } from '../support/fake-node';
import { configOf } from '../support/forks';
import { openHome } from '../support/home-bench';
import { createOperationBench } from '../support/operation-bench';
import { createSendBench, RECIPIENT } from '../support/send-bench';
import { COMPANION, createTestApp } from '../support/test-app';
import { advanceTime } from '../support/test-edges';
import { AUTHORIZATION, TO } from '../support/transactions';
import { textOf, textsOf, warningsOf } from '../support/view';
import { without } from '../support/without';

type Fields = Record<string, Json>;

const hex = (value: bigint | number): Hex => numberToHex(value);

const AMSTERDAM = { eth_config: configOf('amsterdam') };

const PRAGUE = { eth_config: configOf('prague') };

const ABSENT = {
  eth_config: refuses({ code: -32601, message: 'the method does not exist' }),
};

/** Maximum fee of the medium level, in gwei. */
const MEDIUM = 1.71;

async function setup(answers: NodeAnswers) {
  const bench = await createSendBench();
  Object.assign(bench.edges.wallet.answers, answers);
  return {
    ...bench,
    fill: async (fields: Fields = {}) => {
      const { address: from, call } = bench;
      const request = { from, to: RECIPIENT, value: '0x1', ...fields };
      const filled = await call('eth_fillTransaction', [request]);
      return BigInt((filled as { tx: { gasLimit: Hex } }).tx.gasLimit);
    },
  };
}

/** Answers estimates with `self` for a transfer to oneself, from which the rules are inferred, and
 * with `other` for anything else. */
const estimating = (self: number, other: number): NodeAnswers => ({
  eth_estimateGas: ([call]) => {
    const { from, to } = call as Fields;
    return hex(from === to ? self : other);
  },
});

describe('a gas limit in Amsterdam', () => {
  const calls = referenceCases.filter(({ to }) => to !== 'none' && to !== 'funded');

  it.each(calls)('is exact: $name', async ({ to, value, intrinsic, state }) => {
    const gas = intrinsic + state;
    const bench = await setup({ ...AMSTERDAM, eth_estimateGas: hex(gas) });
    const fields = { value: hex(value), ...(to === 'self' && { to: bench.address }) };
    expect(await bench.fill(fields)).toBe(gas);
  });

  it.each<[string, Fields, number, number]>([
    ['the call runs code', {}, 24_100, 28_920],
    ['the call creates an account and runs code', {}, 204_601, 245_521],
    [
      'the transaction creates a contract',
      { to: null, data: '0x60' },
      250_000,
      300_000,
    ],
    ['the estimate is below the intrinsic gas', {}, 20_999, 25_200],
    ['the estimate is below that of calldata', { data: '0xabcd' }, 21_032, 25_353],
    ['the margin exceeds the cap of EIP-7825', {}, 16_000_000, 19_200_000],
  ])('has a margin if %s', async (...[, fields, estimate, expected]) => {
    const { fill } = await setup({ ...AMSTERDAM, eth_estimateGas: hex(estimate) });
    expect(await fill(fields)).toBe(BigInt(expected));
  });

  it('is exact for data to an account without code', async () => {
    const eth_estimateGas = hex(21_000 + 3 * 64);
    const { fill } = await setup({ ...AMSTERDAM, eth_estimateGas });
    expect(await fill({ data: '0xab00cd' })).toBe(21_192n);
  });

  it.each([
    [PRAGUE, 500_000 + 2 * 40, 500_000 + 2 * 240],
    [AMSTERDAM, 1_000_000 + 2 * 64, 1_000_000 + 2 * 1_594],
  ])('is assumed if the estimate fails (%#)', async (config, called, created) => {
    const failing = refuses({ code: 3, message: 'execution reverted' });
    const bench = await setup({ ...config, eth_estimateGas: failing });
    await bench.send({ data: '0xabcd' });
    await bench.send({ to: null, data: '0xabcd' });
    const limits = bench.signed().map(({ gas }) => gas);
    expect(limits).toStrictEqual([BigInt(called), BigInt(created)]);
  });

  it.each<[string, Json | (() => never), bigint]>([
    ["the block's limit", { gasLimit: hex(60_000_000) }, 60_000_000n],
    ['uncapped if the block names no limit', {}, 79_348_288n],
    ['uncapped if there is no block', null, 79_348_288n],
    ['uncapped if the node has no answer', refuses('no'), 79_348_288n],
  ])('is assumed for the longest contract: %s', async (_what, block, expected) => {
    const failing = refuses({ code: 3, message: 'execution reverted' });
    const bench = await setup({ ...AMSTERDAM, eth_estimateGas: failing });
    const header = { number: '0x1', timestamp: '0x1' };
    const isKnown = typeof block === 'object' && block !== null;
    bench.edges.wallet.answers.eth_getBlockByNumber = isKnown
      ? { ...header, ...block }
      : block;
    await bench.send({ to: null, data: `0x${'60'.repeat(49_152)}` });
    expect(bench.signed().map(({ gas }) => gas)).toStrictEqual([expected]);
  });

  it("covers a new delegation, which the node's estimate lacks", async () => {
    const gasOf = async (config: NodeAnswers, method: string): Promise<bigint> => {
      const bench = await setup({ ...config, eth_estimateGas: '0x186a0' });
      const codes = simulateDelegations(bench.edges.wallet);
      if (method === 'tollkeeper_revokeDelegation') {
        codes.set(bench.address.toLowerCase(), `0xef0100${'63'.repeat(20)}`);
      }
      const { rpc } = callersOf(bench.app);
      await rpc(COMPANION, 'eth_requestAccounts');
      await rpc(COMPANION, method, [{ account: bench.address, chainId: '0x1' }]);
      return bench.signed()[0]?.gas ?? 0n;
    };
    expect(await gasOf(PRAGUE, 'tollkeeper_delegate')).toBe(120_000n);
    expect(await gasOf(AMSTERDAM, 'tollkeeper_delegate')).toBe(162_228n);
    expect(await gasOf(AMSTERDAM, 'tollkeeper_revokeDelegation')).toBe(120_000n);
  });

  it('has a margin if another account signed an authorization', async () => {
    const { fill } = await setup({ ...AMSTERDAM, eth_estimateGas: '0x186a0' });
    expect(await fill({ authorizationList: [AUTHORIZATION] })).toBe(120_000n);
  });
});

describe('a gas limit before Amsterdam', () => {
  it.each<[number, number]>([
    [21_000, 21_000],
    [204_600, 245_520],
    // Every transaction needs more than this.
    [12_000, 25_200],
    // Ethereum has a cap (EIP-7825), which other chains may lack.
    [15_000_000, 16_777_216],
    [20_000_000, 24_000_000],
  ])('follows from an estimate of %i: %i', async (estimate, expected) => {
    const { fill } = await setup({ ...PRAGUE, eth_estimateGas: hex(estimate) });
    expect(await fill()).toBe(BigInt(expected));
  });
});

describe('a contract of 128 KiB', () => {
  it('can be created in Amsterdam', async () => {
    const { call, address, edges } = await setup({ ...AMSTERDAM });
    edges.wallet.answers.eth_estimateGas = hex(15_000_000);
    const data: Hex = `0x${'60'.repeat(131_072)}`;
    const signed = await call('eth_signTransaction', [{ from: address, data }]);
    expect(signed).toHaveProperty('tx.data', data);
  });
});

describe('the rules of a chain', () => {
  const CREATION = 204_600n;

  /** The gas limit with a margin, as under the rules of Prague. */
  const WITH_MARGIN = 245_520n;

  it('are fetched once an hour', async () => {
    const bench = await setup({ ...AMSTERDAM, eth_estimateGas: hex(CREATION) });
    const count = (): number =>
      calledMethods(bench.edges.wallet).filter((method) => method === 'eth_config')
        .length;
    await Promise.all([bench.fill(), bench.fill()]);
    expect(count()).toBe(1);
    advanceTime(bench.edges, 3_599_999);
    await bench.fill();
    expect(count()).toBe(1);
    advanceTime(bench.edges, 1);
    await bench.fill();
    expect(count()).toBe(2);
  });

  it('are fetched again when the next fork begins', async () => {
    const bench = await setup({ eth_estimateGas: hex(CREATION) });
    const { clock, wallet } = bench.edges;
    const next = Math.floor(clock.time / 1_000) + 60;
    wallet.answers.eth_config = configOf('prague', next);
    expect(await bench.fill()).toBe(WITH_MARGIN);
    wallet.answers.eth_config = configOf('amsterdam');
    advanceTime(bench.edges, next * 1_000 - clock.time - 1);
    expect(await bench.fill()).toBe(WITH_MARGIN);
    advanceTime(bench.edges, 1);
    expect(await bench.fill()).toBe(CREATION);
  });

  it.each([
    [12_000, CREATION],
    [21_000, WITH_MARGIN],
  ])('are inferred from the estimate %i without eth_config', async (self, expected) => {
    const bench = await setup({ ...ABSENT, ...estimating(self, Number(CREATION)) });
    expect(await bench.fill()).toBe(WITH_MARGIN);
    expect(await bench.fill()).toBe(expected);
    const count = bench.edges.wallet.calls.length;
    expect(await bench.fill()).toBe(expected);
    const methods = calledMethods(bench.edges.wallet).slice(count);
    expect(methods.filter((each) => each === 'eth_estimateGas')).toHaveLength(1);
  });

  it('are inferred again after ten minutes', async () => {
    const bench = await setup({ ...ABSENT, ...estimating(21_000, Number(CREATION)) });
    await bench.fill();
    expect(await bench.fill()).toBe(WITH_MARGIN);
    Object.assign(bench.edges.wallet.answers, estimating(12_000, Number(CREATION)));
    advanceTime(bench.edges, 600_000);
    expect(await bench.fill()).toBe(CREATION);
  });

  it('are inferred from an estimate if eth_config has no system contracts', async () => {
    const current = { ...AMSTERDAM.eth_config.current, systemContracts: null };
    const bench = await setup({
      eth_config: { current },
      ...estimating(12_000, Number(CREATION)),
    });
    expect(await bench.fill()).toBe(CREATION);
  });

  it.each<[string, NodeAnswers[string]]>([
    ['fails', refuses('busy')],
    ['is malformed', { current: {} }],
    [
      'has no system contracts',
      { current: { ...PRAGUE.eth_config.current, systemContracts: null } },
    ],
  ])('are those of Prague if eth_config %s', async (_what, eth_config) => {
    const { fill } = await setup({ eth_config, eth_estimateGas: hex(CREATION) });
    expect(await fill()).toBe(WITH_MARGIN);
  });
});

describe("a transfer that creates its recipient's account", () => {
  /** 183,600 gas at the maximum fee of the medium level. */
  const cost = `${(183_600 * MEDIUM) / 1e9} ETH`;

  const text = textOf('alert.newAccount', { cost });

  it.each<[string, NodeAnswers, Fields, boolean]>([
    ['in Amsterdam', AMSTERDAM, {}, true],
    ["in Amsterdam, with the site's gas limit", AMSTERDAM, { gas: hex(250_000) }, true],
    ['in Prague', PRAGUE, {}, false],
    ["in Prague, with the site's gas limit", PRAGUE, { gas: hex(250_000) }, false],
    ['in Amsterdam without value', AMSTERDAM, { value: '0x0' }, false],
  ])(
    'shows the added cost only in Amsterdam and only with value: %s',
    async (...[, config, fields, isShown]) => {
      const bench = await setup({ ...config, eth_estimateGas: hex(204_600) });
      await bench.send(fields);
      const dialog = bench.edges.dialogs.shown.at(-1);
      expect(warningsOf(dialog).includes(text)).toBe(isShown);
    },
  );

  it('is not assumed for a transfer to oneself, a contract creation, or an existing account', async () => {
    const bench = await setup({ ...AMSTERDAM, eth_estimateGas: hex(204_600) });
    await bench.send({ to: bench.address });
    await bench.send({ to: null, data: '0x60' });
    bench.edges.wallet.answers.eth_estimateGas = '0x5208';
    await bench.send();
    const shown = bench.edges.dialogs.shown.slice(-3).flatMap(warningsOf);
    expect(shown.filter((each) => each === text)).toStrictEqual([]);
  });

  it('is reported for a call of a batch', async () => {
    const bench = await createCallsBench();
    Object.assign(bench.edges.wallet.answers, AMSTERDAM, {
      eth_estimateGas: ([call]: Json[]) =>
        hex((call as Fields).value === '0x2' ? 204_600 : 21_000),
    });
    await bench.sendCalls();
    expect(warningsOf(bench.edges.dialogs.shown.at(-1))).toContain(
      textOf('calls.about', { number: '2', text }),
    );
  });
});

describe("a smart account's calls that create an account", () => {
  const cost = `${(183_600 * MEDIUM) / 1e9} ETH`;

  const text = textOf('userOperation.about', {
    number: '1',
    text: textOf('alert.newAccount', { cost }),
  });

  /** Answers for a recipient that has no code, balance or nonce unless given. */
  const newRecipient = (fields: Partial<Record<string, Hex>> = {}): NodeAnswers => ({
    eth_getCode: ([address]) =>
      address === RECIPIENT ? (fields.code ?? '0x') : '0x6080',
    eth_getBalance: ([address]) =>
      address === RECIPIENT ? (fields.balance ?? '0x0') : hex(10n ** 18n),
    eth_getTransactionCount: ([address]) =>
      address === RECIPIENT ? (fields.nonce ?? '0x0') : '0x5',
  });

  it.each<[string, NodeAnswers, Fields, boolean]>([
    ['in Amsterdam', { ...AMSTERDAM, ...newRecipient() }, {}, true],
    ['in Prague', { ...PRAGUE, ...newRecipient() }, {}, false],
    [
      'with a balance',
      { ...AMSTERDAM, ...newRecipient({ balance: '0x1' }) },
      {},
      false,
    ],
    ['with a nonce', { ...AMSTERDAM, ...newRecipient({ nonce: '0x1' }) }, {}, false],
    ['with code', { ...AMSTERDAM, ...newRecipient({ code: '0x60' }) }, {}, false],
    ['without value', { ...AMSTERDAM, ...newRecipient() }, { value: '0x0' }, false],
    [
      'with an unknown balance',
      { ...AMSTERDAM, ...newRecipient(), eth_getBalance: refuses('') },
      {},
      false,
    ],
  ])(
    'are reported for a user operation only in Amsterdam and only with value for a new recipient: %s',
    async (...[, node, fields, isReported]) => {
      const bench = await createOperationBench({ node });
      const intent = { to: RECIPIENT, value: '0x1', data: '0x', ...fields };
      await bench.call('eth_sendUserOperation', [intent]);
      expect(warningsOf(bench.edges.dialogs.shown.at(-1)).includes(text)).toBe(
        isReported,
      );
    },
  );

  it.each([
    ['Amsterdam', AMSTERDAM, true],
    ['Prague', PRAGUE, false],
  ])(
    'are reported in insights, as for plain transfers, only in Amsterdam: %s',
    async (_fork, config, isReported) => {
      const { entry, edges } = createTestApp();
      Object.assign(edges.wallet.answers, { ...newRecipient(), ...config });
      const transaction = {
        from: TO,
        to: RECIPIENT,
        value: '0x2',
        data: '0x',
        gas: hex(204_600),
        maxFeePerGas: hex(10n ** 9n),
        maxPriorityFeePerGas: '0x1',
      };
      const request = { transaction, chainId: 'eip155:1' };
      const insight = await entry.onTransaction(request as never);
      const warning = textOf('alert.newAccount', { cost: '0.0001836 ETH' });
      const { content } = insight as unknown as { content: JSXElement };
      expect(warningsOf(content).includes(warning)).toBe(isReported);
    },
  );

  it('are reported for a batch of a delegating account', async () => {
    const bench = await createCallsBench();
    const { edges, address } = bench;
    const codes = simulateDelegations(edges.wallet);
    codes.set(address.toLowerCase(), delegatedTo(ACCOUNT_08));
    Object.assign(edges.wallet.answers, {
      ...AMSTERDAM,
      ...without(newRecipient(), 'eth_getCode'),
      eth_estimateGas: '0x186a0',
    });
    await bench.sendCalls();
    expect(warningsOf(edges.dialogs.shown.at(-1))).toStrictEqual([text]);
  });
});

describe('a user operation in Amsterdam', () => {
  const OPERATION = { to: RECIPIENT, value: '0x1', data: '0xa9' };

  const ESTIMATING = 'eth_estimateUserOperationGas';

  it('is estimated with enough gas to deploy its account', async () => {
    const node = { ...AMSTERDAM, eth_getCode: '0x' };
    const bench = await createOperationBench({ node });
    await bench.call('eth_sendUserOperation', [OPERATION]);
    const requests = bench.bundler.calls.filter(({ method }) => method === ESTIMATING);
    expect(requests.map(({ params }) => params[0])).toMatchObject([
      { verificationGasLimit: hex(3_000_000) },
    ]);
    expect(bench.sent()).toMatchObject([
      {
        callGasLimit: hex((300_000 * 120) / 100),
        verificationGasLimit: hex(((200_000 + 130_000) * 120) / 100),
      },
    ]);
  });

  it('is simulated with an intrinsic gas of 15,000', async () => {
    const step = { status: '0x1', returnData: '0x', logs: [] };
    const eth_simulateV1 = [
      {
        calls: [
          { ...step, gasUsed: hex(50_000) },
          { ...step, gasUsed: hex(60_000) },
        ],
      },
    ];
    const bundler = { [ESTIMATING]: refuses({ code: -32601, message: 'no' }) };
    const node = { ...AMSTERDAM, eth_simulateV1 };
    const bench = await createOperationBench({ node, bundler });
    const estimate = (await bench.call(ESTIMATING, [OPERATION])) as Record<string, Hex>;
    expect(estimate).toMatchObject({
      callGasLimit: hex(((60_000 - 15_000) * 150) / 100),
      verificationGasLimit: hex(((50_000 - 15_000 + 120_000 + 130_000) * 150) / 100),
    });
  });
});

it('shows the cost of a transfer to a new account on the home page', async () => {
  const label = `${textOf('gas.newAccount')} (ETH)`;
  const bench = await setup(AMSTERDAM);
  const home = await openHome(bench.app);
  await home.wake();
  const texts = textsOf(home.page());
  const cost = (gas: number): string =>
    String(Number(((gas * MEDIUM) / 1e9).toPrecision(3)));
  expect(texts).toContain(label);
  expect(texts.join('\n')).toContain(cost(204_600));
  expect(texts.join('\n')).toContain(cost(21_000));
  const before = await openHome((await setup(PRAGUE)).app);
  await before.wake();
  expect(textsOf(before.page())).not.toContain(label);
});
