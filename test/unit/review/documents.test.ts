// Typed data: its values, times and units. A document that acts for an account or wraps another
// document gets the warnings of its content.
import type { Json } from '@metamask/utils';
import { getAddress, maxUint256, stringToHex, toPrefixedMessage } from 'viem';
import type { Hex } from 'viem';

import type { TypedData } from '../../../src/core/typed-data';
import type { TypeTable } from '../../../src/eth/typed-data';
import { findTypedWarnings } from '../../../src/review/document-findings';
import {
  decodeDocument,
  decodeEntries,
  findTime,
  findTypedUnit,
  isTypeMaximum,
  listTypedValues,
  withDescribed,
} from '../../../src/review/documents';
import type { TypedUnit } from '../../../src/review/documents';
import type { Description } from '../../../src/review/effects';
import { readCall } from '../../../src/review/read';
import { dataOf, ZERO } from '../../fixtures/trust/call';
import {
  ACCOUNT,
  context,
  DAI,
  documentOf,
  domainOf,
  NOW,
  ROUTER,
  STRANGER,
  USDC,
  WETH,
} from '../../fixtures/trust/document';
import { signIn } from '../../fixtures/trust/messages';
import { cowOrder, forwardRequest, safeTx } from '../../fixtures/trust/more-shapes';
import {
  coins,
  listing,
  permit,
  permitSingle,
  uniswapX,
} from '../../fixtures/trust/shapes';

const timeOf = (name: string, value: Json, type = 'uint256'): number | undefined =>
  findTime({ path: name.split('.'), type, value });

describe('the values of typed data', () => {
  it('are grouped: one group per nested field, and one per run of plain fields', () => {
    const types: TypeTable = {
      Mail: [
        { name: 'title', type: 'string' },
        { name: 'urgent', type: 'bool' },
        { name: 'to', type: 'Person[]' },
        { name: 'text', type: 'string' },
      ],
      Person: [{ name: 'name', type: 'string' }],
    };
    const message = { title: 'Hi', urgent: true, to: [{ name: 'Bob' }], text: 'Hello' };
    expect(listTypedValues(types, 'Mail', message)).toStrictEqual([
      {
        field: undefined,
        values: [
          { path: ['title'], type: 'string', value: 'Hi' },
          { path: ['urgent'], type: 'bool', value: true },
        ],
      },
      {
        field: { name: 'to', type: 'Person[]' },
        values: [{ path: ['to', '1', 'name'], type: 'string', value: 'Bob' }],
      },
      {
        field: undefined,
        values: [{ path: ['text'], type: 'string', value: 'Hello' }],
      },
    ]);
  });

  it('include empty lists and absent structs', () => {
    const types: TypeTable = {
      Nothing: [
        { name: 'list', type: 'uint8[]' },
        { name: 'next', type: 'Nothing' },
      ],
    };
    const tree = listTypedValues(types, 'Nothing', { list: [] });
    expect(tree).toStrictEqual([
      {
        field: undefined,
        values: [
          { path: ['list'], type: 'uint8[]', value: [] },
          { path: ['next'], type: 'Nothing', value: null },
        ],
      },
    ]);
  });
});

describe('the date of a value', () => {
  it.each<[string, Json, string]>([
    ['deadline', NOW, 'uint256'],
    ['sigDeadline', String(NOW), 'uint256'],
    ['details.expiration', '0x6553f100', 'uint48'],
    ['details.1.expiration.1', NOW, 'uint256'],
    ['validTo', NOW, 'uint32'],
    ['validBefore', NOW, 'uint256'],
    ['endTime', NOW, 'uint256'],
    ['issuedAt', NOW, 'uint256'],
    ['timestamp', NOW, 'int64'],
    ['time', NOW * 1_000, 'uint256'],
  ])('is recognized by its field name: %s = %j', (name, value, type) => {
    expect(timeOf(name, value, type)).toBe(NOW * 1_000);
  });

  it.each<[string, [string, Json, string?]]>([
    ['an amount', ['amount', NOW]],
    ['a lifetime', ['lifetime', NOW]],
    ['a string', ['deadline', String(NOW), 'string']],
    ['bytes', ['deadline', '0x6553f100', 'bytes4']],
    ['a duration', ['expiry', 3_600]],
    ['zero', ['deadline', 0]],
    ['the largest number', ['deadline', String(2n ** 256n - 1n)]],
    ['a number that is neither seconds nor milliseconds', ['deadline', NOW * 100]],
    ['null', ['deadline', null]],
    ['a number below zero', ['deadline', -NOW, 'int256']],
  ])('is not recognized in %s', (_what, value) => {
    expect(timeOf(...value)).toBeUndefined();
  });
});

