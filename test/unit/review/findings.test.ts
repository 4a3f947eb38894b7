// Warnings about all kinds of requests: known thefts, published examples, and ordinary requests,
// which cause no warnings.
import {
  encodeAbiParameters,
  encodePacked,
  getAddress,
  hexToBigInt,
  hexToBytes,
  isHex,
  parseAbiParameters,
  stringToBytes,
} from 'viem';
import type { Hex } from 'viem';

import type { TypedData } from '../../../src/core/typed-data';
import { DETERMINISTIC_DEPLOYER } from '../../../src/eth/user-operation';
import { findAct } from '../../../src/review/act';
import { findTypedWarnings } from '../../../src/review/document-findings';
import { decodeDocument } from '../../../src/review/documents';
import { listAddresses } from '../../../src/review/effects';
import { NO_MISSING_CODE } from '../../../src/review/facts';
import {
  findFirstPayments,
  findLookAlikes,
  findWarnings,
} from '../../../src/review/findings';
import { decodeMessage, findMessageWarnings } from '../../../src/review/messages';
import { readCall } from '../../../src/review/read';
import type { CallRequest } from '../../../src/review/read';
import { findOriginWarnings } from '../../../src/ui/origin';
import { knownContracts } from '../../../src/ui/tokens';
import { danger, info, printWarnings, warning } from '../../../src/ui/warnings';
import type { Warning } from '../../../src/ui/warnings';
import { cases } from '../../fixtures/published/requests.json';
import { ALL, callOf, dataOf, transactionOf, ZERO } from '../../fixtures/trust/call';
import {
  ACCOUNT,
  context,
  documentOf,
  domainOf,
  PERMIT2,
  STRANGER,
} from '../../fixtures/trust/document';
import { ordinaryMessages, phishingMessages } from '../../fixtures/trust/messages';
import { ordinaryCalls } from '../../fixtures/trust/ordinary-calls';
import { ordinaryTyped } from '../../fixtures/trust/ordinary-typed';
import { ordinaryOrigins, phishingOrigins } from '../../fixtures/trust/origins';
import { phishingCalls } from '../../fixtures/trust/phishing-calls';
import { phishingOrders } from '../../fixtures/trust/phishing-orders';
import { phishingTyped } from '../../fixtures/trust/phishing-typed';
import { knownRecipients, poisonedCalls } from '../../fixtures/trust/recipients';
import { translate } from '../../support/view';

const TOKEN: Hex = '0x00000000000000000000000000000000000000aa';
const OTHER: Hex = '0x00000000000000000000000000000000000000bb';
const MULTI_SEND: Hex = '0x40a2accbd92bca938b02010e17a5b8929b49130d';
const WORD: Hex = `0x${'ab'.repeat(32)}`;

const lookAtCall = (content: CallRequest): readonly Warning[] =>
  findWarnings([readCall(content)], '0x');

const find = (about: Partial<CallRequest>): readonly Warning[] =>
  lookAtCall(transactionOf({ to: TOKEN, ...about }));

const call = (signature: string, ...args: unknown[]): readonly Warning[] =>
  lookAtCall(callOf(TOKEN, signature, ...args));

const unlimited = warning('alert.unlimited', {
  spender: { short: OTHER },
  token: { token: TOKEN },
});

const PERMIT = 'permit(address,address,uint256,uint256,uint8,bytes32,bytes32)';
const DAI_PERMIT = 'permit(address,address,uint256,uint256,bool,uint8,bytes32,bytes32)';
const BATCH = 'safeBatchTransferFrom(address,address,uint256[],uint256[],bytes)';

describe('a document that contains only a hash', () => {
  it.each([
    ['bytes32 anything', true],
    ['address account, bytes32 hash', true],
    ['bytes32 opDigest, address account', true],
    ['address account, bytes32 nonce', false],
    ['bytes32 hash, bytes32 root', false],
    ['address account', false],
  ])('is dangerous if its fields are %s: %s', (line, isBlind) => {
    const values = line.split(', ').map((field) => {
      const [type, name] = field.split(' ');
      return [name, type === 'address' ? OTHER : WORD];
    });
    const message = Object.fromEntries(values) as Record<string, Hex>;
    const document = documentOf(domainOf('X', TOKEN), { Approval: line }, message);
    const found = findTypedWarnings(decodeDocument(document), context);
    expect(found.some(({ key }) => key === 'message.hash')).toBe(isBlind);
  });
});

