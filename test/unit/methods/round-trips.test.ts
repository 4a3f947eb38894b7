// How often servers are asked: each request costs the user who waits for it.
import type { Json } from '@metamask/utils';

import { gasAnswer } from '../../fixtures/client/gas-answer';
import { callersOf } from '../../support/callers';
import { answering, serving } from '../../support/fake-fetch';
import { createFakeNode } from '../../support/fake-node';
import { NEAR_ANSWERS } from '../../support/fees';
import { createAccount, createTestApp, DAPP } from '../../support/test-app';
import type { Edges } from '../../support/test-app';
import { TO } from '../../support/transactions';

const NODE = 'https://node.example';

const GAS = 'https://gas.example';

const SCOPE = 'eip155:5';

type Bench = {
  edges: Edges;
  /** Call as a site does, and list what each request over the network asked for. */
  ask: (method: string, fields?: Record<string, Json>) => Promise<string[]>;
};

/** A granted account, and a chain with a node and a gas API. */
async function setup(): Promise<Bench> {
  const app = createTestApp();
  const { edges, services } = app;
  const { rpc } = callersOf(app);
  const { address } = await createAccount(app);
  await rpc(DAPP, 'eth_requestAccounts');
  const node = createFakeNode({
    eth_getTransactionCount: '0x5',
    eth_estimateGas: '0x5208',
    eth_getBalance: '0x8ac7230489e80000',
    ...NEAR_ANSWERS,
    eth_sendRawTransaction: `0x${'11'.repeat(32)}`,
  });
  edges.network.serve(NODE, serving(node));
  edges.network.serve(GAS, answering(gasAnswer));
  await services.store.update((state) => ({
    ...state,
    chains: { [SCOPE]: { rpcUrl: NODE, gasBaseUrl: GAS } },
  }));
  return {
    edges,
    ask: async (method, fields = {}) => {
      const before = edges.network.sent.length;
      const params = [{ from: address, to: TO, value: '0x1', ...fields }];
      await rpc(DAPP, method, { scope: SCOPE, params });
      return edges.network.sent.slice(before).map(toText);
    },
  };
}

function toText({ url, body }: { url: string; body: string | undefined }): string {
  if (body === undefined) return `GET ${url}`;
  const calls = [JSON.parse(body) as { method: string }].flat();
  return calls
    .map(({ method }) => method)
    .sort()
    .join(' ');
}

const SUGGESTED = `GET ${GAS}/networks/5/suggestedGasFees`;

const FILLING = 'eth_estimateGas eth_getTransactionCount';

const CHECKED_FILLING = 'eth_estimateGas eth_feeHistory eth_getTransactionCount';

// The call asks for the data fee, which a chain that nobody knows may have.
const MEASURING = 'eth_call eth_estimateGas eth_getBalance eth_getTransactionCount';

const CHECKED_MEASURING =
  'eth_call eth_estimateGas eth_feeHistory eth_getBalance eth_getTransactionCount';

describe('filling', () => {
  it('takes one request to the gas API and one to the node, which checks it', async () => {
    const { ask } = await setup();
    const asked = await ask('eth_fillTransaction');
    expect(asked.sort()).toStrictEqual([SUGGESTED, CHECKED_FILLING]);
  });

  it('takes one request in all while the levels are fresh', async () => {
    const { ask } = await setup();
    await ask('eth_fillTransaction');
    expect(await ask('eth_fillTransaction')).toStrictEqual([FILLING]);
  });

  it('takes none for what lacks nothing', async () => {
    const { ask } = await setup();
    const whole = { type: '0x0', nonce: '0x1', gas: '0x5208', gasPrice: '0x1' };
    expect(await ask('eth_fillTransaction', whole)).toStrictEqual([]);
  });
});

describe('having something signed', () => {
  it('takes the balance with the same request', async () => {
    const { ask } = await setup();
    await ask('eth_fillTransaction');
    expect(await ask('eth_signTransaction')).toStrictEqual([MEASURING]);
  });

  it('looks with the same request whether a call goes to a contract', async () => {
    const { ask } = await setup();
    await ask('eth_fillTransaction');
    const asked = await ask('eth_signTransaction', { data: '0x4e71d92d' });
    expect(asked).toStrictEqual([
      'eth_call eth_estimateGas eth_getBalance eth_getCode eth_getTransactionCount',
    ]);
  });
});

describe('sending', () => {
  it('takes one request before the user is asked, beside the gas API', async () => {
    const { ask, edges } = await setup();
    const { answer } = edges.dialogs;
    const before: number[] = [];
    edges.dialogs.answer = async (content, id) => {
      before.push(edges.network.sent.length);
      return answer(content, id);
    };
    const asked = await ask('eth_sendTransaction');
    expect(asked.slice(0, 2).sort()).toStrictEqual([SUGGESTED, CHECKED_MEASURING]);
    expect(before).toStrictEqual([2]);
    expect(asked.slice(2)).toStrictEqual([
      'eth_getTransactionCount',
      'eth_sendRawTransaction',
    ]);
  });

  it('takes three in all while the levels are fresh', async () => {
    const { ask } = await setup();
    await ask('eth_fillTransaction');
    expect(await ask('eth_sendTransaction')).toStrictEqual([
      MEASURING,
      'eth_getTransactionCount',
      'eth_sendRawTransaction',
    ]);
  });
});
