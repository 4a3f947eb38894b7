// eth_signTypedData_v1 [address, [{ type, name, value }, …]] → signature of the packed values.
import { parseTypedEntries, signTypedEntries } from '../eth/typed-data-v1';
import { ENTRY_ALERTS } from '../eth/typed-domain-alerts';
import { listEntryAddresses } from '../eth/typed-tree';
import { TypedEntriesConfirmation } from '../ui/confirm/typed-entries';
import { defineTypedDataMethod } from './typed-data';

/** Signs a list of values, which names no chain. */
export const ethSignTypedDataV1 = defineTypedDataMethod({
  name: 'eth_signTypedData_v1',
  parse: parseTypedEntries,
  findChainId: () => undefined,
  sign: signTypedEntries,
  draw: TypedEntriesConfirmation,
  listAddresses: listEntryAddresses,
  listContracts: () => [],
  findAlerts: () => [...ENTRY_ALERTS],
});
