// Signed permits and orders: which ones the snap stores, which ones are still usable on chain, and
// the call that cancels each. viem encodes the calls.
import {
  encodeAbiParameters,
  encodeFunctionData,
  hashStruct,
  hashTypedData,
  parseAbi,
  toHex,
} from 'viem';
import type { Hex } from 'viem';

import type { TypedData } from '../../src/core/typed-data';
import {
  DAI,
  documentOf,
  domainOf,
  ROUTER,
  USDC,
  ZERO,
} from '../fixtures/trust/document';
import { permitBatch } from '../fixtures/trust/more-shapes';
import { coins, daiPermit, permit, permitSingle } from '../fixtures/trust/shapes';
import { serving } from '../support/fake-fetch';
import { createFakeNode, refuses } from '../support/fake-node';
import type { NodeAnswers } from '../support/fake-node';
import { storeChains } from '../support/given';
import { openHome } from '../support/home-bench';
import { createSendBench } from '../support/send-bench';
import { DAPP } from '../support/test-app';
import { namesOf, textOf } from '../support/view';

const CONTRACT = '0x000000000022d473030f116ddee9f6b43ac78ba3';
const DEADLINE = 2_000_000_000;

const domain = (name: string) => domainOf(name, CONTRACT);

const permitOf = (owner: string) => permit({ owner, nonce: 3, deadline: DEADLINE });

const daiPermitOf = (holder: string) =>
  daiPermit({ holder, nonce: 3, expiry: 0, allowed: true });

const details = { nonce: 3, expiration: DEADLINE };

const single = () => permitSingle(details, { sigDeadline: DEADLINE });

const batch = () => {
  const { details: first } = single().message;
  return permitBatch(details, {
    details: [first ?? null, { ...(first as object), token: DAI }],
    sigDeadline: DEADLINE,
  });
};

const transfer = () =>
  documentOf(
    domain('Permit2'),
    {
      PermitTransferFrom:
        'TokenPermissions permitted, address spender, uint256 nonce, uint256 deadline',
      TokenPermissions: 'address token, uint256 amount',
    },
    {
      permitted: { token: USDC, amount: '9000000' },
      spender: ROUTER,
      nonce: 515,
      deadline: DEADLINE,
    },
  );

const seaport = (offerer: string) =>
  documentOf(
    domain('Seaport'),
    {
      OrderComponents:
        'address offerer, address zone, OfferItem[] offer, ConsiderationItem[] consideration, ' +
        'uint8 orderType, uint256 startTime, uint256 endTime, bytes32 zoneHash, uint256 salt, ' +
        'bytes32 conduitKey, uint256 counter',
      OfferItem:
        'uint8 itemType, address token, uint256 identifierOrCriteria, uint256 startAmount, uint256 endAmount',
      ConsiderationItem:
        'uint8 itemType, address token, uint256 identifierOrCriteria, uint256 startAmount, uint256 endAmount, address recipient',
    },
    {
      offerer,
      zone: ZERO,
      orderType: 0,
      startTime: 0,
      endTime: DEADLINE,
      salt: 1,
      zoneHash: toHex(0, { size: 32 }),
      conduitKey: toHex(0, { size: 32 }),
      counter: 3,
      offer: [
        {
          itemType: 2,
          token: DAI,
          identifierOrCriteria: 8,
          startAmount: 1,
          endAmount: 1,
        },
      ],
      consideration: [coins('1000', offerer)],
    },
  );

const cow = (receiver: string) =>
  documentOf(
    domain('Gnosis Protocol'),
    {
      Order:
        'address sellToken, address buyToken, address receiver, uint256 sellAmount, ' +
        'uint256 buyAmount, uint32 validTo, bytes32 appData, uint256 feeAmount, string kind, ' +
        'bool partiallyFillable, string sellTokenBalance, string buyTokenBalance',
    },
    {
      sellToken: USDC,
      buyToken: DAI,
      receiver,
      sellAmount: '50',
      buyAmount: '40',
      validTo: DEADLINE,
      appData: toHex(0, { size: 32 }),
      feeAmount: 0,
      kind: 'sell',
      partiallyFillable: false,
      sellTokenBalance: 'erc20',
      buyTokenBalance: 'erc20',
    },
  );

