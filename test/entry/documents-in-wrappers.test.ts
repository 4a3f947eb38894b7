// The review finds a document's effects in wrapped documents and in bytes fields of any name, both
// in dialogs and in insights.
import type { Json } from '@metamask/utils';
import { encodePacked, numberToHex, size, stringToHex, toPrefixedMessage } from 'viem';
import type { Hex } from 'viem';

import { dataOf } from '../fixtures/trust/call';
import { domainOf, NOW, USDC, ZERO } from '../fixtures/trust/document';
import { signIn } from '../fixtures/trust/messages';
import { createSendBench, RECIPIENT } from '../support/send-bench';
import { DAPP } from '../support/test-app';
import { textOf, warningsOf, writeView } from '../support/view';

type Message = Record<string, Json>;

const EVIL = '0xbadc0ffee0ddf00dbadc0ffee0ddf00dbadc0de5';
const SAFE = '0x5afe5afe5afe5afe5afe5afe5afe5afe5afe5afe';
const CONTRACT = '0x3333333333333333333333333333333333333333';
const FORWARDER = '0x2222222222222222222222222222222222222222';
const MANAGER = '0xdb9B1e94B5b69Df7e401DDbedE43491141047dB3';
const SITE = 'https://dapp.example';

const DOMAIN: Record<string, string> = {
  name: 'string',
  version: 'string',
  chainId: 'uint256',
  verifyingContract: 'address',
};

const toFields = (line: string) =>
  line.split(', ').map((field) => {
    const [type = '', name = ''] = field.split(' ');
    return { type, name };
  });

/** Creates typed data as sites send it. Types are written like `address owner, uint256 value`, and
 * the first one is primary. */
function createDocument(
  domain: Message,
  types: Record<string, string>,
  message: Message,
) {
  const [primaryType = ''] = Object.keys(types);
  const named = Object.keys(domain).map((name) => ({ name, type: DOMAIN[name] ?? '' }));
  const all = Object.entries(types).map(([name, line]) => [name, toFields(line)]);
  return {
    types: { EIP712Domain: named, ...(Object.fromEntries(all) as object) },
    primaryType,
    domain,
    message,
  };
}

type TypedData = ReturnType<typeof createDocument>;

async function review(document: (account: string) => TypedData | Json) {
  const { app, edges, address, call } = await createSendBench();
  edges.wallet.answers.eth_getCode = ([contract]) =>
    contract === EVIL ? '0x' : '0x60';
  const data = document(address);
  const method = Array.isArray(data) ? 'eth_signTypedData_v1' : 'eth_signTypedData_v4';
  await call(method, [address, data]);
  const dialog = edges.dialogs.shown.at(-1);
  const insight = await app.entry.onSignature({
    signature: {
      from: address,
      data: data as never,
      signatureMethod: Array.isArray(data) ? 'eth_signTypedData' : method,
    },
    signatureOrigin: SITE,
  } as never);
  return {
    dialog: warningsOf(dialog),
    view: writeView(dialog),
    title: writeView(dialog).split('\n')[0],
    insight: warningsOf((insight as { content: unknown } | null)?.content),
    severity: (insight as { severity?: string } | null)?.severity,
  };
}

/** Expects texts in both dialog and insight, and a critical insight. */
async function expectDanger(
  document: (account: string) => TypedData | Json,
  ...texts: string[]
): Promise<void> {
  const { dialog, insight, severity } = await review(document);
  for (const text of texts) {
    expect(dialog).toContain(text);
    expect(insight).toContain(text);
  }
  expect(severity).toBe('critical');
}

const noCode = textOf('typed.spenderNoCode', { address: EVIL });
const operator = textOf('alert.operator', { operator: EVIL });
const noContract = textOf('alert.noContract', { address: EVIL });

const operatorApproval = dataOf('setApprovalForAll(address,bool)', EVIL, true);
const approval = dataOf('approve(address,uint256)', EVIL, 5_000_000n);