describe('the maximum of a type', () => {
  it.each<[string, Json]>([
    ['uint256', String(2n ** 256n - 1n)],
    ['uint', String(2n ** 256n - 1n)],
    ['uint160', String(2n ** 160n - 1n)],
    ['uint48', 2 ** 48 - 1],
  ])('is recognized for %s %s', (type, value) => {
    expect(isTypeMaximum({ type, value })).toBe(true);
  });

  it.each<[string, Json]>([
    ['uint256', String(2n ** 160n - 1n)],
    ['uint8', 255],
    ['int256', String(2n ** 255n - 1n)],
  ])('is not recognized for %s %s', (type, value) => {
    expect(isTypeMaximum({ type, value })).toBe(false);
  });
});

describe('the addresses in eth_signTypedData (v1) entries', () => {
  it('include address values and addresses within other values', () => {
    const entries = [
      { type: 'address', name: 'to', value: STRANGER },
      { type: 'address[]', name: 'others', value: [STRANGER] },
      { type: 'string', name: 'text', value: `To ${ROUTER}.` },
      { type: 'bytes32', name: 'word', value: `0x${'0'.repeat(24)}${USDC.slice(2)}` },
    ];
    const found = [STRANGER, STRANGER, ROUTER, USDC];
    expect(decodeEntries(entries).addresses).toStrictEqual(found);
  });
});

const usdc = { symbol: 'USDC', decimals: 6 };
const dai = { symbol: 'DAI', decimals: 18 };
const weth = { symbol: 'WETH', decimals: 18 };

function unitsOf(data: TypedData): Record<string, TypedUnit> {
  const typed = decodeDocument(data);
  const units = typed.groups
    .flatMap(({ values }) => values)
    .map((value) => [value.path.join('.'), findTypedUnit(typed, value)] as const);
  return Object.fromEntries(units.filter(([, unit]) => unit)) as ReturnType<
    typeof unitsOf
  >;
}

const operation = documentOf(
  domainOf('ERC4337', ROUTER),
  {
    UserOperation:
      'address sender, bytes callData, uint256 maxFeePerGas, uint256 maxPriorityFeePerGas',
  },
  { sender: ACCOUNT, callData: '0x', maxFeePerGas: 2, maxPriorityFeePerGas: 1 },
);

const sale = (paymentToken: string): TypedData =>
  documentOf(
    domainOf('Exchange', ROUTER),
    {
      Order: 'address trader, address collection, uint256 price, address paymentToken',
    },
    { trader: ACCOUNT, collection: ROUTER, price: '1', paymentToken },
  );

it.each<[string, TypedData, Record<string, TypedUnit>]>([
  ['the value of a permit', permit(), { value: usdc }],
  [
    'the amount of a Permit2 allowance',
    permitSingle({ token: DAI }),
    { 'details.amount': dai },
  ],
  [
    'the amounts on both sides of a swap',
    uniswapX(),
    {
      'permitted.amount': usdc,
      'witness.inputStartAmount': usdc,
      'witness.outputs.1.startAmount': weth,
      'witness.outputs.1.endAmount': weth,
    },
  ],
  [
    "a listing's payments in the native currency and in a token",
    listing([coins('1', ACCOUNT), { ...coins('1', ACCOUNT), token: WETH }]),
    {
      'consideration.1.startAmount': 'coin',
      'consideration.1.endAmount': 'coin',
      'consideration.2.startAmount': weth,
      'consideration.2.endAmount': weth,
    },
  ],
  ['a price in a token', sale(WETH), { price: weth }],
  [
    'a price in the native currency',
    sale('0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE'),
    { price: 'coin' },
  ],
  ['the value of a Safe transaction', safeTx(), { value: 'coin' }],
  ['the value of a relayed call', forwardRequest('0x'), { value: 'coin' }],
  [
    'the fees of an operation',
    operation,
    { maxFeePerGas: 'fee', maxPriorityFeePerGas: 'fee' },
  ],
  ['both amounts of a CoW order', cowOrder(), { sellAmount: usdc, buyAmount: weth }],
])('finds the unit of %s', (_name, data, units) => {
  expect(unitsOf(data)).toStrictEqual(units);
});

