// Simulated balance changes: a dialog does not wait for the node's simulation, and the user cannot
// approve its result before seeing it.
import type { Json } from '@metamask/utils';
import { encodeErrorResult, parseAbi } from 'viem';

import { FEE_CHOICE } from '../../src/transaction/fee-editor';
import { dataOf } from '../fixtures/trust/call';
import { createCallsBench } from '../support/calls-bench';
import { serving } from '../support/fake-fetch';
import { createFakeNode, refuses } from '../support/fake-node';
import type { NodeAnswers } from '../support/fake-node';
import { createGate, settle } from '../support/gate';
import { storeChains, storeSettings } from '../support/given';
import { withDialog } from '../support/open-dialog';
import { createOperationBench, BUNDLER_URL } from '../support/operation-bench';
import { createSendBench, RECIPIENT } from '../support/send-bench';
import type { SendBench } from '../support/send-bench';
import { createTestApp } from '../support/test-app';
import { TO } from '../support/transactions';
import { severitiesOf, textOf, textsOf, warningsOf, writeView } from '../support/view';

const USDC = '0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48';

const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';

const DAI = '0x6b175474e89094c44da98b954eedeac495271d0f';

const ADDED_OWNER =
  '0x9465fa0c962cc76958e6373a993326400c1c94f8be2fe3a952adfa7f60b2ea26';

const FOR_ALL = '0x17307eab39ab6107e8899845ad3d59bd9653f200f220920489ca2b5937696c31';

const word = (value: string | number): string =>
  `0x${(typeof value === 'string' ? value.slice(2).toLowerCase() : value.toString(16)).padStart(64, '0')}`;

const log = (address: string, topics: string[], data: string): Json => ({
  address,
  topics,
  data,
});

/** A transfer of 250 USDC. */
const usdcTransfer = (from: string, to: string): Json =>
  log(USDC, [TRANSFER, word(from), word(to)], word(250_000_000));

const SAFE = '0x5afe5afe5afe5afe5afe5afe5afe5afe5afe5afe';

const toAccount = (index: number): string => `0x${String(index).padStart(40, '7')}`;

const callResult = (logs: Json[], fields: Record<string, Json> = {}): Json => ({
  status: '0x1',
  gasUsed: '0x5208',
  returnData: '0x',
  logs,
  ...fields,
});

const failedCall = callResult([], {
  status: '0x0',
  returnData: encodeErrorResult({
    abi: parseAbi(['error Error(string)']),
    errorName: 'Error',
    args: ['too late'],
  }),
});

const simulation = (...calls: Json[]): Json => [{ calls }];

const PENDING = textOf('changes.pending');

const UNKNOWN = textOf('changes.unknown');

const WILL_FAIL = textOf('alert.willFail', { reason: 'too late' });

/** Serves the node over HTTP, and holds back its eth_simulateV1 answer until `open` is called. */
async function serveSlowly(
  { app, edges }: Pick<SendBench, 'app' | 'edges'>,
  answer: NodeAnswers[string],
) {
  const gate = createGate();
  const requests: string[][] = [];
  const node = createFakeNode({ ...edges.wallet.answers, eth_simulateV1: answer });
  const serve = serving(node);
  edges.network.serve('https://node.example', async (request) => {
    const calls = [JSON.parse(request.body ?? '') as { method: string }].flat();
    const methods = calls.map(({ method }) => method);
    requests.push(methods);
    if (methods.includes('eth_simulateV1')) await gate.opened;
    return serve(request);
  });
  await storeChains(app, {
    'eip155:1': { bundlerUrl: BUNDLER_URL, rpcUrl: 'https://node.example' },
  });
  return {
    requests,
    open: async () => {
      gate.open();
      await settle();
    },
  };
}

const sendUnknownCall = (bench: SendBench) => async () =>
  bench.send({ to: TO, value: '0x0', data: '0x12345678' });

const lastDialog = ({ edges }: Pick<SendBench, 'edges'>) => edges.dialogs.shown.at(-1);