const PERMIT =
  'address owner, address spender, uint256 value, uint256 nonce, uint256 deadline';

const permitOf = (owner: string): Message => ({
  owner,
  spender: EVIL,
  value: '5000000',
  nonce: 0,
  deadline: NOW + 1_800,
});

const permit = (owner: string): TypedData =>
  createDocument(domainOf('USD Coin', USDC), { Permit: PERMIT }, permitOf(owner));

const SAFE_TX =
  'address to, uint256 value, bytes data, uint8 operation, uint256 safeTxGas, uint256 baseGas, uint256 gasPrice, address gasToken, address refundReceiver, uint256 nonce';

const safeTx = (changes: Message): TypedData =>
  createDocument(
    { chainId: 1, verifyingContract: SAFE },
    { SafeTx: SAFE_TX },
    {
      to: USDC,
      value: '0',
      data: '0x',
      operation: 0,
      safeTxGas: 0,
      baseGas: 0,
      gasPrice: 0,
      gasToken: ZERO,
      refundReceiver: ZERO,
      nonce: 1,
      ...changes,
    },
  );

/** Wraps a document for a smart account (ERC-7739). */
function wrap({ types, primaryType, domain, message }: TypedData): TypedData {
  const { EIP712Domain: _domain, ...others } = types;
  const account = { name: 'Nexus', version: '1', chainId: 1, verifyingContract: SAFE };
  const fields = `${primaryType} contents, string name, string version, uint256 chainId, address verifyingContract, bytes32 salt`;
  const salt = `0x${'00'.repeat(32)}`;
  const message7739 = { contents: message, ...account, salt };
  const made = createDocument(domain, { TypedDataSign: fields }, message7739);
  return { ...made, types: { ...made.types, ...others } };
}

describe('a document', () => {
  it.each<[string, (account: string) => TypedData]>([
    ['a permit', permit],
    ['a wrapped permit', () => wrap(permit(SAFE))],
    ['an approval by a Safe', () => safeTx({ data: approval })],
    ['a wrapped approval by a Safe', () => wrap(safeTx({ data: approval }))],
    [
      'an approval in a batch by a Safe',
      () => safeTx({ to: CONTRACT, data: dataOf('multicall(bytes[])', [approval]) }),
    ],
  ])('has its spender checked if it is %s', async (_what, document) => {
    await expectDanger(document, noCode);
  });

  it('has its spender checked in the dialog if it is a permit for every chain', async () => {
    const domain = { ...domainOf('USD Coin', USDC), chainId: 0 };
    const { dialog } = await review((owner) => ({ ...permit(owner), domain }));
    expect(dialog).toContain(noCode);
  });

  it('gets a warning if a Safe calls an address without a contract', async () => {
    const deposit = dataOf('deposit()');
    const document = safeTx({ to: EVIL, value: '1000000000000000000', data: deposit });
    const { dialog, insight } = await review(() => document);
    expect(dialog).toContain(noContract);
    expect(insight).toContain(noContract);
    expect((await review(() => wrap(document))).dialog).toContain(noContract);
  });

  it("has a Safe's payment compared with sent transactions", async () => {
    const { edges, address, call, send } = await createSendBench();
    const hash = await send();
    const findWarnings = async (to: string) => {
      await call('eth_signTypedData_v4', [address, safeTx({ to, value: 1 })]);
      return warningsOf(edges.dialogs.shown.at(-1));
    };
    expect(await findWarnings(EVIL)).toContain(
      textOf('alert.firstPayment', { address: EVIL }),
    );
    expect(await findWarnings(RECIPIENT)).toContain(
      textOf('repetition.open', { hash: hash as string, origin: DAPP }),
    );
  });

  it('has the wrapping account checked as an owner of its Safe', async () => {
    const calls: Json[] = [];
    const { edges, address, call } = await createSendBench();
    edges.wallet.answers.eth_call = ([request]) => {
      calls.push((request as { data: string }).data);
      return `0x${'0'.repeat(64)}`;
    };
    const document = wrap(safeTx({}));
    await call('eth_signTypedData_v4', [address, document]);
    expect(calls).toContain(dataOf('isOwner(address)', SAFE));
    expect(warningsOf(edges.dialogs.shown.at(-1))).toContain(
      textOf('typed.notOwner', { address: SAFE }),
    );
  });

  it("shows the wrapping account's balance next to its permit", async () => {
    const { edges, address, call } = await createSendBench();
    const question = dataOf('balanceOf(address)', SAFE);
    edges.wallet.answers.eth_call = ([request]) => {
      const isAsked = (request as { data: string }).data === question;
      return numberToHex(isAsked ? 3_000_000 : 9_000_000, { size: 32 });
    };
    await call('eth_signTypedData_v4', [address, wrap(permit(SAFE))]);
    const row = `${textOf('changes.balance')}\n3 USDC`;
    expect(writeView(edges.dialogs.shown.at(-1))).toContain(row);
  });

  it('shows how many addresses exceed the limit of checks', async () => {
    const spender = Array.from(
      { length: 150 },
      (_each, index) => `0x${'77'.repeat(17)}${String(index).padStart(6, '0')}`,
    );
    const fields = 'address owner, address[] spender, uint256 deadline';
    const { dialog } = await review((owner) =>
      createDocument(
        domainOf('Token', CONTRACT),
        { Permit: fields },
        { owner, spender: [...spender, EVIL], deadline: NOW + 60 },
      ),
    );
    expect(dialog).toContain(textOf('alert.notChecked', { count: '52' }));
  });
});

