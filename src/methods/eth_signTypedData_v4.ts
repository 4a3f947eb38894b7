// eth_signTypedData_v4 [address, typedData] → signature (EIP-712).
import { findTypedAlerts, listContracts } from '../eth/typed-alerts';
import { findDomainChainId, parseTypedData, signTypedData } from '../eth/typed-data';
import { listDocumentAddresses } from '../eth/typed-tree';
import { TypedDataConfirmation } from '../ui/confirm/typed-data';
import { defineTypedDataMethod } from './typed-data';

/** Signs a typed-data document. */
export const ethSignTypedDataV4 = defineTypedDataMethod({
  name: 'eth_signTypedData_v4',
  parse: parseTypedData,
  findChainId: findDomainChainId,
  sign: signTypedData,
  draw: TypedDataConfirmation,
  listAddresses: listDocumentAddresses,
  listContracts,
  findAlerts: findTypedAlerts,
});