describe('a dialog that opens before the simulation ends', () => {
  it('says so, and shows the changes when they arrive', async () => {
    const bench = await createSendBench();
    const { address, app } = bench;
    const answer = simulation(callResult([usdcTransfer(address, RECIPIENT)]));
    const { open, requests } = await serveSlowly(bench, answer);
    await withDialog(app, bench.send, async (dialog) => {
      expect(writeView(dialog.content())).toContain(PENDING);
      expect(requests).toContainEqual(['eth_simulateV1']);
      const old = dialog.approval();
      await open();
      expect(dialog.approval()).not.toBe(old);
      const shown = writeView(dialog.content());
      expect(shown).toContain(`${textOf('changes.send')}\n250 USDC`);
      expect(shown).not.toContain(PENDING);
    });
    expect(bench.pool.size).toBe(1);
  });

  it('can be approved without the changes, and is not redrawn afterwards', async () => {
    const bench = await createSendBench();
    const { open } = await serveSlowly(bench, simulation(callResult([])));
    await bench.send();
    expect(bench.pool.size).toBe(1);
    const screens = [...bench.edges.screens];
    await open();
    expect([...bench.edges.screens]).toStrictEqual(screens);
  });

  it.each<[string, (address: string) => Json, string]>([
    [
      'an outgoing transfer',
      (address) => callResult([usdcTransfer(address, RECIPIENT)]),
      '250 USDC',
    ],
    [
      'an approval for all NFTs',
      (address) =>
        callResult([log(TO, [FOR_ALL, word(address), word(RECIPIENT)], word(1))]),
      textOf('changes.allNfts'),
    ],
    ['the failure', () => failedCall, WILL_FAIL],
  ])(
    'asks again if the user approves before seeing %s',
    async (_what, simulated, text) => {
      const bench = await createSendBench();
      const { open } = await serveSlowly(bench, simulation(simulated(bench.address)));
      await withDialog(bench.app, bench.send, async (dialog) => {
        const old = dialog.approval();
        await open();
        await dialog.press(old);
        expect(bench.pool.size).toBe(0);
        expect(warningsOf(dialog.content())).toContain(textOf('changed.warning'));
        expect(writeView(dialog.content())).toContain(text);
      });
      expect(bench.pool.size).toBe(1);
    },
  );

  it("names an unknown function's effect in its title, and requires an acknowledgement", async () => {
    const bench = await createSendBench();
    const nfts = Array.from({ length: 41 }, (_, id) =>
      log(TO, [TRANSFER, word(bench.address), word(RECIPIENT), word(id)], '0x'),
    );
    const { open } = await serveSlowly(bench, simulation(callResult(nfts)));
    await withDialog(bench.app, sendUnknownCall(bench), async (dialog) => {
      expect(textsOf(dialog.content())[0]).toBe(textOf('act.unknown'));
      const old = dialog.approval();
      await open();
      await dialog.press(old);
      expect(bench.pool.size).toBe(0);
      const [title] = textsOf(dialog.content());
      expect(title).toBe(
        textOf('act.give', { assets: textOf('act.nfts', { count: '41' }) }),
      );
      expect(warningsOf(dialog.content())).toContain(
        textOf('alert.leaves', { account: bench.address }),
      );
      expect(dialog.canApprove()).toBe(false);
    });
    expect(bench.pool.size).toBe(1);
  });

  it('shows no danger if known tokens are received in exchange', async () => {
    const bench = await createSendBench();
    const { address, app } = bench;
    const paid = log(USDC, [TRANSFER, word(RECIPIENT), word(address)], word(9e6));
    const dai = log(DAI, [TRANSFER, word(address), word(RECIPIENT)], word(10 ** 15));
    const { open } = await serveSlowly(bench, simulation(callResult([dai, paid])));
    await withDialog(app, sendUnknownCall(bench), async (dialog) => {
      await open();
      expect(textsOf(dialog.content())[0]).toBe(
        textOf('act.swapFor', { given: '0.001 DAI', taken: '9 USDC' }),
      );
      expect(severitiesOf(dialog.content())).not.toContain('danger');
      expect(dialog.canApprove()).toBe(true);
    });
  });

  it("shows a Safe's losses even after 60 other accounts", async () => {
    const bench = await createSendBench();
    const made = Array.from({ length: 60 }, (_, index) => toAccount(1_000 + index));
    const execute =
      'execTransaction(address,uint256,bytes,uint8,uint256,uint256,uint256,address,address,bytes)';
    const inner = dataOf(execute, TO, 0n, '0x12345678', 0, 0n, 0n, 0n, TO, TO, '0x');
    const data = dataOf(
      'aggregate3((address,bool,bytes)[])',
      [...made, SAFE].map((each) => [each, true, inner]),
    );
    const answer = simulation(callResult([usdcTransfer(SAFE, RECIPIENT)]));
    const { open } = await serveSlowly(bench, answer);
    const send = async () => bench.send({ to: TO, value: '0x0', data });
    await withDialog(bench.app, send, async (dialog) => {
      await open();
      const shown = writeView(dialog.content());
      expect(shown).toContain(`${textOf('changes.leaves')}\n${SAFE}`);
      expect(shown).toContain('250 USDC');
      expect(warningsOf(dialog.content())).toContain(
        textOf('alert.leaves', { account: SAFE }),
      );
      expect(textsOf(dialog.content())[0]).toContain(
        textOf('act.safeSends', { amount: '250 USDC' }),
      );
    });
  });

  it('shows a known token among 250 worthless ones, and warns about those not shown', async () => {
    const bench = await createSendBench();
    const { address, app } = bench;
    const worthless = Array.from({ length: 250 }, (_, index) =>
      log(
        toAccount(1_000 + index),
        [TRANSFER, word(address), word(RECIPIENT)],
        word(1),
      ),
    );
    const answer = simulation(
      callResult([...worthless, usdcTransfer(address, RECIPIENT)]),
    );
    const { open } = await serveSlowly(bench, answer);
    await withDialog(app, sendUnknownCall(bench), async (dialog) => {
      await open();
      expect(writeView(dialog.content())).toContain('250 USDC');
      const [, ...named] = Array.from({ length: 51 }, (_, index) =>
        toAccount(1_199 + index),
      );
      expect(warningsOf(dialog.content())).toContain(
        textOf('alert.notShown', {
          addresses: [address.toLowerCase(), toAccount(1_199), ...named].join(', '),
        }),
      );
    });
  });

  it('names the new controller of the account', async () => {
    const bench = await createSendBench();
    const added = log(bench.address, [ADDED_OWNER, word(RECIPIENT)], '0x');
    const { open } = await serveSlowly(bench, simulation(callResult([added])));
    await withDialog(bench.app, sendUnknownCall(bench), async (dialog) => {
      const old = dialog.approval();
      await open();
      await dialog.press(old);
      expect(bench.pool.size).toBe(0);
      expect(writeView(dialog.content())).toContain(
        `${textOf('field.newController')}\n${RECIPIENT}`,
      );
      expect(severitiesOf(dialog.content())).toContain('danger');
    });
  });

  it('accepts an approval from before the changes if they are all gains', async () => {
    const bench = await createSendBench();
    const answer = simulation(callResult([usdcTransfer(RECIPIENT, bench.address)]));
    const { open } = await serveSlowly(bench, answer);
    await withDialog(bench.app, bench.send, async (dialog) => {
      const old = dialog.approval();
      await open();
      expect(writeView(dialog.content())).toContain(textOf('changes.receive'));
      await dialog.press(old);
    });
    expect(bench.pool.size).toBe(1);
  });

  it('asks again in the same way about a user operation', async () => {
    const bench = await createOperationBench();
    const answer = simulation(callResult([usdcTransfer(bench.address, RECIPIENT)]));
    const { open } = await serveSlowly(bench, answer);
    const send = async (): Promise<Json> =>
      bench.call('eth_sendUserOperation', [{ to: RECIPIENT, value: '0x1' }]);
    await withDialog(bench.app, send, async (dialog) => {
      const old = dialog.approval();
      await open();
      await dialog.press(old);
      expect(bench.sent()).toHaveLength(0);
      expect(writeView(dialog.content())).toContain('250 USDC');
    });
    expect(bench.sent()).toHaveLength(1);
  });

  it('keeps fees that the user chose in the meantime', async () => {
    const bench = await createSendBench();
    const { open } = await serveSlowly(bench, simulation(callResult([])));
    await withDialog(bench.app, bench.send, async (dialog) => {
      await dialog.fill(FEE_CHOICE, 'high');
      await open();
      expect(writeView(dialog.content())).toContain(textOf('changes.none'));
    });
    expect(bench.signed()).toMatchObject([{ maxFeePerGas: 2_100_000_000n }]);
  });
});

