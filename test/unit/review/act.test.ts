// What a request does, in words: its title, the verb on its button, and the assets of orders on
// known markets. Spenders that no screen shows are named in a danger.
import { maxUint256, numberToHex } from 'viem';
import type { Hex } from 'viem';

import { FIRST_FRAME } from '../../../dev/gallery/screen';
import { TransactionInsightView } from '../../../src/insights/transaction';
import { findAct, findDocumentAct } from '../../../src/review/act';
import type { Act } from '../../../src/review/act';
import { findTypedWarnings } from '../../../src/review/document-findings';
import { decodeDocument } from '../../../src/review/documents';
import type { DecodedTypedData } from '../../../src/review/documents';
import type { CallEffect, Effect } from '../../../src/review/effects';
import { readCall } from '../../../src/review/read';
import { drawNumberedCall, warnOfUnshown } from '../../../src/review/screen/calls';
import { TypedDataConfirmation } from '../../../src/review/screen/document';
import type { BalanceChanges, Simulation } from '../../../src/review/simulate';
import { TransactionConfirmation } from '../../../src/transaction/view';
import { toHalves } from '../../../src/ui/components';
import type { TokenUnit } from '../../../src/ui/tokens';
import { danger } from '../../../src/ui/warnings';
import type { Warning } from '../../../src/ui/warnings';
import { dataOf, ZERO } from '../../fixtures/trust/call';
import { context, PERMIT2, SEAPORT, USDC, WETH } from '../../fixtures/trust/document';
import { permitBatch } from '../../fixtures/trust/more-shapes';
import { toFieldPairs } from '../../support/field-pairs';
import { dynamic } from '../../support/transaction-views';
import { translate } from '../../support/view';

const CHAIN = 'eip155:1';
const ACCOUNT = '0x1111111111111111111111111111111111111111';
const OTHER = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
const SAFE = '0x2222222222222222222222222222222222222222';
const NFT = '0xBC4CA0EdA7647A8aB7C2061c2E118A18a936f13D';

const ETHER = 10n ** 18n;

const call = (to: Hex | null, data: Hex = '0x', value = 0n) =>
  readCall({ from: ACCOUNT, to, data, value });

const erc20 = (name: 'transfer' | 'approve', amount: bigint): Hex =>
  dataOf(`${name}(address,uint256)`, OTHER, amount);

const EXECUTE =
  'execTransaction(address,uint256,bytes,uint8,uint256,uint256,uint256,address,address,bytes)';

const safeCall = (to: Hex, value: bigint, data: Hex): Hex =>
  dataOf(EXECUTE, to, value, data, 0, 0n, 0n, 0n, OTHER, OTHER, '0x');

const find = (calls: readonly CallEffect[], simulation?: Simulation): Act =>
  findAct(calls, { chain: CHAIN, simulation, warnings: [] });

const verbOf = ({ verb }: Act): string =>
  typeof verb === 'string' ? translate(verb) : verb.word;

