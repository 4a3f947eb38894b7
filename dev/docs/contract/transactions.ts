// Methods that fill, sign, send and replace transactions.
import { RawParamsStruct } from '../../../src/activity/look-ups';
import { Bytes32Struct } from '../../../src/eth/hex';
import { serializeUnsigned } from '../../../src/eth/sign-transaction';
import { TransactionRequestStruct } from '../../../src/eth/transaction-request';
import { ReplaceParamsStruct } from '../../../src/transaction/replace';
import { SignedTransactionStruct, UnsignedTransactionStruct } from './results';
import { positions, readBy, required } from './row';
import type { Group, Params, Row } from './row';
import { FILLED, HASH, LACKING, SIGNED, WHOLE, WHOLE_SIGNATURE } from './samples';

const FILLING =
  'What is absent is filled in; what is present is never altered. Its fields by type, and ' +
  'what each is filled with, are in the README.';

function transaction(method: string): Params {
  return readBy(method, {
    cell: '`[transaction]`',
    list: [required('transaction', 'Wholly or in part.', TransactionRequestStruct)],
  });
}

const hash: Row['result'] = { cell: 'hash', name: 'hash', source: Bytes32Struct };

const common = { passesOn: 'what the node said', takesOutright: true };

/** What is done with transactions. */
export const transactions: Group = {
  title: 'Transactions',
  rows: [
    {
      name: 'eth_signTransaction',
      summary: 'Sign a transaction.',
      description: FILLING,
      params: transaction('eth_signTransaction'),
      result: {
        cell: '`{ v, r, s }`; with `tx` and `raw` if something was filled in',
        name: 'signature',
        source: SignedTransactionStruct,
      },
      asks: 'yes',
      errors: [4001, 4100, 4200, -32602, -32005, -32002],
      ...common,
      examples: [
        {
          name: 'nothing is filled in (the example of EIP-155)',
          params: [WHOLE],
          result: WHOLE_SIGNATURE,
        },
        {
          name: 'the rest is filled in',
          params: [LACKING],
          result: { ...SIGNED.signature, tx: FILLED.json, raw: SIGNED.raw },
        },
      ],
    },
    {
      name: 'eth_fillTransaction',
      summary: 'Fill a transaction in; nothing is signed.',
      description: FILLING,
      params: transaction('eth_fillTransaction'),
      result: {
        cell: '`{ raw, tx }`: what would be signed; `raw` has an empty signature, as in geth',
        name: 'filled',
        source: UnsignedTransactionStruct,
      },
      asks: 'no',
      errors: [4100, 4200, -32602, -32005, -32002],
      ...common,
      examples: [
        {
          name: 'a payment',
          params: [LACKING],
          result: { raw: serializeUnsigned(FILLED.transaction), tx: FILLED.json },
        },
      ],
    },
    {
      name: 'eth_sendTransaction',
      summary: 'Fill, sign, send and follow a transaction.',
      description:
        `${FILLING} Type \`0x3\` is refused: its blobs are not here. A smart account sends a ` +
        'user operation that makes the call (a creation by the deterministic deployer), and ' +
        'answers when a transaction has carried it, with the hash of that transaction. ' +
        '`gas` is the least that its call gets; `nonce` and `authorizationList` are refused. ' +
        'If it is not included within a minute or so, the error (-32002) names it in ' +
        '`data.userOperationHash`, for `eth_getUserOperationReceipt`; if its call was ' +
        'reverted, the error has code 3.',
      params: transaction('eth_sendTransaction'),
      result: { ...hash, cell: 'hash; of a smart account once it is included' },
      asks: 'yes',
      errors: [4001, 4100, -32602, -32005, -32002],
      ...common,
      passesOn: 'what the node, the bundler or the paymaster said',
      examples: [{ name: 'a payment', params: [LACKING], result: HASH }],
    },
    {
      name: 'eth_sendRawTransaction',
      summary: 'Send a transaction that was signed.',
      description:
        'That of an account which the site was granted is followed as if it had been sent ' +
        'from here.',
      params: positions('`[raw]`', RawParamsStruct, {
        raw: 'A signed transaction (EIP-2718).',
      }),
      result: hash,
      asks: 'no',
      errors: [-32602, -32005, -32002],
      ...common,
      examples: [{ name: 'a payment', params: [SIGNED.raw], result: HASH }],
    },
    {
      name: 'tollkeeper_replaceTransaction',
      summary: 'Speed a pending transaction up, or cancel it.',
      description:
        'Fees that are left out are those of now, but at least a tenth more than before.',
      params: positions(
        '`[hash, { action: "speedUp" \\| "cancel", gasPrice?, maxFeePerGas?, maxPriorityFeePerGas? }]`',
        ReplaceParamsStruct,
        {
          hash: 'The transaction that is replaced.',
          replacement: 'What takes its place, with fees in wei.',
        },
      ),
      result: { ...hash, cell: 'hash of the replacement' },
      asks: 'yes',
      errors: [
        4001,
        4100,
        4200,
        { code: -32001, when: 'not sent from here, or from no granted account' },
        -32602,
        -32005,
        -32002,
      ],
      ...common,
      examples: [
        {
          name: 'a cancellation',
          params: [HASH, { action: 'cancel' }],
          result: `0x${'5c'.repeat(32)}`,
        },
      ],
    },
  ],
};
