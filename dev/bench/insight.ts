// How long MetaMask waits for the insight snap, with a running worker and with a stopped one: beside
// a node that answers, one that has few methods, and one that is silent.
import { encodeFunctionData, erc20Abi, maxUint256 } from 'viem';

import { INSIGHT_SNAP } from '../build/build';
import { startAnvil } from '../stack/processes';
import { startJsonRpcServer, toUnknownMethod, withStopped } from '../stack/server';
import type { JsonRpcServer } from '../stack/server';
import { startWallet } from '../wallet/wallet';
import type { Wallet } from '../wallet/wallet';
import { compare, measureTime, type Bench } from './measure';

const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 15);

/** At most until the insight, in ms. */
const LIMITS = { answers: 300, 'has few methods': 300, 'is silent': 2_000 };

type Node = keyof typeof LIMITS;

const FROM = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266';

const approval = {
  transaction: {
    from: FROM,
    to: '0x1f9840a85d5af5bf1d1762f925bdaddc4201f984',
    value: '0x0',
    gas: '0xb3b0',
    maxFeePerGas: '0x77359400',
    maxPriorityFeePerGas: '0x3b9aca00',
    data: encodeFunctionData({
      abi: erc20Abi,
      functionName: 'approve',
      args: ['0x000000000000000000000000000000000000dead', maxUint256],
    }),
  },
  chainId: 'eip155:31337',
  transactionOrigin: null,
};

const message = {
  signature: {
    from: FROM,
    signatureMethod: 'personal_sign',
    data: `0x${'11'.repeat(32)}`,
  },
  signatureOrigin: null,
};

const requests = [
  ['onTransaction', approval],
  ['onSignature', message],
] as const;

/** Measures all nodes, each beside its limit. */
export async function* benchInsight(): Bench {
  const anvil = startAnvil();
  const nodes: Record<Node, JsonRpcServer> = {
    answers: {
      url: `http://127.0.0.1:${await anvil.port}`,
      stop: async () => anvil.child.stop(),
    },
    'has few methods': await serve(() => Promise.reject(toUnknownMethod('this'))),
    'is silent': await serve(async () => new Promise(() => undefined)),
  };
  for (const [node, server] of Object.entries(nodes) as [Node, JsonRpcServer][]) {
    yield await withStopped(Promise.resolve(server), async ({ url }) =>
      withStopped(
        startWallet({ snapFolder: INSIGHT_SNAP, chain: { url } }),
        async (wallet) => measure(node, wallet),
      ),
    );
  }
}

// A wallet learns the chain from its node.
async function serve(answer: () => Promise<unknown>): Promise<JsonRpcServer> {
  return startJsonRpcServer({
    name: 'The node',
    path: '/',
    port: 0,
    open: () => async (method) => (method === 'eth_chainId' ? '0x7a69' : answer()),
  });
}

async function measure(node: Node, wallet: Wallet) {
  const limit = LIMITS[node];
  const contestants = Object.fromEntries(
    requests.flatMap(([handler, params]) => {
      const ask = async (): Promise<number> => {
        const asked = { method: '', params };
        const [answer, time] = await measureTime(async () =>
          wallet.invoke(handler, asked),
        );
        if (answer === null) throw new Error(`${handler} has no insight.`);
        return time;
      };
      return [
        [`${handler}, running worker`, ask],
        [
          `${handler}, stopped worker`,
          async () => {
            await wallet.stopSnap();
            return ask();
          },
        ],
      ] as const;
    }),
  );
  const isKept = (times: Record<string, number>): boolean =>
    Object.values(times).every((time) => time <= limit);
  const times = await compare(contestants, { rounds: ROUNDS, isKept });
  return {
    name: `Insight, and the node ${node}`,
    ours: 'insight',
    theirs: 'limit',
    rows: Object.entries(times).map(([what, ours]) => ({
      what,
      ours,
      theirs: limit,
      unit: 'ms',
      bound: { atMost: 1 },
    })),
  };
}
