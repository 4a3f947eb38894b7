// The calls that a call contains: of multicalls, batches of accounts, and Safes.
import { bytesToBigInt, bytesToHex } from '@metamask/utils';

import { readArguments } from '../eth/abi';
import type { AbiValue } from '../eth/abi';
import { readMultiSend } from '../eth/account-calls';
import type { Hex } from '../eth/hex';
import type { CallContent } from './call';
import type { KnownCall } from './known-functions';

/** Who makes a call: whoever called, or the contract that was called. */
type Maker = 'caller' | 'contract';

type Inner = { by: Maker; to: Hex; value: bigint; data: Uint8Array };

type Reader = (values: readonly AbiValue[], contract: Hex) => Inner[] | undefined;

/** A contract calls itself, as whoever called it. */
const ofItself =
  (index: number): Reader =>
  (values, to) =>
    (values[index] as Uint8Array[]).map((data) => ({
      by: 'caller',
      to,
      value: 0n,
      data,
    }));

/** A call in a tuple, or in the arguments: where its parts stand. */
type Places = { to?: number; value?: number; data: number };

const one =
  ({ to = 0, value, data }: Places): Reader =>
  (values) => [
    {
      by: 'contract',
      to: values[to] as Hex,
      value: value === undefined ? 0n : (values[value] as bigint),
      data: values[data] as Uint8Array,
    },
  ];

const many =
  (index: number, places: Places): Reader =>
  (values, contract) =>
    (values[index] as AbiValue[][]).flatMap(
      (each) => one(places)(each, contract) ?? [],
    );

/** Lists that belong together by their positions. */
const columns =
  (...names: ('to' | 'value' | 'data')[]): Reader =>
  (values) => {
    const at = (name: 'to' | 'value' | 'data'): AbiValue[] =>
      (values[names.indexOf(name)] ?? []) as AbiValue[];
    // The reference account takes no values for zeros.
    const amounts = at('value');
    return at('to').length === at('data').length
      ? at('to').map((to, index) => ({
          by: 'contract',
          to: to as Hex,
          value: (amounts[index] ?? 0n) as bigint,
          data: at('data')[index] as Uint8Array,
        }))
      : undefined;
  };

// A Safe runs MultiSend's code as its own: what it calls, the Safe calls.
const multiSend: Reader = ([packed]) =>
  readMultiSend(packed as Uint8Array)?.map(({ to, value, data }) => ({
    by: 'caller',
    to,
    value,
    data,
  }));

/** Bytes before the data of a single call in ERC-7579's execution: to, value. */
const EXECUTION = { value: 20, data: 52 };

// ERC-7579: the first byte of the mode tells one call (0) from a batch (1).
const execution: Reader = ([mode, content], contract) => {
  const bytes = content as Uint8Array;
  const kind = (mode as Uint8Array)[0];
  if (kind === 1) {
    const read = readArguments(['(address,uint256,bytes)[]'], bytes);
    return read && many(0, { value: 1, data: 2 })(read, contract);
  }
  if (kind !== 0 || bytes.length < EXECUTION.data) return undefined;
  return [
    {
      by: 'contract',
      to: bytesToHex(bytes.slice(0, EXECUTION.value)),
      value: bytesToBigInt(bytes.slice(EXECUTION.value, EXECUTION.data)),
      data: bytes.slice(EXECUTION.data),
    },
  ];
};

const executed = one({ value: 1, data: 2 });

/** Functions that make the calls in their arguments, by signature. */
const readers: Readonly<Record<string, Reader>> = {
  'multicall(bytes[])': ofItself(0),
  'multicall(uint256,bytes[])': ofItself(1),
  'multicall(bytes32,bytes[])': ofItself(1),
  'aggregate((address,bytes)[])': many(0, { data: 1 }),
  'tryAggregate(bool,(address,bytes)[])': many(1, { data: 1 }),
  'aggregate3((address,bool,bytes)[])': many(0, { data: 2 }),
  'aggregate3Value((address,bool,uint256,bytes)[])': many(0, { value: 2, data: 3 }),
  'execTransaction(address,uint256,bytes,uint8,uint256,uint256,uint256,address,address,bytes)':
    executed,
  'executeUserOp(address,uint256,bytes,uint8)': executed,
  'multiSend(bytes)': multiSend,
  'execute(address,uint256,bytes)': executed,
  'execute(bytes32,bytes)': execution,
  'executeBatch(address[],bytes[])': columns('to', 'data'),
  'executeBatch(address[],uint256[],bytes[])': columns('to', 'value', 'data'),
  'executeBatch((address,uint256,bytes)[])': many(0, { value: 1, data: 2 }),
};

/** Tells whether a function makes the calls in its arguments. */
export function hasInnerCalls({ signature }: KnownCall): boolean {
  return Object.hasOwn(readers, signature);
}

/** Reads the calls that a call contains; undefined if there are none, or they cannot be read. */
export function readInnerCalls(
  { signature, values }: KnownCall,
  { from, contract }: { from: Hex; contract: Hex },
): CallContent[] | undefined {
  const read = Object.hasOwn(readers, signature) ? readers[signature] : undefined;
  return (
    values &&
    read?.(values, contract)?.map(({ by, data, ...call }) => ({
      ...call,
      from: by === 'caller' ? from : contract,
      data: bytesToHex(data),
    }))
  );
}
