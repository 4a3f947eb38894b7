// The fees and gas limits of transactions, the user's choices, and the warnings. The chain has a base
// fee of 1 gwei, and levels of 1.501, 1.71 and 2.1 gwei.
import type { Json } from '@metamask/utils';
import { numberToHex } from 'viem';

import { FEE_CHOICE, feeInputs } from '../../src/transaction/fee-editor';
import { gasAnswer } from '../fixtures/client/gas-answer';
import { answering } from '../support/fake-fetch';
import { askedOf, refuses } from '../support/fake-node';
import type { NodeAnswers } from '../support/fake-node';
import { FEE_ANSWERS } from '../support/fees';
import { giveChains } from '../support/given';
import { withDialog } from '../support/open-dialog';
import { expectRefusal, refusalOf } from '../support/refusal';
import { createSendBench, RECIPIENT } from '../support/send-bench';
import type { SendBench } from '../support/send-bench';
import { ACCESS_LIST, AUTHORIZATION, BLOB_HASH } from '../support/transactions';
import { english, textOf, warningsOf } from '../support/view';

type Fields = Record<string, Json>;

const hex = (value: bigint | number): string => numberToHex(value);

const MEDIUM = 1_710_000_000n;

const TIP = 10_000_000n;

const history = FEE_ANSWERS.eth_feeHistory;

/** A chain without base fees, whose gas price is 7 wei. */
const priced: NodeAnswers = {
  eth_feeHistory: { ...history, baseFeePerGas: ['0x0', '0x0'] },
  eth_gasPrice: '0x7',
};

const both = (maximum: bigint | number, priority: bigint | number): Fields => ({
  maxFeePerGas: hex(maximum),
  maxPriorityFeePerGas: hex(priority),
});

const medium = both(MEDIUM, TIP);

/** Both fees of a transaction that was sent. */
const paid = (maxFeePerGas: bigint, maxPriorityFeePerGas: bigint) => ({
  maxFeePerGas,
  maxPriorityFeePerGas,
});

async function setup(answers: NodeAnswers = {}) {
  const bench = await createSendBench();
  Object.assign(bench.edges.wallet.answers, { eth_estimateGas: '0x186a0', ...answers });
  return {
    ...bench,
    fill: async (fields: Fields = {}) => {
      const transfer = { from: bench.address, to: RECIPIENT, value: '0x1' };
      const filled = await bench.call('eth_fillTransaction', [
        { ...transfer, ...fields },
      ]);
      return (filled as { tx: Fields }).tx;
    },
  };
}

const estimates = ({ edges }: SendBench): unknown[] =>
  edges.wallet.calls
    .filter(({ method }) => /estimateGas/u.test(method))
    .map(({ params }) => params[0]);

