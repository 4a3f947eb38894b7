// Orders of known markets are drawn as what the account gives and gets; all others field by field.
import type { Hex } from 'viem';

import { findDocumentAct } from '../../../src/review/act';
import { findTypedWarnings } from '../../../src/review/document-findings';
import { decodeDocument } from '../../../src/review/documents';
import { TypedDataConfirmation } from '../../../src/review/screen/document';
import { FIRST_FRAME } from '../../../src/ui/confirmation';
import { context } from '../../fixtures/trust/document';
import { toFieldPairs } from '../../support/field-pairs';
import { translate } from '../../support/view';

const ACCOUNT = '0x1111111111111111111111111111111111111111';
const OTHER = '0x2222222222222222222222222222222222222222';
const NFT = '0xBC4CA0EdA7647A8aB7C2061c2E118A18a936f13D';
const WETH = '0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2';
const USDC = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48';
const COIN = '0x0000000000000000000000000000000000000000';
const SEAPORT = '0x0000000000000068F116a894984e2DB1123eB395';
const COW = '0x9008D19f58AAbD9eD0D60971565AA8510560ab41';
const ONE_INCH = '0x111111125421cA6dc452d289314280a0f8842A65';

const ZERO_EX = '0xDef1C0ded9bec7F1a1670819833240f027b25EfF';

const ETHER = 10n ** 18n;

type Message = Record<string, unknown>;

const documentOf = (primaryType: string, message: Message, verifyingContract: Hex) => ({
  types: {
    EIP712Domain: [],
    [primaryType]: Object.keys(message).map((name) => ({ name, type: 'string' })),
  },
  primaryType,
  domain: { chainId: 1, verifyingContract },
  message: message as never,
});

type Item = { type: number; token: Hex; number?: bigint; amounts: bigint[]; to?: Hex };

const item = ({ type, token, number = 0n, amounts, to }: Item): Message => ({
  itemType: String(type),
  token,
  identifierOrCriteria: String(number),
  startAmount: String(amounts[0]),
  endAmount: String(amounts.at(-1)),
  ...(to && { recipient: to }),
});

const seaport = (offer: Message[], consideration: Message[]): Message => ({
  offerer: ACCOUNT,
  offer,
  consideration,
  endTime: '1',
});

const cow = (fields: Message = {}): Message => ({
  sellToken: WETH,
  buyToken: USDC,
  receiver: ACCOUNT,
  validTo: '1',
  sellAmount: String(5n * ETHER),
  buyAmount: '9000000000',
  ...fields,
});

const limit: Message = {
  maker: ACCOUNT,
  makerAsset: USDC,
  takerAsset: WETH,
  makerTraits: '1',
  makingAmount: '9000000000',
  takingAmount: String(3n * ETHER),
};

const nft = (number: bigint) => item({ type: 2, token: NFT, number, amounts: [1n] });

const weth = (...amounts: bigint[]): Message => item({ type: 1, token: WETH, amounts });

const coins = (to: Hex, ...amounts: bigint[]): Message =>
  item({ type: 0, token: COIN, amounts, to });

const listing = seaport(
  [nft(7n)],
  [coins(ACCOUNT, 3n * ETHER, 2n * ETHER), coins(OTHER, 1n)],
);

const send = translate('changes.send');
const receive = translate('changes.receive');
const contract = translate('field.contract');

const draw = (document: Parameters<typeof decodeDocument>[0]): [string, string][] => {
  const view = TypedDataConfirmation({
    translate,
    origin: 'https://dapp.example',
    account: ACCOUNT,
    chainId: 1n,
    typed: decodeDocument(document),
    warnings: [],
  });
  const pairs = toFieldPairs(view.draw(FIRST_FRAME));
  const from = pairs.findIndex(([label]) => label === send);
  const to = pairs.findIndex(([label]) => label.startsWith(`${contract} (`));
  return from < 0 ? [] : pairs.slice(from, to);
};

type Case = {
  primaryType?: string;
  message: Message;
  by: Hex;
  title?: string;
  rows: [string, string][];
};

