// eth_sendTransaction [transaction] → hash: fill, confirm, sign, send, follow. A smart account
// sends a user operation that makes the call, and answers when a transaction has carried it.
import { InvalidParamsError, TollkeeperError, UnavailableError } from '../errors';
import { encodeIntents } from '../eth/account-calls';
import type { Hex } from '../eth/hex';
import type { TransactionRequest } from '../eth/transaction';
import type { SentTransaction } from '../state/sent-transaction';
import { confirmTransaction } from './confirm-transaction';
import { defineMethod } from './method';
import type { MethodRequest, MethodServices } from './method';
import { sendOperation } from './send-operation';
import { signAndSend } from './sign-and-send';
import {
  chooseTransactionChain,
  parseTransactionParams,
  prepareTransaction,
} from './transaction';
import { connectBundled, getSmartAccount } from './user-operation';

const ROOT = 'eth_sendTransaction: params';

/** Code for an execution that was reverted, as nodes have it. */
const REVERTED = 3;

/** Signs a transaction as `eth_signTransaction` does, and sends it. */
export const ethSendTransaction = defineMethod({
  name: 'eth_sendTransaction',
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
  countCalls: () => 1,
  run: async (request, asked, services) =>
    asked.account.type === 'eip155:eoa'
      ? sendTransaction(request, asked, services)
      : sendFromSmartAccount(request, asked, services),
});

async function sendTransaction(
  request: TransactionRequest,
  asked: MethodRequest,
  services: MethodServices,
): Promise<Hex> {
  const id = await chooseTransactionChain(request, asked, services);
  const chain = await services.connect(id);
  const prepared = await prepareTransaction(request, { id, chain }, services);
  const isNonceOpen = request.nonce === undefined;
  const title = 'transaction.send';
  const showing = { asked, title, isNonceOpen } as const;
  const approved = await confirmTransaction(prepared, showing, services);
  return signAndSend(approved, { ...asked, chain, isNonceOpen }, services);
}

async function sendFromSmartAccount(
  request: TransactionRequest,
  asked: MethodRequest,
  services: MethodServices,
): Promise<Hex> {
  assertFits(request);
  const account = getSmartAccount(asked.account);
  const scope = await chooseTransactionChain(request, asked, services);
  const chain = await connectBundled({ account, scope }, services);
  const { to, value, data, gasPrice, gasLimit } = request;
  const { maxFeePerGas = gasPrice, maxPriorityFeePerGas = gasPrice } = request;
  const hash = await sendOperation(
    {
      callData: encodeIntents(account.entryPoint, [{ to, value, data }]),
      ...(maxFeePerGas === undefined ? {} : { maxFeePerGas }),
      ...(maxPriorityFeePerGas === undefined ? {} : { maxPriorityFeePerGas }),
    },
    {
      ...{ account, origin: asked.origin, chain, options: asked.options },
      ...{ title: 'userOperation.send', leastCallGas: gasLimit },
    },
    services,
  );
  return getCarrier(hash, await services.awaitSettled(hash, chain.id));
}

// An access list only saves gas, and is left out.
function assertFits({ to, data, nonce, authorizationList }: TransactionRequest): void {
  const [foreign] = Object.entries({ nonce, authorizationList }).flatMap(
    ([name, value]) => (value === undefined ? [] : [name]),
  );
  if (foreign !== undefined) {
    throw new InvalidParamsError(
      `${ROOT}[0].${foreign} has no place in the user operation that a smart account sends; ` +
        'leave it out.',
    );
  }
  if (to === null && data === '0x') {
    throw new InvalidParamsError(
      `${ROOT}[0]: a contract creation (no "to") needs data.`,
    );
  }
}

function getCarrier(hash: Hex, sent: SentTransaction | undefined): Hex {
  const { status = 'unknown', inclusion } = sent ?? {};
  const { transactionHash, success } = inclusion ?? {};
  const context = { userOperationHash: hash };
  if (transactionHash === undefined) {
    throw new UnavailableError(
      status === 'pending'
        ? `User operation ${hash} was sent and is still pending. Do not send it again: it is ` +
            'followed, and eth_getUserOperationReceipt tells what becomes of it.'
        : `User operation ${hash} was sent, but was not included: it is ${status}.`,
      { context },
    );
  }
  // The transaction that carried it succeeds even so.
  if (success !== false) return transactionHash;
  throw new TollkeeperError(
    REVERTED,
    `User operation ${hash} was included in transaction ${transactionHash}, but its call was ` +
      'reverted.',
    { context: { ...context, transactionHash } },
  );
}
