import type { Json } from '@metamask/utils';

import { findReceipt, findTransaction } from '../../../src/activity/look-up';
import type { LookUpServices } from '../../../src/activity/look-up';
import { createWalletTransport } from '../../../src/chains/wallet-transport';
import { createRpcClient, nodeSchema } from '../../../src/client';
import { createFakeNode } from '../../support/fake-node';
import type { FakeNode, NodeAnswers } from '../../support/fake-node';
import { HASH, RECEIPT, TRANSACTION } from '../../support/receipts';
import { refusalOf } from '../../support/refusal';

const PENDING = {
  ...TRANSACTION,
  blockHash: null,
  blockNumber: null,
  transactionIndex: null,
};

type Bench = { services: LookUpServices; node: FakeNode; slept: number[] };

function setup(answers: NodeAnswers): Bench {
  const node = createFakeNode(answers);
  const slept: number[] = [];
  const sleep = (ms: number): Promise<void> => {
    slept.push(ms);
    return Promise.resolve();
  };
  const client = createRpcClient(nodeSchema, createWalletTransport(node.request));
  return { services: { node: client, sleep }, node, slept };
}

/** Answer null some times, then with a value. */
function after(times: number, value: Json): () => Json {
  let asked = 0;
  return () => {
    asked += 1;
    return asked > times ? value : null;
  };
}

describe('findReceipt', () => {
  it('gives a receipt that is there, with every field that the node tells', async () => {
    const { services, slept } = setup({
      eth_getTransactionReceipt: { ...RECEIPT, l1Fee: '0x5' },
      eth_getTransactionByHash: TRANSACTION,
    });
    expect(await findReceipt(HASH, services)).toStrictEqual({
      ...RECEIPT,
      l1Fee: '0x5',
    });
    expect(slept).toStrictEqual([]);
  });

  it('gives it also if the node does not find the transaction', async () => {
    const { services } = setup({
      eth_getTransactionReceipt: RECEIPT,
      eth_getTransactionByHash: null,
    });
    expect(await findReceipt(HASH, services)).toStrictEqual(RECEIPT);
  });

  it.each([
    ['unknown', null],
    ['pending', PENDING],
  ])('gives null at once for a transaction that is %s', async (_state, transaction) => {
    const { services, slept } = setup({
      eth_getTransactionReceipt: null,
      eth_getTransactionByHash: transaction,
    });
    expect(await findReceipt(HASH, services)).toBeNull();
    expect(slept).toStrictEqual([]);
  });

  it('asks again while the transaction is in a block and the receipt is not there yet', async () => {
    const { services, slept } = setup({
      eth_getTransactionReceipt: after(2, RECEIPT),
      eth_getTransactionByHash: TRANSACTION,
    });
    expect(await findReceipt(HASH, services)).toStrictEqual(RECEIPT);
    expect(slept).toStrictEqual([500, 500]);
  });

  it('gives null after four attempts', async () => {
    const { services, slept, node } = setup({
      eth_getTransactionReceipt: null,
      eth_getTransactionByHash: TRANSACTION,
    });
    expect(await findReceipt(HASH, services)).toBeNull();
    expect(slept).toStrictEqual([500, 500, 500]);
    const receipts = node.calls.filter(({ method }) => /Receipt/u.test(method));
    expect(receipts).toHaveLength(4);
  });

  it('refuses a receipt that is none', async () => {
    const { services } = setup({
      eth_getTransactionReceipt: { ...RECEIPT, gasUsed: 21_000 },
      eth_getTransactionByHash: TRANSACTION,
    });
    expect(await refusalOf(findReceipt(HASH, services))).toStrictEqual({
      code: -32002,
      message:
        "eth_getTransactionReceipt at the wallet's node gave an invalid answer: " +
        'result.gasUsed must be a hex quantity. Check that it is the right server.',
    });
  });
});

describe('findTransaction', () => {
  it.each([
    ['in a block', TRANSACTION],
    ['pending', PENDING],
    ['unknown', null],
  ])('tells of a transaction that is %s', async (_state, transaction) => {
    const { services, node } = setup({ eth_getTransactionByHash: transaction });
    expect(await findTransaction(HASH, services)).toStrictEqual(transaction);
    expect(node.calls).toStrictEqual([
      { method: 'eth_getTransactionByHash', params: [HASH] },
    ]);
  });
});
