// What is kept of a signed user operation when it is sent.
import type { Call } from '../eth/account-calls';
import { toCaip2 } from '../eth/chain';
import { MAX_UINT256, smaller, toQuantity } from '../eth/hex';
import type { Hex } from '../eth/hex';
import type { UserOperationDomain } from '../eth/sign-user-operation';
import type { UserOperation } from '../eth/user-operation';
import type { OutgoingOperation } from './broadcast-operation';
import type { SentBy } from './outgoing';

/** A signed operation: its hash, where it is valid, and its calls, if they can be read. */
export type SignedOperation = {
  operation: UserOperation;
  hash: Hex;
  domain: UserOperationDomain;
  calls: readonly Call[] | undefined;
};

/** Write a signed operation as it is kept. */
export function toOutgoingOperation(
  { operation, hash, domain, calls = [] }: SignedOperation,
  { account, origin }: SentBy,
): OutgoingOperation {
  const { nonce, maxFeePerGas, maxPriorityFeePerGas } = operation;
  const value = calls.reduce((sum, call) => sum + call.value, 0n);
  const [only, ...others] = calls;
  return {
    hash,
    chain: toCaip2(domain.chainId),
    entryPoint: domain.entryPoint,
    account: account.id,
    from: account.address,
    to: only && others.length === 0 ? only.to : null,
    nonce: toQuantity(nonce),
    value: toQuantity(smaller(value, MAX_UINT256)),
    fees: {
      maxFeePerGas: toQuantity(maxFeePerGas),
      maxPriorityFeePerGas: toQuantity(maxPriorityFeePerGas),
    },
    origin,
  };
}
