// eth_signTypedData_v3 [address, typedData] → signature (EIP-712 without arrays).
import { findTypedAlerts, listContracts } from '../eth/typed-alerts';
import { findDomainChainId, parseTypedDataV3, signTypedData } from '../eth/typed-data';
import { listDocumentAddresses } from '../eth/typed-tree';
import { TypedDataConfirmation } from '../ui/confirm/typed-data';
import { defineTypedDataMethod } from './typed-data';

/** Signs a document without arrays and types that contain themselves: as version 4 does. */
export const ethSignTypedDataV3 = defineTypedDataMethod({
  name: 'eth_signTypedData_v3',
  parse: parseTypedDataV3,
  findChainId: findDomainChainId,
  sign: signTypedData,
  draw: TypedDataConfirmation,
  listAddresses: listDocumentAddresses,
  listContracts,
  findAlerts: findTypedAlerts,
});
