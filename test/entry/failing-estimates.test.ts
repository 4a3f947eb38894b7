// What the user is asked where a gas estimate fails: whether it is to be sent even so.
import type { Json } from '@metamask/utils';
import { encodeErrorResult, parseAbi, parseTransaction } from 'viem';
import type { Hex } from 'viem';

import { createCallsBench } from '../support/calls-bench';
import { refuses } from '../support/fake-node';
import type { RpcFault } from '../support/fake-node';
import { createOperationBench, ESTIMATE } from '../support/operation-bench';
import type { OperationBench } from '../support/operation-bench';
import { refusalOf } from '../support/refusal';
import { createSendBench, RECIPIENT } from '../support/send-bench';
import type { SendBench } from '../support/send-bench';
import { TO } from '../support/transactions';
import { textOf, warningsOf, writeView } from '../support/view';

const abi = parseAbi(['error Error(string)', 'error Panic(uint256)', 'error Broke()']);

const REVERT: RpcFault = {
  code: 3,
  message: 'execution reverted: no allowance',
  data: encodeErrorResult({ abi, errorName: 'Error', args: ['no allowance'] }),
};

const willFail = (reason: string): string => textOf('alert.willFail', { reason });

/** Makes the node refuse every estimate. */
async function setup(fault: RpcFault = REVERT): Promise<SendBench> {
  const bench = await createSendBench();
  bench.edges.wallet.answers.eth_estimateGas = refuses(fault);
  return bench;
}

const lastDialog = ({ edges }: Pick<SendBench, 'edges'>) => edges.dialogs.shown.at(-1);

const sentGas = ({ pool }: SendBench): string[] =>
  [...pool.values()].map((raw) => String(parseTransaction(raw).gas));

