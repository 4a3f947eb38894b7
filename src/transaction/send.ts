// eth_signTransaction, eth_fillTransaction and eth_sendTransaction of an ordinary account; and
// signing and sending what the user approved. A smart account's eth_sendTransaction is in
// operation/send.
import { bytesToHex, hexToBytes } from '@metamask/utils';

import { toOutgoing } from '../activity/broadcast';
import type { Chain } from '../chains/chain';
import { defineMethod } from '../context';
import type { RequestContext } from '../context';
import { InvalidParamsError } from '../errors';
import { toCaip2 } from '../eth/chain';
import { keccak256 } from '../eth/hex';
import type { Hex } from '../eth/hex';
import {
  serializeUnsigned,
  signTransaction,
  toTransactionJson,
} from '../eth/sign-transaction';
import type { Transaction, TransactionRequest } from '../eth/transaction';
import { isComplete } from '../fees/fill-transaction';
import { sendFromSmartAccount } from '../operation/send';
import { mapApproval } from '../sites/approval';
import type { Approval } from '../sites/approval';
import type { AccountRecord } from '../state/account-record';
import type { SentTransaction } from '../state/sent-transaction';
import {
  chooseTransactionChain,
  confirmTransaction,
  parseTransactionParams,
  prepareTransaction,
} from './prepare';

/** What its bytes do not tell of a transaction that takes another's place. */
export type Known = Pick<SentTransaction, 'isCancellation' | 'usesNextNonce'>;

/** How a transaction is sent whose nonce is settled. */
export type Sending = {
  account: AccountRecord;
  origin: string;
  chain: Chain;
  /** The pending transaction of ours that it is to take the place of. */
  replaces?: Hex;
  /** What else is known of it then. */
  known?: Known;
  /** Whether others are sent after it. */
  hasFollowers?: boolean;
  /** Is told the hash before the transaction goes out. */
  onSigned?: (hash: Hex) => Promise<void>;
};

/**
 * eth_signTransaction [transaction] → { v, r, s }, and where something was filled also the
 * transaction that was signed: without it the signature is worth nothing. Adds what is absent
 * and alters nothing that is present.
 */
export const ethSignTransaction = defineMethod({
  parse: (params) => parseTransactionParams(params, 'eth_signTransaction: params'),
  findAddresses: ({ from }) => [from],
  countCalls: () => 1,
  run: async (request, context) => {
    const id = await chooseTransactionChain(request, context);
    const isWhole = isComplete(request);
    // What lacks nothing can be signed for a chain that has no node here. MetaMask's requests
    // lack nothing, and its own screens tell of their cost.
    const chain =
      isWhole && !context.confirmsItself
        ? undefined
        : await context.connect(id).catch((error: unknown) => {
            if (isWhole) return undefined;
            throw error;
          });
    const prepared = await prepareTransaction(request, { id, chain }, context);
    const showing = { origin: context.origin, title: 'transaction.title' } as const;
    const approval = await confirmTransaction(prepared, showing, context);
    const { transaction, signature, raw } = await context.sign(approval, sign);
    if (isWhole) return signature;
    return { ...signature, tx: toTransactionJson(transaction), raw };
  },
});

/**
 * eth_fillTransaction [transaction] → { raw, tx }: what would be signed, unsigned. As in geth,
 * `raw` is the transaction's encoding with an empty signature. Asks nobody.
 */
export const ethFillTransaction = defineMethod({
  parse: (params) => parseTransactionParams(params, 'eth_fillTransaction: params'),
  findAddresses: ({ from }) => [from],
  countCalls: () => 1,
  run: async (request, context) => {
    const id = await chooseTransactionChain(request, context);
    const chain = await context.connect(id);
    const { subject } = await prepareTransaction(request, { id, chain }, context);
    const { transaction } = subject;
    return {
      raw: serializeUnsigned(transaction),
      tx: toTransactionJson(transaction),
    };
  },
});

const SEND_ROOT = 'eth_sendTransaction: params';

/**
 * eth_sendTransaction [transaction] → hash: fill, confirm, sign, send, follow. A smart account
 * sends a user operation that makes the call, and answers when a transaction has carried it.
 */
export const ethSendTransaction = defineMethod({
  parse: (params) => {
    const request = parseTransactionParams(params, SEND_ROOT);
    if (request.type === '0x3' || request.blobVersionedHashes !== undefined) {
      throw new InvalidParamsError(
        `${SEND_ROOT}[0]: a transaction of type 0x3 can be signed, but not sent: the blobs that ` +
          'have to go with it are not here. Use eth_signTransaction.',
      );
    }
    return request;
  },
  findAddresses: ({ from }) => [from],
  countCalls: () => 1,
  run: async (request, context) => {
    if (context.account.type === 'eip155:eoa') return sendTransaction(request, context);
    const scope = await chooseTransactionChain(request, context);
    return sendFromSmartAccount(request, { ...context, scope });
  },
});

async function sendTransaction(
  request: TransactionRequest,
  context: RequestContext,
): Promise<Hex> {
  const { account, origin } = context;
  const id = await chooseTransactionChain(request, context);
  const chain = await context.connect(id);
  const prepared = await prepareTransaction(request, { id, chain }, context);
  const isNonceOpen = request.nonce === undefined;
  const approval = await confirmTransaction(
    prepared,
    { origin, title: 'transaction.send', isNonceOpen },
    context,
  );
  return signAndSend(approval, { account, origin, chain, isNonceOpen }, context);
}

/**
 * Signs a transaction once, sends it, and follows it. Whatever else the sender sends waits until it
 * is out, so that two transactions never get one nonce. The node is asked for an open nonce just
 * before the signature.
 *
 * @param sending - `isNonceOpen` tells whether the nonce is ours to choose.
 * @returns Its hash.
 * @throws What the node says if it refuses it, such as its nonce: nothing is signed in its place.
 */
export async function signAndSend(
  approval: Approval<Transaction>,
  { isNonceOpen, ...sending }: Sending & { isNonceOpen: boolean },
  context: RequestContext,
): Promise<Hex> {
  const { account, chain } = sending;
  const { nonces } = context;
  const sender = { chain: toCaip2(chain.id), from: account.address };
  return nonces.alone(sender, async () => {
    if (!isNonceOpen) return signAndSendNow(approval, sending, context);
    const nonce = await nonces.next(sender, chain.node);
    const settled = mapApproval(approval, (approved) => ({ ...approved, nonce }));
    return signAndSendNow(settled, sending, context);
  });
}

/** Signs and sends a transaction while nobody else uses its sender's nonces. */
export async function signAndSendNow(
  approval: Approval<Transaction>,
  { account, origin, chain, replaces, known, hasFollowers, onSigned }: Sending,
  context: RequestContext,
): Promise<Hex> {
  const { transaction, raw } = await context.sign(approval, sign);
  const hash = bytesToHex(keccak256(hexToBytes(raw)));
  await onSigned?.(hash);
  const outgoing = toOutgoing(transaction, { hash, raw }, { account, origin });
  const link = replaces === undefined ? {} : { replaces, ...known };
  return context.broadcast(chain, { ...outgoing, ...link }, { raw, hasFollowers });
}

function sign(
  transaction: Transaction,
  key: Uint8Array,
): ReturnType<typeof signTransaction> & { transaction: Transaction } {
  return { transaction, ...signTransaction(transaction, key) };
}
