// User operations for EntryPoint 0.7 and later, judged by Alto, a published bundler. Unlike the
// test stack's bundler, it accepts no JSON-RPC batches.

import type { Json } from '@metamask/utils';
import { toHex } from 'viem';
import type { Hex } from 'viem';

import { startAlto } from '../../dev/alto/alto';
import type { JsonRpcServer } from '../../dev/stack/server';
import { sendCalls, waitForBatch } from '../fixtures/stack/requests';
import { setupLiveOperationBench } from '../support/live-operation-bench';
import type { SmartAccount } from '../support/live-operation-bench';

// The first run installs Alto (380 MB).
const INSTALLATION_MS = 300_000;

const live = setupLiveOperationBench();
let alto: JsonRpcServer | undefined;

beforeAll(async () => {
  alto = await startAlto(live.stack);
  await live.configure({ bundlerUrl: alto.url, bundlerApiKey: null });
}, INSTALLATION_MS);

afterAll(async () => {
  await alto?.stop();
});

describe.each(['0.7', '0.8', '0.9'] as const)('EntryPoint %s', (version) => {
  const recipient = toHex(`alto ${version}`, { size: 20 });
  const pay = (wei: number): Record<string, Json> => ({
    to: recipient,
    value: toHex(wei),
    data: '0x',
  });
  const countReceived = async () => live.node.getBalance({ address: recipient });

  let account: SmartAccount;

  beforeAll(async () => {
    account = await live.open(version, '1');
  });

  async function expectIncluded(hash: Hex): Promise<void> {
    expect(await live.include(hash)).toMatchObject({ userOpHash: hash, success: true });
    expect(await live.pollActivity(account)).toContainEqual(
      expect.objectContaining({ hash, status: 'included' }),
    );
  }

  it('deploys the account with the first operation only', async () => {
    await expectIncluded(await live.send(account, [pay(5)]));
    expect(await live.node.getCode({ address: account.address })).toBeDefined();
    await expectIncluded(await live.send(account, [pay(7)]));
    expect(await live.countNonce(account)).toBe(2n);
    expect(await countReceived()).toBe(12n);
  });

  it('sends a batch of calls', async () => {
    const before = await countReceived();
    const { dapp } = live;
    const id = await sendCalls(dapp, {
      from: account.address,
      atomicRequired: true,
      calls: [pay(1), pay(2)],
    });
    expect(await waitForBatch(dapp, id)).toMatchObject({ status: 200, atomic: true });
    expect(await countReceived()).toBe(before + 3n);
  });

  it('explains why the bundler rejects an operation', async () => {
    const poor = await live.open(version);
    await expect(live.send(poor, [pay(1)])).rejects.toMatchObject({
      code: -32500,
      message: expect.stringContaining(
        `eth_sendUserOperation at the bundler of eip155:31337 failed: the account cannot pay for the gas. ` +
          'Fund it, or use a paymaster. The bundler said: ' +
          "UserOperation reverted with reason: AA21 didn't pay prefund.",
      ) as string,
    });
  });

  it('explains why the bundler cannot estimate an operation', async () => {
    const request = {
      account: account.id,
      params: [{ to: live.stack.contracts[version].entryPoint, data: '0xdead' }],
    };
    await expect(
      live.dapp.snap('eth_prepareUserOperation', request),
    ).rejects.toMatchObject({
      code: -32521,
      message: expect.stringContaining('the calls of the operation fail.') as string,
    });
  });
});