it.each<[string, string, ReturnType<typeof call>[]]>([
  ['Send 1.25 ETH', 'Send', [call(OTHER, '0x', (ETHER * 5n) / 4n)]],
  ['Send ≈ 1.23457 ETH', 'Send', [call(OTHER, '0x', 1_234_567_890_000_000_000n)]],
  [
    'Send 3 ETH in 2 payments',
    'Send',
    [call(OTHER, '0x', ETHER), call(SAFE, '0x', 2n * ETHER)],
  ],
  ['Send 250 USDC', 'Send', [call(USDC, erc20('transfer', 250_000_000n))]],
  ['Send tokens', 'Send', [call(OTHER, erc20('transfer', 250_000_000n))]],
  [
    'Send 250 USDC and 1 ETH',
    'Send',
    [call(USDC, erc20('transfer', 250_000_000n), ETHER)],
  ],
  ['Allow 250 USDC', 'Allow', [call(USDC, erc20('approve', 250_000_000n))]],
  ['Allow unlimited USDC', 'Allow', [call(USDC, erc20('approve', maxUint256))]],
  ['Allow unlimited tokens', 'Allow', [call(OTHER, erc20('approve', maxUint256))]],
  ['Revoke an allowance', 'Revoke', [call(USDC, erc20('approve', 0n))]],
  // For an unknown contract, 0 may be the id of an NFT.
  ['Call “approve”', 'Sign', [call(OTHER, erc20('approve', 0n))]],
  [
    'Revoke an allowance',
    'Revoke',
    [call(OTHER, dataOf('approve(address,uint256)', ZERO, 7n))],
  ],
  [
    'Revoke an allowance',
    'Revoke',
    [call(OTHER, dataOf('setApprovalForAll(address,bool)', OTHER, false))],
  ],
  [
    'Allow all NFTs of a collection',
    'Allow',
    [call(OTHER, dataOf('setApprovalForAll(address,bool)', OTHER, true))],
  ],
  [
    "Move another account's tokens",
    'Sign',
    [call(USDC, dataOf('transferFrom(address,address,uint256)', OTHER, ACCOUNT, 1n))],
  ],
  [
    'Change who controls a contract',
    'Sign',
    [call(OTHER, dataOf('transferOwnership(address)', OTHER))],
  ],
  ['Deploy a contract', 'Deploy', [call(null, '0x6001')]],
  [
    'Call an unknown function with 5 ETH',
    'Sign',
    [call(OTHER, '0x12345678', 5n * ETHER)],
  ],
  ['Call “deposit” with 1 ETH', 'Sign', [call(OTHER, dataOf('deposit()'), ETHER)]],
  [
    'Your Safe sends 30,000 USDC',
    'Sign',
    [call(SAFE, safeCall(USDC, 0n, erc20('transfer', 30_000_000_000n)))],
  ],
  [
    'Your Safe: Allow unlimited USDC',
    'Sign',
    [call(SAFE, safeCall(USDC, 0n, erc20('approve', maxUint256)))],
  ],
  [
    'Send 250 USDC and allow 250 USDC',
    'Sign',
    [
      call(USDC, erc20('approve', 250_000_000n)),
      call(USDC, erc20('transfer', 250_000_000n)),
    ],
  ],
  [
    'Allow 250 USDC',
    'Allow',
    [call(USDC, dataOf('multicall(bytes[])', [erc20('approve', 250_000_000n)]))],
  ],
])('says “%s”, and the button says “%s”', (title, verb, calls) => {
  const act = find(calls);
  expect([act.write(translate), verbOf(act)]).toStrictEqual([title, verb]);
});

const lost = (token: Hex, amount: bigint, id?: bigint) => ({
  token,
  amount: -amount,
  ...(id !== undefined && { id }),
});

const nfts = (count: number) =>
  Array.from({ length: count }, (_, id) => lost(NFT, 1n, BigInt(id)));

const simulated = (found: Partial<BalanceChanges>): BalanceChanges => ({
  changes: [],
  approvals: [],
  others: [],
  controls: [],
  more: 0,
  notShown: [],
  units: new Map([[OTHER.toLowerCase() as Hex, { symbol: 'PEAR', decimals: 2 }]]),
  balances: new Map(),
  ...found,
});

const unknown = (value = 0n) => call(OTHER, '0x12345678', value);

const bySafe = call(SAFE, safeCall(OTHER, 0n, '0x12345678'));

