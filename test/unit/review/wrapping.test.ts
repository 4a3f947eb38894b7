// Documents that act for an account, or wrap another: each is judged like what it contains.
import { maxUint256, stringToHex, toPrefixedMessage } from 'viem';
import type { Hex } from 'viem';

import type { TypedData } from '../../../src/eth/typed-data';
import { findTypedWarnings } from '../../../src/review/document-findings';
import { decodeDocument, withDescribed } from '../../../src/review/documents';
import type { Description } from '../../../src/review/effects';
import { readCall } from '../../../src/review/read';
import { dataOf } from '../../fixtures/trust/call';
import {
  context,
  documentOf,
  NOW,
  STRANGER,
  USDC,
} from '../../fixtures/trust/document';
import { safeTx } from '../../fixtures/trust/more-shapes';

const SAFE: Hex = '0x5afe000000000000000000000000000000005afe';
const ENTRY_POINT: Hex = '0x0000000071727de22e5e9d8baf0edac6f37da032';
const HASH: Hex = `0x${'7f'.repeat(32)}`;
const ZERO: Hex = `0x${'00'.repeat(20)}`;

const approval = dataOf('approve(address,uint256)', STRANGER, maxUint256);

const USER_OP = 'executeUserOp(address,uint256,bytes,uint8)';

const callData = dataOf(USER_OP, USDC, 0n, approval, 0);

const signIn =
  stringToHex(`other.example wants you to sign in with your Ethereum account:
0x70997970C51812dc3A010C7d01b50e0d17dc79C8

URI: https://other.example
Version: 1
Chain ID: 1
Nonce: 12345678
Issued At: 2023-11-14T22:13:20Z`);

const OPERATION = 'address sender, uint256 nonce, bytes callData';

const signatureOf = (contents: string): string =>
  `${contents} contents, string name, string version, uint256 chainId, address verifyingContract, bytes32 salt`;

const domain = { name: 'Account', chainId: 1, verifyingContract: SAFE };

const account = {
  name: 'Account',
  version: '1',
  chainId: 1,
  verifyingContract: SAFE,
  salt: `0x${'00'.repeat(32)}`,
};

function safeTxWithRefund(gasToken: Hex): TypedData {
  return documentOf(
    { chainId: 1, verifyingContract: SAFE },
    {
      SafeTx:
        'address to, uint256 value, bytes data, uint8 operation, uint256 gasPrice, address gasToken, address refundReceiver',
    },
    {
      to: USDC,
      value: '0',
      data: '0x',
      operation: 0,
      gasPrice: '1000',
      gasToken,
      refundReceiver: STRANGER,
    },
  );
}

const permit = {
  owner: SAFE,
  spender: STRANGER,
  value: String(maxUint256),
  nonce: 0,
  deadline: NOW + 600,
};

/** What each must say, apart from what every document of its kind is. */
const cases: [what: string, document: TypedData, warnings: string[]][] = [
  ['SafeTx that calls', safeTx({ data: approval }), ['warning alert.unlimited']],
  [
    'SafeTx with a refund in the coin',
    safeTxWithRefund(ZERO),
    ['warning typed.refund'],
  ],
  ['SafeTx with a refund in a token', safeTxWithRefund(USDC), ['danger typed.refund']],
  [
    'SafeOp',
    documentOf(
      { chainId: 1, verifyingContract: STRANGER },
      { SafeOp: 'address safe, uint256 nonce, bytes callData, address entryPoint' },
      { safe: SAFE, nonce: 0, callData, entryPoint: ENTRY_POINT },
    ),
    ['warning alert.unlimited'],
  ],
  [
    'UserOperation',
    documentOf(
      { name: 'ERC4337', chainId: 1, verifyingContract: ENTRY_POINT },
      { UserOperation: OPERATION },
      { sender: SAFE, nonce: 0, callData },
    ),
    ['danger disguise.operation', 'warning alert.unlimited'],
  ],
  [
    'Execute',
    documentOf(
      domain,
      {
        Execute: 'Call[] calls, uint256 nonce',
        Call: 'address to, uint256 value, bytes data',
      },
      { calls: [{ to: USDC, value: 0, data: approval }], nonce: 0 },
    ),
    ['warning alert.unlimited', 'danger typed.innerCall'],
  ],
  [
    'SafeMessage with a hash',
    documentOf(domain, { SafeMessage: 'bytes message' }, { message: HASH }),
    ['danger message.hash'],
  ],
  [
    'SafeMessage with a sign-in of another site',
    documentOf(domain, { SafeMessage: 'bytes message' }, { message: signIn }),
    ['danger siwe.otherDomain', 'danger siwe.otherAddress'],
  ],
  ...['CoinbaseSmartWalletMessage', 'ReplaySafeHash', 'Kernel'].map(
    (name): [string, TypedData, string[]] => [
      name,
      documentOf(domain, { [name]: 'bytes32 hash' }, { hash: HASH }),
      ['danger message.hash'],
    ],
  ),
  [
    'TypedDataSign with a permit',
    documentOf(
      { name: 'USD Coin', version: '2', chainId: 1, verifyingContract: USDC },
      {
        TypedDataSign: signatureOf('Permit'),
        Permit:
          'address owner, address spender, uint256 value, uint256 nonce, uint256 deadline',
      },
      { contents: permit, ...account },
    ),
    ['warning typed.unlimited'],
  ],
  [
    'TypedDataSign with a SafeTx that runs code',
    documentOf(
      domain,
      {
        TypedDataSign: signatureOf('SafeTx'),
        SafeTx: 'address to, uint256 value, bytes data, uint8 operation',
      },
      { contents: { to: STRANGER, value: 0, data: '0x', operation: 1 }, ...account },
    ),
    ['danger alert.delegateCall'],
  ],
  [
    'PersonalSign with a hash',
    documentOf(
      domain,
      { PersonalSign: 'bytes prefixed' },
      { prefixed: toPrefixedMessage({ raw: HASH }) },
    ),
    ['danger message.hash'],
  ],
  [
    'PersonalSign with a text of 32 letters',
    documentOf(
      domain,
      { PersonalSign: 'bytes prefixed' },
      { prefixed: toPrefixedMessage('I would like to take part, sir.!') },
    ),
    ['info message.mayBeHash'],
  ],
];

it.each(cases)('%s is judged like what it contains', (_what, document, expected) => {
  const found = findTypedWarnings(decodeDocument(document), context);
  const actual = found
    .filter(({ key }) => !key.startsWith('shape.'))
    .map(({ severity, key }) => `${severity} ${key}`);
  expect(actual).toStrictEqual(expected);
});

it('judges calls that a descriptor alone knows, and draws each once', () => {
  const call = { from: SAFE, to: USDC, value: 0n, data: approval } as const;
  const description: Description = {
    intent: 'Run',
    fields: [],
    omitted: 0,
    stated: [],
    calls: [readCall(call)],
  };
  const unknown = documentOf(domain, { Run: 'bytes data' }, { data: approval });
  const typed = withDescribed(decodeDocument(unknown), description);
  expect(typed.calls).toHaveLength(1);
  expect(findTypedWarnings(typed, context)).toContainEqual(
    expect.objectContaining({ key: 'alert.unlimited' }),
  );
  const read = decodeDocument(safeTx({ operation: 1, data: approval }));
  expect(withDescribed(read, description).calls).toStrictEqual(read.calls);
});