it.each<[string, TypedData]>([
  ['an unknown token', permit({}, ROUTER)],
  ['a token on a different chain', permit({}, USDC, 10)],
  [
    'a document of unknown shape',
    documentOf({}, { Mail: 'uint256 value' }, { value: 1 }),
  ],
  [
    'a known shape with unexpected field names',
    documentOf({}, { Permit: 'uint256 toString' }, { toString: 1 }),
  ],
])('finds no unit in %s', (_name, data) => {
  expect(unitsOf(data)).toStrictEqual({});
});

const SAFE: Hex = '0x5afe000000000000000000000000000000005afe';
const ENTRY_POINT: Hex = '0x0000000071727de22e5e9d8baf0edac6f37da032';
const HASH: Hex = `0x${'7f'.repeat(32)}`;

const approval = dataOf('approve(address,uint256)', STRANGER, maxUint256);

const callData = dataOf(
  'executeUserOp(address,uint256,bytes,uint8)',
  USDC,
  0n,
  approval,
  0,
);

const foreignSignIn = stringToHex(
  signIn({
    domain: 'other.example',
    uri: 'https://other.example',
    address: getAddress(STRANGER),
  }),
);

const own = stringToHex(signIn({ address: getAddress(SAFE) }));

const signatureOf = (contents: string): string =>
  `${contents} contents, string name, string version, uint256 chainId, address verifyingContract, bytes32 salt`;

const domain = { name: 'Account', chainId: 1, verifyingContract: SAFE };

const account = { ...domain, version: '1', salt: `0x${'00'.repeat(32)}` };

function safeTxWithRefund(gasToken: Hex, baseGas: string, data = '0x'): TypedData {
  return documentOf(
    { chainId: 1, verifyingContract: SAFE },
    {
      SafeTx:
        'address to, uint256 value, bytes data, uint8 operation, uint256 baseGas, uint256 gasPrice, address gasToken, address refundReceiver',
    },
    {
      to: USDC,
      value: '0',
      data,
      operation: 0,
      baseGas,
      gasPrice: '1000',
      gasToken,
      refundReceiver: STRANGER,
    },
  );
}

const executeOf = (type: string, fields: string, calls: Json): TypedData =>
  documentOf(
    domain,
    { Execute: `${type} calls, uint256 nonce`, Call: fields },
    { calls, nonce: 0 },
  );

