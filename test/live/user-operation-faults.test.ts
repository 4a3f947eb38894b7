// User operations that fail, over a real chain: what the user reads, that nothing went out
// twice, and that nothing which may have gone out is forgotten.
import { encodeFunctionData, parseAbi, toHex } from 'viem';
import type { Hex } from 'viem';

import { encodeIntents } from '../../src/eth/account-calls';
import { setupLiveOperationBench } from '../support/live-operation-bench';
import { refusalOf } from '../support/refusal';

const live = setupLiveOperationBench();

const RECIPIENT = `0x${'be'.repeat(20)}` as const;

const PAY = [{ to: RECIPIENT, value: '0x1', data: '0x' }];

/** An operation that lacks nothing but who sends it, and its signature. */
const COMPLETE = {
  nonce: '0x0',
  initCode: '0x',
  callData: toCallData(1n),
  callGasLimit: '0x186a0',
  verificationGasLimit: '0x7a120',
  preVerificationGas: '0xc350',
  maxFeePerGas: '0xb2d05e00',
  maxPriorityFeePerGas: '0x3b9aca00',
  paymasterAndData: '0x',
};

function toCallData(value: bigint): Hex {
  return encodeIntents('0.7', [{ to: RECIPIENT, value, data: '0x' }]);
}

const failed = (method: string): string =>
  `${method} at the bundler of eip155:31337 failed: `;

/** What was refused is followed. */
const followed = (message: string): string =>
  expect.stringContaining(`${message} It is user operation 0x`) as string;

const NOTHING = { sent: 0, executed: 0n, kept: [] };

