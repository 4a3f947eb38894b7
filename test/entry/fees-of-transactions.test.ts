// Fees and gas limits of transactions, the user's choices, and warnings. The chain has a base fee
// of 1 gwei, and levels of 1.501, 1.71 and 2.1 gwei.
import type { Json } from '@metamask/utils';
import { numberToHex } from 'viem';

import { FEE_CHOICE, feeInputs } from '../../src/transaction/fee-editor';
import { gasAnswer } from '../fixtures/client/gas-answer';
import { answering } from '../support/fake-fetch';
import { calledMethods, refuses } from '../support/fake-node';
import type { NodeAnswers } from '../support/fake-node';
import { FEE_ANSWERS } from '../support/fees';
import { storeChains } from '../support/given';
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

/** Answers on a chain without base fees, at a gas price of 7 wei. */
const withoutBaseFee: NodeAnswers = {
  eth_feeHistory: { ...history, baseFeePerGas: ['0x0', '0x0'] },
  eth_gasPrice: '0x7',
};

const toFees = (maximum: bigint | number, priority: bigint | number): Fields => ({
  maxFeePerGas: hex(maximum),
  maxPriorityFeePerGas: hex(priority),
});

const medium = toFees(MEDIUM, TIP);

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
    [{ maxFeePerGas: '0x1' }, toFees(1, 1), {}],
    [{ maxFeePerGas: hex(10n ** 11n) }, toFees(10n ** 11n, TIP), {}],
    [
      { maxPriorityFeePerGas: hex(10n ** 11n) },
      toFees(MEDIUM - TIP + 10n ** 11n, 10n ** 11n),
      {},
    ],
    // The base fee after one more full block.
    [{ type: '0x0' }, { gasPrice: hex(1_135_000_000) }, {}],
    [{ type: '0x1' }, { gasPrice: hex(1_135_000_000), accessList: [] }, {}],
    [{}, { type: '0x0', gasPrice: '0x7' }, withoutBaseFee],
    [{ accessList: ACCESS_LIST }, { type: '0x1', gasPrice: '0x7' }, withoutBaseFee],
    [{ type: '0x2' }, { type: '0x2', ...toFees(7, 7) }, withoutBaseFee],
    [{ maxFeePerGas: '0x9' }, { type: '0x2', ...toFees(9, 7) }, withoutBaseFee],
    [{ maxPriorityFeePerGas: '0x2' }, { type: '0x2', ...toFees(2, 2) }, withoutBaseFee],
  ])('complete %j with %j (%#)', async (fields, expected, answers) => {
    const { fill } = await setup(answers);
    expect(await fill(fields)).toMatchObject(expected);
  });

  it.each<[Fields, Fields]>([
    [{ gasPrice: '0x3' }, { type: '0x0', gasPrice: '0x3' }],
    [
      { gasPrice: '0x3', accessList: [] },
      { type: '0x1', accessList: [] },
    ],
    [toFees(3, 2), { type: '0x2', ...toFees(3, 2), accessList: [] }],
    [{ ...toFees(0, 0), type: '0x2' }, toFees(0, 0)],
  ])('are the given ones for %j, without fetching levels', async (fields, expected) => {
    const { fill, edges } = await setup();
    const given = { nonce: '0x9', gasLimit: '0x30d40', ...fields };
    expect(await fill(given)).toMatchObject({ ...given, ...expected });
    expect(calledMethods(edges.wallet)).not.toContain('eth_feeHistory');
    expect(estimates({ edges } as SendBench)).toStrictEqual([]);
  });

  it("have a gas price up to the level's maximum", async () => {
    const { fill, app, edges } = await setup();
    const level = {
      ...gasAnswer.low,
      suggestedMaxFeePerGas: '1.01',
      suggestedMaxPriorityFeePerGas: '0.1',
    };
    const levels = { low: level, medium: level, high: level };
    const answer = { ...gasAnswer, ...levels, estimatedBaseFee: '1' };
    edges.network.serve('https://gas.example', answering(answer));
    await storeChains(app, { 'eip155:1': { gasBaseUrl: 'https://gas.example' } });
    expect(await fill({ type: '0x0' })).toHaveProperty('gasPrice', hex(1_010_000_000));
  });

  it('include twice the blob base fee, unless given', async () => {
    const blobs = { blobVersionedHashes: [BLOB_HASH] };
    const bench = await setup({ eth_blobBaseFee: '0x5' });
    expect(await bench.fill(blobs)).toMatchObject({
      type: '0x3',
      maxFeePerBlobGas: '0xa',
      ...medium,
    });
    expect(estimates(bench)).toMatchObject([blobs]);
    const count = calledMethods(bench.edges.wallet).length;
    const given = { ...blobs, maxFeePerBlobGas: '0x1' };
    expect(await bench.fill(given)).toHaveProperty('maxFeePerBlobGas', '0x1');
    expect(calledMethods(bench.edges.wallet).slice(count)).not.toContain(
      'eth_blobBaseFee',
    );
  });

  it('take the blob base fee from past blocks if the node lacks eth_blobBaseFee', async () => {
    const blobs = { blobVersionedHashes: [BLOB_HASH] };
    const withBlobs = { ...history, baseFeePerBlobGas: ['0x5', '0x7'] };
    const bench = await setup({ eth_feeHistory: withBlobs });
    expect(await bench.fill(blobs)).toHaveProperty('maxFeePerBlobGas', '0xe');
    expect(await bench.fill(blobs)).toHaveProperty('maxFeePerBlobGas', '0xe');
    const methods = calledMethods(bench.edges.wallet);
    expect(methods.filter((method) => method === 'eth_blobBaseFee')).toHaveLength(1);
  });

  it.each([undefined, null, []])(
    'cannot include a blob fee if past blocks have the blob base fees %j',
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
    'is estimated for %j without fees, as %j: %s becomes %s',
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

  /** Answers on Linea, where an unused account's call is estimated at the usual fees. */
  const onLinea = (answer: (() => never) | Fields): NodeAnswers => ({
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

  const estimateAt = (priority: bigint | number): Fields => ({
    baseFeePerGas: '0x7',
    gasLimit: '0xcf08',
    priorityFeePerGas: hex(priority),
  });

  const usual = toFees(1_700_000_002n, 2);

  const higher = toFees(1_700_000_150n, 150);

  const given = { gas: '0x5208' };

  const maximum = { maxFeePerGas: '0x5' };

  const withData = { data: '0xa9' };

  const failing = (code: number) => refuses({ code, message: 'execution reverted' });

  it.each<[string, Fields | (() => never), Fields, string, Fields]>([
    ['the estimate, with fees that cover it', estimateAt(150), {}, '0xcf08', higher],
    ['the estimate, if usual fees cover it', estimateAt(2), {}, '0xcf08', usual],
    ['the estimate, with a maximum', estimateAt(150), maximum, '0xcf08', toFees(5, 5)],
    ['the site, at the estimated tip', estimateAt(150), given, '0x5208', higher],
    ['the site, even if the estimate fails', failing(3), given, '0x5208', usual],
    ['the site, if the tip is absurd', estimateAt(10n ** 14n), given, '0x5208', usual],
    ['eth_estimateGas after -32601', failing(-32601), withData, '0x1d4c0', usual],
    ['eth_estimateGas after -32000', failing(-32000), withData, '0x1d4c0', usual],
    ['eth_estimateGas after -32602', failing(-32602), withData, '0x1d4c0', usual],
    ['eth_estimateGas after -32603', failing(-32603), withData, '0x1d4c0', usual],
    ['eth_estimateGas without fees', { gasLimit: '0x1' }, withData, '0x1d4c0', usual],
  ])('comes from %s on a rollup', async (...[, answer, fields, gasLimit, fees]) => {
    const { fill } = await setup(onLinea(answer));
    expect(await fill(fields)).toMatchObject({ gasLimit, ...fees });
  });

  it.each<[number, Fields | (() => never)]>([
    [3, failing(3)],
    [-32002, estimateAt(10n ** 14n)],
  ])('causes the error %i on a rollup', async (code, answer) => {
    const { fill, edges } = await setup(onLinea(answer));
    await expectRefusal(fill({ type: '0x2' }), code);
    expect(calledMethods(edges.wallet)).not.toContain('eth_estimateGas');
    // Nothing is estimated if gas and fees are given.
    const count = estimates({ edges } as SendBench).length;
    await fill({ ...given, gasPrice: '0x1' });
    expect(estimates({ edges } as SendBench)).toHaveLength(count);
  });
});

describe('fees of a replacement', () => {
  const PRICE = 3_000_000_001n;

  it.each<[Fields, Fields, object]>([
    [toFees(PRICE, 10), {}, paid(3_300_000_002n, TIP)],
    [toFees(101, 10), {}, paid(MEDIUM, TIP)],
    [toFees(101, 10), toFees(112, 11), paid(112n, 11n)],
    [toFees(101, 1), { maxFeePerGas: '0x70' }, paid(112n, 112n)],
    [toFees(101, 10), { maxPriorityFeePerGas: hex(PRICE) }, paid(PRICE, PRICE)],
    [{ gasPrice: hex(PRICE) }, {}, { gasPrice: 3_300_000_002n }],
    [{ gasPrice: '0x65' }, {}, { gasPrice: 1_135_000_000n }],
    [{ gasPrice: '0x65' }, { gasPrice: '0x70' }, { gasPrice: 112n }],
  ])(
    'follow from the replaced %j and the requested %j (%#)',
    async (fields, requested, expected) => {
      const { send, replace, signed } = await setup();
      await replace(await send(fields), { action: 'speedUp', ...requested });
      expect(signed().at(-1)).toMatchObject(expected);
    },
  );

  it.each<[Fields, string]>([
    [{ gasPrice: '0x6f' }, 'gasPrice must be at least 0x70: 10 % above'],
    [{ maxPriorityFeePerGas: '0x384' }, 'maxPriorityFeePerGas is not expected here'],
  ])('cannot be %j for a gas price of 0x65', async (requested, message) => {
    const { send, replace, pool } = await setup();
    const hash = await send({ gasPrice: '0x65' });
    const replacing = replace(hash, { action: 'speedUp', ...requested });
    await expectRefusal(replacing, -32602, message);
    expect(pool.size).toBe(1);
  });
});

describe('fees that the user enters', () => {
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
    ...['', 'abc', '-1', '1,000', '1,000.5', '1,0,5', '1e9', '0x1', '.5'].map(
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
  ])('are checked for %j: %j', async (fields, typed, expected) => {
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
      // The user can still choose a level instead.
      if (!canApprove) await dialog.fill(FEE_CHOICE, 'high');
    });
    expect(canApprove).toBe(typeof expected === 'object');
    if (typeof expected === 'string') expect(seen).toContain(expected);
    const sent = bench.signed().at(-1);
    if (typeof expected === 'object') expect(sent).toMatchObject(expected);
    else expect(sent?.maxFeePerGas ?? sent?.gasPrice).toBeGreaterThan(10n ** 9n);
  });

  it('must be at least 10 % higher for a replacement', async () => {
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
    ['three times the current high level', toFees(3n * HIGH, 1), {}, []],
    ['more than three times the high level', toFees(3n * HIGH + 1n, 1), {}, ['fee']],
    ['too high a gas price', { gasPrice: hex(3n * HIGH + 1n) }, {}, ['fee']],
    ['the base fee', toFees(10n ** 9n, 1), {}, []],
    ['less than the base fee', toFees(10n ** 9n - 1n, 1), {}, ['lowFee']],
    ['the whole balance', toFees(HIGH, 1), { eth_getBalance: hex(cost(HIGH)) }, []],
    [
      'a wei more than the balance',
      toFees(HIGH, 1),
      { eth_getBalance: hex(cost(HIGH) - 1n) },
      ['balance'],
    ],
    [
      'a high fee from an empty balance',
      toFees(4n * HIGH, 1),
      { eth_getBalance: '0x0' },
      ['fee', 'balance'],
    ],
    [
      'from an unknown balance',
      toFees(HIGH, 1),
      { eth_getBalance: refuses('no') },
      ['unchecked'],
    ],
  ])('depend on the cost: paying %s', async (...[, fields, answers, expected]) => {
    const { send, edges } = await setup(answers);
    await send({ ...gas, ...fields });
    const warnings = warningsOf(edges.dialogs.shown.at(-1));
    expect(warnings.map(kindOf)).toStrictEqual(expected);
  });

  it('name the fee and the high level', async () => {
    const { send, edges } = await setup();
    await send({ ...gas, ...toFees(4n * HIGH, 1) });
    const fees = { fee: '8.4 gwei', high: '2.1 gwei' };
    const warnings = warningsOf(edges.dialogs.shown.at(-1));
    expect(warnings).toContain(textOf('alert.fee', fees));
  });
});
