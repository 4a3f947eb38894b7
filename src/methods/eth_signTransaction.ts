// eth_signTransaction [transaction] → { v, r, s }, and where something was filled also
// the transaction that was signed: without it the signature is worth nothing.
import type { Chain } from '../chains/chain';
import type { ChainId } from '../eth/chain';
import { signTransaction, toTransactionJson } from '../eth/sign-transaction';
import type { TransactionRequest } from '../eth/transaction';
import { isComplete } from '../fees/fill-transaction';
import { confirmTransaction } from './confirm-transaction';
import { defineMethod } from './method';
import type { MethodServices } from './method';
import {
  chooseTransactionChain,
  parseTransactionParams,
  prepareTransaction,
} from './transaction';

const ROOT = 'eth_signTransaction: params';

/** Signs a transaction; adds what is absent and alters nothing that is present. */
export const ethSignTransaction = defineMethod({
  name: 'eth_signTransaction',
  accountType: 'eip155:eoa',
  signs: true,
  parse: (params) => parseTransactionParams(params, ROOT),
  findAddresses: ({ from }) => [from],
  countCalls: () => 1,
  run: async (request, asked, services) => {
    const id = await chooseTransactionChain(request, asked, services);
    const chain = await connect(request, id, services);
    const prepared = await prepareTransaction(request, { id, chain }, services);
    const showing = { asked, title: 'transaction.title' } as const;
    const transaction = await confirmTransaction(prepared, showing, services);
    const { signature, raw } = await services.withPrivateKey(asked.account, (key) =>
      signTransaction(transaction, key),
    );
    if (isComplete(request)) return signature;
    return { ...signature, tx: toTransactionJson(transaction), raw };
  },
});

// What lacks nothing can be signed for a chain that has no node here. MetaMask's requests
// lack nothing, and its own screens tell of their cost.
async function connect(
  request: TransactionRequest,
  chainId: ChainId,
  services: MethodServices,
): Promise<Chain | undefined> {
  if (!isComplete(request)) return services.connect(chainId);
  if (!services.confirmsItself) return undefined;
  return services.connect(chainId).catch(() => undefined);
}
