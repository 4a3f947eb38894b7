// The dialogs of transactions: signed or sent, one or several, and those that take the place of
// another.
import { CallsConfirmation } from '../../src/calls/view';
import type { Transaction } from '../../src/eth/transaction';
import { readCall } from '../../src/review/read';
import { info, warning } from '../../src/ui/warnings';
import { describeDialogs, HASH } from '../support/dialog-rows';
import type { DialogRow } from '../support/dialog-rows';
import {
  BALANCE,
  dynamic,
  feesAt,
  LEVELS,
  readSent,
  REPLACING,
  viewTransaction,
} from '../support/transaction-views';
import { AUTHORIZATION, TO, transactions } from '../support/transactions';
import { translate } from '../support/view';

const SIGNED = {
  r: expect.any(String) as string,
  s: expect.any(String) as string,
  v: expect.any(String) as string,
};

function replacing(action: 'speedUp' | 'cancel'): DialogRow {
  let pending: ReturnType<typeof readSent>;
  return {
    prepare: async ({ eoa, ask, sent }) => {
      const fields = { from: eoa.address, to: TO, value: '0x1' };
      await ask({ method: 'eth_sendTransaction', params: [fields] }, 'approve');
      pending = readSent(sent.at(-1));
    },
    call: () => ({
      method: 'tollkeeper_replaceTransaction',
      params: [pending.hash, { action }],
    }),
    view: (drawing) => {
      const { account: from, age, sent } = drawing;
      const { fields } = readSent(sent.at(-1));
      const own = action === 'cancel' ? { to: from, value: 0n } : {};
      const transaction = { ...dynamic, ...pending.fields, from };
      const about = {
        title: action === 'cancel' ? 'transaction.cancel' : 'transaction.speedUp',
        fees: feesAt(age, REPLACING.maxFeePerGas),
        replacement: { action, hash: pending.hash, transaction },
        warnings: [
          action === 'cancel'
            ? warning('replacement.cancel')
            : info('replacement.speedUp'),
        ],
      } as const;
      expect(fields).toStrictEqual({ ...pending.fields, ...REPLACING });
      return viewTransaction(drawing, { ...dynamic, ...fields, ...own }, about);
    },
    result: HASH,
  };
}

const CALLS = [
  { to: TO, value: '0x1' },
  { to: TO, data: '0xa9059cbb' },
];

describeDialogs({
  'a cancellation': replacing('cancel'),
  'a transaction that is sped up': replacing('speedUp'),
  'a transaction that is whole': {
    call: ({ eoa: { address: from } }) => ({
      method: 'eth_signTransaction',
      params: [{ from, ...transactions['EIP-1559'] }],
    }),
    view: (drawing) =>
      viewTransaction(
        drawing,
        {
          ...dynamic,
          nonce: 8n,
          data: '0xa9059cbb',
          gasLimit: 100_000n,
          maxFeePerGas: 2_000_000_000n,
          maxPriorityFeePerGas: 1_000_000_000n,
        },
        { warnings: [warning('alert.nonceGap', { nonce: 8n, next: 7n })] },
      ),
    result: SIGNED,
  },
  'a contract creation': {
    call: ({ eoa: { address: from } }) => ({
      method: 'eth_signTransaction',
      params: [{ from, ...transactions.legacy, to: null, data: '0x600a' }],
    }),
    view: (drawing) =>
      viewTransaction(
        drawing,
        {
          chainId: 1n,
          to: null,
          value: 10n ** 16n,
          data: '0x600a',
          gasLimit: 21_000n,
          type: '0x0',
          nonce: 0n,
          gasPrice: 20_000_000_000n,
        },
        {
          warnings: [
            warning('alert.fee', {
              fee: { fee: 20_000_000_000n },
              high: { fee: LEVELS.high },
            }),
          ],
        },
      ),
    result: SIGNED,
  },
  'a delegation': {
    call: ({ eoa: { address: from } }) => ({
      method: 'eth_signTransaction',
      params: [{ from, ...transactions['EIP-7702'], accessList: [] }],
    }),
    view: (drawing) =>
      viewTransaction(
        drawing,
        {
          ...dynamic,
          type: '0x4',
          nonce: 10n,
          value: 0n,
          data: '0xa9059cbb',
          gasLimit: 100_000n,
          maxFeePerGas: 2_000_000_000n,
          maxPriorityFeePerGas: 1_000_000_000n,
          authorizationList: [
            {
              chainId: 0n,
              address: AUTHORIZATION.address,
              nonce: 1n,
              yParity: 1n,
              r: BigInt(AUTHORIZATION.r),
              s: BigInt(AUTHORIZATION.s),
            },
          ],
        },
        { warnings: [warning('alert.nonceGap', { nonce: 10n, next: 7n })] },
      ),
    result: SIGNED,
  },
  'a transaction to send': {
    call: ({ eoa: { address: from } }) => ({
      method: 'eth_sendTransaction',
      params: [{ from, to: TO, value: '0x8ac7230489e80000' }],
    }),
    view: (drawing) => {
      const cost = BALANCE + 21_000n * LEVELS.medium;
      const { fields } = readSent(drawing.sent.at(-1));
      return viewTransaction(
        drawing,
        { ...dynamic, ...fields, value: BALANCE },
        {
          title: 'transaction.send',
          isNonceOpen: true,
          fees: feesAt(drawing.age),
          warnings: [
            warning('alert.balance', {
              cost: { coins: cost },
              balance: { coins: BALANCE },
            }),
          ],
        },
      );
    },
    result: HASH,
  },
  'several transactions': {
    call: ({ eoa: { address: from } }) => ({
      method: 'wallet_sendCalls',
      params: [
        { version: '2.0.0', from, chainId: '0x1', atomicRequired: false, calls: CALLS },
      ],
    }),
    view: ({ origin, account, age, sent }) => {
      const [one, other] = sent.slice(-2).map(readSent);
      const all: Transaction[] = [
        { ...dynamic, from: account, ...one?.fields },
        {
          ...{ ...dynamic, from: account, value: 0n, data: '0xa9059cbb' },
          // The node says 21,000, and four bytes take 160 more.
          ...{ gasLimit: 25_392n, ...other?.fields },
        },
      ];
      return CallsConfirmation({
        translate,
        origin,
        account,
        chain: 'eip155:1',
        calls: all.map(readCall),
        transactions: all.map((transaction) => ({ transaction, isEstimated: true })),
        warnings: [warning('warning.notAtomic')],
        balance: BALANCE,
        // The node is down.
        foretold: 'unknown',
        fees: feesAt(age),
      });
    },
    result: { id: HASH },
  },
});