describe('filled-in fees', () => {
  it.each<[Fields, Fields, NodeAnswers]>([
    [{}, { type: '0x2', ...medium }, {}],
    [{ type: '0x2' }, { type: '0x2', ...medium }, {}],
    [{ maxFeePerGas: '0x1' }, both(1, 1), {}],
    [{ maxFeePerGas: hex(10n ** 11n) }, both(10n ** 11n, TIP), {}],
    [
      { maxPriorityFeePerGas: hex(10n ** 11n) },
      both(MEDIUM - TIP + 10n ** 11n, 10n ** 11n),
      {},
    ],
    // Enough for one full block more.
    [{ type: '0x0' }, { gasPrice: hex(1_135_000_000) }, {}],
    [{ type: '0x1' }, { gasPrice: hex(1_135_000_000), accessList: [] }, {}],
    [{}, { type: '0x0', gasPrice: '0x7' }, priced],
    [{ accessList: ACCESS_LIST }, { type: '0x1', gasPrice: '0x7' }, priced],
    [{ type: '0x2' }, { type: '0x2', ...both(7, 7) }, priced],
    [{ maxFeePerGas: '0x9' }, { type: '0x2', ...both(9, 7) }, priced],
    [{ maxPriorityFeePerGas: '0x2' }, { type: '0x2', ...both(2, 2) }, priced],
  ])('for %j are %j (%#)', async (fields, expected, answers) => {
    const { fill } = await setup(answers);
    expect(await fill(fields)).toMatchObject(expected);
  });

  it.each<[Fields, Fields]>([
    [{ gasPrice: '0x3' }, { type: '0x0', gasPrice: '0x3' }],
    [
      { gasPrice: '0x3', accessList: [] },
      { type: '0x1', accessList: [] },
    ],
    [both(3, 2), { type: '0x2', ...both(3, 2), accessList: [] }],
    [{ ...both(0, 0), type: '0x2' }, both(0, 0)],
  ])('are those of %j, which fetches no levels', async (fields, expected) => {
    const { fill, edges } = await setup();
    const given = { nonce: '0x9', gasLimit: '0x30d40', ...fields };
    expect(await fill(given)).toMatchObject({ ...given, ...expected });
    expect(askedOf(edges.wallet)).not.toContain('eth_feeHistory');
    expect(estimates({ edges } as SendBench)).toStrictEqual([]);
  });

  it("never include a gas price above the level's maximum", async () => {
    const { fill, app, edges } = await setup();
    const level = {
      ...gasAnswer.low,
      suggestedMaxFeePerGas: '1.01',
      suggestedMaxPriorityFeePerGas: '0.1',
    };
    const levels = { low: level, medium: level, high: level };
    const answer = { ...gasAnswer, ...levels, estimatedBaseFee: '1' };
    edges.network.serve('https://gas.example', answering(answer));
    await giveChains(app, { 'eip155:1': { gasBaseUrl: 'https://gas.example' } });
    expect(await fill({ type: '0x0' })).toHaveProperty('gasPrice', hex(1_010_000_000));
  });

  it('are twice the blob base fee, unless that is given', async () => {
    const blobs = { blobVersionedHashes: [BLOB_HASH] };
    const bench = await setup({ eth_blobBaseFee: '0x5' });
    expect(await bench.fill(blobs)).toMatchObject({
      type: '0x3',
      maxFeePerBlobGas: '0xa',
      ...medium,
    });
    expect(estimates(bench)).toMatchObject([blobs]);
    const count = askedOf(bench.edges.wallet).length;
    const given = { ...blobs, maxFeePerBlobGas: '0x1' };
    expect(await bench.fill(given)).toHaveProperty('maxFeePerBlobGas', '0x1');
    expect(askedOf(bench.edges.wallet).slice(count)).not.toContain('eth_blobBaseFee');
  });

  it('use past blocks for blobs if the node lacks the method', async () => {
    const blobs = { blobVersionedHashes: [BLOB_HASH] };
    const withBlobs = { ...history, baseFeePerBlobGas: ['0x5', '0x7'] };
    const bench = await setup({ eth_feeHistory: withBlobs });
    expect(await bench.fill(blobs)).toHaveProperty('maxFeePerBlobGas', '0xe');
    expect(await bench.fill(blobs)).toHaveProperty('maxFeePerBlobGas', '0xe');
    const asked = askedOf(bench.edges.wallet);
    expect(asked.filter((method) => method === 'eth_blobBaseFee')).toHaveLength(1);
  });

  it.each([undefined, null, []])(
    'must be given for blobs if past blocks have none: %j',
    async (baseFeePerBlobGas) => {
      const withBlobs = { ...history, baseFeePerBlobGas } as never;
      const bench = await setup({ eth_feeHistory: withBlobs });
      const filling = bench.fill({ blobVersionedHashes: [BLOB_HASH] });
      expect(await refusalOf(filling)).toHaveProperty(
        'message',
        "the wallet's node does not provide the base fee of blobs. Set maxFeePerBlobGas.",
      );
    },
  );
});