it.each<[string, string, ReturnType<typeof call>[], Partial<BalanceChanges>]>([
  ['Give away 41 NFTs', 'Send', [unknown()], { changes: nfts(41) }],
  ['Give away NFT #0', 'Send', [unknown()], { changes: nfts(1) }],
  ['Send 30,000 USDC', 'Send', [unknown()], { changes: [lost(USDC, 30_000_000_000n)] }],
  ['Send tokens', 'Send', [unknown()], { changes: [lost(OTHER, 5n)] }],
  [
    'Send 5 USDC and 1 ETH',
    'Send',
    [call(OTHER, '0x', ETHER)],
    { changes: [lost(USDC, 5_000_000n)] },
  ],
  [
    'Give away 2 NFTs and 1 ETH',
    'Send',
    [unknown(ETHER)],
    { changes: [lost(ZERO, ETHER), ...nfts(2)] },
  ],
  [
    'Send 5 USDC',
    'Send',
    [call(OTHER, '0x', 0n)],
    { changes: [lost(USDC, 5_000_000n)] },
  ],
  [
    'Swap 30,000 USDC for 9 WETH',
    'Swap',
    [unknown()],
    { changes: [lost(USDC, 30_000_000_000n), lost(WETH, -9n * ETHER)] },
  ],
  [
    'Swap 41 NFTs for 0.001 ETH',
    'Swap',
    [unknown()],
    { changes: [...nfts(41), lost(ZERO, -ETHER / 1_000n)] },
  ],
  [
    'Send 5 USDC',
    'Send',
    [unknown()],
    { changes: [lost(USDC, 5_000_000n), lost(ZERO, -1n), lost(OTHER, -5n)] },
  ],
  [
    'Call an unknown function with 1 ETH',
    'Sign',
    [unknown(ETHER)],
    { changes: [lost(ZERO, ETHER)] },
  ],
  [
    'Allow all NFTs of a collection',
    'Allow',
    [unknown()],
    { approvals: [{ token: NFT, spender: OTHER }] },
  ],
  [
    'Allow unlimited USDC',
    'Allow',
    [unknown()],
    { approvals: [{ token: USDC, spender: OTHER, amount: maxUint256 }] },
  ],
  [
    'Allow an NFT',
    'Allow',
    [unknown()],
    { approvals: [{ token: NFT, spender: OTHER, id: 7n }] },
  ],
  [
    'Change who controls a contract',
    'Sign',
    [unknown()],
    { controls: [{ event: 'AddedOwner', of: ACCOUNT, to: OTHER, isOwn: true }] },
  ],
  [
    'Your Safe sends 30,000 USDC',
    'Sign',
    [bySafe],
    {
      others: [{ account: SAFE, losses: [lost(USDC, 30_000_000_000n)], arrivals: [] }],
    },
  ],
  [
    'Your Safe: Allow all NFTs of a collection',
    'Sign',
    [bySafe],
    { approvals: [{ token: NFT, spender: OTHER, owner: SAFE }] },
  ],
  [
    'Allow all NFTs of a collection and swap 30,000 USDC for 9 WETH',
    'Sign',
    [unknown()],
    {
      changes: [lost(USDC, 30_000_000_000n), lost(WETH, -9n * ETHER)],
      approvals: [{ token: NFT, spender: OTHER }],
    },
  ],
  [
    "Move another account's tokens",
    'Sign',
    [unknown()],
    { others: [{ account: SAFE, losses: nfts(3), arrivals: [] }] },
  ],
  [
    'Give away 41 NFTs and allow 250 USDC',
    'Sign',
    [call(USDC, erc20('approve', 250_000_000n)), unknown()],
    { changes: nfts(41) },
  ],
])(
  'says “%s” for simulated changes, and the button says “%s”',
  (title, verb, ...rest) => {
    const [calls, found] = rest;
    const act = find(calls, simulated(found));
    expect([act.write(translate), verbOf(act)]).toStrictEqual([title, verb]);
    expect(find(calls, 'unknown').write(translate)).toBe(find(calls).write(translate));
  },
);