describe('a transaction whose estimate fails', () => {
  it.each<[string, RpcFault, string]>([
    ['a text', REVERT, willFail('no allowance')],
    [
      'a panic',
      {
        code: 3,
        message: 'execution reverted',
        data: encodeErrorResult({ abi, errorName: 'Panic', args: [17n] }),
      },
      willFail('panic 17: arithmetic overflow or underflow'),
    ],
    [
      'an error of its own',
      {
        code: 3,
        message: 'execution reverted',
        data: encodeErrorResult({ abi, errorName: 'Broke' }),
      },
      willFail(
        `execution reverted (custom error ${encodeErrorResult({ abi, errorName: 'Broke' })})`,
      ),
    ],
    ['nothing', { code: 3, message: '', data: '0x' }, willFail('execution reverted')],
    [
      'what the node says',
      { code: -32000, message: 'insufficient funds for transfer' },
      willFail('insufficient funds for transfer'),
    ],
    [
      'wrapped data',
      { code: -32015, message: 'VM error', data: { data: REVERT.data ?? null } },
      willFail('no allowance'),
    ],
    [
      'what may pass',
      { code: -32000, message: 'header not found' },
      textOf('alert.mayFail', { reason: 'header not found' }),
    ],
  ])('is shown with the reason: %s', async (_what, fault, text) => {
    const bench = await setup(fault);
    await bench.send();
    expect(warningsOf(lastDialog(bench))).toContain(text);
  });

  it('is sent with a gas limit that is said to be assumed, if its user agrees', async () => {
    const bench = await setup();
    await bench.send();
    expect(writeView(lastDialog(bench))).toContain(
      textOf('gas.assumed', { gas: '500,000' }),
    );
    expect(sentGas(bench)).toStrictEqual(['500000']);
  });

  it.each<[string, Record<string, Json>, number]>([
    ['calldata', { data: `0x${'ab'.repeat(50_000)}` }, 2_500_000],
    ['code', { to: null, data: `0x${'60'.repeat(20_000)}` }, 5_300_000],
  ])('has gas for its bytes: %s', async (_what, fields, gas) => {
    const bench = await setup();
    await bench.send(fields);
    expect(sentGas(bench)).toStrictEqual([String(gas)]);
  });

  it('keeps the gas that the site gives, and is tried with it', async () => {
    const bench = await setup({ code: -32000, message: 'intrinsic gas too low' });
    await bench.send({ gas: '0x5207' });
    const view = writeView(lastDialog(bench));
    expect(view).toContain(willFail('intrinsic gas too low'));
    expect(view).not.toContain(textOf('gas.assumed', { gas: '20,999' }));
    expect(sentGas(bench)).toStrictEqual(['20999']);
    const asked = bench.edges.wallet.calls.filter(
      ({ method }) => method === 'eth_estimateGas',
    );
    expect(asked.map(({ params }) => (params[0] as { gas: string }).gas)).toStrictEqual(
      ['0x5207'],
    );
  });

  it('is shown even if every field is given, and on a rollup', async () => {
    const bench = await setup();
    bench.edges.wallet.answers.eth_chainId = '0xe708';
    bench.edges.wallet.answers.linea_estimateGas = refuses(REVERT);
    await bench.send();
    expect(warningsOf(lastDialog(bench))).toContain(willFail('no allowance'));
    await bench.send({ gas: '0x5208', gasPrice: '0x1', nonce: '0x9' });
    expect(warningsOf(lastDialog(bench))).toContain(willFail('no allowance'));
  });

  it('cannot play tricks with its reason', async () => {
    const reason = `ok\n\u202e\u0000 ${'x'.repeat(5_000)}`;
    const data = encodeErrorResult({ abi, errorName: 'Error', args: [reason] });
    const bench = await setup({ code: 3, message: 'execution reverted', data });
    await bench.send();
    const [warning = ''] = warningsOf(lastDialog(bench));
    expect(warning).toMatch(/^This will fail: ok /u);
    expect(warning.length).toBeLessThan(300);
    expect(warning).not.toMatch(/[\n\u202e\0]/u);
  });

  it.each<[string, RpcFault]>([
    ['has no such method', { code: -32601, message: 'no such method' }],
    ['does not take the request', { code: -32602, message: 'invalid argument 0' }],
    ['wants to be asked later', { code: -32005, message: 'too many' }],
  ])('is refused where the node %s', async (_what, fault) => {
    const bench = await setup(fault);
    const shown = bench.edges.dialogs.shown.length;
    expect(await refusalOf(bench.send())).toHaveProperty('code', fault.code);
    expect(bench.edges.dialogs.shown).toHaveLength(shown);
  });

  it('is an error where it is only filled', async () => {
    const { address, call, edges } = await setup();
    const shown = edges.dialogs.shown.length;
    const transaction = { from: address, to: RECIPIENT, value: '0x1' };
    const { code, message } = await refusalOf(
      call('eth_fillTransaction', [transaction]),
    );
    expect(code).toBe(3);
    expect(message).toContain('no allowance');
    expect(edges.dialogs.shown).toHaveLength(shown);
  });
});

describe('calls of an ordinary account whose estimate fails', () => {
  it('are shown with the reason of the first, and sent if their user agrees', async () => {
    const bench = await createCallsBench();
    bench.edges.wallet.answers.eth_estimateGas = refuses(REVERT);
    await bench.sendCalls();
    const warnings = warningsOf(lastDialog(bench));
    const about = (number: string, text: string): string =>
      textOf('calls.about', { number, text });
    expect(warnings).toContain(about('1', willFail('no allowance')));
    // The first one may be what it needs.
    expect(warnings).toContain(about('2', textOf('warning.notEstimated')));
    expect(sentGas(bench)).toStrictEqual(['500000', '500000']);
  });
});

