import { BlockParameterStruct } from '../../../../src/client/rpc/block';
import { FeeHistoryStruct, nodeSchema } from '../../../../src/client/rpc/schema';
import {
  ReceiptStruct,
  TransactionStruct,
} from '../../../../src/client/rpc/transaction';
import { receipt, transaction } from '../../../fixtures/client/node-answers';
import { without } from '../../../support/without';

describe('a receipt', () => {
  it.each<[string, object]>([
    ['of a call', receipt],
    ['of a creation', { ...receipt, to: null, contractAddress: receipt.to }],
    [
      'without contractAddress, as some nodes write it',
      without(receipt, 'contractAddress'),
    ],
    [
      'from before Byzantium, with a root',
      { ...without(receipt, 'status'), root: receipt.blockHash },
    ],
    ['of a failure', { ...receipt, status: '0x0', logs: [] }],
    ['with fields of a rollup', { ...receipt, l1Fee: '0x1', l1BlockNumber: null }],
    [
      'with a checksum of the chain (EIP-1191)',
      { ...receipt, from: '0xF39Fd6e51aad88F6F4ce6aB8827279cffFb92266' },
    ],
  ])('%s is taken', (_what, value) => {
    expect(ReceiptStruct.is(value)).toBe(true);
  });

  // What spec 2.5 says is always there, but for `contractAddress` and `root`.
  it.each(
    Object.keys(receipt).filter(
      (name) => !['contractAddress', 'status'].includes(name),
    ),
  )('is refused without %s', (name) => {
    expect(ReceiptStruct.is(without(receipt, name as never))).toBe(false);
  });
});

describe('a transaction', () => {
  const pending = { blockHash: null, blockNumber: null, transactionIndex: null };

  it.each<[string, object]>([
    ['in a block', transaction],
    ['that is pending', { ...transaction, ...pending }],
    ['that creates a contract', { ...transaction, to: null }],
    ['with yParity and no v', { ...without(transaction, 'v'), yParity: '0x1' }],
    ['without a gas price yet', without({ ...transaction, ...pending }, 'gasPrice')],
  ])('%s is taken', (_what, value) => {
    expect(TransactionStruct.is(value)).toBe(true);
  });

  it.each(['hash', 'from', 'gas', 'input', 'nonce', 'r', 's', 'type', 'value', 'to'])(
    'is refused without %s',
    (name) => {
      expect(TransactionStruct.is(without(transaction, name as never))).toBe(false);
    },
  );
});

describe('a fee history', () => {
  const history = {
    oldestBlock: '0x1',
    baseFeePerGas: ['0x1', '0x2'],
    gasUsedRatio: [0.5],
  };

  it.each<[string, object, boolean]>([
    ['without rewards', history, true],
    ['with null for rewards', { ...history, reward: null }, true],
    ['with rewards', { ...history, reward: [['0x0', '0x1']] }, true],
    ['with blob fees', { ...history, baseFeePerBlobGas: ['0x1'] }, true],
    ['with numbers for fees', { ...history, baseFeePerGas: [1] }, false],
    ['with a ratio that is null', { ...history, gasUsedRatio: [null] }, false],
    ['with null for base fees', { ...history, baseFeePerGas: null }, false],
    ['with a text for a reward', { ...history, reward: [['one']] }, false],
  ])('%s: taken is %#', (_what, value, isTaken) => {
    expect(FeeHistoryStruct.is(value)).toBe(isTaken);
  });
});

describe('a block parameter', () => {
  it.each(['latest', 'earliest', 'pending', 'finalized', '0x0', '0x10'])(
    'is %s',
    (tag) => {
      expect(BlockParameterStruct.is(tag)).toBe(true);
    },
  );

  it.each<unknown>(['safe', 'Latest', '', '16', 16, null, { blockNumber: '0x1' }])(
    'is not %j',
    (tag) => {
      expect(BlockParameterStruct.is(tag)).toBe(false);
    },
  );
});

describe('the methods', () => {
  it('may be asked twice if they only read', () => {
    const sending = /send|subscribe/iu;
    for (const [name, { idempotent }] of Object.entries(nodeSchema)) {
      expect([name, idempotent]).toStrictEqual([name, !sending.test(name)]);
    }
  });
});
