// wallet_sendCalls [{ version, id?, from?, chainId, atomicRequired, calls, capabilities? }]
// → { id } (EIP-5792): one user operation of a smart account, else a transaction a call.
import { bytesToHex } from '@metamask/utils';

import { CallsError, InvalidParamsError, UnavailableError } from '../errors';
import type { AccountRecord } from '../state/account-record';
import { assertOwnAddress } from './account-check';
import { parseCalls, refuseCapability } from './calls-params';
import type { WantedCalls } from './calls-params';
import { assertSameChain, assertServed } from './choose-chain';
import { defineMethod } from './method';
import { sendAsOperation } from './send-as-operation';
import { sendInOrder } from './send-in-order';
import { connectBundled } from './user-operation';

const ROOT = 'wallet_sendCalls: params';

/** Sends several calls at once. */
export const walletSendCalls = defineMethod({
  name: 'wallet_sendCalls',
  signs: true,
  isForDapps: true,
  parse: (params) => parseCalls(params, ROOT),
  findAddresses: ({ from }) => (from === undefined ? [] : [from]),
  countCalls: ({ intents }) => intents.length,
  run: async (wanted, asked, services) => {
    const { account, origin, scope } = asked;
    const { from, chainId, id = createId() } = wanted;
    // The account can be named outright.
    if (from !== undefined) assertOwnAddress(account, from, 'from');
    assertSameChain(scope, chainId);
    assertPossible(wanted, account);
    await services.callBatches.assertNew(origin, id);
    const batch = { ...wanted, id };
    if (account.type === 'eip155:eoa') {
      const chain = await connectOr5710(async () => {
        assertServed(account, chainId);
        return services.connect(chainId);
      });
      await sendInOrder(batch, { account, origin, chain }, services);
    } else {
      const chain = await connectOr5710(async () =>
        connectBundled({ account, scope: chainId }, services),
      );
      await sendAsOperation(batch, { account, origin, chain }, services);
    }
    return { id };
  },
});

// Nobody can guess another site's: EIP-5792 wants it so.
function createId(): string {
  return bytesToHex(crypto.getRandomValues(new Uint8Array(32)));
}

function assertPossible(
  { atomicRequired, paymasterService }: WantedCalls,
  { type, address }: AccountRecord,
): void {
  if (type !== 'eip155:eoa') return;
  if (atomicRequired) {
    throw new CallsError(
      'atomicity',
      `The account ${address} cannot send calls atomically: it sends a transaction for each. ` +
        'A smart account can.',
    );
  }
  if (paymasterService && paymasterService.optional !== true) {
    refuseCapability('paymasterService');
  }
}

// The account does not serve the chain, or no server does.
async function connectOr5710<Chain>(connect: () => Promise<Chain>): Promise<Chain> {
  try {
    return await connect();
  } catch (error) {
    const isExpected =
      error instanceof UnavailableError || error instanceof InvalidParamsError;
    if (!isExpected) throw error;
    throw new CallsError('chain', error.message, { cause: error });
  }
}
