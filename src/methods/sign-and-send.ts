// Signing and sending what the user approved. Whatever else the sender sends waits until it
// is out, so that two transactions never get one nonce.
import { bytesToHex, hexToBytes } from '@metamask/utils';

import { toOutgoing } from '../activity/broadcast';
import type { Chain } from '../chains/chain';
import { toCaip2 } from '../eth/chain';
import { keccak256 } from '../eth/hex';
import type { Hex } from '../eth/hex';
import { signTransaction } from '../eth/sign-transaction';
import type { Transaction } from '../eth/transaction';
import type { MethodRequest, MethodServices } from './method';

/** How a transaction is sent. */
export type Sending = Pick<MethodRequest, 'account' | 'origin'> & {
  chain: Chain;
  /** Whether the nonce is ours to choose. */
  isNonceOpen: boolean;
  /** The pending transaction of ours that it is to take the place of. */
  replaces?: Hex;
  /** Is told the hash before the transaction goes out. */
  onSigned?: (hash: Hex) => Promise<void>;
};

/** How a transaction is sent whose nonce is settled. */
export type SendingNow = Omit<Sending, 'isNonceOpen'>;

/**
 * Sign and send a transaction, and follow it.
 *
 * @returns Its hash.
 * @throws What the node says if it refuses it.
 */
export async function signAndSend(
  transaction: Transaction,
  { isNonceOpen, ...sending }: Sending,
  services: MethodServices,
): Promise<Hex> {
  const { account, chain } = sending;
  const { nonces } = services;
  const sender = { chain: toCaip2(chain.id), from: account.address };
  return nonces.alone(sender, async () => {
    const nonce = isNonceOpen
      ? await nonces.next(sender, chain.node)
      : transaction.nonce;
    return signAndSendNow({ ...transaction, nonce }, sending, services);
  });
}

/** Sign and send a transaction while nobody else uses its sender's nonces. */
export async function signAndSendNow(
  transaction: Transaction,
  { account, origin, chain, replaces, onSigned }: SendingNow,
  { withPrivateKey, broadcast }: Pick<MethodServices, 'withPrivateKey' | 'broadcast'>,
): Promise<Hex> {
  const { raw } = await withPrivateKey(account, (key) =>
    signTransaction(transaction, key),
  );
  const hash = bytesToHex(keccak256(hexToBytes(raw)));
  await onSigned?.(hash);
  const outgoing = toOutgoing(transaction, { hash, raw }, { account, origin });
  const link = replaces === undefined ? {} : { replaces };
  return broadcast(chain, { ...outgoing, ...link }, raw);
}
