// Signing a user operation that was approved, and sending it. Which one was signed for a
// nonce is remembered before the signature leaves.
import { toOutgoingOperation } from '../activity/broadcast';
import { decodeCalls } from '../eth/account-calls';
import { toCaip2 } from '../eth/chain';
import { toQuantity } from '../eth/hex';
import type { Hex } from '../eth/hex';
import { hashUserOperation, signUserOperation } from '../eth/sign-user-operation';
import type { UserOperationDomain } from '../eth/sign-user-operation';
import type { UserOperation } from '../eth/user-operation';
import type { SmartRecord } from '../state/account-record';
import type { MethodServices } from './method';
import type { BundledChain } from './user-operation';

/** Whose operation it is, who asked for it, and where it is sent. */
export type SigningPlace = {
  account: SmartRecord;
  origin: string;
  chain: BundledChain;
};

/** Sign an operation, send it and follow it; answers its hash. */
export async function signAndBroadcast(
  operation: UserOperation,
  place: SigningPlace,
  services: MethodServices,
): Promise<Hex> {
  const { account, chain } = place;
  const domain = { chainId: chain.id, entryPoint: account.entryPoint };
  const signature = await signNoted(operation, { account, domain }, services);
  return broadcastSigned({ ...operation, signature }, place, services);
}

/** Send an operation that is signed, and follow it; answers its hash. */
export async function broadcastSigned(
  operation: UserOperation,
  { account, origin, chain }: SigningPlace,
  { broadcastOperation }: Pick<MethodServices, 'broadcastOperation'>,
): Promise<Hex> {
  const domain = { chainId: chain.id, entryPoint: account.entryPoint };
  const hash = hashUserOperation(operation, domain);
  const calls = decodeCalls(account.entryPoint, operation.callData);
  const outgoing = toOutgoingOperation(
    { operation, hash, domain, calls },
    { account, origin },
  );
  return broadcastOperation(chain, outgoing, operation);
}

/** Sign an operation, and remember for its nonce that it was. */
export async function signNoted(
  operation: UserOperation,
  { account, domain }: { account: SmartRecord; domain: UserOperationDomain },
  {
    withPrivateKey,
    signedOperations,
  }: Pick<MethodServices, 'withPrivateKey' | 'signedOperations'>,
): Promise<Hex> {
  const { sender, nonce } = operation;
  await signedOperations.note({
    chain: toCaip2(domain.chainId),
    sender,
    nonce: toQuantity(nonce),
    hash: hashUserOperation(operation, domain),
  });
  return withPrivateKey(account, (key) => signUserOperation(operation, domain, key));
}
