// eth_signTransaction [transaction] → { v, r, s }, and where something was filled also
// the transaction that was signed: without it the signature is worth nothing.
import { tuple, unknown } from '@metamask/superstruct';

import { toCaip2 } from '../eth/chain';
import type { ChainId } from '../eth/chain';
import { signTransaction, toTransactionJson } from '../eth/sign-transaction';
import type { Transaction, TransactionRequest } from '../eth/transaction';
import { parseTransactionRequest } from '../eth/transaction-request';
import { completeTransaction, isComplete } from '../fees/complete-transaction';
import { fillTransaction } from '../fees/fill-transaction';
import { parse } from '../parse';
import { TransactionConfirmation } from '../ui/confirm/transaction';
import { assertOwnAddress } from './account-check';
import { chooseChain } from './choose-chain';
import { defineMethod } from './method';
import type { MethodServices } from './method';

const ROOT = 'eth_signTransaction: params';

const ParamsStruct = tuple([unknown()]);

/** Signs a transaction; adds what is absent and alters nothing that is present. */
export const ethSignTransaction = defineMethod({
  name: 'eth_signTransaction',
  accountType: 'eip155:eoa',
  signs: true,
  parse: (params) => {
    const [transaction] = parse(params, ParamsStruct, ROOT);
    return parseTransactionRequest(transaction, `${ROOT}[0]`);
  },
  findAddresses: ({ from }) => (from === undefined ? [] : [from]),
  run: async (request, { account, origin, scope }, services) => {
    assertOwnAddress(account, request.from, 'from');
    const { ownChain } = services;
    const named = request.chainId;
    const chainId = await chooseChain({ account, scope, named, ownChain });
    const transaction = await fill(request, chainId, services);
    await services.requireConsent((translate) =>
      TransactionConfirmation({
        translate,
        origin,
        chain: toCaip2(chainId),
        transaction,
      }),
    );
    const { signature, raw } = await services.withPrivateKey(account, (key) =>
      signTransaction(transaction, key),
    );
    if (isComplete(request)) return signature;
    return { ...signature, tx: toTransactionJson(transaction), raw };
  },
});

async function fill(
  request: TransactionRequest,
  chainId: ChainId,
  { connect, feeLevels }: MethodServices,
): Promise<Transaction> {
  const { nonce, gasLimit } = request;
  if (isComplete(request) && nonce !== undefined && gasLimit !== undefined) {
    return completeTransaction({ ...request, chainId, nonce, gasLimit }, undefined);
  }
  const chain = await connect(chainId);
  const levels = async (): ReturnType<typeof feeLevels> => feeLevels(chain);
  return fillTransaction(request, { chainId, node: chain.node, levels });
}