it('names the new controller outside collapsed sections, in dialogs and in insights', () => {
  const control: Effect = {
    kind: 'control',
    by: ACCOUNT,
    of: SAFE,
    signature: 'enableModule(address)',
    to: OTHER,
  };
  const direct = {
    ...call(SAFE, dataOf('enableModule(address)', OTHER)),
    inside: [control],
  };
  const inner = { ...call(SAFE, safeCall(SAFE, 0n, '0x12345678')), inside: [direct] };
  for (const each of [direct, inner]) {
    for (const shown of drawUnfolded(each)) {
      expect(shown.toLowerCase().replaceAll(' ', '')).toContain(OTHER.toLowerCase());
    }
  }
});

it('names the recipient of tokens outside collapsed sections, even if there is an allowance', () => {
  const STRANGER = '0xbad0000000000000000000000000000000000bad';
  const inside: Effect[] = [
    { kind: 'allow', token: USDC, spender: OTHER, amount: 5n },
    {
      kind: 'transfer',
      by: ACCOUNT,
      token: USDC,
      from: ACCOUNT,
      to: STRANGER,
      amount: 5n,
    },
  ];
  const fields = [{ label: 'To', value: { address: STRANGER } as const }];
  const description = { intent: 'pay', fields, omitted: 0, calls: [], stated: [] };
  const plain = { ...call(USDC, erc20('approve', 5n)), inside };
  for (const each of [plain, { ...plain, description }]) {
    for (const shown of drawUnfolded(each)) expect(shown).toContain(STRANGER);
  }
});

it('shows a described address that a simulation calls a token', () => {
  const fields = [{ label: 'Beneficiary', value: { address: SAFE } as const }];
  const description = { intent: 'pay', fields, omitted: 0, calls: [], stated: [] };
  const units = new Map<Hex, TokenUnit>([[SAFE, { symbol: 'PEAR', decimals: 2 }]]);
  for (const shown of drawUnfolded(
    { ...unknown(), description },
    simulated({ units }),
  )) {
    expect(shown).toContain(SAFE);
  }
});

/** Draws a call in a dialog and in an insight, with only the labels of collapsed sections. */
function drawUnfolded(effect: CallEffect, simulation?: BalanceChanges): string[] {
  type Part = { type?: string; props?: { label?: string; isExpanded?: boolean } };
  const shared = { translate, chain: CHAIN, warnings: [], call: effect, simulation };
  const dialog = TransactionConfirmation({
    ...shared,
    origin: context.origin,
    transaction: { ...dynamic, from: ACCOUNT },
    isNonceOpen: false,
  }).draw(FIRST_FRAME);
  const insight = TransactionInsightView({ ...shared, fees: undefined });
  return [dialog, insight].map((content) =>
    JSON.stringify(content, (_name, value: Part | null) =>
      value?.type === 'CollapsibleSection' && value.props?.isExpanded !== true
        ? value.props?.label
        : value,
    ),
  );
}

type Message = Record<string, unknown>;

const documentOf = (primaryType: string, message: Message, verifyingContract: Hex) =>
  decodeDocument({
    types: {
      EIP712Domain: [],
      [primaryType]: Object.keys(message).map((name) => ({ name, type: 'string' })),
    },
    primaryType,
    domain: { chainId: 1, verifyingContract },
    message: message as never,
  });

const permit = { owner: ACCOUNT, spender: OTHER, nonce: '0', deadline: '1' };

