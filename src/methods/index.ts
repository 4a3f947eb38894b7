// The registry of signing methods: one row each.
import { ethEstimateUserOperationGas } from './eth_estimateUserOperationGas';
import { ethFillTransaction } from './eth_fillTransaction';
import { ethPatchUserOperation } from './eth_patchUserOperation';
import { ethPrepareUserOperation } from './eth_prepareUserOperation';
import { ethSendTransaction } from './eth_sendTransaction';
import { ethSendUserOperation } from './eth_sendUserOperation';
import { ethSignTransaction } from './eth_signTransaction';
import { ethSignTypedData } from './eth_signTypedData';
import { ethSignTypedDataV1 } from './eth_signTypedData_v1';
import { ethSignTypedDataV3 } from './eth_signTypedData_v3';
import { ethSignTypedDataV4 } from './eth_signTypedData_v4';
import { ethSignUserOperation } from './eth_signUserOperation';
import type { Method } from './method';
import { personalSign } from './personal_sign';
import { tollkeeperReplaceTransaction } from './tollkeeper_replaceTransaction';
import { walletSendCalls } from './wallet_sendCalls';

export { describeUnknown } from '../routes';
export { BatchIdStruct, CALLS_VERSION } from './calls-params';
export { assertSameChain, assertServed } from './choose-chain';
export { approveUnseen, toConfirmation } from './confirmation';
export type {
  Asking,
  Confirmation,
  DialogInput,
  DialogValues,
  Picture,
} from './confirmation';
export type {
  KnownAddresses,
  Method,
  MethodServices,
  OperationOptions,
  RouteServices,
} from './method';
export { findAllowanceAlerts } from './signing-context';

/** Every signing method. */
export const methods: readonly Method[] = [
  personalSign,
  ethSignTransaction,
  ethSignTypedDataV1,
  ethSignTypedDataV3,
  ethSignTypedDataV4,
  ethPrepareUserOperation,
  ethPatchUserOperation,
  ethSignUserOperation,
  ethSignTypedData,
  ethEstimateUserOperationGas,
  ethSendUserOperation,
  ethFillTransaction,
  ethSendTransaction,
  tollkeeperReplaceTransaction,
  walletSendCalls,
];

/** Find a signing method by its wire name. */
export function findMethod(name: string): Method | undefined {
  return methods.find((method) => method.name === name);
}
