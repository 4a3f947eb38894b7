// eth_signTransaction, eth_fillTransaction and eth_sendTransaction for ordinary accounts, and the
// steps shared by the methods that send one transaction. A smart account's eth_sendTransaction is
// in operation/send.
import type { Link } from '../activity/broadcast';
import type { Chain } from '../chains/chain';
import { bindSteps, defineMethod } from '../context';
import type { PreparingContext, ApprovedContext } from '../context';
import type { Approval } from '../core/approval';
import { InvalidParamsError } from '../core/errors';
import type { SignedTransaction } from '../core/sign';
import { serializeUnsigned, toTransactionJson } from '../core/transaction';
import { toCaip2 } from '../eth/chain';
import type { ChainId } from '../eth/chain';
import type { Hex } from '../eth/hex';
import type { TransactionRequest } from '../eth/transaction';
import { isComplete } from '../fees/fill-transaction';
import { sendAsOperation } from '../operation/send';
import type { Confirmation } from '../sites/consent';
import {
  chooseTransactionChain,
  parseTransactionParams,
  prepareTransaction,
  reviewTransaction,
} from './prepare';
import type { Prepared, Showing } from './prepare';
import { signTransactionTask } from './tasks';

export type PreparedSending = {
  filled: Prepared;
  showing: Showing;
  chain: Chain;
  link?: Link;
};

/** eth_signTransaction [transaction] → { v, r, s }. If fields were filled in, the result includes
 * the signed transaction, without which the signature is useless. Given fields stay as they are. */
export const ethSignTransaction = defineMethod({
  parse: (params) => parseTransactionParams(params, 'eth_signTransaction: params'),
  accounts: ({ from }) => [from],
  countCalls: () => 1,
  prepare: async (request, context) => {
    const id = await chooseTransactionChain(request, context);
    const isWhole = isComplete(request);
    // A complete transaction can be signed without a node. Only our own dialog uses one, if it is
    // reachable, to show the cost; MetaMask's screens show the cost themselves.
    const chain =
      isWhole && !context.confirmsItself
        ? undefined
        : await context.connect(id).catch((error: unknown) => {
            if (isWhole) return undefined;
            throw error;
          });
    const filled = await prepareTransaction(request, { id, chain }, context);
    return { filled, isWhole };
  },
  review: async ({ filled }, context) => {
    return reviewTransaction(filled, { origin: context.origin }, context);
  },
  sign: async (approval, { isWhole }, context) => {
    const { transaction, signature, raw } =
      await context.core.signTransaction(approval);
    if (isWhole) return signature;
    return { ...signature, tx: toTransactionJson(transaction), raw };
  },
});

/** eth_fillTransaction [transaction] → { raw, tx }: the transaction that would be signed. As in
 * geth, `raw` is the transaction encoded with an empty signature. Shows no dialog. */
export const ethFillTransaction = defineMethod({
  parse: (params) => parseTransactionParams(params, 'eth_fillTransaction: params'),
  accounts: ({ from }) => [from],
  countCalls: () => 1,
  answer: async (request, context) => {
    const id = await chooseTransactionChain(request, context);
    const chain = await context.connect(id);
    const { subject } = await prepareTransaction(request, { id, chain }, context);
    const { transaction } = subject;
    return { raw: serializeUnsigned(transaction), tx: toTransactionJson(transaction) };
  },
});

export const sendingSteps = {
  review: async (
    { filled, showing }: PreparedSending,
    context: PreparingContext,
  ): Promise<Confirmation> => reviewTransaction(filled, showing, context),
  // The sender's other transactions wait until this one is sent, so that no nonce is used twice. An
  // open nonce is fetched just before signing.
  sign: async (
    approval: Approval,
    place: PreparedSending,
    context: ApprovedContext,
  ): Promise<Hex> => {
    const { showing, chain } = place;
    const { account, nonces, core } = context;
    const sender = { chain: toCaip2(chain.id), from: account.address };
    context.cleanups.push(await nonces.lock(sender));
    const nonce = showing.isNonceOpen
      ? (await nonces.next(sender, chain.node)).next
      : undefined;
    const signed = await signTransactionTask(approval, { nonce }, core);
    return broadcastSigned(signed, place, context);
  },
};

const SEND_ROOT = 'eth_sendTransaction: params';

/** eth_sendTransaction [transaction] → hash. For a smart account, sends the call as a user
 * operation, and returns the hash of the transaction that includes it. */
export const ethSendTransaction = defineMethod({
  parse: (params) => {
    const request = parseTransactionParams(params, SEND_ROOT);
    if (request.type === '0x3' || request.blobVersionedHashes !== undefined) {
      throw new InvalidParamsError(
        `${SEND_ROOT}[0]: a transaction of type 0x3 can be signed, but not sent: its blobs are ` +
          'not available. Use eth_signTransaction.',
      );
    }
    return request;
  },
  accounts: ({ from }) => [from],
  countCalls: () => 1,
  choose: async (request, context) => {
    const chainId = await chooseTransactionChain(request, context);
    return context.account.type === 'eip155:eoa'
      ? bindSteps(sendAsTransaction, { request, chainId })
      : bindSteps(sendAsOperation, { request, chainId });
  },
});

const sendAsTransaction = {
  ...sendingSteps,
  prepare: async (
    { request, chainId: id }: { request: TransactionRequest; chainId: ChainId },
    context: PreparingContext,
  ): Promise<PreparedSending> => {
    const chain = await context.connect(id);
    const isNonceOpen = request.nonce === undefined;
    return {
      filled: await prepareTransaction(request, { id, chain }, context),
      showing: { origin: context.origin, isNonceOpen },
      chain,
    };
  },
};

export async function broadcastSigned(
  { transaction, raw, hash, usesNextNonce }: SignedTransaction & Link,
  sending: Parameters<ApprovedContext['broadcast']>[1],
  { account, origin, broadcast }: ApprovedContext,
): Promise<Hex> {
  const link = { ...sending.link, ...(usesNextNonce && { usesNextNonce }) };
  const sender = { account, origin };
  return broadcast({ transaction, raw, hash }, { ...sending, link }, sender);
}