const oneInch = (flags: bigint) => (maker: string) =>
  documentOf(
    domain('1inch Aggregation Router'),
    {
      Order:
        'uint256 salt, address maker, address receiver, address makerAsset, address takerAsset, ' +
        'uint256 makingAmount, uint256 takingAmount, uint256 makerTraits',
    },
    {
      salt: 1,
      maker,
      receiver: ZERO,
      makerAsset: USDC,
      takerAsset: DAI,
      makingAmount: '50',
      takingAmount: '40',
      makerTraits: `${(flags << 254n) | (515n << 120n) | (BigInt(DEADLINE) << 80n)}`,
    },
  );

const LIMIT =
  'address makerToken, address takerToken, uint128 makerAmount, uint128 takerAmount, ' +
  'uint128 takerTokenFeeAmount, address maker, address taker, address sender, ' +
  'address feeRecipient, bytes32 pool, uint64 expiry, uint256 salt';

const zeroEx = (maker: string) =>
  documentOf(
    domain('ZeroEx'),
    { LimitOrder: LIMIT },
    {
      makerToken: USDC,
      takerToken: DAI,
      makerAmount: '50',
      takerAmount: '40',
      takerTokenFeeAmount: 0,
      maker,
      taker: ZERO,
      sender: ZERO,
      feeRecipient: ZERO,
      pool: toHex(0, { size: 32 }),
      expiry: DEADLINE,
      salt: 77,
    },
  );

const unknownOrder = (trader: string) =>
  documentOf(
    domain('Elsewhere'),
    {
      Order:
        'address trader, address collection, uint256 price, uint256 expirationTime',
    },
    { trader, collection: DAI, price: '5', expirationTime: DEADLINE },
  );

async function setup() {
  const bench = await createSendBench();
  const { app, edges, address } = bench;
  const answers = new Map<Hex, Hex>();
  Object.assign(edges.wallet.answers, {
    eth_call: ([{ to, data }]: [{ to: string; data: Hex }]) => {
      const answer = answers.get(data);
      if (answer !== undefined && to !== undefined) return answer;
      return refuses({ code: 3, message: 'execution reverted' })();
    },
  });
  return {
    ...bench,
    account: address,
    answers,
    sign: async (document: TypedData) =>
      bench.call('eth_signTypedData_v4', [address, document]),
    openPermissions: async () => openHome(app, 'permissions'),
  };
}

const abi = parseAbi([
  'function nonces(address) view returns (uint256)',
  'function allowance(address, address, address) view returns (uint160, uint48, uint48)',
  'function nonceBitmap(address, uint256) view returns (uint256)',
  'function getCounter(address) view returns (uint256)',
  'function getOrderStatus(bytes32) view returns (bool, bool, uint256, uint256)',
  'function filledAmount(bytes) view returns (uint256)',
  'function bitInvalidatorForOrder(address, uint256) view returns (uint256)',
  'function rawRemainingInvalidatorForOrder(address, bytes32) view returns (uint256)',
  'function invalidateNonces(address, address, uint48)',
  'function invalidateUnorderedNonces(uint256, uint256)',
  'function incrementCounter()',
  'function invalidateOrder(bytes)',
  'function cancelOrder(uint256, bytes32)',
  `struct LimitOrder { ${LIMIT.replaceAll(',', ';')}; }`,
  'function getLimitOrderInfo(LimitOrder) view returns (bytes32, uint8, uint128)',
  'function cancelLimitOrder(LimitOrder)',
]);

const encode = (functionName: string, ...args: unknown[]): Hex =>
  encodeFunctionData({ abi, functionName: functionName as never, args });

const words = (...values: (bigint | number)[]): Hex =>
  encodeAbiParameters(
    values.map(() => ({ type: 'uint256' as const })),
    values.map(BigInt),
  );

const MAX = 2n ** 256n - 1n;

const digestOf = (document: TypedData): Hex => hashTypedData(document as never);

const uidOf = (document: TypedData, account: string): Hex =>
  `${digestOf(document)}${account.slice(2)}${DEADLINE.toString(16).padStart(8, '0')}`;

const structOf = ({ types, primaryType, message }: TypedData): Hex =>
  hashStruct({ data: message, types, primaryType });

type Case = {
  document: (account: string) => TypedData;
  /** Calls to the node, which answers with `usable` or with a row of `used`. */
  queries: (document: TypedData, account: string) => Hex[];
  usable: Hex[];
  used: Hex[][];
  cancel?: (document: TypedData, account: string) => Hex;
};