const cases: Record<string, Case> = {
  'a listing, by the lowest price': {
    primaryType: 'OrderComponents',
    message: listing,
    by: SEAPORT,
    rows: [
      [send, 'NFT #7'],
      [contract, NFT],
      [receive, '2 ETH'],
    ],
  },
  'a bid on a collection, by the highest price': {
    primaryType: 'OrderComponents',
    message: seaport(
      [weth(ETHER, 2n * ETHER)],
      [
        item({ type: 4, token: NFT, amounts: [1n], to: ACCOUNT }),
        { ...weth(1n), recipient: OTHER },
      ],
    ),
    by: SEAPORT,
    rows: [
      [send, '2 WETH'],
      [receive, translate('changes.anyNft')],
      [contract, NFT],
    ],
  },
  'several orders': {
    primaryType: 'BulkOrder',
    message: { tree: [[listing, { offerer: COIN }], [seaport([weth(ETHER)], [])]] },
    by: SEAPORT,
    rows: [
      [send, 'NFT #7'],
      [contract, NFT],
      [receive, '2 ETH'],
      [send, '1 WETH'],
      [receive, translate('changes.none')],
    ],
  },
  'a swap': {
    message: cow(),
    by: COW,
    title: 'Swap 5 WETH for at least 9,000 USDC',
    rows: [
      [send, '5 WETH'],
      [receive, '9,000 USDC'],
    ],
  },
  'a swap for the coin': {
    message: cow({
      buyToken: '0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE',
      buyAmount: String(4n * ETHER),
    }),
    by: COW,
    title: 'Swap 5 WETH for at least 4 ETH',
    rows: [
      [send, '5 WETH'],
      [receive, '4 ETH'],
    ],
  },
  'a swap for another account': {
    message: cow({ receiver: OTHER }),
    by: COW,
    rows: [
      [send, '5 WETH'],
      [receive, translate('changes.none')],
    ],
  },
  'a limit order': {
    message: limit,
    by: ONE_INCH,
    title: 'Swap 9,000 USDC for at least 3 WETH',
    rows: [
      [send, '9,000 USDC'],
      [receive, '3 WETH'],
    ],
  },
  'a swap with a fee on top': {
    message: cow({ feeAmount: String(ETHER) }),
    by: COW,
    title: 'Swap 6 WETH for at least 9,000 USDC',
    rows: [
      [send, '6 WETH'],
      [receive, '9,000 USDC'],
    ],
  },
  'no order whose price an extension computes': {
    message: { ...limit, makerTraits: String((1n << 249n) | 1n) },
    by: ONE_INCH,
    rows: [],
  },
  'no order whose price is in bytes': {
    message: { ...limit, interactions: '0x1234' },
    by: ONE_INCH,
    rows: [],
  },
  'a limit order of 0x': {
    primaryType: 'LimitOrder',
    message: {
      maker: ACCOUNT,
      makerToken: USDC,
      takerToken: WETH,
      expiry: '1',
      makerAmount: '9000000000',
      takerAmount: String(3n * ETHER),
    },
    by: ZERO_EX,
    title: 'Swap 9,000 USDC for at least 3 WETH',
    rows: [
      [send, '9,000 USDC'],
      [receive, '3 WETH'],
    ],
  },
  'no order of an unknown contract': { message: cow(), by: OTHER, rows: [] },
  'no order that names no token': {
    message: cow({ buyToken: COIN }),
    by: COW,
    rows: [],
  },
  'no order of many assets': {
    primaryType: 'OrderComponents',
    message: seaport(
      Array.from({ length: 21 }, (_, index) => nft(BigInt(index))),
      [],
    ),
    by: SEAPORT,
    rows: [],
  },
};

it.each(Object.entries(cases))('draws %s', (_name, each) => {
  const { primaryType = 'Order', message, by, title, rows } = each;
  const document = documentOf(primaryType, message, by);
  const act = findDocumentAct(decodeDocument(document), ACCOUNT);
  expect(act.write(translate)).toBe(title ?? translate('act.order'));
  expect(draw(document)).toStrictEqual(rows);
});

it.each([
  ['of an extension', { makerTraits: `0x${(1n << 249n).toString(16)}` }, true],
  ['in bytes', { interactions: '0x1234' }, true],
  ['that is stated', {}, false],
])('warns of a price %s', (_name, fields, isHidden) => {
  const document = documentOf('Order', { ...limit, ...fields }, ONE_INCH);
  const warnings = findTypedWarnings(decodeDocument(document), context);
  const keys = warnings.map(({ key, severity }) => `${severity} ${key}`);
  expect(keys.includes('danger typed.hiddenPrice')).toBe(isHidden);
});