describe('the warnings about a call', () => {
  it.each<[string, unknown[]]>([
    [PERMIT, [ACCOUNT, OTHER, 2n ** 128n, 1n, 27, WORD, WORD]],
    ['approve(address,uint256)', [OTHER, 2n ** 160n - 1n]],
    ['increaseApproval(address,uint256)', [OTHER, ALL]],
    ['approve(address,address,uint160,uint48)', [TOKEN, OTHER, 2n ** 160n - 1n, 1]],
  ])('include an unlimited approval: %s %#', (signature, args) => {
    expect(call(signature, ...args)).toStrictEqual([unlimited]);
  });

  it.each<[string, unknown[]]>([
    ['approve(address,uint256)', [OTHER, 2n ** 128n - 1n]],
    ['approve(address,address,uint160,uint48)', [TOKEN, OTHER, 0n, 2 ** 48 - 1]],
    ['approve(address,address,uint160,uint48)', [TOKEN, OTHER, 5n, 1]],
    [PERMIT, [ACCOUNT, OTHER, 7n, 1n, 27, WORD, WORD]],
    [DAI_PERMIT, [ACCOUNT, OTHER, 0n, 0n, false, 27, WORD, WORD]],
  ])('are absent for an ordinary call: %s %#', (signature, args) => {
    expect(call(signature, ...args)).toStrictEqual([]);
  });

  it('include a Permit2 approval that never expires', () => {
    const signature = 'approve(address,address,uint160,uint48)';
    const noExpiry = [warning('typed.noDeadline')];
    expect(call(signature, TOKEN, OTHER, 5n, 2 ** 48 - 1)).toStrictEqual(noExpiry);
  });

  it('include an operator for a whole collection, for any non-zero flag', () => {
    const data = dataOf('setApprovalForAll(address,bool)', OTHER, true);
    expect(find({ data: `${data.slice(0, -1)}2` as Hex })).toStrictEqual([
      danger('alert.operator', { operator: OTHER }),
    ]);
  });

  const EXEC =
    'execTransaction(address,uint256,bytes,uint8,uint256,uint256,uint256,address,address,bytes)';
  const operator = danger('alert.operator', { operator: OTHER });
  const manager = danger('alert.manager', { address: OTHER });
  const refund = (token: Hex, baseGas = 50_000n, data: Hex = '0x'): unknown[] => [
    ...[STRANGER, 0n, data, 0, 0n, baseGas, 10n ** 18n, token, OTHER, '0x'],
  ];
  const tenKilobytes: Hex = `0x${'01'.repeat(10_000)}`;

  it.each<[string, unknown[], Warning]>([
    ['setOperator(address,bool)', [OTHER, true], operator],
    ['approve(address,uint256,uint256)', [OTHER, 7n, ALL], unlimited],
    ['authorizeOperator(address)', [OTHER], unlimited],
    ['approveDelegation(address,uint256)', [OTHER, ALL], unlimited],
    [
      'permit(address,address,uint256,uint256,bytes)',
      [ACCOUNT, OTHER, ALL, 1n, '0x'],
      unlimited,
    ],
    [
      'permitForAll(address,address,bool,uint256,uint256,bytes)',
      [ACCOUNT, OTHER, true, 1n, 1n, '0x'],
      operator,
    ],
    ['hope(address)', [OTHER], manager],
    ['approvePlugin(address)', [OTHER], manager],
    // Any bit that is set grants a permission.
    ['setOperator(bytes19,address,uint256)', [WORD.slice(0, 40), OTHER, 4n], manager],
    [
      'allowBySig(address,address,bool,uint256,uint256,uint8,bytes32,bytes32)',
      [ACCOUNT, OTHER, true, 1n, 1n, 27, WORD, WORD],
      manager,
    ],
    [
      'delegationWithSig(address,address,uint256,uint256,uint8,bytes32,bytes32)',
      [ACCOUNT, OTHER, ALL, 1n, 27, WORD, WORD],
      unlimited,
    ],
    ['allow(address,bool)', [OTHER, true], manager],
    ['setAuthorization(address,bool)', [OTHER, true], manager],
    ['setAccountOperator(address,address,bool)', [ACCOUNT, OTHER, true], manager],
    ['setRelayerApproval(address,address,bool)', [ACCOUNT, OTHER, true], manager],
    [
      'setAuthorizationWithSig((address,address,bool,uint256,uint256),(uint8,bytes32,bytes32))',
      [
        [ACCOUNT, OTHER, true, 1n, 1n],
        [27, WORD, WORD],
      ],
      manager,
    ],
    ['approveHash(bytes32)', [WORD], danger('message.hash')],
    [EXEC, refund(TOKEN), danger('typed.refund', { address: OTHER })],
    [EXEC, refund(ZERO), warning('typed.refund', { address: OTHER })],
    // The Safe refunds whatever `baseGas` its owners signed.
    [EXEC, refund(ZERO, 10n ** 12n), danger('typed.refund', { address: OTHER })],
    // Long data costs more.
    [
      EXEC,
      refund(ZERO, 600_000n, tenKilobytes),
      warning('typed.refund', { address: OTHER }),
    ],
    [
      EXEC,
      refund(ZERO, 600_001n, tenKilobytes),
      danger('typed.refund', { address: OTHER }),
    ],
    ...[
      'installModule(uint256,address,bytes)',
      'addOwnerAddress(address)',
      'setModuleGuard(address)',
    ].map((signature): [string, unknown[], Warning] => [
      signature,
      signature.startsWith('install') ? [2n, OTHER, '0x'] : [OTHER],
      warning('alert.control', { function: signature }),
    ]),
  ])(
    'include the permissions that a standard function grants: %s %#',
    (signature, args, expected) => {
      expect(call(signature, ...args)).toStrictEqual([expected]);
    },
  );

  it.each<[string, unknown[]]>([
    ['setOperator(address,bool)', [OTHER, false]],
    ['allow(address,bool)', [OTHER, false]],
    ['setRelayerApproval(address,address,bool)', [ACCOUNT, OTHER, false]],
    ['revokeOperator(address)', [OTHER]],
    [EXEC, [STRANGER, 0n, '0x', 0, 0n, 1n, 0n, TOKEN, OTHER, '0x']],
  ])('are absent if a standard function grants nothing: %s', (signature, args) => {
    expect(call(signature, ...args)).toStrictEqual([]);
  });

  it.each<[string, Hex, Hex | undefined]>([
    ['transferOwnership(address)', dataOf('transferOwnership(address)', OTHER), OTHER],
    [
      'swapOwner',
      dataOf('swapOwner(address,address,address)', ACCOUNT, ACCOUNT, OTHER),
      OTHER,
    ],
    [
      'changeRootValidator',
      dataOf(
        'changeRootValidator(bytes21,address,bytes,bytes)',
        `0x01${OTHER.slice(2)}`,
        ACCOUNT,
        '0x',
        '0x',
      ),
      OTHER,
    ],
    [
      'installValidation',
      dataOf(
        'installValidation(bytes25,bytes4[],bytes,bytes[])',
        `${OTHER}0000000105`,
        [],
        '0x',
        [],
      ),
      OTHER,
    ],
    ['renounceOwnership()', '0x715018a6', undefined],
  ])('name the address that gains control through %s', (_what, data, to) => {
    const [effect] = readCall(transactionOf({ to: TOKEN, data })).inside;
    expect(effect).toMatchObject({ kind: 'control', ...(to && { to }) });
    expect(effect?.kind === 'control' && effect.to).toBe(to);
  });

  const approval = dataOf('setApprovalForAll(address,bool)', OTHER, true);

  it.each<[string, Hex]>([
    [
      'within a multicall',
      dataOf('unknown(bytes)', dataOf('multicall(bytes[])', [approval])),
    ],
    [
      'within another unknown function',
      dataOf('unknown(bytes)', dataOf('other(bytes)', approval)),
    ],
    [
      'in packed bytes',
      `0xdeadbeef${encodePacked(['address', 'bytes'], [TOKEN, approval]).slice(2)}`,
    ],
    [
      'shifted by a byte',
      `0xdeadbeef00${dataOf('unknown(bytes)', approval).slice(10)}`,
    ],
    [
      'in upper case',
      dataOf('unknown(bytes)', approval).toUpperCase().replace('X', 'x') as Hex,
    ],
  ])('include a call inside an unknown function: %s', (_what, data) => {
    expect(find({ data })).toStrictEqual([
      warning('alert.embedded', { function: 'setApprovalForAll(address,bool)' }),
      operator,
    ]);
  });

  it('include an inner call after many others, or a danger if there are too many', () => {
    const harmless = dataOf('transfer(address,uint256)', STRANGER, 1n);
    const findBehind = (count: number): readonly Warning[] =>
      find({
        data: dataOf('unknown(bytes[])', [
          ...Array<Hex>(count).fill(harmless),
          approval,
        ]),
      });
    expect(findBehind(49)).toContainEqual(operator);
    expect(findBehind(50)).toContainEqual(danger('alert.tooMuch'));
  });

  it.each<[string, Hex]>([
    ['only a known selector', `0xdeadbeef${'a22cb465'}`],
    [
      'an address with dirty upper bytes',
      `0xdeadbeefa22cb465${'11'.repeat(32)}${'1'.padStart(64, '0')}`,
    ],
    ['too few bytes', `0xdeadbeef${approval.slice(2, -64)}`],
    ['a call shifted by half a byte', `0xdeadbeef0${approval.slice(2)}0`],
  ])('are absent for an unknown function with %s', (_what, data) => {
    expect(find({ data })).toStrictEqual([]);
  });

  const ACCOUNT_CALL = dataOf('transferOwnership(address)', OTHER);
  const batchOf = (...calls: [Hex, bigint, Hex][]): Hex =>
    encodeAbiParameters(parseAbiParameters('(address,uint256,bytes)[]'), [calls]);
  const modeOf = (mode: string): Hex => `0x${mode.padEnd(64, '0')}`;

  it.each<[string, Hex]>([
    [
      'in a batch',
      dataOf('execute(bytes32,bytes)', modeOf('01'), batchOf([ZERO, 0n, ACCOUNT_CALL])),
    ],
    [
      'in a batch with other data',
      dataOf(
        'execute(bytes32,bytes)',
        modeOf('01000000000078210001'),
        encodeAbiParameters(parseAbiParameters('(address,uint256,bytes)[],bytes'), [
          [[ZERO, 0n, ACCOUNT_CALL]],
          '0x12',
        ]),
      ),
    ],
    [
      'in a batch of batches',
      dataOf(
        'execute(bytes32,bytes)',
        modeOf('01000000000078210002'),
        encodeAbiParameters(parseAbiParameters('bytes[]'), [
          [batchOf(), batchOf([ZERO, 0n, ACCOUNT_CALL])],
        ]),
      ),
    ],
    [
      'in executeWithoutChainIdValidation',
      dataOf('executeWithoutChainIdValidation(bytes[])', [ACCOUNT_CALL]),
    ],
  ])('include a call to the account itself %s', (_what, data) => {
    const calls = [readCall(transactionOf({ to: ACCOUNT, data }))];
    expect(findWarnings(calls, '0x6080')).toStrictEqual([danger('alert.ownCall')]);
  });

  it("include another account's call to itself, whatever code the signer has", () => {
    const EXECUTE = 'execTransactionFromModule(address,uint256,bytes,uint8)';
    const data = dataOf(EXECUTE, OTHER, 0n, '0x12345678', 0);
    expect(find({ to: OTHER, data })).toStrictEqual([danger('alert.ownCall')]);
  });

  it('include a contract whose code the account runs as its own', () => {
    const executing = (content: Hex, mode: string) =>
      transactionOf({
        to: STRANGER,
        data: dataOf('execute(bytes32,bytes)', modeOf(mode), content),
      });
    const address = OTHER.toLowerCase() as Hex;
    const content = encodePacked(['address', 'bytes'], [OTHER, ACCOUNT_CALL]);
    const read = readCall(executing(content, 'ff'));
    expect(read.inside).toMatchObject([
      { from: STRANGER, to: address, value: 0n, data: ACCOUNT_CALL, isDelegate: true },
    ]);
    expect(findWarnings([read])).toContainEqual(
      danger('alert.delegateCall', { address, account: STRANGER }),
    );
    const unread = danger('alert.unread', { function: 'execute(bytes32,bytes)' });
    expect(find(executing(OTHER.slice(0, -2) as Hex, 'ff'))).toStrictEqual([unread]);
    expect(find(executing(content, 'fe'))).toStrictEqual([unread]);
  });

  it('include a native transfer to the zero address in a batch', () => {
    const data = dataOf(
      'execute(bytes32,bytes)',
      modeOf('01'),
      batchOf([ZERO, 5n, '0x']),
    );
    expect(find({ data })).toStrictEqual([
      danger('alert.nobody', { value: { coins: 5n } }),
    ]);
  });

  it('include the calls of redeemed delegations, as calls from the root delegator', () => {
    const execution = encodePacked(
      ['address', 'uint256', 'bytes'],
      [TOKEN, 0n, approval],
    );
    const redeem = (context: Hex, mode = modeOf('00')): Hex =>
      dataOf(
        'redeemDelegations(bytes[],bytes32[],bytes[])',
        [context],
        [mode],
        [execution],
      );
    const delegations = encodeAbiParameters(
      parseAbiParameters(
        '(address,address,bytes32,(address,bytes,bytes)[],uint256,bytes)[]',
      ),
      [
        [
          [ACCOUNT, OTHER, WORD, [], 0n, '0x'],
          [OTHER, STRANGER, WORD, [[TOKEN, '0x12', '0x']], 0n, '0x34'],
        ],
      ],
    );
    const noDelegations = encodeAbiParameters(
      parseAbiParameters(
        '(address,address,bytes32,(address,bytes,bytes)[],uint256,bytes)[]',
      ),
      [[]],
    );
    for (const [context, from] of [
      ['0x', ACCOUNT],
      [noDelegations, ACCOUNT],
      [delegations, STRANGER],
    ] as const) {
      const read = readCall(transactionOf({ to: OTHER, data: redeem(context) }));
      expect(read.inside).toMatchObject([
        { kind: 'call', from: from.toLowerCase(), to: TOKEN },
      ]);
      expect(findWarnings([read])).toStrictEqual([operator]);
    }
    const unread = danger('alert.unread', {
      function: 'redeemDelegations(bytes[],bytes32[],bytes[])',
    });
    expect(find({ data: redeem('0x1234') })).toStrictEqual([unread]);
    expect(find({ data: redeem('0x', modeOf('77')) })).toStrictEqual([unread]);
  });

  it('include native currency sent along with a deployment, whatever the salt', () => {
    const data =
      `${dataOf('transfer(address,uint256)', OTHER, 1n).slice(0, 66)}6000` as Hex;
    expect(find({ to: DETERMINISTIC_DEPLOYER, data, value: 1n })).toStrictEqual([
      warning('alert.creationValue', { value: { coins: 1n } }),
    ]);
    expect(
      findAct([readCall(transactionOf({ to: DETERMINISTIC_DEPLOYER, data }))], {
        chain: 'eip155:1',
        warnings: [],
      }).write(translate),
    ).toBe(translate('act.deploy'));
  });

  it('include calls that are too deeply nested or too many to read', () => {
    const unread = [danger('alert.unread', { function: 'multicall(bytes[])' })];
    expect(find({ data: '0xac9650d8' })).toStrictEqual(unread);
    const deep = Array(30)
      .fill(0)
      .reduce<Hex>((inner) => dataOf('multicall(bytes[])', [inner]), '0x');
    expect(find({ data: deep })).toStrictEqual([danger('alert.tooMuch')]);
    const inner = dataOf('multicall(bytes[])', Array(200).fill('0x'));
    const many = dataOf('multicall(bytes[])', Array(3).fill(inner));
    expect(find({ data: many })).toStrictEqual([danger('alert.tooMuch')]);
  });

  const THIRD: Hex = '0x00000000000000000000000000000000000000cc';
  const allowed = { kind: 'allow', token: TOKEN, spender: OTHER };
  const moved = { kind: 'transfer', token: TOKEN, from: THIRD, to: OTHER };

  it.each<[string, unknown[], object[]]>([
    [
      'approve(address,address,uint160,uint48)',
      [TOKEN, OTHER, 5n, 9],
      [{ ...allowed, amount: 5n, expiration: 9n }],
    ],
    [
      'permit(address,((address,uint160,uint48,uint48),address,uint256),bytes)',
      [ACCOUNT, [[TOKEN, 5n, 9, 1], OTHER, 2n], '0x'],
      [{ ...allowed, amount: 5n, expiration: 9n }],
    ],
    [
      'permit(address,((address,uint160,uint48,uint48)[],address,uint256),bytes)',
      [
        ACCOUNT,
        [
          [
            [TOKEN, 5n, 9, 1],
            [THIRD, 6n, 8, 1],
          ],
          OTHER,
          2n,
        ],
        '0x',
      ],
      [
        { ...allowed, amount: 5n, expiration: 9n },
        { ...allowed, token: THIRD, amount: 6n, expiration: 8n },
      ],
    ],
    [
      'transferFrom(address,address,uint160,address)',
      [THIRD, OTHER, 5n, TOKEN],
      [{ ...moved, amount: 5n }],
    ],
    [
      'transferFrom((address,address,uint160,address)[])',
      [[[THIRD, OTHER, 5n, TOKEN]]],
      [{ ...moved, amount: 5n }],
    ],
  ])("include Permit2's %s", (signature, values, effects) => {
    const data = dataOf(signature, ...values);
    const { inside } = readCall(transactionOf({ to: PERMIT2, data }));
    expect(inside).toMatchObject(effects);
  });

  it.each<[string, unknown[]]>([
    [
      '(address,uint256,bytes,bytes,uint256,uint256,uint256,uint256,uint256,bytes,bytes)',
      [1n, 2n, 3n, 4n, 5n, '0x12', '0x34'],
    ],
    [
      '(address,uint256,bytes,bytes,bytes32,uint256,bytes32,bytes,bytes)',
      [WORD, 1n, WORD, '0x12', '0x34'],
    ],
  ])('include the calls of bundled user operations: %s', (tuple, rest) => {
    const operation = [STRANGER, 0n, '0x1234', approval, ...rest];
    const data = dataOf(`handleOps(${tuple}[],address)`, [operation], OTHER);
    const read = readCall(transactionOf({ to: TOKEN, data }));
    expect(read.inside).toMatchObject([
      { kind: 'call', from: TOKEN, to: STRANGER.toLowerCase(), data: approval },
    ]);
    expect(findWarnings([read])).toStrictEqual([operator]);
  });

  it.each<[string, Hex[], Hex[]]>([
    ['more calls than contracts', [TOKEN], [approval, approval]],
    ['fewer calls than contracts', [TOKEN, TOKEN], [approval]],
  ])('include an unreadable batch: %s', (_what, targets, calls) => {
    const signature = 'multicall(address[],bytes[])';
    expect(find({ data: dataOf(signature, targets, calls) })).toStrictEqual([
      danger('alert.unread', { function: signature }),
    ]);
  });

  it('include an approval whose arguments are shared by several calls', () => {
    const approval = dataOf('approve(address,uint256)', OTHER, ALL);
    const data = dataOf('multicall(bytes[])', [approval, approval]);
    // Points the second item at the first call.
    const [first, second] = [data.slice(138, 202), data.slice(202, 266)];
    const shared = data.replace(`${first}${second}`, `${first}${first}`) as Hex;
    expect(shared).not.toBe(data);
    expect(find({ data: shared })).toStrictEqual([unlimited]);
  });

  it('include code that runs as the account', () => {
    const delegate = (to: Hex, data: Hex): readonly Warning[] =>
      call(EXEC, to, 0n, data, 1, 0n, 0n, 0n, ZERO, ZERO, '0x');
    const delegated = [
      danger('alert.delegateCall', { address: OTHER, account: TOKEN }),
    ];
    expect(delegate(OTHER, '0x')).toStrictEqual(delegated);
    const multiSend = (operation: number): Hex =>
      dataOf(
        'multiSend(bytes)',
        encodePacked(
          ['uint8', 'address', 'uint256', 'uint256'],
          [operation, OTHER, 0n, 0n],
        ),
      );
    expect(delegate(MULTI_SEND, multiSend(0))).toStrictEqual([]);
    expect(delegate(MULTI_SEND, multiSend(1))).toStrictEqual(delegated);
  });

  it.each<[string, Hex, Warning]>([
    ['1.5.0', '0xA83c336B20401Af773B6219BA5027174338D1836', danger('alert.ownCall')],
    ['1.4.1', MULTI_SEND, warning('alert.dataToNobody')],
  ])(
    'include a call to the zero address through MultiSend %s',
    (_version, multiSend, expected) => {
      const enabling = dataOf('enableModule(address)', OTHER);
      const transaction = encodePacked(
        ['uint8', 'address', 'uint256', 'uint256', 'bytes'],
        [0, ZERO, 0n, 36n, enabling],
      );
      const batch = dataOf('multiSend(bytes)', transaction);
      expect(
        call(EXEC, multiSend, 0n, batch, 1, 0n, 0n, 0n, ZERO, ZERO, '0x'),
      ).toContainEqual(expected);
    },
  );

  it.each<[string, unknown[]]>([
    ['transferFrom(address,address,uint256)', [OTHER, ACCOUNT, 1n]],
    [BATCH, [OTHER, ACCOUNT, [1n], [1n], '0x']],
  ])("include a transfer of another account's tokens: %s", (signature, args) => {
    expect(call(signature, ...args)).toStrictEqual([
      warning('alert.othersTokens', { owner: OTHER }),
    ]);
  });

  it('are absent for a transfer without arguments, which contracts reject', () => {
    expect(find({ data: '0xa9059cbb' })).toStrictEqual([]);
    expect(find({ data: '0x23b872dd' })).toStrictEqual([]);
  });

  it.each(['0x3659cfe6', '0x715018a6'] as const)(
    'include a change of who controls a contract: %s',
    (data) => {
      expect(find({ data })).toMatchObject([{ key: 'alert.control' }]);
    },
  );

  it('include data for the zero address', () => {
    expect(find({ to: ZERO, data: '0x00' })).toStrictEqual([
      warning('alert.dataToNobody'),
    ]);
    expect(find({ to: ZERO })).toStrictEqual([]);
  });

  it('include authorizations of contracts, and revocations', () => {
    const authorizationList = [{ address: OTHER }, { address: ZERO }];
    expect(find({ authorizationList })).toStrictEqual([
      danger('warning.authorizations'),
      info('alert.revocation'),
    ]);
    expect(find({ authorizationList: [{ address: ZERO }] })).toStrictEqual([
      info('alert.revocation'),
    ]);
  });
});