describe('a simulation without a usable answer', () => {
  it('is shown as unknown after three seconds', async () => {
    const bench = await createSendBench();
    const { open } = await serveSlowly(bench, simulation(callResult([])));
    await withDialog(bench.app, bench.send, async (dialog) => {
      expect(writeView(dialog.content())).toContain(PENDING);
      await new Promise((resolve) => setTimeout(resolve, 3_100));
      await settle();
      await open();
      expect(writeView(dialog.content())).toContain(UNKNOWN);
    });
    expect(bench.pool.size).toBe(1);
  });

  it.each<[string, Json]>([
    ['null', null],
    ['too few calls', simulation()],
    ['malformed logs', simulation(callResult([{ address: 7 }]))],
  ])('does not block the transaction if the node answers %s', async (_what, answer) => {
    const bench = await createSendBench();
    bench.edges.wallet.answers.eth_simulateV1 = answer;
    await withDialog(bench.app, bench.send, async (dialog) => {
      await settle();
      expect(writeView(dialog.content())).toContain(UNKNOWN);
    });
    expect(bench.pool.size).toBe(1);
  });
});

describe('a simulated failure', () => {
  it('is shown once if both the estimate and the simulation report it', async () => {
    const bench = await createSendBench();
    Object.assign(bench.edges.wallet.answers, {
      eth_simulateV1: simulation(failedCall),
      eth_estimateGas: refuses({ code: 3, message: 'execution reverted: too late' }),
    });
    let warnings: string[] = [];
    await withDialog(bench.app, bench.send, async (dialog) => {
      await settle();
      warnings = warningsOf(dialog.content());
      expect(writeView(dialog.content())).toContain(textOf('changes.failing'));
    });
    expect(warnings.filter((each) => each.includes('too late'))).toHaveLength(1);
  });

  it("names the failing call of a batch, and shows the other calls' changes", async () => {
    const bench = await createCallsBench();
    bench.edges.wallet.answers.eth_simulateV1 = simulation(
      callResult([usdcTransfer(bench.address, RECIPIENT)]),
      failedCall,
    );
    let shown = '';
    let warnings: string[] = [];
    const send = async (): Promise<Json> => bench.sendCalls();
    await withDialog(bench.app, send, async (dialog) => {
      await settle();
      shown = writeView(dialog.content());
      warnings = warningsOf(dialog.content());
    });
    expect(shown).toContain('250 USDC');
    expect(warnings).toContain(textOf('calls.about', { number: '2', text: WILL_FAIL }));
  });
});

