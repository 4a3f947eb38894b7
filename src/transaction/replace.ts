// tollkeeper_replaceTransaction [hash, { action, fees… }] → hash of a transaction that replaces a
// pending one sent by Tollkeeper: the same transaction with higher fees, or an empty transfer to
// the account itself.
import { exactOptional, tuple } from '@metamask/superstruct';

import { defineMethod } from '../context';
import type { PreparingContext } from '../context';
import { InvalidParamsError, NotFoundError } from '../core/errors';
import type { Transaction } from '../core/payload';
import { toChainId } from '../eth/chain';
import { Bytes32Struct, QuantityStruct } from '../eth/hex';
import type { Hex } from '../eth/hex';
import { parseRawTransaction } from '../eth/raw-transaction';
import type { TransactionRequest } from '../eth/transaction';
import { computeReplacementFees, findOpenFees, toFoundFees } from '../fees/fee-choice';
import type { GivenFees } from '../fees/fee-choice';
import { assertNamed, assertSameChain } from '../request';
import { parse } from '../schema/parse';
import { oneOf, paramObject } from '../schema/structs';
import type { SentTransaction } from '../state/sent-transaction';
import { prepareTransaction } from './prepare';
import { sendingSteps } from './send';
import type { Replacement } from './view';

const ROOT = 'tollkeeper_replaceTransaction: params';

export const ReplaceParamsStruct = tuple([
  Bytes32Struct,
  paramObject({
    action: oneOf(['speedUp', 'cancel']),
    gasPrice: exactOptional(QuantityStruct),
    maxFeePerGas: exactOptional(QuantityStruct),
    maxPriorityFeePerGas: exactOptional(QuantityStruct),
  }),
]);

export const tollkeeperReplaceTransaction = defineMethod({
  parse: (params) => {
    const [hash, { action, ...given }] = parse(params, ReplaceParamsStruct, ROOT);
    return { hash, action, given };
  },
  accounts: async ({ hash }, context) => [(await getPending(hash, context)).from],
  countCalls: () => 1,
  ...sendingSteps,
  prepare: async ({ hash, action, given }, context) => {
    const sent = await getPending(hash, context);
    // The envelope may name a different account, but the dialog shows the sender.
    assertNamed(context.account, sent.from, 'The sender');
    const id = toChainId(sent.chain);
    assertSameChain(context.scope, id);
    const chain = await context.connect(id);
    const pending = {
      ...parseRawTransaction(sent.raw, 'raw').transaction,
      chainId: id,
    };
    const levels = await context.feeLevels(chain);
    const found = toFoundFees(levels, await context.feeLevel());
    const fees = computeReplacementFees(pending, { given, found, root: `${ROOT}[1]` });
    const request = toReplacement(pending, action, fees);
    const prepared = await prepareTransaction(request, { id, chain }, context);
    const { transaction } = prepared.subject;
    // The request now has all fees, but the user can still choose those that the caller left out.
    const open = findOpenFees(given, transaction);
    const { hash: replaced, usesNextNonce } = sent;
    const replacement = { action, hash: replaced, transaction: pending };
    const title = `transaction.${action}` as const;
    const known =
      action === 'cancel'
        ? { isCancellation: true }
        : usesNextNonce && { usesNextNonce };
    return {
      filled: {
        ...prepared,
        levels,
        subject: { transaction, open, replaced: pending },
      },
      showing: { origin: context.origin, title, replacement },
      chain,
      link: { replaces: replaced, ...known },
    };
  },
  // The pending transaction may have been included while the dialog was open.
  sign: async (approval, prepared, context) => {
    await getPending(prepared.link.replaces, context);
    return sendingSteps.sign(approval, prepared, context);
  },
});

async function getPending(
  hash: Hex,
  { findSent }: { findSent: PreparingContext['findSent'] },
): Promise<SentTransaction & { raw: Hex }> {
  const sent = await findSent(hash);
  if (!sent) {
    throw new NotFoundError(
      `Tollkeeper sent no transaction ${hash} from a granted account.`,
    );
  }
  const { raw, status, entryPoint } = sent;
  if (raw !== undefined && status === 'pending') return { ...sent, raw };
  const missing =
    entryPoint === undefined
      ? 'its blobs are not stored'
      : 'it is a user operation: to replace it, send another with the same nonce, using eth_sendUserOperation';
  const reason = status === 'pending' ? missing : `it is ${status}`;
  throw new InvalidParamsError(
    `${ROOT}[0] must be the hash of a pending transaction that can be replaced; ${reason}.`,
  );
}

function toReplacement(
  pending: Transaction,
  action: Replacement['action'],
  fees: GivenFees,
): TransactionRequest {
  const { chainId, nonce, from } = pending;
  if (action === 'speedUp') return { ...pending, ...fees };
  const type = 'gasPrice' in pending ? '0x0' : '0x2';
  // The gas is estimated because a transfer can run the account's code (EIP-7702).
  return { type, chainId, nonce, from, to: from, value: 0n, data: '0x', ...fees };
}
