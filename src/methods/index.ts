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

/** Methods that wallets have had and that are not offered, and why. */
export const refusedMethods: Readonly<Record<string, string>> = {
  eth_sign:
    'it signs a hash that nobody can read, which may be a transaction. Use personal_sign ' +
    'or eth_signTypedData_v4.',
};

/** Say that a name is not one of a signing method, and why, where that is known. */
export function describeUnknown(name: string): string {
  const reason = Object.hasOwn(refusedMethods, name) ? refusedMethods[name] : undefined;
  return reason === undefined
    ? `${name.slice(0, 64)} is not a signing method.`
    : `${name} is not offered: ${reason}`;
}

/** Find a signing method by its wire name. */
export function findMethod(name: string): Method | undefined {
  return methods.find((method) => method.name === name);
}