describe('filled-in gas', () => {
  it.each<[Fields, Fields, string, string]>([
    [
      { data: '0xa9', accessList: ACCESS_LIST },
      { to: RECIPIENT, data: '0xa9', accessList: ACCESS_LIST },
      '0x186a0',
      hex(120_000),
    ],
    [{}, { to: RECIPIENT, data: '0x' }, '0x5208', '0x5208'],
    [{ to: null, data: '0x60' }, { data: '0x60' }, '0xea60', hex(72_000)],
    [
      { authorizationList: [AUTHORIZATION] },
      { to: RECIPIENT, data: '0x', authorizationList: [AUTHORIZATION] },
      '0x186a0',
      hex(120_000),
    ],
  ])(
    'for %j is estimated without fees: %j at %s is %s',
    async (...[fields, call, estimate, gasLimit]) => {
      const bench = await setup({ eth_estimateGas: estimate });
      expect(
        await bench.fill({ ...fields, maxFeePerGas: hex(10n ** 11n) }),
      ).toMatchObject({ gasLimit });
      expect(estimates(bench)).toStrictEqual([
        { from: bench.address.toLowerCase(), value: '0x1', ...call },
      ]);
    },
  );

  const UNUSED = `0x${'00'.repeat(20)}`;

  /** Linea, whose node estimates a payment of an unused account at the usual fees. */
  const rollup = (answer: (() => never) | Fields): NodeAnswers => ({
    eth_chainId: '0xe708',
    linea_estimateGas: ([call]) => {
      if ((call as Fields).from === UNUSED) {
        return {
          baseFeePerGas: hex(10n ** 9n),
          gasLimit: '0x5208',
          priorityFeePerGas: '0x2',
        };
      }
      return typeof answer === 'function' ? answer() : answer;
    },
  });

  const estimating = (priority: bigint | number): Fields => ({
    baseFeePerGas: '0x7',
    gasLimit: '0xcf08',
    priorityFeePerGas: hex(priority),
  });

  const usual = both(1_700_000_002n, 2);

  const dear = both(1_700_000_150n, 150);

  const given = { gas: '0x5208' };

  const maximum = { maxFeePerGas: '0x5' };

  const called = { data: '0xa9' };

  const failing = (code: number) => refuses({ code, message: 'execution reverted' });

  it.each<[string, Fields | (() => never), Fields, string, Fields]>([
    ["its estimate's, and both fees cover it", estimating(150), {}, '0xcf08', dear],
    ["its estimate's, whose fee is covered", estimating(2), {}, '0xcf08', usual],
    ['with a given maximum', estimating(150), maximum, '0xcf08', both(5, 5)],
    ['given, with its priority fee', estimating(150), given, '0x5208', dear],
    ['given, whatever fails', failing(3), given, '0x5208', usual],
    ['given, however high', estimating(10n ** 14n), given, '0x5208', usual],
    ['estimated plainly after -32601', failing(-32601), called, '0x1d4c0', usual],
    ['estimated plainly after -32000', failing(-32000), called, '0x1d4c0', usual],
    ['estimated plainly after -32602', failing(-32602), called, '0x1d4c0', usual],
    ['estimated plainly after -32603', failing(-32603), called, '0x1d4c0', usual],
    ['estimated plainly after nonsense', { gasLimit: '0x1' }, called, '0x1d4c0', usual],
  ])('on a rollup is %s', async (...[, answer, fields, gasLimit, fees]) => {
    const { fill } = await setup(rollup(answer));
    expect(await fill(fields)).toMatchObject({ gasLimit, ...fees });
  });

  it.each<[number, Fields | (() => never)]>([
    [3, failing(3)],
    [-32002, estimating(10n ** 14n)],
  ])('on a rollup is rejected with %i', async (code, answer) => {
    const { fill, edges } = await setup(rollup(answer));
    await expectRefusal(fill({ type: '0x2' }), code);
    expect(askedOf(edges.wallet)).not.toContain('eth_estimateGas');
    // Nothing is estimated if gas and fees are given.
    const count = estimates({ edges } as SendBench).length;
    await fill({ ...given, gasPrice: '0x1' });
    expect(estimates({ edges } as SendBench)).toHaveLength(count);
  });
});