const cancelOneInch = (document: TypedData): Hex =>
  encode(
    'cancelOrder',
    BigInt(document.message.makerTraits as string),
    digestOf(document),
  );

const cases: Record<string, Case> = {
  'an ERC-2612 permit': {
    document: permitOf,
    queries: (_document, account) => [encode('nonces', account)],
    usable: [words(3)],
    used: [[words(4)]],
  },
  "DAI's permit": {
    document: daiPermitOf,
    queries: (_document, account) => [encode('nonces', account)],
    usable: [words(3)],
    used: [[words(4)]],
  },
  'a Permit2 allowance': {
    document: single,
    queries: (_document, account) => [encode('allowance', account, USDC, ROUTER)],
    usable: [words(0, 0, 3)],
    used: [[words(0, 0, 4)]],
    cancel: () => encode('invalidateNonces', USDC, ROUTER, 4),
  },
  'several Permit2 allowances': {
    document: batch,
    queries: (_document, account) => [encode('allowance', account, USDC, ROUTER)],
    usable: [words(0, 0, 3)],
    used: [[words(0, 0, 4)]],
    cancel: () => encode('invalidateNonces', USDC, ROUTER, 4),
  },
  'a Permit2 transfer': {
    document: transfer,
    queries: (_document, account) => [encode('nonceBitmap', account, 2n)],
    usable: [words(MAX ^ 8n)],
    used: [[words(8)]],
    cancel: () => encode('invalidateUnorderedNonces', 2n, 8n),
  },
  'a Seaport order': {
    document: seaport,
    queries: (document, account) => [
      encode('getCounter', account),
      encode('getOrderStatus', structOf(document)),
    ],
    usable: [words(3), words(0, 0, 1, 2)],
    used: [
      [words(4), words(0, 0, 0, 0)],
      [words(3), words(0, 1, 0, 0)],
      [words(3), words(1, 0, 2, 2)],
    ],
    cancel: () => encode('incrementCounter'),
  },
  'a CoW order': {
    document: cow,
    queries: (document, account) => [encode('filledAmount', uidOf(document, account))],
    usable: [words(49)],
    used: [[words(50)], [words(MAX)]],
    cancel: (document, account) => encode('invalidateOrder', uidOf(document, account)),
  },
  'a 1inch order with a nonce bit': {
    document: oneInch(2n),
    queries: (_document, account) => [encode('bitInvalidatorForOrder', account, 515n)],
    usable: [words(MAX ^ 8n)],
    used: [[words(8)]],
    cancel: cancelOneInch,
  },
  'a 1inch order with a remaining amount': {
    document: oneInch(1n),
    queries: (document, account) => [
      encode('rawRemainingInvalidatorForOrder', account, digestOf(document)),
    ],
    usable: [words(MAX - 5n)],
    used: [[words(MAX)]],
    cancel: cancelOneInch,
  },
  'a 0x order': {
    document: zeroEx,
    queries: ({ message }) => [encode('getLimitOrderInfo', message)],
    usable: [words(5, 1, 20)],
    used: [[words(5, 2, 40)], [words(5, 3, 0)]],
    cancel: ({ message }) => encode('cancelLimitOrder', message),
  },
};

it.each(Object.entries(cases))(
  'lists %s while it is usable, and cancels it',
  async (_name, { document: create, queries, usable, used, cancel }) => {
    const bench = await setup();
    const { account, answers, openPermissions, signed, sign } = bench;
    const document = create(account);
    await sign(document);
    const requested = queries(document, account);
    const answer = (all: readonly Hex[]): void => {
      for (const [index, each] of requested.entries()) {
        answers.set(each, all[index] ?? '0x');
      }
    };
    for (const each of used) {
      answer(each);
      expect((await openPermissions()).texts()).not.toContain(textOf('signed.title'));
    }
    answer(usable);
    const home = await openPermissions();
    expect(home.texts()).toContain(textOf('signed.title'));
    expect(home.texts()).toContain(DAPP);
    expect(home.texts()).not.toContain(textOf('signed.unknown'));
    const buttons = namesOf(home.page(), 'Button').filter((name) =>
      name.startsWith('home.permissions.invalidate:'),
    );
    if (!cancel) {
      expect(home.texts()).toContain(textOf('signed.permit'));
      expect(buttons).toStrictEqual([]);
      return;
    }
    await home.click(buttons[0] ?? '');
    const [{ to, data, value = 0n } = {}] = signed();
    expect([to, data, value]).toStrictEqual([
      (document.domain.verifyingContract as string).toLowerCase(),
      cancel(document, account),
      0n,
    ]);
  },
);

