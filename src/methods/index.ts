// The registry of signing methods: one row each.
import { ethPatchUserOperation } from './eth_patchUserOperation';
import { ethPrepareUserOperation } from './eth_prepareUserOperation';
import { ethSignTransaction } from './eth_signTransaction';
import { ethSignTypedDataV4 } from './eth_signTypedData_v4';
import { ethSignUserOperation } from './eth_signUserOperation';
import type { Method } from './method';
import { personalSign } from './personal_sign';

export { assertServed } from './choose-chain';
export type { Method, MethodServices } from './method';

/** Every signing method. */
export const methods: readonly Method[] = [
  personalSign,
  ethSignTransaction,
  ethSignTypedDataV4,
  ethPrepareUserOperation,
  ethPatchUserOperation,
  ethSignUserOperation,
];

/** Find a signing method by its wire name. */
export function findMethod(name: string): Method | undefined {
  return methods.find((method) => method.name === name);
}