const KNOWN = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266';
const POISON = '0xf39f000000000000000000000000000000002266';

describe('findLookAlikes', () => {
  it.each([
    ['the known address itself', KNOWN],
    ['the known address in lower case', KNOWN.toLowerCase()],
    [
      'an address with a different beginning',
      '0xf38f000000000000000000000000000000002266',
    ],
    ['an address with a different end', '0xf39f000000000000000000000000000000002267'],
    ['a known address that resembles another one', POISON, POISON],
  ])('does not find %s', (_what, address, ...others) => {
    const known = [KNOWN, ...others] as Hex[];
    expect(findLookAlikes([address as Hex], known)).toStrictEqual([]);
  });
});

describe('known addresses', () => {
  it.each(knownContracts)('have valid checksums: %s', (address) => {
    expect(getAddress(address)).toBe(address);
  });

  it('include no two contracts that resemble each other', () => {
    const found = knownContracts.flatMap((each) =>
      findLookAlikes(
        [each],
        knownContracts.filter((other) => other !== each),
      ),
    );
    expect(found).toStrictEqual([]);
  });
});

describe('a first payment', () => {
  const FROM = '0xaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa';
  const OLD = '0xbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb';
  const NEW = '0xcccccccccccccccccccccccccccccccccccccccc';
  const pay = (to: Hex, value = 1n, data: Hex = '0x') =>
    readCall({ from: FROM, to, value, data });
  const find = (calls: ReturnType<typeof pay>[], recipients: Hex[]) =>
    findFirstPayments(calls, {
      own: [],
      open: [],
      all: [FROM, ...recipients],
      recipients,
    }).map(({ values }) => values?.address);

  it('is reported once for a recipient that is not in the activity', () => {
    const calls = [pay(NEW), pay(OLD), pay(NEW), pay(FROM)];
    expect(find(calls, [OLD])).toStrictEqual([NEW]);
  });

  it('is not reported if there is no activity, no value, or a call', () => {
    expect(find([pay(NEW)], [])).toStrictEqual([]);
    const calls = [pay(NEW, 0n), pay(NEW, 1n, '0x12345678')];
    expect(find(calls, [OLD])).toStrictEqual([]);
  });
});

