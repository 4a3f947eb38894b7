// The L1 data fee of OP-stack chains: part of what a transaction costs at most.
import type { Json } from '@metamask/utils';
import {
  decodeFunctionData,
  formatEther,
  numberToHex,
  parseAbi,
  parseTransaction,
  serializeTransaction,
  size,
} from 'viem';
import type { Hex, TransactionSerializable } from 'viem';

import { CALLS, createCallsBench } from '../support/calls-bench';
import { refuses } from '../support/fake-node';
import { createSendBench, RECIPIENT } from '../support/send-bench';
import type { SendBench } from '../support/send-bench';
import { textOf, textsOf, warningsOf } from '../support/view';
import { without } from '../support/without';

const ORACLE = '0x420000000000000000000000000000000000000f';

const BASE = '0x2105';

/** 0.00025 coins. */
const FEE = 250_000_000_000_000n;

const BALANCE = 10n ** 19n;

const word = (value: bigint): Hex => numberToHex(value, { size: 32 });

const abi = parseAbi(['function getL1Fee(bytes) view returns (uint256)']);

/** Sets up a site on a chain where the oracle answers so. */
async function setup(chainId: string, answer: Json | (() => Json)): Promise<SendBench> {
  const bench = await createSendBench();
  serve(bench, chainId, answer);
  return bench;
}

function serve(
  { edges }: Pick<SendBench, 'edges'>,
  chainId: string,
  answer: Json | (() => Json),
): void {
  const { answers } = edges.wallet;
  const { eth_call: others = '0x' } = answers;
  Object.assign(answers, {
    eth_chainId: chainId,
    eth_call: (params: Json[]) => {
      if ((params[0] as { to: string }).to !== ORACLE) {
        return typeof others === 'function' ? others(params) : others;
      }
      return typeof answer === 'function' ? answer() : answer;
    },
  });
}

/** Lists what the oracle was asked: transactions without a signature. */
function askedBytes({ edges }: Pick<SendBench, 'edges'>): Hex[] {
  return edges.wallet.calls
    .filter(({ method }) => method === 'eth_call')
    .map(({ params }) => params[0] as { to: string; data: Hex })
    .filter(({ to }) => to === ORACLE)
    .map(({ data }) => decodeFunctionData({ abi, data }).args[0]);
}

const dialogOf = ({ edges }: Pick<SendBench, 'edges'>) => edges.dialogs.shown.at(-1);

/** Reads the value beside a label. */
function fieldOf(
  bench: Pick<SendBench, 'edges'>,
  label: 'maxCost' | 'dataFee' | 'balanceAfter',
): string {
  const texts = textsOf(dialogOf(bench));
  // The exact amount is in the collapsed section.
  const index = texts.lastIndexOf(textOf(`field.${label}`));
  return index < 0 ? '' : (texts[index + 1] ?? '');
}

const coins = (wei: bigint): string => `${formatEther(wei)} ETH`;

/** Reckons what was sent at most, without the data fee. */
function costOf({ pool }: Pick<SendBench, 'pool'>): bigint {
  return [...pool.values()]
    .map((raw) => parseTransaction(raw))
    .reduce((total, { gas = 0n, maxFeePerGas, gasPrice, value = 0n }) => {
      return total + gas * (maxFeePerGas ?? gasPrice ?? 0n) + value;
    }, 0n);
}

/** Writes what was sent as the oracle wants it. */
function unsignedOf(raw: Hex): Hex {
  const unsigned = without(parseTransaction(raw), 'r', 's', 'v', 'yParity');
  return serializeTransaction(unsigned as TransactionSerializable);
}

