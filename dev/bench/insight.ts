// How long MetaMask waits for the insight snap, with a running worker and with a stopped one: beside
// a node that answers, one that has few methods, and one that is silent.
import { encodeFunctionData, erc20Abi, maxUint256 } from 'viem';

import { INSIGHT_SNAP } from '../build/build';
import { withStopped } from '../stack/server';
import { startWallet, type Wallet } from '../wallet/wallet';
import {
  compareWithLimits,
  mapValues,
  measureTime,
  type Bench,
  type Row,
} from './measure';
import { startBareNode, startChain } from './servers';

const FROM = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266';

const requests = [
  [
    'onTransaction',
    {
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
    },
  ],
  [
    'onSignature',
    {
      signature: {
        from: FROM,
        signatureMethod: 'personal_sign',
        data: `0x${'11'.repeat(32)}`,
      },
      signatureOrigin: null,
    },
  ],
] as const;

/** Nodes, and how long the insight takes at most with each, in ms. */
const nodes = [
  ['answers', 300, startChain],
  ['has few methods', 300, () => startBareNode('0x7a69')],
  [
    'is silent',
    2_000,
    () => startBareNode('0x7a69', () => new Promise(() => undefined)),
  ],
] as const;

export async function* benchInsight(): Bench {
  for (const [node, limit, start] of nodes) {
    const rows = await withStopped(start(), async (chain) =>
      withStopped(startWallet({ snapFolder: INSIGHT_SNAP, chain }), async (wallet) =>
        measure(wallet, limit),
      ),
    );
    const name = `Insight, and the node ${node}`;
    yield { name, ours: 'insight', theirs: 'limit', rows };
  }
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