const CALL = 'address to, uint256 value, bytes data';
const forwarder = domainOf('Forwarder', FORWARDER);

/** Documents that let others call a contract on behalf of the account. */
const relays: [string, (account: string, data: Hex) => TypedData | Json][] = [
  [
    'ForwardRequest',
    (from, data) =>
      createDocument(
        forwarder,
        { ForwardRequest: `address from, ${CALL}` },
        { from, to: CONTRACT, value: 0, data },
      ),
  ],
  [
    'SponsoredCallERC2771',
    (user, data) =>
      createDocument(
        forwarder,
        {
          SponsoredCallERC2771:
            'uint256 chainId, address target, bytes data, address user, uint256 userNonce, uint256 userDeadline',
        },
        { chainId: 1, target: CONTRACT, data, user, userNonce: 0, userDeadline: NOW },
      ),
  ],
  [
    'RelayRequest',
    (from, data) =>
      createDocument(
        forwarder,
        {
          RelayRequest: 'Request request, Relay relay',
          Request: `address from, ${CALL}`,
          Relay: 'address worker, bytes paymasterData',
        },
        {
          request: { from, to: CONTRACT, value: 0, data },
          relay: { worker: FORWARDER, paymasterData: '0x' },
        },
      ),
  ],
  [
    'ERC20ForwardRequest',
    (from, data) =>
      createDocument(
        forwarder,
        {
          ERC20ForwardRequest:
            'address from, address to, address token, uint256 txGas, bytes data',
        },
        { from, to: CONTRACT, token: USDC, txGas: 1, data },
      ),
  ],
  [
    'SignedBatchedCall',
    (account, data) =>
      createDocument(
        domainOf('Calibur', account),
        {
          SignedBatchedCall: 'BatchedCall batchedCall, uint256 nonce, address executor',
          BatchedCall: 'Call[] calls, bool revertOnFailure',
          Call: CALL,
        },
        {
          batchedCall: {
            calls: [
              { to: USDC, value: 0, data: '0x' },
              { to: CONTRACT, value: 0, data },
            ],
            revertOnFailure: true,
          },
          nonce: 1,
          executor: FORWARDER,
        },
      ),
  ],
  [
    'parallel lists',
    (wallet, data) =>
      createDocument(
        forwarder,
        { Run: 'address wallet, address[] targets, bytes[] data' },
        { wallet, targets: [USDC, CONTRACT], data: ['0x', data] },
      ),
  ],
  [
    'a permit for a vault connector, which calls itself',
    (signer, data) =>
      createDocument(
        domainOf('Ethereum Vault Connector', CONTRACT),
        { Permit: 'address signer, address sender, uint256 nonce, bytes data' },
        { signer, sender: ZERO, nonce: 0, data },
      ),
  ],
  [
    'a document without an address',
    (_account, data) =>
      createDocument(domainOf('Run', CONTRACT), { Run: 'bytes what' }, { what: data }),
  ],
  [
    'a Permit2 witness',
    (_account, data) =>
      createDocument(
        domainOf('Permit2', FORWARDER),
        {
          PermitWitnessTransferFrom:
            'Permissions permitted, address spender, uint256 nonce, uint256 deadline, Witness witness',
          Permissions: 'address token, uint256 amount',
          Witness: 'address target, bytes call',
        },
        {
          permitted: { token: USDC, amount: '1' },
          spender: FORWARDER,
          nonce: 1,
          deadline: NOW + 60,
          witness: { target: CONTRACT, call: data },
        },
      ),
  ],
  [
    'an order with a hook',
    (receiver, data) =>
      createDocument(
        domainOf('Gnosis Protocol', FORWARDER),
        {
          Order:
            'address sellToken, address buyToken, address receiver, uint256 sellAmount, uint256 buyAmount, uint32 validTo, Hook hook',
          Hook: 'address target, bytes callData',
        },
        {
          sellToken: USDC,
          buyToken: CONTRACT,
          receiver,
          sellAmount: '1000000',
          buyAmount: '1000000',
          validTo: NOW + 60,
          hook: { target: CONTRACT, callData: data },
        },
      ),
  ],
  [
    'a meta-transaction with a second bytes field',
    (from, data) =>
      createDocument(
        forwarder,
        {
          MetaTransaction:
            'uint256 nonce, address from, bytes functionSignature, bytes data',
        },
        { nonce: 0, from, functionSignature: '0x4e71d92d', data },
      ),
  ],
];