describe('the L1 data fee of a transaction', () => {
  it('is part of the maximum cost, and is subtracted from the remaining balance', async () => {
    const bench = await setup(BASE, word(FEE));
    await bench.send({ data: `0x${'ab'.repeat(500)}` });
    const cost = costOf(bench) + FEE;
    expect(fieldOf(bench, 'dataFee')).toBe(coins(FEE));
    expect(fieldOf(bench, 'maxCost')).toBe(coins(cost));
    expect(fieldOf(bench, 'balanceAfter')).toBe(coins(BALANCE - cost));
  });

  it('is part of what the balance has to pay', async () => {
    const bench = await setup(BASE, word(FEE));
    await bench.send();
    const cost = costOf(bench);
    const answers = bench.edges.wallet.answers;
    answers.eth_getBalance = numberToHex(cost + FEE);
    await bench.send({ nonce: '0x6' });
    expect(warningsOf(dialogOf(bench))).toStrictEqual([]);
    answers.eth_getBalance = numberToHex(cost + FEE - 1n);
    await bench.send({ nonce: '0x7' });
    expect(warningsOf(dialogOf(bench))).toStrictEqual([
      textOf('alert.balance', {
        cost: coins(cost + FEE),
        balance: coins(cost + FEE - 1n),
      }),
    ]);
    expect(fieldOf(bench, 'balanceAfter')).toBe('');
  });

  it.each<[string, Record<string, Json>]>([
    ['EIP-1559', { data: `0x${'ab'.repeat(300)}` }],
    ['EIP-1559 with all given', { gas: '0x5208', nonce: '0x5' }],
    ['legacy', { gasPrice: '0x77359400', value: '0x64' }],
    [
      'EIP-2930',
      { gasPrice: '0x77359400', accessList: [{ address: RECIPIENT, storageKeys: [] }] },
    ],
    ['a creation', { to: null, data: `0x60${'01'.repeat(99)}` }],
  ])('is asked for as many bytes as are sent: %s', async (_what, fields) => {
    const bench = await setup(BASE, word(FEE));
    await bench.send(fields);
    const [raw = '0x'] = bench.pool.values();
    const [asked = '0x'] = askedBytes(bench);
    const sent = unsignedOf(raw);
    // Fields that are filled meanwhile are a few bytes long.
    expect(Math.abs(size(asked) - size(sent))).toBeLessThan(16);
    const [read, expected] = [asked, sent].map((each) => parseTransaction(each));
    for (const name of ['type', 'to', 'value', 'data'] as const) {
      expect([name, read?.[name]]).toStrictEqual([name, expected?.[name]]);
    }
    expect(fieldOf(bench, 'maxCost')).toBe(coins(costOf(bench) + FEE));
  });

  it('is asked for with the blobs of a transaction that is only signed', async () => {
    const bench = await setup('0x1e0f3', word(FEE));
    bench.edges.wallet.answers.eth_blobBaseFee = '0x5';
    const blobVersionedHashes = [`0x01${'ab'.repeat(31)}`];
    await bench.call('eth_signTransaction', [
      { from: bench.address, to: RECIPIENT, value: '0x1', blobVersionedHashes },
    ]);
    const [asked = '0x'] = askedBytes(bench);
    expect(parseTransaction(asked as `0x03${string}`)).toMatchObject({
      type: 'eip4844',
      blobVersionedHashes,
    });
    expect(fieldOf(bench, 'dataFee')).toContain(formatEther(FEE));
  });

  it.each<[string, Json | (() => Json)]>([
    ['nothing', '0x'],
    ['an error', refuses({ code: 3, message: 'execution reverted' })],
    ['not a word', '0x1234'],
    ['no method', refuses({ code: -32601, message: 'no eth_call' })],
  ])('is not there where that answers %s', async (_what, answer) => {
    const bench = await setup('0x1e0f3', answer);
    await bench.send();
    expect(fieldOf(bench, 'dataFee')).toBe('');
    expect(warningsOf(dialogOf(bench))).toStrictEqual([]);
  });

  it.each([
    ['Ethereum', '0x1'],
    ['Arbitrum One, which has it in the gas', '0xa4b1'],
  ])('is not asked for on %s', async (_what, chainId) => {
    const bench = await setup(chainId, word(FEE));
    await bench.send();
    expect(askedBytes(bench)).toStrictEqual([]);
    expect(fieldOf(bench, 'dataFee')).toBe('');
  });

  it.each<[string, Json | (() => Json)]>([
    ['nothing', '0x'],
    ['an error', refuses({ code: -32000, message: 'no' })],
    ['garbage', { fee: 1 }],
  ])('warns that nothing was checked if it is %s', async (_what, answer) => {
    const bench = await setup(BASE, answer);
    await bench.send();
    expect(warningsOf(dialogOf(bench))).toStrictEqual([textOf('alert.unchecked')]);
    expect(fieldOf(bench, 'balanceAfter')).toBe('');
  });

  it('that a node makes up is beyond any balance', async () => {
    const bench = await setup(BASE, `0x${'ff'.repeat(32)}`);
    await bench.send();
    expect(warningsOf(dialogOf(bench))).toHaveLength(1);
    expect(fieldOf(bench, 'balanceAfter')).toBe('');
  });
});

describe('the L1 data fee of calls', () => {
  it('is the sum of all of them', async () => {
    const bench = await createCallsBench();
    const { edges } = bench;
    serve(bench, BASE, word(FEE));
    await bench.sendCalls({ chainId: BASE });
    const cost = costOf(bench) + 2n * FEE;
    expect(askedBytes(bench)).toHaveLength(CALLS.length);
    expect(fieldOf(bench, 'dataFee')).toBe(coins(2n * FEE));
    expect(fieldOf(bench, 'maxCost')).toBe(coins(cost));
    expect(fieldOf(bench, 'balanceAfter')).toBe(coins(BALANCE - cost));
    edges.wallet.answers.eth_getBalance = numberToHex(cost - 1n);
    await bench.sendCalls({ chainId: BASE });
    expect(warningsOf(dialogOf(bench))).toContain(
      textOf('alert.balance', { cost: coins(cost), balance: coins(cost - 1n) }),
    );
  });
});