describe('a user operation', () => {
  const SEND = 'eth_sendUserOperation';

  const intent = { to: TO, value: '0x1', data: '0xa9059cbb' };

  /** A bundler that finds that the calls fail, and estimates an operation without any. */
  const finding = (fault: RpcFault): OperationBench['bundler']['answers'] => ({
    eth_estimateUserOperationGas: ([operation]: Json[]) =>
      (operation as { callData: Hex }).callData === '0x' ? ESTIMATE : refuses(fault)(),
  });

  const reverted = { ...REVERT, code: -32521 };

  it('whose calls fail is shown with the reason, and can be sent', async () => {
    const bench = await createOperationBench({ bundler: finding(reverted) });
    await bench.call(SEND, [intent]);
    const [dialog] = bench.shown();
    expect(warningsOf(dialog)).toContain(willFail('no allowance'));
    const [sent = {}] = bench.sent();
    expect(sent).toMatchObject({
      // 500,000, four bytes, and what the account does itself.
      callGasLimit: '0x83e00',
      verificationGasLimit: '0x46500',
    });
    expect(writeView(dialog)).toContain(textOf('gas.assumed', { gas: '540,160' }));
    // The bundler estimated fewer bytes than are sent.
    expect(Number(sent.preVerificationGas)).toBeGreaterThan(0xd6d8);
    expect(Number(sent.preVerificationGas)).toBeLessThan(0xd6d8 * 1.5);
  });

  it('whose calls fail keeps the gas that the site gives', async () => {
    const bench = await createOperationBench({ bundler: finding(reverted) });
    const callData = '0xb61d27f6';
    await bench.call(SEND, [{ callData, callGasLimit: '0x5555' }]);
    expect(bench.sent()).toMatchObject([{ callData, callGasLimit: '0x5555' }]);
    expect(writeView(bench.shown())).not.toContain(
      textOf('gas.assumed', { gas: '21,845' }),
    );
  });

  it('of many calls that fail is not given more gas than anything sensible takes', async () => {
    const bench = await createOperationBench({ bundler: finding(reverted) });
    await bench.call(SEND, Array(20).fill(intent) as Json);
    expect(bench.sent()).toMatchObject([{ callGasLimit: '0x4c4b40' }]);
  });

  it('whose calls fail by the node alone is shown with the reason', async () => {
    const node = {
      eth_estimateGas: ([call]: Json[]) => {
        const { from = '', data = '' } = call as Record<string, string>;
        const isAccounts = from.startsWith('0x0000000071727De2') && data.length < 400;
        return isAccounts ? refuses(REVERT)() : '0x186a0';
      },
    };
    const bench = await createOperationBench({ node });
    await bench.call(SEND, [intent]);
    expect(warningsOf(bench.shown()[0])).toContain(willFail('no allowance'));
  });

  it.each<[string, RpcFault]>([
    [
      'of which the account refuses the validation',
      { code: -32500, message: 'AA23 no' },
    ],
    ['whose signature is wrong', { code: -32507, message: 'AA24 signature error' }],
  ])('%s is refused', async (_what, fault) => {
    const bench = await createOperationBench({
      bundler: { eth_estimateUserOperationGas: refuses(fault) },
    });
    expect(await refusalOf(bench.call(SEND, [intent]))).toHaveProperty(
      'code',
      fault.code,
    );
    expect(bench.shown()).toStrictEqual([]);
  });

  it('that fails validation once its calls are left out is refused', async () => {
    const bench = await createOperationBench({
      bundler: {
        eth_estimateUserOperationGas: ([operation]: Json[]) =>
          (operation as { callData: Hex }).callData === '0x'
            ? refuses({ code: -32500, message: 'AA23 reverted' })()
            : refuses(reverted)(),
      },
    });
    expect(await refusalOf(bench.call(SEND, [intent]))).toHaveProperty('code', -32500);
    expect(bench.shown()).toStrictEqual([]);
  });

  it.each(['eth_estimateUserOperationGas', 'eth_prepareUserOperation'])(
    'whose calls fail is an error in %s',
    async (method) => {
      const bench = await createOperationBench({ bundler: finding(reverted) });
      const { code, message } = await refusalOf(bench.call(method, [intent]));
      expect(code).toBe(-32521);
      expect(message).toContain('no allowance');
      expect(bench.shown()).toStrictEqual([]);
    },
  );

  it('is shown to fail in wallet_sendCalls as well', async () => {
    const bench = await createCallsBench();
    Object.assign(bench.bundler.answers, finding(reverted));
    bench.edges.wallet.answers.eth_getCode = '0x6080';
    await bench.sendCalls({ from: bench.smart.address, atomicRequired: true });
    expect(warningsOf(lastDialog(bench))).toContain(willFail('no allowance'));
    expect(bench.operations.size).toBe(1);
  });
});