describe('an operation that is refused', () => {
  // The bundler's AA24 is out of reach: what another has signed does not get so far.
  it('has the signature of another: nobody is asked, nothing is sent', async () => {
    const account = await live.open('0.7', '1');
    const { address: sender } = account;
    const signed = { ...COMPLETE, sender, signature: `0x${'11'.repeat(65)}` };
    const dialogs = live.countDialogs();
    expect(await refusalOf(live.send(account, [signed]))).toStrictEqual({
      code: -32602,
      message:
        `eth_sendUserOperation: params[0].signature is not that of ${sender}'s owner for ` +
        'this operation. Leave it out to have the operation signed.',
    });
    expect(live.countDialogs()).toBe(dialogs);
    expect(await live.state(account)).toStrictEqual(NOTHING);
  });

  it('is of an account without money: the dialog warns, the error says what to do', async () => {
    const account = await live.open('0.7');
    expect(await refusalOf(live.send(account, PAY))).toStrictEqual({
      code: -32500,
      message: followed(
        `${failed('eth_sendUserOperation')}the account cannot pay for the gas. Send it ` +
          "money, or use a paymaster. The bundler said: AA21 didn't pay prefund.",
      ),
    });
    expect(live.dialog()).toMatch(
      /^This can cost 0\.00.+, but the account has only 0 ETH/mu,
    );
    expect(await live.state(account)).toStrictEqual({
      sent: 1,
      executed: 0n,
      kept: ['dropped'],
    });
  });

  it('has a nonce that is used', async () => {
    const account = await live.open('0.7', '1');
    const first = await live.send(account, PAY);
    await live.include(first);
    await live.poll();
    const words =
      'the nonce is used up, or its turn comes after operations that wait still. Wait for ' +
      'them, or prepare the operation again. The bundler said: AA25 invalid account nonce.';
    const { nonce, callData } = COMPLETE;
    expect(await refusalOf(live.send(account, [{ nonce, callData }]))).toStrictEqual({
      code: -32500,
      message: `${failed('eth_estimateUserOperationGas')}${words}`,
    });
    const complete = { ...COMPLETE, sender: account.address };
    expect(await refusalOf(live.send(account, [complete]))).toStrictEqual({
      code: -32500,
      message: followed(`${failed('eth_sendUserOperation')}${words}`),
    });
    expect(live.dialog()).toContain(first);
    expect(await live.state(account)).toStrictEqual({
      sent: 2,
      executed: 1n,
      kept: ['dropped', 'included'],
    });
  });

  it('comes while another deploys the account: nobody is asked, nothing is sent', async () => {
    const account = await live.open('0.7', '1');
    await live.setBundling('manual');
    const first = await live.send(account, PAY);
    const dialogs = live.countDialogs();
    for (const options of [{}, { nonceKey: '0x1' }]) {
      const { code, message } = await refusalOf(live.send(account, PAY, options));
      expect(code).toBe(-32002);
      expect(message).toContain(`The user operation that deploys ${account.address}`);
    }
    expect(live.countDialogs()).toBe(dialogs);
    await live.bundle();
    await live.include(first);
    await live.poll();
    const kept = ['included'];
    expect(await live.state(account)).toStrictEqual({ sent: 1, executed: 1n, kept });
  });

  it('comes while others wait: each has a nonce key of its own, and all are executed', async () => {
    const account = await live.open('0.7', '1');
    await live.include(await live.send(account, PAY));
    await live.poll();
    await live.setBundling('manual');
    const sent = [await live.send(account, PAY), await live.send(account, PAY)];
    expect(live.dialog()).toContain('Nonce key');
    await live.bundle();
    for (const hash of sent) expect((await live.include(hash)).success).toBe(true);
    expect(await live.countNonce(account)).toBe(2n);
    expect(await live.countNonce(account, 1n)).toBe(1n);
  });

  it('reverts: the dialog tells the reason, and it is sent if its user agrees', async () => {
    const account = await live.open('0.7', '1');
    const abi = parseAbi(['function addStake(uint32 unstakeDelaySec) payable']);
    const data = encodeFunctionData({ abi, args: [0] });
    const { entryPoint: to } = live.world.stack.contracts['0.7'];
    const calls = [{ to, value: '0x0', data }];
    const hash = await live.send(account, calls);
    expect(live.dialog()).toContain('This will fail: must specify unstake delay');
    expect(await live.include(hash)).toHaveProperty('success', false);
    expect(await live.state(account)).toMatchObject({ sent: 1, executed: 1n });
  });

  it('pays too little for its nonce, which is another’s: with more it takes its place', async () => {
    const account = await live.open('0.7', '1');
    await live.setBundling('manual');
    const first = await live.send(account, PAY);
    const [sent] = live.relay.sentBy(account.address);
    const other = (percent: bigint): Promise<Hex> => {
      const raised = (fee: Hex = '0x0'): Hex =>
        toHex((BigInt(fee) * percent) / 100n + 1n);
      const maxFeePerGas = raised(sent?.maxFeePerGas);
      const maxPriorityFeePerGas = raised(sent?.maxPriorityFeePerGas);
      const fees = { maxFeePerGas, maxPriorityFeePerGas };
      return live.send(account, [{ nonce: '0x0', callData: toCallData(2n), ...fees }]);
    };
    expect(await refusalOf(other(100n))).toStrictEqual({
      code: -32602,
      message: followed(
        `${failed('eth_sendUserOperation')}an operation with this nonce waits already, and ` +
          'its fees are too close. To replace it, offer at least a tenth more of both fees. ' +
          'The bundler said: replacement underpriced: both fees must be 10 % above those of ' +
          'the operation that waits.',
      ),
    });
    expect(live.dialog()).toContain(`with the same nonce: ${first}.`);
    expect(await live.state(account)).toStrictEqual({
      sent: 2,
      executed: 0n,
      kept: ['dropped', 'pending'],
    });
    const second = await other(110n);
    expect(live.dialog()).toContain('Only one of them can be executed.');
    await live.bundle();
    await live.include(second);
    await live.poll();
    const kept = ['included', `replaced by ${second}`, `replaced by ${second}`];
    expect(await live.state(account)).toStrictEqual({ sent: 3, executed: 1n, kept });
  });
});
