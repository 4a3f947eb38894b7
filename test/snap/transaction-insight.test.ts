// What the built snap says beside transactions in the wallet's own confirmation; one snap for
// all.
import type { JSXElement } from '@metamask/snaps-sdk/jsx';
import type { Json } from '@metamask/utils';
import { encodeFunctionData, parseAbi } from 'viem';
import type { Hex } from 'viem';

import { TransactionInsightView } from '../../src/insights/transaction';
import type { TransactionInsight } from '../../src/insights/transaction';
import { readCall } from '../../src/review/read';
import { danger, info, warning } from '../../src/ui/warnings';
import { ROUTER } from '../fixtures/trust/document';
import { FEE_ANSWERS } from '../support/fees';
import { expectSilence, read } from '../support/insights';
import type { Responding } from '../support/insights';
import { DAPP, installBench } from '../support/snap-bench';
import type { SnapBench } from '../support/snap-bench';
import { LEVELS } from '../support/transaction-views';
import { TO } from '../support/transactions';
import { translate } from '../support/view';

const FROM: Hex = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266';

/** Arguments are read in lower case. */
const OPERATOR = ROUTER.toLowerCase() as Hex;

const GWEI = 10n ** 9n;

const transaction = {
  from: FROM,
  to: TO,
  value: '0x1',
  data: '0x',
  nonce: '0x1',
  maxFeePerGas: '0x77359400',
  maxPriorityFeePerGas: '0x3b9aca00',
} as const;

const APPROVALS = parseAbi([
  'function setApprovalForAll(address operator, bool approved)',
]);

const operator = danger('alert.operator', { operator: OPERATOR });

const operatorCall = encodeFunctionData({
  abi: APPROVALS,
  args: [OPERATOR, true],
});

const granting = { data: operatorCall, value: '0x0' };

const call = readCall({ from: FROM, to: TO, value: 0n, data: operatorCall });

let snap: SnapBench['snap'];

const node = { isDown: false };

beforeAll(async () => {
  ({ snap } = await installBench());
  const answers: Record<string, Json> = { ...FEE_ANSWERS, eth_chainId: '0x1' };
  snap.mockJsonRpc(({ method }) => {
    if (!method.startsWith('eth_')) return undefined;
    if (node.isDown) throw new Error('The node is down.');
    return answers[method];
  });
});

const onTransaction = async (fields: object = {}): Responding =>
  snap.onTransaction({ ...transaction, origin: DAPP, ...fields });

const FEES: NonNullable<TransactionInsight['fees']> = {
  level: 'high',
  isBelowBaseFee: false,
  tenthsOfHigh: 11n,
  // The simulation tells no gas.
  mediumCost: undefined,
  mediumWait: undefined,
  congestion: 0.5,
  baseFeeTrend: 'down',
};

const view = (about: Partial<TransactionInsight>): JSXElement =>
  TransactionInsightView({
    translate,
    chain: 'eip155:1',
    warnings: [],
    fees: FEES,
    ...about,
  });

describe('the insight of a transaction', () => {
  // First, while nothing is known of the market.
  it('says where no node answers that nothing was checked', async () => {
    node.isDown = true;
    const unchecked = info('insight.unchecked');
    const plain = await read(onTransaction());
    expect({ content: plain.content }).toRender(
      view({ warnings: [unchecked], fees: undefined }),
    );
    const { content } = await read(onTransaction(granting));
    node.isDown = false;
    expect({ content }).toRender(
      view({ warnings: [operator, unchecked], call, fees: undefined }),
    );
  });

  it('compares its fees with the market', async () => {
    const { content, severity } = await read(onTransaction());
    expect({ content }).toRender(view({}));
    expect(severity).toBeNull();
  });

  it('warns of fees far above the market', async () => {
    const fee = 7n * GWEI;
    const { content, severity } = await read(
      onTransaction({ maxFeePerGas: `0x${fee.toString(16)}` }),
    );
    const notice = warning('alert.fee', { fee: { fee }, high: { fee: LEVELS.high } });
    expect({ content }).toRender(
      view({ warnings: [notice], fees: { ...FEES, tenthsOfHigh: 33n } }),
    );
    expect(severity).toBeNull();
  });

  it('is critical where every token of a collection can be taken', async () => {
    const { content, severity } = await read(onTransaction(granting));
    expect({ content }).toRender(view({ warnings: [operator], call }));
    expect(severity).toBe('critical');
  });

  it.each([
    ['a sender that is none', { from: '0x12' }],
    ['a recipient that is none', { to: '0x12' }],
  ])('is silent beside %s', async (_what, fields) => {
    await expectSilence(onTransaction(fields));
  });
});