type Published = {
  chainId: number;
  from?: string;
  to?: string;
  value?: string;
  data?: string;
  document?: unknown;
};

const findPublished = ({
  chainId,
  from,
  to,
  value,
  data,
  document,
}: Published): Warning[] => {
  const { message } = (document ?? { message: {} }) as TypedData;
  const account = (from ??
    message.owner ??
    message.holder ??
    message.from ??
    ACCOUNT) as Hex;
  if (document === undefined) {
    const call = { from: account, to: to as Hex, data: data as Hex };
    return findWarnings([readCall({ ...call, value: hexToBigInt(value as Hex) })]);
  }
  return findTypedWarnings(decodeDocument(document as TypedData), {
    ...context,
    account,
    chains: [BigInt(chainId)],
    own: [account],
    now: Date.UTC(2026, 0),
  });
};

it('finds 19 warnings in 300 published requests', () => {
  const counts: Record<string, number> = {};
  for (const { key, severity } of (cases as Published[]).flatMap(findPublished)) {
    if (severity === 'info') continue;
    counts[key] = (counts[key] ?? 0) + 1;
  }
  expect(cases).toHaveLength(300);
  expect(counts).toStrictEqual({
    'alert.control': 4,
    // An operator for a whole collection.
    'alert.operator': 1,
    'alert.othersTokens': 3,
    'alert.unlimited': 3,
    'typed.everyChain': 1,
    'typed.farDeadline': 1,
    // A relayed transfer.
    'typed.innerCall': 1,
    'typed.unlimited': 5,
  });
});

