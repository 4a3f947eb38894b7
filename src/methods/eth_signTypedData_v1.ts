// eth_signTypedData_v1 [address, [{ type, name, value }, …]] → signature of the packed values.
import { findDisguisedEntries } from '../eth/disguises';
import { parseTypedEntries, signTypedEntries } from '../eth/typed-data-v1';
import type { TypedEntry } from '../eth/typed-data-v1';
import { ENTRY_ALERTS } from '../eth/typed-domain-alerts';
import { listEntryAddresses } from '../eth/typed-tree';
import { TypedEntriesConfirmation } from '../ui/confirm/typed-entries';
import { defineTypedDataMethod } from './typed-data';
import type { TypedDataVersion } from './typed-data';

/** Version 1: a list of values, which names no chain. */
export const version1: TypedDataVersion<TypedEntry[]> = {
  name: 'eth_signTypedData_v1',
  parse: parseTypedEntries,
  findChainId: () => undefined,
  sign: signTypedEntries,
  draw: TypedEntriesConfirmation,
  listAddresses: listEntryAddresses,
  listContracts: () => [],
  findAlerts: (entries, context) => [
    ...findDisguisedEntries(entries, context),
    ...ENTRY_ALERTS,
  ],
};

/** Signs a list of values. */
export const ethSignTypedDataV1 = defineTypedDataMethod(version1);
