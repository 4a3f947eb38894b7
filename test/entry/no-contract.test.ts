// Warnings about calls to addresses without a contract: single calls, batches and user operations.
import type { Json } from '@metamask/utils';
import { encodeFunctionData, getContractAddress, parseAbi } from 'viem';
import type { Hex } from 'viem';

import { DETERMINISTIC_DEPLOYER } from '../../src/eth/user-operation';
import { createCallsBench } from '../support/calls-bench';
import type { CallsBench } from '../support/calls-bench';
import { calledMethods, refuses } from '../support/fake-node';
import { createOperationBench } from '../support/operation-bench';
import { operationOf } from '../support/operations';
import { textOf, warningsOf } from '../support/view';

const EMPTY: Hex = '0x00000000000000000000000000000000000a1d00';
const CODED: Hex = '0x00000000000000000000000000000000000c0ded';
const OTHER: Hex = '0x00000000000000000000000000000000000a1d01';

const data = encodeFunctionData({
  abi: parseAbi(['function balanceOf(address)']),
  args: [EMPTY],
});

const noContract = (address: string): string => textOf('alert.noContract', { address });

const inOperation = (number: string, address: string): string =>
  textOf('userOperation.about', { number, text: noContract(address) });

const inBatch = (number: string, address: string): string =>
  textOf('calls.about', { number, text: noContract(address) });

const answerCode = ([address]: Json[]): Json => (address === CODED ? '0x60' : '0x');

async function setup(): Promise<CallsBench> {
  const bench = await createCallsBench();
  bench.edges.wallet.answers.eth_getCode = answerCode;
  return bench;
}

const contractWarnings = (bench: Pick<CallsBench, 'edges'>): string[] =>
  warningsOf(bench.edges.dialogs.shown.at(-1)).filter((text) =>
    text.includes('contract'),
  );

const CALLS = [
  { to: EMPTY, data },
  { to: CODED, data },
  { to: EMPTY, value: '0x1' },
  { to: OTHER, data },
  { to: EMPTY, data },
];

describe('calls to addresses without a contract', () => {
  it('cause a warning in a batch of transactions, after one look-up per address', async () => {
    const bench = await setup();
    const { wallet } = bench.edges;
    const before = wallet.calls.length;
    await bench.sendCalls({ calls: CALLS });
    expect(contractWarnings(bench)).toStrictEqual([
      inBatch('1, 5', EMPTY),
      inBatch('4', OTHER),
    ]);
    const asked = wallet.calls.slice(before);
    const codes = asked.filter(({ method }) => method === 'eth_getCode');
    // The account's own code is read first, because a delegating account makes the calls through
    // its delegate, and again after the approval.
    const addresses = [bench.address, EMPTY, CODED, OTHER, bench.address];
    expect(codes.map(({ params }) => params[0])).toStrictEqual(addresses);
  });

  it('cause a warning in a batch that is sent as one user operation', async () => {
    const bench = await setup();
    await bench.sendCalls({ from: bench.smart.address, calls: CALLS });
    expect(contractWarnings(bench)).toStrictEqual([
      inOperation('1, 5', EMPTY),
      inOperation('4', OTHER),
    ]);
  });

  it('cause a warning in a user operation, whether it is sent or only signed', async () => {
    const bench = await createOperationBench({ node: { eth_getCode: answerCode } });
    const intents = [
      { to: CODED, value: '0x0', data },
      { to: EMPTY, value: '0x0', data },
    ];
    await bench.call('eth_sendUserOperation', intents);
    expect(contractWarnings(bench)).toStrictEqual([inOperation('2', EMPTY)]);
    const { callData } = (await bench.call('eth_prepareUserOperation', intents)) as {
      callData: string;
    };
    const operation = { ...operationOf(bench.address), callData };
    await bench.call('eth_signUserOperation', [operation]);
    expect(contractWarnings(bench)).toStrictEqual([inOperation('2', EMPTY)]);
  });

  it('do not affect other checks of an operation if the code cannot be read', async () => {
    const bench = await createOperationBench({ node: { eth_getCode: 'no' } });
    await bench.call('eth_signUserOperation', [operationOf(bench.address)]);
    const warnings = warningsOf(bench.edges.dialogs.shown.at(-1));
    expect(warnings).not.toContain(textOf('alert.unchecked'));
    expect(warnings).not.toContain(textOf('alert.undeployed'));
  });

  it('cause no warning if an earlier call creates the contract', async () => {
    const bench = await setup();
    const from = bench.address as Hex;
    const created = getContractAddress({ from, nonce: 5n });
    const deployed = getContractAddress({
      opcode: 'CREATE2',
      from: DETERMINISTIC_DEPLOYER,
      salt: `0x${'00'.repeat(32)}`,
      bytecode: '0x600a',
    });
    const calls = [
      { data: '0x6080' },
      { to: created, data },
      { to: deployed, data },
      { to: DETERMINISTIC_DEPLOYER, data: `0x${'00'.repeat(32)}600a` },
      { to: deployed, data },
    ];
    await bench.sendCalls({ calls });
    expect(contractWarnings(bench)).toStrictEqual([
      inBatch('3', deployed.toLowerCase()),
    ]);
  });

  it.each(['0x', null, '', '0x0', '0X', '0x00', '0', ' 0x'])(
    'cause a warning if the node answers %j, which means no code',
    async (code) => {
      const bench = await setup();
      bench.edges.wallet.answers.eth_getCode = code;
      const { id } = await bench.sendCalls({ calls: [{ to: CODED, data }] });
      expect(id).toMatch(/^0x/u);
      expect(contractWarnings(bench)).toStrictEqual([inBatch('1', CODED)]);
    },
  );

  it.each<[string, Json | (() => never)]>([
    ['is a number', 7],
    ['is not hex', 'no'],
    ['ends with half a byte', '0x6'],
    ['is an error', refuses('busy')],
  ])('cause a warning about unknown code if the answer %s', async (_what, code) => {
    const bench = await setup();
    bench.edges.wallet.answers.eth_getCode = (params) => {
      if (params[0] === CODED) return '0x60';
      return typeof code === 'function' ? code() : code;
    };
    const calls = [
      { to: OTHER, data },
      { to: CODED, data },
    ];
    const { id } = await bench.sendCalls({ calls });
    expect(id).toMatch(/^0x/u);
    const text = textOf('alert.codeUnknown', { address: OTHER });
    expect(contractWarnings(bench)).toStrictEqual([
      textOf('calls.about', { number: '1', text }),
    ]);
  });

  it('cause no warning if an earlier call creates the contract, even if the node answers nonsense', async () => {
    const bench = await setup();
    bench.edges.wallet.answers.eth_getCode = 'no';
    const from = bench.address as Hex;
    const created = getContractAddress({ from, nonce: 5n });
    await bench.sendCalls({ calls: [{ data: '0x6080' }, { to: created, data }] });
    expect(contractWarnings(bench)).toStrictEqual([]);
  });

  it('cause no look-up if they are plain transfers', async () => {
    const bench = await setup();
    const { wallet } = bench.edges;
    const before = wallet.calls.length;
    await bench.sendCalls({ calls: [{ to: EMPTY, value: '0x1' }] });
    expect(calledMethods(wallet).slice(before)).not.toContain('eth_getCode');
  });
});
