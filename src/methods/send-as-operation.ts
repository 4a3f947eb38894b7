// Calls of a smart account as one user operation: all of them happen, or none.
import { encodeIntents } from '../eth/account-calls';
import type { SmartRecord } from '../state/account-record';
import type { PaymasterService } from './calls-params';
import { sendKept } from './keep-calls';
import type { Batch } from './keep-calls';
import type { MethodServices } from './method';
import { sendOperation } from './send-operation';
import type { OperationSending } from './send-operation';
import type { BundledChain } from './user-operation';

/** Whose calls they are, and who asked for them. */
export type OperationPlace = {
  account: SmartRecord;
  origin: string;
  chain: BundledChain;
};

/**
 * Send calls as one user operation; the site's paymaster pays before the chain's own.
 *
 * @throws {InvalidParamsError} If they do not fit in one.
 */
export async function sendAsOperation(
  batch: Batch & { paymasterService: PaymasterService | undefined },
  place: OperationPlace,
  services: MethodServices,
): Promise<void> {
  const { account, origin, chain } = place;
  const { intents, paymasterService } = batch;
  const request = { callData: encodeIntents(account.entryPoint, intents) };
  const sending: OperationSending = {
    ...place,
    options: {},
    title: intents.length > 1 ? 'userOperation.batch' : 'userOperation.send',
    ...toPaymaster(paymasterService, services),
  };
  const keeping = { account, origin, chainId: chain.id, atomic: true };
  await sendOperation(request, sending, {
    ...services,
    // Approved and signed: what is left is to keep it and to send it.
    broadcastOperation: async (target, outgoing, operation) => {
      const { hash } = outgoing;
      await sendKept(batch, keeping, {
        ...services,
        senders: [
          async (beforeSending) => {
            await beforeSending(hash);
            return services.broadcastOperation(target, outgoing, operation);
          },
        ],
      });
      return hash;
    },
  });
}

function toPaymaster(
  service: PaymasterService | undefined,
  { paymasterAt }: Pick<MethodServices, 'paymasterAt'>,
): Pick<OperationSending, 'paymaster'> {
  if (!service) return {};
  return { paymaster: paymasterAt(service.url, service.context ?? {}) };
}
