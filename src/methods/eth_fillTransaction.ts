// eth_fillTransaction [transaction] → { raw, tx }: what would be signed, unsigned. As in
// geth, `raw` is the transaction's encoding with an empty signature.
import { serializeUnsigned, toTransactionJson } from '../eth/sign-transaction';
import { defineMethod } from './method';
import {
  chooseTransactionChain,
  parseTransactionParams,
  prepareTransaction,
} from './transaction';

const ROOT = 'eth_fillTransaction: params';

/** Fills what a transaction lacks; signs nothing and asks nobody. */
export const ethFillTransaction = defineMethod({
  name: 'eth_fillTransaction',
  accountType: 'eip155:eoa',
  signs: false,
  isForDapps: true,
  parse: (params) => parseTransactionParams(params, ROOT),
  findAddresses: ({ from }) => [from],
  countCalls: () => 1,
  run: async (request, asked, services) => {
    const id = await chooseTransactionChain(request, asked, services);
    const chain = await services.connect(id);
    const { subject } = await prepareTransaction(
      request,
      { id, chain },
      { ...services, confirmsItself: false },
    );
    const { transaction } = subject;
    return {
      raw: serializeUnsigned(transaction),
      tx: toTransactionJson(transaction),
    };
  },
});