/** Expected warnings, except the `shape.` warnings that every document of the same kind has. */
const cases: [what: string, document: TypedData, warnings: string[]][] = [
  ['SafeTx with a call', safeTx({ data: approval }), ['warning alert.unlimited']],
  [
    'SafeTx with a refund in the native currency',
    safeTxWithRefund(ZERO, '50000'),
    ['warning typed.refund'],
  ],
  [
    'SafeTx with a refund of any amount of gas',
    safeTxWithRefund(ZERO, '1000000000000'),
    ['danger typed.refund'],
  ],
  [
    'SafeTx with a refund of the gas for long data',
    safeTxWithRefund(ZERO, '600000', `0x${'00'.repeat(10_000)}`),
    ['warning typed.refund'],
  ],
  [
    'SafeTx with a refund in a token',
    safeTxWithRefund(USDC, '50000'),
    ['danger typed.refund'],
  ],
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
      { UserOperation: 'address sender, uint256 nonce, bytes callData' },
      { sender: SAFE, nonce: 0, callData },
    ),
    ['danger disguise.operation', 'warning alert.unlimited'],
  ],
  [
    'Execute',
    executeOf('Call[]', 'address to, uint256 value, bytes data', [
      { to: USDC, value: 0, data: approval },
    ]),
    ['warning alert.unlimited', 'danger typed.innerCall'],
  ],
  ...[
    'address to, uint256 value, bytes callData',
    'address target, bytes callData',
  ].map((fields): [string, TypedData, string[]] => [
    `Execute with the call ${fields}`,
    executeOf('Call[]', fields, [
      { to: USDC, target: USDC, value: 0, callData: approval },
    ]),
    ['warning alert.unlimited', 'danger typed.innerCall'],
  ]),
  ...[
    'address to, uint256 value, bytes payload',
    'address to, uint256 value',
    'address receiver, uint256 value, bytes data',
  ].map((fields): [string, TypedData, string[]] => [
    `Execute with a call in the unknown form ${fields}`,
    executeOf('Call[]', fields, [
      { to: STRANGER, receiver: STRANGER, value: 0, data: '0x', payload: '0x12345678' },
    ]),
    ['danger alert.unread'],
  ]),
  [
    'Execute with calls in bytes',
    executeOf('bytes[]', 'bytes data', ['0x12345678']),
    ['danger alert.unread'],
  ],
  ...[0, 1].map((operation): [string, TypedData, string[]] => [
    `unknown Job with operation ${operation}`,
    documentOf(
      domain,
      { Job: 'address to, uint256 value, bytes data, uint8 operation' },
      { to: USDC, value: 0, data: approval, operation },
    ),
    [
      ...(operation === 1 ? ['danger alert.delegateCall'] : []),
      'warning alert.unlimited',
      'danger typed.innerCall',
    ],
  ]),
  [
    'SafeMessage with a hash',
    documentOf(domain, { SafeMessage: 'bytes message' }, { message: HASH }),
    ['danger message.hash'],
  ],
  [
    'SafeMessage with a sign-in of another site',
    documentOf(domain, { SafeMessage: 'bytes message' }, { message: foreignSignIn }),
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
      {
        contents: {
          owner: SAFE,
          spender: STRANGER,
          value: String(maxUint256),
          nonce: 0,
          deadline: NOW + 600,
        },
        ...account,
      },
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
    'PersonalSign with a text of 32 characters',
    documentOf(
      domain,
      { PersonalSign: 'bytes prefixed' },
      { prefixed: toPrefixedMessage('I would like to take part, sir.!') },
    ),
    ['info message.mayBeHash'],
  ],
];

it.each(cases)('judges %s like its content', (_what, document, expected) => {
  const found = findTypedWarnings(decodeDocument(document), context);
  const actual = found
    .filter(({ key }) => !key.startsWith('shape.'))
    .map(({ severity, key }) => `${severity} ${key}`);
  expect(actual).toStrictEqual(expected);
});

it.each<[string, TypedData]>([
  [
    'SafeMessage',
    documentOf(domain, { SafeMessage: 'bytes message' }, { message: own }),
  ],
  [
    'PersonalSign',
    documentOf(
      domain,
      { PersonalSign: 'bytes prefixed' },
      { prefixed: toPrefixedMessage({ raw: own }) },
    ),
  ],
])('accepts a sign-in of the smart account itself in a %s', (_name, document) => {
  const found = findTypedWarnings(decodeDocument(document), context);
  expect(found.filter(({ key }) => !key.startsWith('shape.'))).toStrictEqual([]);
});

it.each([
  ['a › b', ['danger typed.forgedName']],
  ['Amount (ETH)', []],
  ['to​', ['danger typed.forgedName']],
  ['A number', []],
])('warns of the names of eth_signTypedData (v1) entries: %j', (name, expected) => {
  const entries = [{ type: 'uint8', name, value: 1 }];
  const found = findTypedWarnings(decodeEntries(entries), context);
  expect(found.map(({ severity, key }) => `${severity} ${key}`)).toStrictEqual([
    'warning typed.everyChain',
    'warning warning.domain',
    ...expected,
  ]);
});

it('judges calls known only from a descriptor, and adds no call twice', () => {
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
  const upper: Hex = `0x${approval.slice(2).toUpperCase()}`;
  for (const data of [approval, upper]) {
    const read = decodeDocument(safeTx({ operation: 1, data }));
    expect(withDescribed(read, description).calls).toStrictEqual(read.calls);
    const bytes = decodeDocument(documentOf(domain, { Run: 'bytes data' }, { data }));
    expect(withDescribed(bytes, description).calls).toStrictEqual(description.calls);
  }
});