it('simulates a batch in order, as the account, without validating balance and nonce', async () => {
  const bench = await createCallsBench();
  await bench.sendCalls();
  const { params } =
    bench.edges.wallet.calls.find(({ method }) => method === 'eth_simulateV1') ?? {};
  const call = { from: bench.address, to: RECIPIENT, data: '0x' };
  expect(params).toStrictEqual([
    {
      blockStateCalls: [
        {
          calls: [
            { ...call, value: '0x1' },
            { ...call, value: '0x2' },
          ],
        },
      ],
      traceTransfers: true,
      validation: false,
    },
    'latest',
  ]);
  expect(bench.pool.size).toBe(2);
});

describe('a transaction insight', () => {
  const FROM = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266';

  async function requestInsight(
    answer: NodeAnswers[string],
    data = '0x',
  ): Promise<string> {
    const { entry, edges } = createTestApp();
    edges.wallet.answers.eth_simulateV1 = answer;
    const transaction = { from: FROM, to: TO, value: '0x0', data };
    const request = { transaction, chainId: 'eip155:1' };
    const insight = await entry.onTransaction(request as never);
    const { content = '', severity = '' } =
      (insight as { content?: unknown; severity?: string } | null) ?? {};
    return [severity, writeView(content)].filter(Boolean).join('\n');
  }

  it('waits for the changes', async () => {
    const shown = await requestInsight(
      simulation(callResult([usdcTransfer(FROM, TO)])),
    );
    expect(shown).toContain(`${textOf('changes.send')}\n250 USDC`);
  });

  it('is critical if assets or control are lost for nothing in return', async () => {
    const added = log(FROM, [ADDED_OWNER, word(RECIPIENT)], '0x');
    for (const [each, key] of [
      [usdcTransfer(FROM, TO), 'alert.leaves'],
      [added, 'alert.controlShown'],
    ] as const) {
      const shown = await requestInsight(simulation(callResult([each])), '0x12345678');
      expect(shown).toMatch(/^critical\n/u);
      expect(shown).toContain(textOf(key, { account: FROM, contract: FROM }));
    }
    const swapped = callResult([
      usdcTransfer(FROM, TO),
      log(DAI, [TRANSFER, word(TO), word(FROM)], word(10 ** 15)),
    ]);
    expect(await requestInsight(simulation(swapped), '0x12345678')).not.toMatch(
      /^critical/u,
    );
  });

  it('counts native transfers once if both the node and the protocol report them (EIP-7708)', async () => {
    const topics = [TRANSFER, word(FROM), word(TO)];
    const coins = ['0xeeee', '0xffff'].map((start) => {
      const end = start === '0xeeee' ? 'e' : 'f';
      return log(`${start}${end.repeat(35)}e`, topics, word(10 ** 15));
    });
    const shown = await requestInsight(simulation(callResult(coins)));
    expect(shown).toContain(`${textOf('changes.send')}\n0.001 ETH`);
  });

  it('warns about a failure, and is empty if nothing changes or is known', async () => {
    expect(await requestInsight(simulation(failedCall))).toContain(WILL_FAIL);
    expect(await requestInsight(simulation(callResult([])))).toBe('');
    expect(await requestInsight(refuses({ code: -32601, message: 'no' }))).toBe('');
  });
});

