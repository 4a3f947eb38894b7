// The registry of signing methods: one row each.
import { walletSendCalls } from '../calls/send';
import { personalSign } from '../message/request';
import {
  ethEstimateUserOperationGas,
  ethPatchUserOperation,
  ethPrepareUserOperation,
} from '../operation/request';
import { ethSendUserOperation, ethSignUserOperation } from '../operation/send';
import { tollkeeperReplaceTransaction } from '../transaction/replace';
import {
  ethFillTransaction,
  ethSendTransaction,
  ethSignTransaction,
} from '../transaction/send';
import {
  ethSignTypedData,
  ethSignTypedDataV1,
  ethSignTypedDataV3,
  ethSignTypedDataV4,
} from '../typed-data/request';
import type { Method } from './method';

export { BatchIdStruct, CALLS_VERSION } from '../calls/params';
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
