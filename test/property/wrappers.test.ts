// Wrappers hide nothing: however deeply a call is nested in supported wrappers, its review has the
// plain call's findings or worse ones.
import fc from 'fast-check';
import { concat, encodeAbiParameters, encodePacked } from 'viem';
import type { Hex } from 'viem';

import type { TypedData } from '../../src/core/typed-data';
import {
  ACCOUNT,
  ATTACKER,
  encode,
  FRIEND,
  includes,
  judge,
  judgeDocument,
  POISON,
  TOKEN,
} from '../support/judged-calls';
import type { Call } from '../support/judged-calls';
import { runs } from '../support/runs';

const ZERO: Hex = `0x${'00'.repeat(20)}`;
const WORD: Hex = `0x${'ab'.repeat(32)}`;
const ALL = 2n ** 256n - 1n;

const EXEC =
  'execTransaction(address,uint256,bytes,uint8,uint256,uint256,uint256,address,address,bytes)';

/** Calls to a contract that give something away. */
const attacks: readonly (readonly [signature: string, ...args: unknown[]])[] = [
  ['approve(address,uint256)', ATTACKER, 5n],
  ['approve(address,uint256)', ATTACKER, ALL],
  ['approve(address,uint256)', ATTACKER, 0n],
  ['approve(address,uint256)', POISON, 5n],
  ['approve(address,uint256,uint256)', ATTACKER, 1n, ALL],
  ['setApprovalForAll(address,bool)', ATTACKER, true],
  ['setOperator(address,bool)', ATTACKER, true],
  ['authorizeOperator(address)', ATTACKER],
  ['permit(address,address,uint256,uint256,bytes)', ACCOUNT, ATTACKER, ALL, 1n, '0x'],
  ['permit(address,uint256,uint256,bytes)', ATTACKER, 1n, 1n, '0x'],
  ['approveDelegation(address,uint256)', ATTACKER, ALL],
  ['allow(address,bool)', ATTACKER, true],
  ['hope(address)', ATTACKER],
  ['transfer(address,uint256)', POISON, 5n],
  ['transfer(address,uint256)', TOKEN, 5n],
  ['transferFrom(address,address,uint256)', ACCOUNT, POISON, 5n],
  ['transferOwnership(address)', POISON],
  ['installModule(uint256,address,bytes)', 1n, ATTACKER, '0x'],
  ['approveHash(bytes32)', WORD],
  [EXEC, FRIEND, 0n, '0x', 0, 0n, 1n, 1n, TOKEN, ATTACKER, '0x'],
];

const batchOf = ({ to, value, data }: Call): Hex =>
  encodeAbiParameters(
    [
      {
        type: 'tuple[]',
        components: [{ type: 'address' }, { type: 'uint256' }, { type: 'bytes' }],
      },
    ],
    [[[to, value, data]]],
  );

const packed = ({ to, value, data }: Call): Hex =>
  encodePacked(['address', 'uint256', 'bytes'], [to, value, data]);

const modeOf = (mode: string): Hex => `0x${mode.padEnd(64, '0')}`;

const execute = (mode: string, content: Hex): Hex =>
  encode('execute(bytes32,bytes)', modeOf(mode), content);

/** Wrappers whose contract makes the call. */
const wrappers: readonly ((call: Call) => Hex)[] = [
  ({ to, value, data }) =>
    encode(EXEC, to, value, data, 0, 0n, 0n, 0n, ZERO, ZERO, '0x'),
  ({ to, value, data }) =>
    encode(
      'execTransactionFromModule(address,uint256,bytes,uint8)',
      to,
      value,
      data,
      0,
    ),
  ({ to, value, data }) => encode('execute(address,uint256,bytes)', to, value, data),
  ({ to, value, data }) =>
    encode('execute(address,uint256,bytes,uint8)', to, value, data, 0),
  ({ to, value, data }) =>
    encode('executeCall(address,uint256,bytes)', to, value, data),
  ({ to, value, data }) =>
    encode('executeBatch((address,uint256,bytes)[])', [[to, value, data]]),
  ({ to, value, data }) =>
    encode('aggregate3Value((address,bool,uint256,bytes)[])', [
      [to, true, value, data],
    ]),
  ({ to, data }) => encode('multicall(address[],bytes[])', [to], [data]),
  (call) => execute('00', packed(call)),
  (call) => execute('01', batchOf(call)),
  (call) => execute('01000000000078210001', batchOf(call)),
  (call) =>
    execute(
      '01000000000078210002',
      encodeAbiParameters([{ type: 'bytes[]' }], [[batchOf(call)]]),
    ),
  (call) =>
    encode(
      'redeemDelegations(bytes[],bytes32[],bytes[])',
      ['0x'],
      [modeOf('00')],
      [packed(call)],
    ),
  (call) =>
    encode(
      'redeemDelegations(bytes[],bytes32[],bytes[])',
      ['0x'],
      [modeOf('01')],
      [batchOf(call)],
    ),
];