describe('the cost in US dollars', () => {
  const FEED = '0x5f4ec3df9cbd43714fe2740f5e3616155c5b8419';

  /** Serves a price feed: 2,000 US dollars, six minutes old. */
  function serveFeed({ edges }: Pick<SendBench, 'edges'>): void {
    const { eth_call: before = '0x' } = edges.wallet.answers;
    edges.wallet.answers.eth_call = (params) => {
      const { to, data } = params[0] as { to: string; data: string };
      if (to.toLowerCase() !== FEED) {
        return typeof before === 'function' ? before(params) : before;
      }
      if (data === '0x313ce567') return word(8);
      const time = word(edges.clock.time / 1_000 - 360).slice(2);
      return `0x${[1, 200_000_000_000, 0].map((each) => word(each).slice(2)).join('')}${time}${word(1).slice(2)}`;
    };
  }

  const DOLLARS = '(≈ $';

  it('is shown with the maximum cost, unless prices are turned off', async () => {
    const bench = await createSendBench();
    serveFeed(bench);
    await bench.send();
    // 21,000 gas at 1.71 gwei, plus 1 wei.
    expect(writeView(lastDialog(bench))).toContain(
      `${textOf('field.networkFee')}\n0.00003591 ETH (≈ $0.07)`,
    );
    await storeSettings(bench.app, { prices: false });
    const asked = bench.edges.wallet.calls.length;
    await bench.send();
    expect(writeView(lastDialog(bench))).not.toContain('$');
    expect(JSON.stringify(bench.edges.wallet.calls.slice(asked))).not.toContain(
      FEED.slice(2, 10),
    );
  });

  it('is shown with the costs of batches and user operations', async () => {
    const batches = await createCallsBench();
    serveFeed(batches);
    await batches.sendCalls();
    expect(writeView(lastDialog(batches))).toContain(DOLLARS);
    const operations = await createOperationBench();
    serveFeed(operations);
    await operations.call('eth_sendUserOperation', [{ to: RECIPIENT, value: '0x1' }]);
    expect(writeView(lastDialog(operations))).toContain(DOLLARS);
  });
});
