// An in-memory chain with EIP-7702: code by address, with Tollkeeper's account contract for
// EntryPoint 0.8 deployed.
import account08 from '@account-abstraction/contracts-0.8/artifacts/Simple7702Account.json';
import account09 from '@account-abstraction/contracts-0.9/artifacts/Simple7702Account.json';
import type { Json } from '@metamask/utils';
import { concatHex, pad } from 'viem';
import type { Hex } from 'viem';
import { entryPoint08Address, entryPoint09Address } from 'viem/account-abstraction';

import { toReleasedCode } from '../../dev/stack/verifiers';
import type { FakeNode } from './fake-node';
import { refuses } from './fake-node';

/** Simple7702Account for EntryPoint 0.8. */
export const ACCOUNT_08: Hex = '0xe6Cae83BdE06E4c305530e199D7217f42808555B';

/** Simple7702Account for EntryPoint 0.9; not deployed until its code is set. */
export const ACCOUNT_09: Hex = '0xa46cc63eBF4Bd77888AA327837d20b23A63a56B5';

/** Code of {@link ACCOUNT_09}, with the EntryPoint as its immutable. */
export const CODE_09 = toReleasedCode(account09.deployedBytecode).replaceAll(
  `7f${'00'.repeat(32)}`,
  `7f${pad(entryPoint09Address).slice(2).toLowerCase()}`,
) as Hex;

/** A contract that Tollkeeper does not know. */
export const FOREIGN: Hex = '0x63c0c19a282a1B52b07dD5a65b58948A07DAE32B';

/** EntryPoints by the code of a delegating account. */
const ENTRY_POINTS: Readonly<Record<string, Hex>> = {
  [delegatedTo(ACCOUNT_08).toLowerCase()]: entryPoint08Address,
  [delegatedTo(ACCOUNT_09).toLowerCase()]: entryPoint09Address,
};

/** Code by lower-case address; may be changed at any time. */
export type Codes = Map<string, Hex>;

/** Makes a node answer like a chain with the account contracts. */
export function simulateDelegations(node: FakeNode): Codes {
  const codes: Codes = new Map([
    [ACCOUNT_08.toLowerCase(), account08.deployedBytecode as Hex],
  ]);
  const { eth_call: callBefore } = node.answers;
  Object.assign(node.answers, {
    eth_getCode: ([address]: Json[]) =>
      codes.get((address as string).toLowerCase()) ?? '0x',
    eth_call: (params: Json[]) => {
      const [call, , overrides] = params as [Record<string, Json>, Json, Json];
      if (overrides === undefined) {
        return typeof callBefore === 'function'
          ? callBefore(params)
          : (callBefore ?? '0x');
      }
      const { code } =
        Object.values(overrides as Record<string, { code: Hex }>)[0] ?? {};
      const entryPoint = ENTRY_POINTS[code?.toLowerCase() ?? ''];
      if (call.data !== '0xb0d691fe' || !entryPoint) {
        return refuses({ code: 3, message: 'execution reverted' })();
      }
      return pad(entryPoint).toLowerCase();
    },
  });
  return codes;
}

/** Encodes the code of a delegating account. */
export function delegatedTo(address: Hex): Hex {
  return concatHex(['0xef0100', address]);
}