const findAllTypedWarnings = (data: TypedData): Warning[] => {
  const typed = decodeDocument(data);
  const none = typed.contracts.filter((each) => each === STRANGER);
  return findTypedWarnings(typed, {
    ...context,
    missingCode: { ...NO_MISSING_CODE, none },
  });
};

/** Omits `info` notices, which ordinary documents of a known shape cause too. */
const lookAtTyped = (data: TypedData): Warning[] =>
  findAllTypedWarnings(data).filter(({ severity }) => severity !== 'info');

const lookAtMessage = (message: string): Warning[] => {
  const bytes = isHex(message) ? hexToBytes(message) : stringToBytes(message);
  return findMessageWarnings(decodeMessage(bytes), context).filter(
    ({ severity }) => severity !== 'info',
  );
};

const lookAtRecipients = (content: CallRequest): Warning[] =>
  findLookAlikes(listAddresses([readCall(content)]), [
    ...knownRecipients,
    ...knownContracts,
  ]);

/** Expects a warning or danger, and printable texts. */
const expectLoud = (warnings: readonly Warning[]): void => {
  const notices = printWarnings(warnings, translate, 'eip155:1');
  expect(notices.some(({ severity }) => severity !== 'info')).toBe(true);
};

const allPhishingTyped = [...phishingTyped, ...phishingOrders];