describe('a call in the bytes of a document', () => {
  it.each(relays)('gets its own dangers in %s', async (_what, document) => {
    const withApproval = (account: string) => document(account, operatorApproval);
    const inner = textOf('typed.innerCall', {
      signature: 'setApprovalForAll(address,bool)',
    });
    await expectDanger(withApproval, operator, inner, noCode);
    const { view } = await review(withApproval);
    expect(view.split(textOf('details.title'))[0]).toContain(EVIL);
  });

  it.each(relays)('is found in an unknown function in %s', async (_what, document) => {
    const word = (number: number): string => number.toString(16).padStart(64, '0');
    const length = size(operatorApproval);
    const tail = operatorApproval.slice(2).padEnd(Math.ceil(length / 32) * 64, '0');
    const data: Hex = `0x12345678${word(32)}${word(length)}${tail}`;
    const { dialog } = await review((account) => document(account, data));
    expect(dialog).toContain(operator);
  });

  it('is found in an eth_signTypedData_v1 document', async () => {
    const { dialog } = await review(() => [
      { type: 'address', name: 'to', value: CONTRACT },
      { type: 'bytes', name: 'data', value: operatorApproval },
    ]);
    expect(dialog).toContain(operator);
  });

  it.each<[string, Hex]>([
    ['a signature', `0x${'5a'.repeat(65)}`],
    ['a hash', `0x${'a9'.repeat(32)}`],
    ['an address', USDC],
    ['text', stringToHex('transfer everything to me, please')],
    ['packed data', encodePacked(['address', 'uint256'], [USDC, 7n])],
  ])('is not found in %s', async (_what, data) => {
    const { dialog, title } = await review(() =>
      createDocument(
        forwarder,
        { Run: 'address to, bytes data' },
        { to: CONTRACT, data },
      ),
    );
    expect(dialog).toStrictEqual([]);
    expect(title).toBe(textOf('typedData.title'));
  });
});

