import type { TypedData } from '../../../src/eth/typed-data';
import { decodeDocument, findTypedUnit } from '../../../src/review/documents';
import type { TypedUnit } from '../../../src/review/documents';
import {
  ACCOUNT,
  DAI,
  documentOf,
  domainOf,
  ROUTER,
  USDC,
  WETH,
} from '../../fixtures/trust/document';
import { cowOrder, forwardRequest, safeTx } from '../../fixtures/trust/more-shapes';
import {
  coins,
  listing,
  permit,
  permitSingle,
  uniswapX,
} from '../../fixtures/trust/shapes';

const usdc = { symbol: 'USDC', decimals: 6 };
const dai = { symbol: 'DAI', decimals: 18 };
const weth = { symbol: 'WETH', decimals: 18 };

/** Lists the values that have a unit, by their places. */
function unitsOf(data: TypedData): Record<string, TypedUnit> {
  const typed = decodeDocument(data);
  const units = typed.groups
    .flatMap(({ values }) => values)
    .map((value) => [value.place.join('.'), findTypedUnit(typed, value)] as const);
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
  ['the contract of a permit', permit(), { value: usdc }],
  [
    'the token beside an allowance',
    permitSingle({ token: DAI }),
    { 'details.amount': dai },
  ],
  [
    'the tokens of both sides',
    uniswapX(),
    {
      'permitted.amount': usdc,
      'witness.inputStartAmount': usdc,
      'witness.outputs.1.startAmount': weth,
      'witness.outputs.1.endAmount': weth,
    },
  ],
  [
    'the coin for nothing but a token, in a sale',
    listing([coins('1', ACCOUNT), { ...coins('1', ACCOUNT), token: WETH }]),
    {
      'consideration.1.startAmount': 'coin',
      'consideration.1.endAmount': 'coin',
      'consideration.2.startAmount': weth,
      'consideration.2.endAmount': weth,
    },
  ],
  ['a token of a price', sale(WETH), { price: weth }],
  [
    'the coin of a price',
    sale('0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE'),
    { price: 'coin' },
  ],
  ['the value of a call of a Safe', safeTx(), { value: 'coin' }],
  ['the value of a relayed call', forwardRequest('0x'), { value: 'coin' }],
  [
    'the fees of an operation',
    operation,
    { maxFeePerGas: 'fee', maxPriorityFeePerGas: 'fee' },
  ],
])('finds the unit of %s', (_name, data, units) => {
  expect(unitsOf(data)).toStrictEqual(units);
});

it.each<[string, TypedData]>([
  ['an unknown token', permit({}, ROUTER)],
  ['a token of another chain', permit({}, USDC, 10)],
  [
    'a document of no known shape',
    documentOf({}, { Mail: 'uint256 value' }, { value: 1 }),
  ],
  [
    'a shape whose names are other than they should be',
    documentOf({}, { Permit: 'uint256 toString' }, { toString: 1 }),
  ],
])('finds none in %s', (_name, data) => {
  expect(unitsOf(data)).toStrictEqual({});
});

it('finds the tokens of an order of CoW', () => {
  expect(unitsOf(cowOrder())).toStrictEqual({ sellAmount: usdc, buyAmount: weth });
});
