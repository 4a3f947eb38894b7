// wallet_sendCalls of a smart account: one user operation.
import { decodeCalls } from '../../../src/eth/account-calls';
import { CALLS, createCallsBench } from '../../support/calls-bench';
import { refuses } from '../../support/fake-node';
import { refusalOf } from '../../support/refusal';
import { RECIPIENT } from '../../support/send-bench';
import { refuse } from '../../support/test-app';
import { textOf, warningsOf, writeView } from '../../support/view';

describe('calls of a smart account', () => {
  it('are one user operation', async () => {
    const { sendCalls, smart, operations, edges, batches } = await createCallsBench();
    const from = smart.address;
    const sent = await sendCalls({ from, id: 'mine', atomicRequired: true });
    expect(sent).toStrictEqual({ id: 'mine' });
    const [[hash, operation] = []] = [...operations];
    expect(decodeCalls('0.7', operation?.callData ?? '0x')).toStrictEqual([
      { to: RECIPIENT, value: 1n, data: '0x' },
      { to: RECIPIENT, value: 2n, data: '0x' },
    ]);
    expect(operation?.paymasterAndData).toBe('0x');
    expect(writeView(edges.dialogs.shown.slice(-1))).toContain(
      textOf('userOperation.batch'),
    );
    expect(batches()).toStrictEqual([
      {
        id: 'mine',
        origin: 'https://dapp.example',
        chain: 'eip155:1',
        account: smart.id,
        atomic: true,
        size: 2,
        hashes: [hash],
        sentAt: edges.clock.time,
      },
    ]);
  });

  it('are no batch if there is one', async () => {
    const { sendCalls, smart, edges } = await createCallsBench();
    await sendCalls({ from: smart.address, calls: CALLS.slice(1) });
    expect(writeView(edges.dialogs.shown.slice(-1))).toContain(
      textOf('userOperation.send'),
    );
  });

  it('are paid for by the paymaster that the site names', async () => {
    const { sendCalls, smart, operations, paymaster } = await createCallsBench();
    const paymasterService = {
      url: 'https://paymaster.example/rpc',
      context: { policy: 'p' },
    };
    await sendCalls({ from: smart.address, capabilities: { paymasterService } });
    expect(paymaster.calls.map(({ params }) => params[3])).toStrictEqual([
      { policy: 'p' },
      { policy: 'p' },
    ]);
    const [operation] = [...operations.values()];
    expect(operation?.paymasterAndData.slice(-6)).toBe('c0ffee');
  });

  it('are shown with the reason if that paymaster does not pay', async () => {
    const { sendCalls, smart, edges, paymaster } = await createCallsBench();
    const refused = refuses({ code: -32000, message: 'no budget' });
    paymaster.answers.pm_getPaymasterStubData = refused;
    const paymasterService = { url: 'https://paymaster.example/rpc' };
    await sendCalls({ from: smart.address, capabilities: { paymasterService } });
    expect(warningsOf(edges.dialogs.shown.slice(-1)).join()).toContain('no budget');
  });

  it('are not sent if the user refuses, and leave no batch', async () => {
    const { sendCalls, smart, operations, edges, batches } = await createCallsBench();
    edges.dialogs.answer = refuse;
    const refused = refusalOf(sendCalls({ from: smart.address }));
    expect(await refused).toHaveProperty('code', 4001);
    expect(operations.size).toBe(0);
    expect(batches()).toStrictEqual([]);
  });

  it('are nothing if the bundler refuses them', async () => {
    const { sendCalls, smart, bundler, batches } = await createCallsBench();
    bundler.answers.eth_sendUserOperation = refuses({ code: -32500, message: 'AA25' });
    const refused = refusalOf(sendCalls({ from: smart.address }));
    expect(await refused).toHaveProperty('code', -32500);
    expect(batches()).toStrictEqual([]);
  });

  it('are refused if they carry values where the account has no place for them', async () => {
    const { sendCalls, smart } = await createCallsBench('0.6');
    const { code, message } = await refusalOf(sendCalls({ from: smart.address }));
    expect(code).toBe(-32602);
    expect(message).toContain('whose executeBatch carries no values');
  });
});