describe('a message for a smart account', () => {
  const domain = domainOf('Nexus', SAFE);
  const personalSign = (prefixed: Hex): TypedData =>
    createDocument(domain, { PersonalSign: 'bytes prefixed' }, { prefixed });
  const safeMessage = (message: Hex): TypedData =>
    createDocument(
      { chainId: 1, verifyingContract: SAFE },
      { SafeMessage: 'bytes message' },
      { message },
    );

  it.each<[string, TypedData]>([
    [
      'an ERC-7739 PersonalSign',
      personalSign(toPrefixedMessage('I accept the terms.')),
    ],
    [
      'an ERC-7739 PersonalSign that begins with digits',
      personalSign(toPrefixedMessage('7. I accept the terms.')),
    ],
    ['a SafeMessage', safeMessage(stringToHex('I accept the terms.'))],
  ])('is shown as text in %s', async (_what, document) => {
    const { view, title, dialog } = await review(() => document);
    expect(view.split(textOf('details.title'))[0]).toContain('I accept the terms.');
    expect(title).toBe(textOf('message.title'));
    expect(dialog.filter((text) => text.includes('EIP-191'))).toStrictEqual([]);
  });

  it('is reviewed as a sign-in if it is one', async () => {
    const text = signIn({ domain: 'bank.example', uri: 'https://bank.example' });
    const document = personalSign(toPrefixedMessage(text));
    const other = textOf('siwe.otherDomain', { domain: 'bank.example', origin: SITE });
    const { view, title } = await review(() => document);
    expect(title).toBe(textOf('siwe.title'));
    expect(view).toContain('Sign in to Example.');
    await expectDanger(() => document, other);
  });

  it.each<[string, Hex]>([
    [
      'bytes without the prefix',
      `0x${USDC.slice(2)}${EVIL.slice(2)}${'ff'.repeat(32)}`,
    ],
    ['text without the prefix', stringToHex('I accept the terms.')],
    ['text with a wrong length', stringToHex('\u0019Ethereum Signed Message:\n9hi')],
    ['the preimage of typed data', `0x1901${'ab'.repeat(64)}`],
    ['empty', '0x'],
  ])('is a danger if it is %s', async (_what, bytes) => {
    await expectDanger(() => personalSign(bytes), textOf('message.notPrefixed'));
  });
});