describe('known thefts', () => {
  it.each(allPhishingTyped)('cause a warning: %s', (_what, data, warnings) => {
    expect(warnings).not.toHaveLength(0);
    expect(lookAtTyped(data)).toStrictEqual(warnings);
    expectLoud(warnings);
  });

  it.each(phishingCalls)('cause a warning: %s', (_what, content, warnings) => {
    expect(warnings).not.toHaveLength(0);
    expect(lookAtCall(content)).toStrictEqual(warnings);
    expectLoud(warnings);
  });

  it.each(poisonedCalls)('cause a warning: %s', (_what, content, found) => {
    expect(found).not.toHaveLength(0);
    expect(lookAtRecipients(content)).toStrictEqual(found);
  });

  it.each(phishingMessages)('cause a warning: %s', (_what, message, warnings) => {
    expect(lookAtMessage(message)).toStrictEqual(warnings);
    expectLoud(warnings);
  });

  it.each(phishingOrigins)(
    'cause a warning about the origin %s',
    (origin, warnings) => {
      expect(findOriginWarnings(origin)).toStrictEqual(warnings);
      expectLoud(warnings);
    },
  );
});

describe('ordinary requests', () => {
  it.each(ordinaryTyped)(
    'cause no warning, except about a missing chain: %s',
    (_what, data) => {
      const hasChain = data.domain.chainId !== undefined;
      expect(lookAtTyped(data)).toStrictEqual(
        hasChain ? [] : [warning('typed.everyChain')],
      );
    },
  );

  it.each(ordinaryCalls)('cause no warning: %s', (_what, content) => {
    expect(lookAtCall(content)).toStrictEqual([]);
    expect(lookAtRecipients(content)).toStrictEqual([]);
  });

  it.each(ordinaryMessages)('cause no warning: %s', (_what, message) => {
    expect(lookAtMessage(message)).toStrictEqual([]);
  });

  it.each(ordinaryOrigins)('cause no warning about the origin %s', (origin) => {
    expect(findOriginWarnings(origin)).toStrictEqual([]);
  });
});