it.each<[string, string, DecodedTypedData]>([
  [
    'Allow 250 USDC',
    'Allow',
    documentOf('Permit', { ...permit, value: '250000000' }, USDC),
  ],
  [
    'Allow unlimited USDC',
    'Allow',
    documentOf('Permit', { ...permit, value: String(maxUint256) }, USDC),
  ],
  [
    'Allow unlimited USDC',
    'Allow',
    documentOf(
      'Permit',
      { holder: ACCOUNT, spender: OTHER, expiry: '0', allowed: true },
      USDC,
    ),
  ],
  [
    'Allow 1 USDC and tokens',
    'Allow',
    documentOf(
      'PermitBatch',
      {
        details: [
          { token: USDC, amount: '1000000', expiration: '1' },
          { token: OTHER, amount: '1', expiration: '1' },
        ],
        spender: OTHER,
        sigDeadline: '1',
      },
      USDC,
    ),
  ],
  [
    'Send 1 USDC',
    'Send',
    documentOf(
      'TransferWithAuthorization',
      {
        from: ACCOUNT,
        to: OTHER,
        value: '1000000',
        validBefore: '1',
      },
      USDC,
    ),
  ],
  [
    'Your Safe sends 2 ETH',
    'Sign',
    documentOf(
      'SafeTx',
      { to: OTHER, value: String(2n * ETHER), data: '0x', operation: '0' },
      SAFE,
    ),
  ],
  ['Sign typed data', 'Sign', documentOf('Mail', { contents: 'Hello' }, USDC)],
])('says “%s” for a document, and the button says “%s”', (title, verb, typed) => {
  const act = findDocumentAct(typed, ACCOUNT, { warnings: [] });
  expect([act.write(translate), verbOf(act)]).toStrictEqual([title, verb]);
});

const described = (intent: string, to: Hex, data: Hex) => ({
  ...call(to, data),
  description: { intent, fields: [], omitted: 0, calls: [], stated: [] },
});

it('describes a call in words whatever other calls its data contains', () => {
  const fields = [{ label: 'To', value: { address: SAFE } as const }];
  const known = {
    signature: 'swap(bytes)',
    types: ['bytes'],
    names: ['content'],
    values: undefined,
    isCanonical: true,
  };
  for (const name of ['approve', 'transfer'] as const) {
    const data = dataOf('swap(bytes)', erc20(name, 1n));
    const swap = described('Swap', OTHER, data);
    const whole = { ...swap, known, description: { ...swap.description, fields } };
    expect(whole.inside).toHaveLength(2);
    expect(find([whole]).write(translate)).toBe('Swap');
    for (const shown of drawUnfolded(whole)) expect(shown).toContain(SAFE);
  }
});

it.each<[string, string, string, Partial<BalanceChanges>]>([
  ['Swap', 'Swap', 'swap', {}],
  [
    'Swap 1 ETH for 2,000 USDC',
    'Swap',
    'swap',
    { changes: [lost(ZERO, ETHER), lost(USDC, -2_000_000_000n)] },
  ],
  [
    'Deposit 5 USDC',
    'Deposit',
    'Deposit',
    { changes: [lost(USDC, 5_000_000n), lost(OTHER, -5n)] },
  ],
  ['Borrow 9 WETH', 'Borrow', 'Borrow', { changes: [lost(WETH, -9n * ETHER)] }],
  ['Bridge tokens', 'Bridge', 'Bridge', { changes: [lost(OTHER, 5n)] }],
  ['Repay loan: 5 USDC', 'Repay', 'Repay loan', { changes: [lost(USDC, 5_000_000n)] }],
  ['2x', 'Sign', '2x', {}],
])('says “%s” for a described call, and the button says “%s”', (title, ...rest) => {
  const [verb, intent, found] = rest;
  const act = find([described(intent, OTHER, '0x12345678')], simulated(found));
  expect([act.write(translate), verbOf(act)]).toStrictEqual([title, verb]);
});

it('collapses a call of a batch to one line if that line says everything', () => {
  const swap = described('Swap', OTHER, '0x12345678');
  const sentence = 'Swap 1 ETH for at least 2,000 USDC';
  const withSentence = { ...swap, description: { ...swap.description, sentence } };
  const shared = { translate, chain: CHAIN };
  const lineOf = (one: CallEffect) =>
    drawNumberedCall({ call: one, number: '2' }, shared).props;
  const to = toHalves(OTHER);
  expect(lineOf(swap)).toMatchObject({ label: `2 · Swap → ${to}`, isExpanded: true });
  expect(lineOf(withSentence)).toMatchObject({
    label: `2 · ${sentence} → ${to}`,
    isExpanded: false,
  });
  expect(lineOf(call(OTHER, '0x', ETHER))).toMatchObject({
    label: `2 · Send 1 ETH → ${to}`,
    isExpanded: false,
  });
  expect(lineOf(call(OTHER, '0x12345678'))).toMatchObject({ isExpanded: true });
});