describe('a permission of another standard', () => {
  const contract = domainOf('X', CONTRACT);
  const caveat = (enforcer: string, terms: string): Json => ({ enforcer, terms });
  const delegation =
    (caveats: Json[], manager = MANAGER) =>
    (delegator: string): TypedData =>
      createDocument(
        domainOf('DelegationManager', manager),
        {
          Delegation:
            'address delegate, address delegator, bytes32 authority, Caveat[] caveats, uint256 salt',
          Caveat: 'address enforcer, bytes terms',
        },
        {
          delegate: EVIL,
          delegator,
          authority: `0x${'ff'.repeat(32)}`,
          caveats,
          salt: 0,
        },
      );
  const unknown = textOf('typed.unknownLimits');
  const managedBy = textOf('typed.manager', { manager: EVIL });
  const CAP = '0xf100b0819427117EcF76Ed94B358B1A5b5C6D2Fc';
  const capped = (amount: bigint): Json =>
    caveat(CAP, encodePacked(['address', 'uint256'], [USDC, amount]));

  it.each<[string, (account: string) => TypedData, string[]]>([
    [
      'a credit delegation',
      () =>
        createDocument(
          contract,
          {
            DelegationWithSig:
              'address delegatee, uint256 value, uint256 nonce, uint256 deadline',
          },
          { delegatee: EVIL, value: '5', nonce: 0, deadline: NOW + 60 },
        ),
      [noCode, textOf('shape.creditDelegation')],
    ],
    [
      'an authorization of a Compound III manager',
      (owner) =>
        createDocument(
          contract,
          {
            Authorization:
              'address owner, address manager, bool isAllowed, uint256 nonce, uint256 expiry',
          },
          { owner, manager: EVIL, isAllowed: true, nonce: 0, expiry: NOW + 60 },
        ),
      [noCode, managedBy],
    ],
    [
      'an authorization of a Morpho manager',
      (authorizer) =>
        createDocument(
          { chainId: 1, verifyingContract: CONTRACT },
          {
            Authorization:
              'address authorizer, address authorized, bool isAuthorized, uint256 nonce, uint256 deadline',
          },
          {
            authorizer,
            authorized: EVIL,
            isAuthorized: true,
            nonce: 0,
            deadline: NOW + 60,
          },
        ),
      [noCode, managedBy],
    ],
    [
      'an authorization of an Aave V4 manager',
      (onBehalfOf) =>
        createDocument(
          contract,
          {
            SetUserPositionManagers:
              'address onBehalfOf, PositionManagerUpdate[] updates, uint256 nonce, uint256 deadline',
            PositionManagerUpdate: 'address positionManager, bool approve',
          },
          {
            onBehalfOf,
            updates: [{ positionManager: EVIL, approve: true }],
            nonce: 0,
            deadline: NOW + 60,
          },
        ),
      [noCode, managedBy],
    ],
    [
      'an approval of an operator for all positions',
      () =>
        createDocument(
          contract,
          {
            PermitForAll:
              'address operator, bool approved, uint256 nonce, uint256 deadline',
          },
          { operator: EVIL, approved: true, nonce: 0, deadline: NOW + 60 },
        ),
      [noCode, operator],
    ],
    [
      'a permit for an NFT',
      () =>
        createDocument(
          contract,
          {
            Permit: 'address spender, uint256 tokenId, uint256 nonce, uint256 deadline',
          },
          { spender: EVIL, tokenId: '7', nonce: 0, deadline: NOW + 60 },
        ),
      [noCode],
    ],
    [
      'a spending permission',
      (account) =>
        createDocument(
          domainOf('Spend Permission Manager', CONTRACT),
          {
            SpendPermission:
              'address account, address spender, address token, uint160 allowance, uint48 period, uint48 start, uint48 end, uint256 salt, bytes extraData',
          },
          {
            account,
            spender: EVIL,
            token: USDC,
            allowance: '5000000',
            period: 86_400,
            start: NOW,
            end: NOW + 86_400,
            salt: 0,
            extraData: '0x',
          },
        ),
      [noCode, textOf('shape.spendPermission')],
    ],
    ['a delegation without limits', delegation([]), [textOf('typed.unrestricted')]],
    ['a delegation with an unknown limit', delegation([caveat(EVIL, '0x')]), [unknown]],
    [
      'a delegation that is only limited in time',
      delegation([caveat('0x1046bb45C8d673d4ea75321280DB34899413c069', '0x')]),
      [unknown],
    ],
    ['a delegation by another manager', delegation([capped(5n)], CONTRACT), [unknown]],
    ['a delegation with an unreadable cap', delegation([caveat(CAP, '0x')]), [unknown]],
  ])('is a danger if it is %s', async (_what, document, texts) => {
    await expectDanger(document, ...texts);
  });

  it('is not a danger if it is a delegation with a cap, but warns if the cap is unlimited', async () => {
    const { title, dialog, severity } = await review(delegation([capped(5_000_000n)]));
    expect(title).toBe(textOf('act.allow', { amount: '5 USDC' }));
    expect(dialog).toStrictEqual([textOf('shape.delegation')]);
    expect(severity).toBeUndefined();
    const whole = await review(delegation([capped(2n ** 256n - 1n)]));
    expect(whole.dialog).toContain(textOf('typed.unlimited'));
  });

  it('is not a danger if it is a revocation', async () => {
    const { severity } = await review((owner) =>
      createDocument(
        contract,
        { Authorization: 'address owner, address manager, bool isAllowed' },
        { owner, manager: EVIL, isAllowed: false },
      ),
    );
    expect(severity).toBeUndefined();
  });
});