it.each<[string, string, unknown]>([
  ['a list', 'address[]', [STRANGER]],
  ['a struct', 'Part', { who: STRANGER }],
  ['a string', 'string', `Send it to ${STRANGER}.`],
  ['a word', 'bytes32', `0x${'0'.repeat(24)}${STRANGER.slice(2)}`],
  ['a call', 'bytes', dataOf('transfer(address,uint256)', STRANGER, 1n)],
])('finds a misleading address in %s', (_what, type, value) => {
  const known = `0x7099${'1'.repeat(32)}79c8` as const;
  const document = documentOf(
    domainOf('X', TOKEN),
    { Any: `${type} field`, Part: 'address who' },
    { field: value as never },
  );
  const found = findTypedWarnings(decodeDocument(document), {
    ...context,
    known: [known],
  });
  expect(found).toContainEqual(
    danger('warning.lookAlike', { address: STRANGER, known }),
  );
});

it('explains what each shape of typed data allows, and warns of a full delegation', () => {
  const safeMessage = documentOf(
    domainOf('Safe', STRANGER),
    { SafeMessage: 'bytes message' },
    { message: '0x' },
  );
  const documents = [...allPhishingTyped, ...ordinaryTyped].map(([, data]) => data);
  const all = [...documents, safeMessage].flatMap((data) =>
    findAllTypedWarnings(data).filter(({ key }) => key.startsWith('shape.')),
  );
  const found = new Map(all.map((each) => [each.key, each]));
  expect([...found.values()].sort((a, b) => (a.key < b.key ? -1 : 1))).toStrictEqual([
    warning('shape.delegation'),
    info('shape.metaTransaction'),
    info('shape.nftPermit'),
    info('shape.order'),
    info('shape.permit'),
    info('shape.permit2Allowance'),
    info('shape.permit2Transfer'),
    info('shape.safeMessage'),
    info('shape.safeTransaction'),
    info('shape.sale'),
    info('shape.signIn'),
    info('shape.transfer'),
    info('shape.voteDelegation'),
  ]);
});