it('names the value of a described call, even if the simulation shows less', () => {
  const swap = { ...described('Swap', OTHER, '0x12345678'), value: 5n * ETHER };
  const write = (changes: BalanceChanges['changes']): string =>
    find([swap], simulated({ changes })).write(translate);
  expect(write([lost(ZERO, ETHER), lost(USDC, -100_000_000n)])).toBe(
    'Swap 5 ETH for 100 USDC',
  );
  expect(write([])).toBe('Swap 5 ETH');
});

it("uses a descriptor's words only if the calls say less", () => {
  const approval = described('swap', USDC, erc20('approve', maxUint256));
  expect(find([approval]).write(translate)).toBe('Allow unlimited USDC');
  const ofSafe = described(
    'Sign multisig operation',
    SAFE,
    safeCall(USDC, 0n, erc20('transfer', 30_000_000_000n)),
  );
  expect(find([ofSafe]).write(translate)).toBe('Your Safe sends 30,000 USDC');
});

const EURC = '0x1aBaEA1f7C830bD89Acc67eC4af516284b1bC33c';

it.each<[string, ReturnType<typeof call>[], Partial<BalanceChanges>]>([
  // A node can claim that a payment brings something back.
  [
    'Send 10 ETH',
    [call(OTHER, '0x', 10n * ETHER)],
    { changes: [lost(ZERO, 10n * ETHER), lost(USDC, -30_000_000_000n)] },
  ],
  [
    'Send 250 USDC',
    [call(USDC, erc20('transfer', 250_000_000n))],
    { changes: [lost(USDC, 250_000_000n), lost(WETH, -9n * ETHER)] },
  ],
  // A node can also claim that less leaves, or something else.
  [
    'Send 100 USDC and tokens',
    [call(USDC, erc20('transfer', 100_000_000n))],
    { changes: [lost(USDC, 1_000_000n), lost(OTHER, 1n), lost(WETH, -9n * ETHER)] },
  ],
  [
    'Give away NFT #7 and 100 USDC',
    [call(USDC, erc20('transfer', 100_000_000n))],
    { changes: [lost(USDC, 1n, 7n), lost(NFT, 1n, 7n)] },
  ],
  [
    'Send 150 USDC',
    [call(USDC, erc20('transfer', 100_000_000n))],
    { changes: [lost(USDC, 150_000_000n)] },
  ],
  [
    'Send tokens and 6 ETH',
    [call(OTHER, '0x', ETHER), unknown(5n * ETHER)],
    { changes: [lost(ZERO, 1n), lost(OTHER, 1n)] },
  ],
  [
    'Swap 5 ETH for 100 USDC',
    [unknown(5n * ETHER)],
    { changes: [lost(ZERO, ETHER / 1_000n), lost(USDC, -100_000_000n)] },
  ],
  [
    'Swap 5 ETH for 100 USDC',
    [
      {
        ...call(ACCOUNT, '0x12345678', 5n * ETHER),
        inside: [unknown(2n * ETHER), unknown(3n * ETHER)],
      },
    ],
    { changes: [lost(USDC, -100_000_000n)] },
  ],
  [
    'Send tokens',
    [
      call(
        NFT,
        dataOf('safeTransferFrom(address,address,uint256)', ACCOUNT, OTHER, 7n),
      ),
    ],
    {},
  ],
  [
    'Send NFT #7',
    [
      call(
        NFT,
        dataOf('safeTransferFrom(address,address,uint256)', ACCOUNT, OTHER, 7n),
      ),
    ],
    { changes: [lost(NFT, 1n, 7n)] },
  ],
  [
    'Send 5 USDC, 1 WETH, tokens, and 1 more',
    [
      call(OTHER, '0x', ETHER),
      call(USDC, erc20('transfer', 5_000_000n)),
      call(WETH, erc20('transfer', ETHER)),
      call(EURC, erc20('transfer', 5_000_000n)),
    ],
    {},
  ],
])('says “%s” for the value that calls send', (title, calls, found) => {
  expect(find(calls, simulated(found)).write(translate)).toBe(title);
});

