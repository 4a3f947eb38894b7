// How long MetaMask waits for the insight snap, with a running worker and with a stopped one: beside
// a node that answers, one that has few methods, and one that is silent.
import { encodeFunctionData, erc20Abi, maxUint256 } from 'viem';

import { INSIGHT_SNAP } from '../build/build';
import { startJsonRpcServer, toUnknownMethod, withStopped } from '../stack/server';
import type { JsonRpcServer } from '../stack/server';
import { startWallet } from '../wallet/wallet';
import type { Wallet } from '../wallet/wallet';
import {
  compareWithLimits,
  mapValues,
  measureTime,
  type Bench,
  type Row,
} from './measure';
import { startChain } from './servers';

/** At most until the insight, in ms. */
const LIMITS = { answers: 300, 'has few methods': 300, 'is silent': 2_000 };

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

export async function* benchInsight(): Bench {
  const nodes: Record<keyof typeof LIMITS, () => Promise<JsonRpcServer>> = {
    answers: startChain,
    'has few methods': async () => serve(() => Promise.reject(toUnknownMethod('this'))),
    'is silent': async () => serve(async () => new Promise(() => undefined)),
  };
  for (const [node, limit] of Object.entries(LIMITS)) {
    const rows = await withStopped(nodes[node as keyof typeof nodes](), async (chain) =>
      withStopped(startWallet({ snapFolder: INSIGHT_SNAP, chain }), async (wallet) =>
        measure(wallet, limit),
      ),
    );
    const name = `Insight, and the node ${node}`;
    yield { name, ours: 'insight', theirs: 'limit', rows };
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

async function measure(wallet: Wallet, limit: number): Promise<Row[]> {
  const contestants: Record<string, () => Promise<number>> = {};
  for (const [handler, params] of requests) {
    const ask = async (): Promise<number> => {
      const [answer, time] = await measureTime(async () =>
        wallet.invoke(handler, { method: '', params }),
      );
      if (answer === null) throw new Error(`${handler} has no insight.`);
      return time;
    };
    contestants[`${handler}, running worker`] = ask;
    contestants[`${handler}, stopped worker`] = async () => {
      await wallet.stopSnap();
      return ask();
    };
  }
  const limits = mapValues(contestants, () => limit);
  return (await compareWithLimits(contestants, limits)).rows;
}