it.each(Object.entries(cases))(
  'lists %s as unknown if its state cannot be read',
  async (_name, { document }) => {
    const { account, openPermissions, sign } = await setup();
    await sign(document(account));
    expect((await openPermissions()).texts()).toContain(textOf('signed.unknown'));
  },
);

it('lists an order for an unknown marketplace, which no call can cancel', async () => {
  const { account, openPermissions, sign } = await setup();
  await sign(unknownOrder(account));
  const texts = (await openPermissions()).texts();
  expect(texts).toContain(textOf('signed.unknown'));
  expect(texts).toContain(textOf('signed.noWay'));
});

it('lists a document once, and only until its deadline', async () => {
  const { account, edges, openPermissions, sign } = await setup();
  await sign(permitOf(account));
  await sign(permitOf(account));
  const titles = (await openPermissions())
    .texts()
    .filter((each) => each === textOf('shape.permit'));
  expect(titles).toHaveLength(1);
  edges.clock.time = (DEADLINE + 1) * 1_000;
  expect((await openPermissions()).texts()).not.toContain(textOf('signed.title'));
});

it('lists a document without a chain on every chain, and cancels it on the chosen one', async () => {
  const { account, answers, app, edges, openPermissions, sign, signed } = await setup();
  const rpcUrl = 'https://node.example';
  const node = createFakeNode({ ...edges.wallet.answers, eth_chainId: '0xa' });
  edges.network.serve(rpcUrl, serving(node));
  await storeChains(app, { 'eip155:1': {}, 'eip155:10': { rpcUrl } });
  const { chainId: _chainId, ...everywhere } = domain('Permit2');
  const { EIP712Domain: _inferred, ...types } = single().types;
  await sign({ ...single(), types, domain: everywhere } as never);
  answers.set(encode('allowance', account, USDC, ROUTER), words(0, 0, 3));
  const home = await openPermissions();
  expect(home.texts()).toContain(textOf('signed.title'));
  await home.choose('home.permissions.chain', 'eip155:10');
  expect(home.texts()).toContain(textOf('signed.title'));
  const buttons = namesOf(home.page(), 'Button');
  await home.click(buttons.find((name) => name.includes('.invalidate:')) ?? '');
  expect(signed()).toMatchObject([{ chainId: 10 }]);
});

it.each<[string, NodeAnswers[string], boolean]>([
  ['is not', '0x', false],
  ['may be', refuses('no'), true],
  ['is', '0x6080', true],
])(
  'lists an unreadable document without a chain unless its contract is absent: it %s deployed',
  async (_whether, code, isListed) => {
    const { edges, openPermissions, sign } = await setup();
    Object.assign(edges.wallet.answers, { eth_call: '0x', eth_getCode: code });
    const { chainId: _chainId, ...everywhere } = domain('Permit2');
    const { EIP712Domain: _inferred, ...types } = single().types;
    await sign({ ...single(), types, domain: everywhere } as never);
    const texts = (await openPermissions()).texts();
    expect(texts.includes(textOf('signed.unknown'))).toBe(isListed);
  },
);

it('stores the newest 100 documents, but none without value', async () => {
  const { account, edges, sign } = await setup();
  await sign(documentOf(domain('Notes'), { Note: 'string text' }, { text: 'Hello.' }));
  const stored = () =>
    (edges.backend.document as { signedDocuments: { amount: Hex }[] }).signedDocuments;
  expect(stored()).toStrictEqual([]);
  const base = permitOf(account);
  for (let value = 1; value <= 102; value += 1) {
    edges.clock.time += 1_000;
    await sign({ ...base, message: { ...base.message, value } });
  }
  const amounts = stored().map(({ amount }) => Number(amount));
  expect(amounts).toStrictEqual(
    Array.from({ length: 100 }, (_none, index) => index + 3),
  );
});

it('signs a document even if it cannot store it', async () => {
  const { account, edges, sign } = await setup();
  edges.backend.save = async () => Promise.reject(new Error('full'));
  expect(await sign(permitOf(account))).toMatch(/^0x[\da-f]{130}$/u);
});