it('says that an approved token is swapped', () => {
  const calls = [call(WETH, erc20('approve', ETHER)), described('swap', OTHER, '0x12')];
  const changes = [lost(WETH, ETHER), lost(USDC, -2_000_000_000n)];
  const write = (found: Partial<BalanceChanges>): string =>
    find(calls, simulated(found)).write(translate);
  expect(write({ changes })).toBe('Allow 1 WETH and swap it for 2,000 USDC');
  // The rest of the allowance can be spent later.
  expect(write({ changes: [lost(WETH, ETHER / 2n), ...changes.slice(1)] })).toBe(
    'Swap 0.5 WETH for 2,000 USDC and allow 1 WETH',
  );
});

it.each<[string, Warning]>([
  ['Replace the code of your account and send 1 ETH', danger('alert.upgrade')],
  ['Run other code as your account and send 1 ETH', danger('alert.delegateCall')],
  ['Change the account itself and send 1 ETH', danger('alert.ownCall')],
  ['Let other code act for accounts and send 1 ETH', danger('warning.authorizations')],
  ['Send 1 ETH', danger('warning.lookAlike')],
])('says “%s” above its danger', (title, worst) => {
  const values = { number: [1], text: { warning: worst } };
  for (const warnings of [[worst], [danger('userOperation.about', values)]]) {
    const act = findAct([call(OTHER, '0x', ETHER)], { chain: CHAIN, warnings });
    expect(act.write(translate)).toBe(title);
  }
});

const COW = '0x9008D19f58AAbD9eD0D60971565AA8510560ab41';
const ONE_INCH = '0x111111125421cA6dc452d289314280a0f8842A65';
const ZERO_EX = '0xDef1C0ded9bec7F1a1670819833240f027b25EfF';

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
  item({ type: 0, token: ZERO, amounts, to });

const listing = seaport(
  [nft(7n)],
  [coins(ACCOUNT, 3n * ETHER, 2n * ETHER), coins(OTHER, 1n)],
);

const send = translate('changes.send');
const receive = translate('changes.receive');
const contract = translate('field.token');
const verifier = translate('field.verifier');

const confirm = (typed: DecodedTypedData) =>
  TypedDataConfirmation({
    translate,
    origin: 'https://dapp.example',
    account: ACCOUNT,
    chainId: 1n,
    typed,
    warnings: [],
  });

const draw = (typed: DecodedTypedData): [string, string][] => {
  const pairs = toFieldPairs(confirm(typed).draw(FIRST_FRAME));
  const from = pairs.findIndex(([label]) => label === send);
  const to = pairs.findIndex(([label]) => label.startsWith(`${verifier} (`));
  return from < 0 ? [] : pairs.slice(from, to);
};

type Case = {
  primaryType?: string;
  message: Message;
  by: Hex;
  title?: string;
  rows: [string, string][];
};

const rowsOf = (given: string, got: string): Case['rows'] => [
  [send, given],
  [receive, got],
];

const sale: Case['rows'] = [
  [send, 'NFT #7'],
  [contract, NFT],
  [receive, '2 ETH'],
];

