import { encodePacked } from 'viem';

import type { Hex } from '../../../src/eth/hex';
import { findWarnings } from '../../../src/review/findings';
import { readCall } from '../../../src/review/read';
import type { CallRequest } from '../../../src/review/read';
import { danger, info, warning } from '../../../src/ui/warnings';
import type { Warning } from '../../../src/ui/warnings';
import { dataOf } from '../../fixtures/trust/call';

const FROM: Hex = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266';
const TOKEN: Hex = '0x00000000000000000000000000000000000000aa';
const OTHER: Hex = '0x00000000000000000000000000000000000000bb';
const ZERO: Hex = `0x${'00'.repeat(20)}`;
const MULTI_SEND: Hex = '0x40a2accbd92bca938b02010e17a5b8929b49130d';
const WORD: Hex = `0x${'ab'.repeat(32)}`;
const MAX = 2n ** 256n - 1n;

const find = (about: Partial<CallRequest>): readonly Warning[] =>
  findWarnings(
    [readCall({ from: FROM, to: TOKEN, value: 0n, data: '0x', ...about })],
    '0x',
  );

const call = (signature: string, ...args: unknown[]): readonly Warning[] =>
  find({ data: dataOf(signature, ...args) });

const unlimited = [
  warning('alert.unlimited', { spender: { short: OTHER }, token: { token: TOKEN } }),
];

const PERMIT = 'permit(address,address,uint256,uint256,uint8,bytes32,bytes32)';
const DAI_PERMIT = 'permit(address,address,uint256,uint256,bool,uint8,bytes32,bytes32)';
const BATCH = 'safeBatchTransferFrom(address,address,uint256[],uint256[],bytes)';

describe('the warnings of a call', () => {
  it.each<[string, unknown[]]>([
    [PERMIT, [FROM, OTHER, 2n ** 128n, 1n, 27, WORD, WORD]],
    ['approve(address,uint256)', [OTHER, 2n ** 160n - 1n]],
    ['increaseApproval(address,uint256)', [OTHER, MAX]],
    ['approve(address,address,uint160,uint48)', [TOKEN, OTHER, 2n ** 160n - 1n, 1]],
  ])('is an approval without limit: %s %#', (signature, args) => {
    expect(call(signature, ...args)).toStrictEqual(unlimited);
  });

  it.each<[string, unknown[]]>([
    ['approve(address,uint256)', [OTHER, 2n ** 128n - 1n]],
    ['approve(address,address,uint160,uint48)', [TOKEN, OTHER, 0n, 2 ** 48 - 1]],
    ['approve(address,address,uint160,uint48)', [TOKEN, OTHER, 5n, 1]],
    [PERMIT, [FROM, OTHER, 7n, 1n, 27, WORD, WORD]],
    [DAI_PERMIT, [FROM, OTHER, 0n, 0n, false, 27, WORD, WORD]],
  ])('is nothing in an ordinary one: %s %#', (signature, args) => {
    expect(call(signature, ...args)).toStrictEqual([]);
  });

  it('is an approval of Permit2 that never ends', () => {
    const signature = 'approve(address,address,uint160,uint48)';
    const noExpiry = [warning('typed.noDeadline')];
    expect(call(signature, TOKEN, OTHER, 5n, 2 ** 48 - 1)).toStrictEqual(noExpiry);
  });

  it('is an operator over a whole collection, for any non-zero flag', () => {
    const data = dataOf('setApprovalForAll(address,bool)', OTHER, true);
    expect(find({ data: `${data.slice(0, -1)}2` as Hex })).toStrictEqual([
      danger('alert.operator', { operator: OTHER }),
    ]);
  });

  it('is a call nested too deep to be read', () => {
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

  it('is a call in the arguments of an unknown multicall', () => {
    const inner = dataOf('setApprovalForAll(address,bool)', OTHER, true);
    expect(call('batchOf(uint256,bytes[])', 1n, [inner])).toStrictEqual([
      warning('alert.embedded', { function: 'setApprovalForAll(address,bool)' }),
      danger('alert.operator', { operator: OTHER }),
    ]);
  });

  it('is an approval whose arguments are shared by several calls', () => {
    const approval = dataOf('approve(address,uint256)', OTHER, MAX);
    const data = dataOf('multicall(bytes[])', [approval, approval]);
    // The second pointer is moved to where the first call lies.
    const [first, second] = [data.slice(138, 202), data.slice(202, 266)];
    const shared = data.replace(`${first}${second}`, `${first}${first}`) as Hex;
    expect(shared).not.toBe(data);
    expect(find({ data: shared })).toStrictEqual(unlimited);
  });

  it('is code that runs as the account', () => {
    const exec =
      'execTransaction(address,uint256,bytes,uint8,uint256,uint256,uint256,address,address,bytes)';
    const delegate = (to: Hex, data: Hex): readonly Warning[] =>
      call(exec, to, 0n, data, 1, 0n, 0n, 0n, ZERO, ZERO, '0x');
    const isDelegated = [
      danger('alert.delegateCall', { address: OTHER, account: TOKEN }),
    ];
    expect(delegate(OTHER, '0x')).toStrictEqual(isDelegated);
    const multiSend = (operation: number): Hex =>
      dataOf(
        'multiSend(bytes)',
        encodePacked(
          ['uint8', 'address', 'uint256', 'uint256'],
          [operation, OTHER, 0n, 0n],
        ),
      );
    expect(delegate(MULTI_SEND, multiSend(0))).toStrictEqual([]);
    expect(delegate(MULTI_SEND, multiSend(1))).toStrictEqual(isDelegated);
  });

  it.each<[string, unknown[]]>([
    ['transferFrom(address,address,uint256)', [OTHER, FROM, 1n]],
    [BATCH, [OTHER, FROM, [1n], [1n], '0x']],
  ])("is a transfer of another's tokens: %s", (signature, args) => {
    expect(call(signature, ...args)).toStrictEqual([
      warning('alert.othersTokens', { owner: OTHER }),
    ]);
  });

  it('is nothing in a transfer without its arguments, which contracts refuse', () => {
    expect(find({ data: '0xa9059cbb' })).toStrictEqual([]);
    expect(find({ data: '0x23b872dd' })).toStrictEqual([]);
  });

  it.each(['0x3659cfe6', '0x715018a6'] as const)(
    'is who controls a contract: %s',
    (data) => {
      expect(find({ data })).toMatchObject([{ key: 'alert.control' }]);
    },
  );

  it('is data for the zero address', () => {
    expect(find({ to: ZERO, data: '0x00' })).toStrictEqual([
      warning('alert.dataToNobody'),
    ]);
    expect(find({ to: ZERO })).toStrictEqual([]);
  });

  it('is each contract whose code will act, and permissions that are taken back', () => {
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
