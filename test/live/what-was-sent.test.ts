// Follows sent operations and transactions even if the bundler forgets them or is removed, or a
// block is reorganized. Uses the built snap in a wallet made of MetaMask's packages, a real node
// and a real EntryPoint. The chain decides the outcome, and nobody pays twice.
import { text } from 'node:stream/consumers';

import { parseEther, toHex } from 'viem';
import type { Hex } from 'viem';

import { connect } from '../../dev/demo/world';
import { listenOnLoopback } from '../../dev/stack/server';
import { pollServers, sendCalls, waitFor } from '../fixtures/stack/requests';
import { setupLiveOperationBench } from '../support/live-operation-bench';
import { listSent } from '../support/sent-transactions';
import { createRecipient } from '../support/smart-world';

type Call = { id: number; method: string };

const live = setupLiveOperationBench();

let forgetful: Awaited<ReturnType<typeof listenOnLoopback>>;

// A proxy of the stack's bundler that forgets sent operations.
beforeAll(async () => {
  forgetful = await listenOnLoopback(async (request, response) => {
    const body = await text(request);
    const calls = JSON.parse(body) as Call | Call[];
    const headers = { 'Content-Type': 'application/json' };
    const forget = ({ id, method }: Call) =>
      /^eth_getUserOperation/u.test(method) && { jsonrpc: '2.0', id, result: null };
    const original = await fetch(live.stack.bundler.url, {
      method: 'POST',
      headers,
      body,
    });
    const answers = (await original.json()) as Call | Call[];
    const all = [answers].flat().map((answer) => {
      const call = [calls].flat().find(({ id }) => id === answer.id);
      return (call && forget(call)) || answer;
    });
    response.writeHead(200, headers);
    response.end(JSON.stringify(Array.isArray(answers) ? all : all[0]));
  });
});

afterAll(async () => forgetful?.stop());

const poll = async () => pollServers(live.wallet);

const activity = async () => listSent(live.wallet);

const statusOf = async (id: string) => live.dapp.snap('wallet_getCallsStatus', [id]);

describe.each(['forgets operations', 'is removed'])('a bundler that %s', (how) => {
  it('does not hide an operation that was executed while the wallet was locked', async () => {
    await live.configure({ bundlerUrl: forgetful.url });
    const { address } = await live.open('0.7', '3');
    const to = createRecipient();
    const value = toHex(parseEther('1'));
    const id = await sendCalls(live.dapp, { from: address, calls: [{ to, value }] });
    live.wallet.lock.lock();
    await waitFor(async () => (await live.node.getBalance({ address: to })) > 0n);
    // Two hours of blocks.
    await live.node.mine({ blocks: 600, interval: 12 });
    await poll();
    live.wallet.lock.unlock();
    if (how === 'is removed') await live.configure({ bundlerUrl: null });
    await poll();
    const [newest] = await activity();
    expect(newest).toMatchObject({ status: 'included', inclusion: { success: true } });
    expect(await statusOf(id)).toMatchObject({
      status: 200,
      receipts: [{ status: '0x1', logs: expect.any(Array) as unknown }],
    });
    expect(await live.node.getBalance({ address: to })).toBe(parseEther('1'));
  });
});

describe('a reorganized block', () => {
  it('has its transaction sent again without skipping a nonce', async () => {
    const account = await live.createAccount({}, '5');
    const from = account.address;
    await connect(live, live.dapp, [account]);
    const send = async (value: Hex) =>
      live.dapp.snap('eth_sendTransaction', [{ from, to: from, value }]);
    const snapshot = await live.node.snapshot();
    const hash = (await send('0x1')) as Hex;
    await live.node.waitForTransactionReceipt({ hash });
    await poll();
    expect((await activity())[0]).toMatchObject({ hash, status: 'included' });
    await live.node.revert({ id: snapshot });
    await live.node.mine({ blocks: 3 });
    await poll();
    await live.node.waitForTransactionReceipt({ hash });
    await poll();
    expect((await activity())[0]).toMatchObject({ hash, status: 'included' });
    await live.node.waitForTransactionReceipt({ hash: (await send('0x2')) as Hex });
    expect(await live.node.getTransactionCount({ address: from })).toBe(2);
  });
});