const cases: Record<string, Case> = {
  'a listing, by the lowest price': {
    primaryType: 'OrderComponents',
    message: listing,
    by: SEAPORT,
    rows: sale,
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
    message: { tree: [[listing, { offerer: ZERO }], [seaport([weth(ETHER)], [])]] },
    by: SEAPORT,
    rows: [...sale, ...rowsOf('1 WETH', translate('changes.none'))],
  },
  'a swap': {
    message: cow(),
    by: COW,
    title: 'Swap 5 WETH for at least 9,000 USDC',
    rows: rowsOf('5 WETH', '9,000 USDC'),
  },
  'a swap for the native currency': {
    message: cow({
      buyToken: '0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE',
      buyAmount: String(4n * ETHER),
    }),
    by: COW,
    title: 'Swap 5 WETH for at least 4 ETH',
    rows: rowsOf('5 WETH', '4 ETH'),
  },
  'a swap for another account': {
    message: cow({ receiver: OTHER }),
    by: COW,
    rows: [
      ...rowsOf('5 WETH', translate('changes.none')),
      [translate('changes.othersReceive'), '9,000 USDC'],
      [translate('field.tokensTo'), OTHER],
    ],
  },
  'a limit order': {
    message: limit,
    by: ONE_INCH,
    title: 'Swap 9,000 USDC for at least 3 WETH',
    rows: rowsOf('9,000 USDC', '3 WETH'),
  },
  'a swap with a fee on top': {
    message: cow({ feeAmount: String(ETHER) }),
    by: COW,
    title: 'Swap 6 WETH for at least 9,000 USDC',
    rows: rowsOf('6 WETH', '9,000 USDC'),
  },
  'no order with a price computed by an extension': {
    message: { ...limit, makerTraits: String((1n << 249n) | 1n) },
    by: ONE_INCH,
    rows: [],
  },
  'no order with a price in bytes': {
    message: { ...limit, interactions: '0x1234' },
    by: ONE_INCH,
    rows: [],
  },
  'a 0x limit order': {
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
    rows: rowsOf('9,000 USDC', '3 WETH'),
  },
  'no order of an unknown contract': { message: cow(), by: OTHER, rows: [] },
  'no order without a token': {
    message: cow({ buyToken: ZERO }),
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
  const act = findDocumentAct(document, ACCOUNT, { warnings: [] });
  expect(act.write(translate)).toBe(title ?? translate('act.order'));
  expect(draw(document)).toStrictEqual(rows);
});

it.each([
  ['computed by an extension', { makerTraits: `0x${(1n << 249n).toString(16)}` }, true],
  ['in bytes', { interactions: '0x1234' }, true],
  ['in plain fields', {}, false],
])('warns of a price only if it is hidden: %s', (_name, fields, isHidden) => {
  const document = documentOf('Order', { ...limit, ...fields }, ONE_INCH);
  const warnings = findTypedWarnings(document, context);
  const keys = warnings.map(({ key, severity }) => `${severity} ${key}`);
  expect(keys.includes('danger typed.hiddenPrice')).toBe(isHidden);
});

const tokens = Array.from({ length: 22 }, (_, index) =>
  numberToHex(0xabcdef0000 + index, { size: 20 }),
);

const list = [SAFE, ...tokens.slice(20)].join(', ');

it('names spenders in a danger if the screen of a document does not show them', () => {
  const terms = { amount: '1', expiration: 1, nonce: 0 };
  const details = tokens.map((token) => ({ token, ...terms }));
  const typed = decodeDocument(permitBatch({}, { details, spender: SAFE }));
  expect(confirm(typed).dangers).toStrictEqual([
    translate('alert.notShown', { addresses: list }),
  ]);
});

it('names spenders in a danger if the screen of a call does not show them', () => {
  const signature =
    'permit(address,((address,uint160,uint48,uint48)[],address,uint256),bytes)';
  const details = tokens.map((token) => [token, 1n, 1, 0]);
  const data = dataOf(signature, ACCOUNT, [details, SAFE, 1n], '0x');
  const call = readCall({ from: ACCOUNT, to: PERMIT2, value: 0n, data });
  expect(warnOfUnshown([call], { chain: 'eip155:1' })).toMatchObject([
    { key: 'alert.notShown', severity: 'danger', values: { addresses: { list } } },
    { key: 'alert.unknownToken', severity: 'warning' },
  ]);
});
