// Methods that fill, sign, send and replace transactions.
import { RawParamsStruct } from '../../../src/activity/look-ups';
import { serializeUnsigned } from '../../../src/core/transaction';
import { Bytes32Struct } from '../../../src/eth/hex';
import { TransactionRequestStruct } from '../../../src/eth/transaction';
import { ReplaceParamsStruct } from '../../../src/transaction/replace';
import { SignedTransactionStruct, UnsignedTransactionStruct } from './results';
import { example, groupOf, listParams, positions, type Params, type Row } from './row';
import { FILLED, HASH, LACKING, SIGNED, WHOLE, WHOLE_SIGNATURE } from './samples';

const FILLING =
  'Missing fields are filled in; fields that are present are never changed. The guide ' +
  '"Transactions" lists the fields of each type and their defaults.';

const transaction: Params = {
  list: listParams([TransactionRequestStruct], {
    transaction: 'The transaction. Missing fields are filled in.',
  }),
};

const hash: Row['result'] = { name: 'hash', source: Bytes32Struct };

const common = { passesOn: "the node's own error" };

export const transactions = groupOf('Transactions', {
  eth_signTransaction: {
    summary: 'Signs a transaction and returns the signature.',
    description: FILLING,
    params: transaction,
    result: { name: 'signature', source: SignedTransactionStruct },
    ...common,
    examples: [
      example(
        'nothing is filled in (the example of EIP-155)',
        [WHOLE],
        WHOLE_SIGNATURE,
      ),
      example('the rest is filled in', [LACKING], {
        ...SIGNED.signature,
        tx: FILLED.json,
        raw: SIGNED.raw,
      }),
    ],
  },
  eth_fillTransaction: {
    summary: 'Fills in missing fields, and signs nothing.',
    description: FILLING,
    params: transaction,
    result: { name: 'filled', source: UnsignedTransactionStruct },
    ...common,
    examples: [
      example('a payment', [LACKING], {
        raw: serializeUnsigned(FILLED.transaction),
        tx: FILLED.json,
      }),
    ],
  },
  eth_sendTransaction: {
    summary: 'Fills in, signs and sends a transaction.',
    description:
      `${FILLING} Type \`0x3\` is refused, because its blobs are not available. A smart ` +
      'account sends a user operation with this call (a contract is created by the ' +
      'deterministic deployer), waits until it is included, and returns the hash of the ' +
      'transaction that includes it. `gas` is then the minimum for the call; `nonce` and ' +
      '`authorizationList` are refused. If it is not included within about a minute, the ' +
      'error (-32002) has its hash in `data.userOperationHash`; if the call reverts, the ' +
      'error has code 3.',
    params: transaction,
    result: hash,
    errors: [4001, 4100, -32602, -32005, -32002],
    ...common,
    passesOn: 'errors of the node, the bundler or the paymaster',
    examples: [example('a payment', [LACKING], HASH)],
  },
  eth_sendRawTransaction: {
    summary: 'Sends a signed transaction.',
    description:
      'A transaction of a connected account is followed as if Tollkeeper had sent it.',
    params: positions(RawParamsStruct, { raw: 'The signed transaction (EIP-2718).' }),
    result: hash,
    errors: [-32602, -32005, -32002],
    ...common,
    takesEnvelope: true,
    examples: [example('a payment', [SIGNED.raw], HASH)],
  },
  tollkeeper_replaceTransaction: {
    summary: 'Speeds up or cancels a pending transaction.',
    description:
      'The default fees are the current ones, and at least 10 % higher than before.',
    params: positions(ReplaceParamsStruct, {
      hash: 'Hash of the pending transaction.',
      replacement: 'What to do, and fees in wei.',
    }),
    result: hash,
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
      example('a cancellation', [HASH, { action: 'cancel' }], `0x${'5c'.repeat(32)}`),
    ],
  },
});
