// Measures how long MetaMask waits for the insight snap in Chromium, running and stopped: with a
// node that answers, one with few methods, and a silent one.
import { encodeFunctionData, erc20Abi, maxUint256 } from 'viem';

import { INSIGHT_SNAP } from '../build/build';
import { withStopped } from '../stack/server';
import { readSnap, startChromium, type CallPage } from './chromium';
import { compareWithLimits, mapValues, type Bench, type Row } from './measure';
import type { Call, NodeBehaviour } from './page';

const FROM = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266';

const requests: readonly Call[] = [
  {
    handler: 'onTransaction',
    origin: 'metamask',
    method: '',
    params: {
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
      chainId: 'eip155:1',
      transactionOrigin: null,
    },
  },
  {
    handler: 'onSignature',
    origin: 'metamask',
    method: '',
    params: {
      signature: {
        from: FROM,
        signatureMethod: 'personal_sign',
        data: `0x${'11'.repeat(32)}`,
      },
      signatureOrigin: null,
    },
  },
];

/** Longest time of the insight, in ms, by the node's behaviour. */
const limits: Record<NodeBehaviour, number> = {
  answers: 300,
  'has few methods': 300,
  'is silent': 2_000,
};

const ID = 'insight';

export async function* benchInsight(): Bench {
  yield* await withStopped(startChromium(), async ({ page, version }) => {
    await page('open', ID, await readSnap(INSIGHT_SNAP));
    const tables = [];
    for (const [node, limit] of Object.entries(limits)) {
      await page('setNode', node as NodeBehaviour);
      const name = `Insight, and the node ${node}, Chromium ${version}`;
      const rows = await measure(page, limit);
      tables.push({ name, ours: 'insight', theirs: 'limit', rows });
    }
    return tables;
  });
}

async function measure(page: CallPage, limit: number): Promise<Row[]> {
  const compare = async (
    snap: string,
    take: (asked: Call) => Promise<number>,
  ): Promise<Row[]> => {
    const named = requests.map(
      (each) => [`${each.handler}, ${snap} snap`, each] as const,
    );
    const contestants = mapValues(
      Object.fromEntries(named),
      (asked) => async () => take(asked),
    );
    return compareWithLimits(
      contestants,
      mapValues(contestants, () => limit),
    );
  };
  const stopped = await compare(
    'stopped',
    async (asked) => (await page('measureStart', ID, asked)).answered,
  );
  await page('start', ID);
  for (const asked of requests) {
    if ((await page('call', ID, asked)) !== null) continue;
    throw new Error(`${asked.handler} has no insight.`);
  }
  const running = await compare('running', async (asked) => page('measure', ID, asked));
  await page('stop', ID);
  return [...running, ...stopped];
}