/** Wrappers that make a contract call itself or an unknown target. */
const hiding: readonly ((data: Hex) => Hex)[] = [
  (data) => encode('multicall(bytes[])', [data]),
  (data) => encode('multicall(uint256,bytes[])', 1n, [data]),
  (data) => encode('unheardOf(bytes)', data),
  (data) => encode('unheardOf(uint256,bytes[])', 1n, ['0x', data]),
  (data) => concat(['0xdeadbeef', TOKEN, data]),
  (data) => concat(['0xdeadbeef', '0x00', data, '0x01']),
];

const at = <Each>(all: readonly Each[], index: number): Each =>
  all[index % all.length] as Each;

const CALL = [
  { name: 'to', type: 'address' },
  { name: 'value', type: 'uint256' },
  { name: 'data', type: 'bytes' },
];

const document = (
  primaryType: string,
  fields: { name: string; type: string }[],
  message: object,
): TypedData =>
  ({
    domain: { name: 'X', version: '1', chainId: 1, verifyingContract: FRIEND },
    primaryType,
    types: {
      EIP712Domain: [
        { name: 'name', type: 'string' },
        { name: 'version', type: 'string' },
        { name: 'chainId', type: 'uint256' },
        { name: 'verifyingContract', type: 'address' },
      ],
      [primaryType]: fields,
      Call: [{ name: 'from', type: 'address' }, ...CALL],
    },
    message,
  }) as TypedData;

const toFields = ({ to, value, data }: Call) => ({ to, value: String(value), data });

const safeTx = (call: Call): TypedData =>
  document('SafeTx', [...CALL, { name: 'operation', type: 'uint8' }], {
    ...toFields(call),
    operation: 0,
  });

const documents: readonly ((call: Call) => TypedData)[] = [
  safeTx,
  (call) =>
    document('ForwardRequest', [{ name: 'from', type: 'address' }, ...CALL], {
      from: ACCOUNT,
      ...toFields(call),
    }),
  (call) =>
    document('Execute', [{ name: 'calls', type: 'Call[]' }], {
      calls: [{ from: ACCOUNT, ...toFields(call) }],
    }),
  ({ to, data }) =>
    document(
      'SponsoredCallERC2771',
      [
        { name: 'target', type: 'address' },
        { name: 'data', type: 'bytes' },
        { name: 'user', type: 'address' },
      ],
      { target: to, data, user: ACCOUNT },
    ),
  (call) =>
    document('Relay', [{ name: 'request', type: 'Call' }], {
      request: { from: ACCOUNT, ...toFields(call) },
    }),
  (call) => {
    const contents = safeTx(call);
    return {
      ...contents,
      primaryType: 'TypedDataSign',
      types: {
        ...contents.types,
        TypedDataSign: [
          { name: 'contents', type: 'SafeTx' },
          { name: 'verifyingContract', type: 'address' },
        ],
      },
      message: { contents: contents.message, verifyingContract: FRIEND },
    };
  },
];

it("finds the plain call's warnings or worse ones in every wrapper", async () => {
  const wrapping = fc.record({
    attack: fc.nat(),
    hides: fc.array(fc.nat(), { maxLength: 2 }),
    wraps: fc.array(fc.nat(), { maxLength: 4 }),
    signed: fc.option(fc.nat(), { freq: 2 }),
  });
  await fc.assert(
    fc.asyncProperty(wrapping, async ({ attack, hides, wraps, signed }) => {
      const [signature, ...args] = at(attacks, attack);
      const plain = encode(signature, ...args);
      const hidden = hides.reduce((data, each) => at(hiding, each)(data), plain);
      const call = wraps.reduce<Call>(
        (inner, each) => ({ to: FRIEND, value: 0n, data: at(wrappers, each)(inner) }),
        { to: TOKEN, value: 0n, data: hidden },
      );
      const found =
        signed === null
          ? await judge(call)
          : await judgeDocument(at(documents, signed)(call));
      const missing = (await judge({ to: TOKEN, value: 0n, data: plain })).filter(
        (each) => each.severity !== 'info' && !includes(found, each),
      );
      expect(missing).toStrictEqual([]);
    }),
    runs(2_000),
  );
});

it('finds a warning in each plain call', async () => {
  for (const [signature, ...args] of attacks) {
    const found = await judge({
      to: TOKEN,
      value: 0n,
      data: encode(signature, ...args),
    });
    expect([
      signature,
      found.filter(({ severity }) => severity !== 'info'),
    ]).not.toStrictEqual([signature, []]);
  }
});
