// User operations while the bundler or the paymaster fails, over a real chain: what the
// user reads, that nothing went out twice, and that nothing which may have gone out is
// forgotten.
import { parseAbi } from 'viem';
import type { Hex } from 'viem';

import { BUNDLER_KEY, setupLiveOperationBench } from '../support/live-operation-bench';
import { refusalOf } from '../support/refusal';

const live = setupLiveOperationBench();

const PAY = [{ to: `0x${'be'.repeat(20)}`, value: '0x1', data: '0x' }];

const NOTHING = { sent: 0, executed: 0n, kept: [] };

/** Have the bundler fail from the user's consent on. */
function failOnceApproved(fault: string): void {
  live.world.wallet.user.onDialog = async (dialog) => {
    live.relay.fault = fault;
    await dialog.approve();
  };
}

describe('a bundler that fails', () => {
  it.each([
    [
      'down',
      'eth_chainId at the bundler of eip155:31337 could not be reached. It was tried 3 times. Check the ' +
        'address and the connection.',
    ],
    [
      'wrongChain',
      'The bundler of eip155:31337 is for eip155:1337, but the operation is for eip155:31337. ' +
        'Nothing was sent. Configure another with tollkeeper_setChain.',
    ],
    [
      'noEntryPoints',
      "The bundler of eip155:31337 does not serve the account's EntryPoint " +
        '0x0000000071727De22E5E9d8BAf0edAc6f37da032 (version 0.7); it serves none. Nothing was sent.',
    ],
  ])('before anything is sent: %s', async (fault, message) => {
    const account = await live.open('0.7', '1');
    live.relay.fault = fault;
    const dialogs = live.countDialogs();
    expect(await refusalOf(live.send(account, PAY))).toStrictEqual({
      code: -32002,
      message,
    });
    expect(live.countDialogs()).toBe(dialogs);
    expect(await live.state(account)).toStrictEqual(NOTHING);
  });

  it('when it is sent to: it is followed, and sent again', async () => {
    const account = await live.open('0.7', '1');
    failOnceApproved('down');
    const { code, message } = await refusalOf(live.send(account, PAY));
    const [kept] = await live.activity(account);
    expect({ code, message }).toStrictEqual({
      code: -32002,
      message:
        `eth_sendUserOperation at the bundler of eip155:31337 could not be reached. Whether it was ` +
        'carried out is not known: look before you send it again. It is user operation ' +
        `${kept?.hash}, which is followed, and sent again until it arrives.`,
    });
    expect(message).not.toContain(BUNDLER_KEY);
    const pending = { sent: 1, executed: 0n, kept: ['pending'] };
    expect(await live.state(account)).toStrictEqual(pending);
    live.relay.fault = undefined;
    await live.poll();
    await live.include(kept?.hash as Hex);
    await live.poll();
    const included = { sent: 2, executed: 1n, kept: ['included'] };
    expect(await live.state(account)).toStrictEqual(included);
  });

  it('and loses the answer: it is found by its hash', async () => {
    const account = await live.open('0.7', '1');
    failOnceApproved('loseSend');
    const hash = await live.send(account, PAY);
    await live.include(hash);
    await live.poll();
    const included = { sent: 1, executed: 1n, kept: ['included'] };
    expect(await live.state(account)).toStrictEqual(included);
  });

  it('and lies about the hash: both are told, and ours is followed', async () => {
    const account = await live.open('0.7', '1');
    failOnceApproved('wrongHash');
    const refusal = await refusalOf(live.send(account, PAY));
    const [kept] = await live.activity(account);
    const hash = kept?.hash as Hex;
    expect(refusal).toStrictEqual({
      code: -32002,
      message:
        `eth_sendUserOperation at the bundler of eip155:31337 gave an invalid answer: it gave the ` +
        `hash 0x${'ab'.repeat(32)} to the operation ${hash}. Whether it was carried out is ` +
        'not known: look before you send it again. It is user operation ' +
        `${hash}, which is followed, and sent again until it arrives.`,
    });
    await live.include(hash);
    await live.poll();
    const included = { sent: 1, executed: 1n, kept: ['included'] };
    expect(await live.state(account)).toStrictEqual(included);
  });
});

describe('a paymaster that fails', () => {
  afterEach(async () => {
    await live.configure({ paymasterUrl: null, paymasterContext: null });
  });

  async function depositOf(paymaster: Hex): Promise<bigint> {
    return live.node.readContract({
      address: live.world.stack.contracts['0.7'].entryPoint,
      abi: parseAbi(['function balanceOf(address account) view returns (uint256)']),
      functionName: 'balanceOf',
      args: [paymaster],
    });
  }

  it.each([
    [
      'refuse',
      'It said: This operation is not sponsored (a fault that was asked for).',
    ],
    ['otherSender', 'does not take the data for this operation.'],
    ['wrongLength', 'The bundler said: AA33 reverted.'],
    ['wrongEntryPoint', 'It answered without paymaster.'],
  ])('%s: the dialog says so, and the account pays', async (fault, words) => {
    const { paymaster, contracts } = live.world.stack;
    await live.configure({
      paymasterUrl: paymaster.url,
      paymasterContext: { fault },
    });
    const { verifyingPaymaster } = contracts['0.7'];
    const deposit = await depositOf(verifyingPaymaster);
    const account = await live.open('0.7', '1');
    const hash = await live.send(account, PAY);
    const [, warning = ''] = live.dialog().split('The paymaster does not sponsor this');
    expect(warning.split('\n').slice(0, 2).join('\n')).toContain(words);
    await live.include(hash);
    await live.poll();
    const included = { sent: 1, executed: 1n, kept: ['included'] };
    expect(await live.state(account)).toStrictEqual(included);
    expect(await depositOf(verifyingPaymaster)).toBe(deposit);
  });

  // While it is used, it holds up the dialog for the client's 30 seconds.
  it('never answers: it is not configured', async () => {
    const row = {
      paymasterUrl: live.world.stack.paymaster.url,
      paymasterContext: { fault: 'hang' },
    };
    expect(await refusalOf(live.configure(row))).toStrictEqual({
      code: -32002,
      message:
        'tollkeeper_setChain: params.paymasterUrl: It took longer than 5000 ms. Nothing ' +
        'was saved.',
    });
  });
});