describe('fees of a replacement', () => {
  const GWEI3 = 3_000_000_001n;

  it.each<[Fields, Fields, object]>([
    [both(GWEI3, 10), {}, paid(3_300_000_002n, TIP)],
    [both(101, 10), {}, paid(MEDIUM, TIP)],
    [both(101, 10), both(112, 11), paid(112n, 11n)],
    [both(101, 1), { maxFeePerGas: '0x70' }, paid(112n, 112n)],
    [both(101, 10), { maxPriorityFeePerGas: hex(GWEI3) }, paid(GWEI3, GWEI3)],
    [{ gasPrice: hex(GWEI3) }, {}, { gasPrice: 3_300_000_002n }],
    [{ gasPrice: '0x65' }, {}, { gasPrice: 1_135_000_000n }],
    [{ gasPrice: '0x65' }, { gasPrice: '0x70' }, { gasPrice: 112n }],
  ])('for %j, requested at %j, are enough (%#)', async (fields, asked, expected) => {
    const { send, replace, signed } = await setup();
    await replace(await send(fields), { action: 'speedUp', ...asked });
    expect(signed().at(-1)).toMatchObject(expected);
  });

  it.each<[Fields, string]>([
    [{ gasPrice: '0x6f' }, 'gasPrice must be at least 0x70: 10 % above'],
    [{ maxPriorityFeePerGas: '0x384' }, 'maxPriorityFeePerGas is not expected here'],
  ])('for a gas price of 0x65 are not %j', async (asked, words) => {
    const { send, replace, pool } = await setup();
    const hash = await send({ gasPrice: '0x65' });
    const replacing = replace(hash, { action: 'speedUp', ...asked });
    await expectRefusal(replacing, -32602, words);
    expect(pool.size).toBe(1);
  });
});

describe('fees that a user types', () => {
  const problem = {
    malformed: textOf('fee.malformed'),
    tooHigh: textOf('fee.tooHigh', { bound: '100,000 gwei' }),
    above: textOf('fee.aboveMaximum', { maximum: '1 gwei' }),
    least: (least: string): string => textOf('fee.tooLow', { least }),
  };

  const price = (typed: string): Fields => ({ [feeInputs.gasPrice]: typed });

  const pair = (maximum: string, priority: string): Fields => ({
    [feeInputs.maxFeePerGas]: maximum,
    [feeInputs.maxPriorityFeePerGas]: priority,
  });

  it.each<[Fields, Fields, string | object]>([
    [{}, pair(' 30.5 ', '1'), paid(30_500_000_000n, 10n ** 9n)],
    [{ type: '0x0' }, price('1,5'), { gasPrice: 1_500_000_000n }],
    [{ type: '0x0' }, price('0'), { type: 'legacy' }],
    ...['', 'abc', '-1', '1,000.5', '1,0,5', '1e9', '0x1', '.5'].map(
      (typed): [Fields, Fields, string] => [
        { type: '0x0' },
        price(typed),
        problem.malformed,
      ],
    ),
    [{ type: '0x0' }, price('100000'), problem.tooHigh],
    [{}, pair('1', '2'), problem.above],
    [
      { maxPriorityFeePerGas: hex(10n ** 9n) },
      { [feeInputs.maxFeePerGas]: '0.5' },
      problem.least('1 gwei'),
    ],
  ])('as %j become %j', async (fields, typed, expected) => {
    const bench = await setup();
    let seen = '';
    let canApprove = false;
    const send = async (): Promise<Json> => bench.send(fields);
    await withDialog(bench.app, send, async (dialog) => {
      await dialog.fill(FEE_CHOICE, 'custom');
      for (const [name, value] of Object.entries(typed)) {
        await dialog.fill(name, value as string);
      }
      canApprove = dialog.canApprove();
      seen = JSON.stringify(dialog.content());
      // Whatever was typed, a level can be chosen in its place.
      if (!canApprove) await dialog.fill(FEE_CHOICE, 'high');
    });
    expect(canApprove).toBe(typeof expected === 'object');
    if (typeof expected === 'string') expect(seen).toContain(expected);
    const sent = bench.signed().at(-1);
    if (typeof expected === 'object') expect(sent).toMatchObject(expected);
    else expect(sent?.maxFeePerGas ?? sent?.gasPrice).toBeGreaterThan(10n ** 9n);
  });

  it('for a replacement are at least 10 % higher', async () => {
    const bench = await setup();
    const hash = await bench.send({ gasPrice: hex(10n ** 10n) });
    const replace = async (): Promise<Json> =>
      bench.replace(hash, { action: 'speedUp' });
    const seen: [boolean, string][] = [];
    await withDialog(bench.app, replace, async (dialog) => {
      await dialog.fill(FEE_CHOICE, 'custom');
      for (const typed of ['10.9', '11']) {
        await dialog.fill(feeInputs.gasPrice, typed);
        seen.push([dialog.canApprove(), JSON.stringify(dialog.content())]);
      }
    });
    expect(seen.map(([canApprove]) => canApprove)).toStrictEqual([false, true]);
    expect(seen[0]?.[1]).toContain(problem.least('11 gwei'));
    expect(bench.signed().at(-1)).toHaveProperty('gasPrice', 11n * 10n ** 9n);
  });
});

