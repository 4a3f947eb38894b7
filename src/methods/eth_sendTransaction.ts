// eth_sendTransaction [transaction] → hash: fill, confirm, sign, send, follow.
import { InvalidParamsError } from '../errors';
import { confirmTransaction } from './confirm-transaction';
import { defineMethod } from './method';
import { signAndSend } from './sign-and-send';
import {
  chooseTransactionChain,
  parseTransactionParams,
  prepareTransaction,
} from './transaction';

const ROOT = 'eth_sendTransaction: params';

/** Signs a transaction as `eth_signTransaction` does, and sends it. */
export const ethSendTransaction = defineMethod({
  name: 'eth_sendTransaction',
  accountType: 'eip155:eoa',
  signs: true,
  isForDapps: true,
  parse: (params) => {
    const request = parseTransactionParams(params, ROOT);
    if (request.type === '0x3' || request.blobVersionedHashes !== undefined) {
      throw new InvalidParamsError(
        `${ROOT}[0]: a transaction of type 0x3 can be signed, but not sent: the blobs that ` +
          'have to go with it are not here. Use eth_signTransaction.',
      );
    }
    return request;
  },
  findAddresses: ({ from }) => [from],
  run: async (request, asked, services) => {
    const id = await chooseTransactionChain(request, asked, services);
    const chain = await services.connect(id);
    const prepared = await prepareTransaction(request, { id, chain }, services);
    const isNonceOpen = request.nonce === undefined;
    const title = 'transaction.send';
    const showing = { asked, title, isNonceOpen } as const;
    const approved = await confirmTransaction(prepared, showing, services);
    return signAndSend(approved, { ...asked, chain, isNonceOpen }, services);
  },
});