describe('the warnings of a transaction', () => {
  const HIGH = 2_100_000_000n;

  const kinds = ['fee', 'lowFee', 'balance', 'unchecked'] as const;

  const kindOf = (warning: string): string | undefined =>
    kinds.find((kind) =>
      english[`alert.${kind}`]
        .split(/\{\w+\}/u)
        .every((part) => warning.includes(part)),
    );

  const gas = { gas: '0x5208' };

  const cost = (fee: bigint): bigint => 21_000n * fee + 1n;

  it.each<[string, Fields, NodeAnswers, string[]]>([
    ['three times the current high level', both(3n * HIGH, 1), {}, []],
    ['more than that', both(3n * HIGH + 1n, 1), {}, ['fee']],
    ['a gas price of more than that', { gasPrice: hex(3n * HIGH + 1n) }, {}, ['fee']],
    ['the base fee', both(10n ** 9n, 1), {}, []],
    ['less than the base fee', both(10n ** 9n - 1n, 1), {}, ['lowFee']],
    ['all of the balance', both(HIGH, 1), { eth_getBalance: hex(cost(HIGH)) }, []],
    [
      'a wei more',
      both(HIGH, 1),
      { eth_getBalance: hex(cost(HIGH) - 1n) },
      ['balance'],
    ],
    ['both', both(4n * HIGH, 1), { eth_getBalance: '0x0' }, ['fee', 'balance']],
    ['is unknown', both(HIGH, 1), { eth_getBalance: refuses('no') }, ['unchecked']],
  ])('include a transaction that pays %s', async (...[, fields, answers, expected]) => {
    const { send, edges } = await setup(answers);
    await send({ ...gas, ...fields });
    const warnings = warningsOf(edges.dialogs.shown.at(-1));
    expect(warnings.map(kindOf)).toStrictEqual(expected);
  });

  it('include a fee above three times the high level', async () => {
    const { send, edges } = await setup();
    await send({ ...gas, ...both(4n * HIGH, 1) });
    const fees = { fee: '8.4 gwei', high: '2.1 gwei' };
    const warnings = warningsOf(edges.dialogs.shown.at(-1));
    expect(warnings).toContain(textOf('alert.fee', fees));
  });
});
