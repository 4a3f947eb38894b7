// A client of a paymaster's service (ERC-7677).
import type { Json } from '@metamask/utils';

import type { ChainId } from '../../eth/chain';
import { entryPoints } from '../../eth/entry-point';
import type { EntryPointVersion } from '../../eth/entry-point';
import { toQuantity } from '../../eth/hex';
import type { UserOperation } from '../../eth/user-operation';
import { toBundlerForm } from '../bundler/form';
import { createRpcClient } from '../rpc/rpc-client';
import type { Transport } from '../rpc/transport';
import { toPaymasterError } from './paymaster-error';
import { paymasterSchema } from './schema';
import { toSponsorship } from './sponsorship';
import type { Sponsorship } from './sponsorship';

/** Where an operation goes, and what the service wants to know of whoever asks. */
export type PaymasterPlace = {
  version: EntryPointVersion;
  chainId: ChainId;
  context?: Record<string, Json>;
};

/** Asks a paymaster's service to pay for operations. */
export type PaymasterClient = {
  /** How messages name the service. */
  readonly label: string;
  /**
   * Fetch data to estimate an operation's gas with.
   *
   * @throws {PaymasterError} If the service refuses.
   * @throws {InvalidResponseError} If its answer cannot be used.
   */
  readonly fetchStub: Ask;
  /**
   * Fetch the data with which the paymaster pays for an operation, which has its limits
   * and fees by now, and holds the stub: gas limits that the service leaves out are the
   * stub's.
   *
   * @throws {PaymasterError} If the service refuses.
   * @throws {InvalidResponseError} If its answer cannot be used.
   */
  readonly fetchData: Ask;
};

/** A paymaster's service, and what it is told beside an operation. */
export type Paymaster = { client: PaymasterClient; context: Record<string, Json> };

type Ask = (operation: UserOperation, place: PaymasterPlace) => Promise<Sponsorship>;

/** Create a client of a paymaster's service. */
export function createPaymasterClient(transport: Transport): PaymasterClient {
  const rpc = createRpcClient(paymasterSchema, transport);
  const { label } = rpc;
  const ask =
    (method: keyof typeof paymasterSchema): Ask =>
    async (operation, { version, chainId, context = {} }) => {
      const form = toBundlerForm(operation, version);
      // It is asked before the account signs.
      delete form.signature;
      const { entryPoint } = entryPoints[version];
      const params = [form, entryPoint, toQuantity(chainId), context] as const;
      const answer = await rpc.request(method, [...params]).catch((error: unknown) => {
        throw toPaymasterError(error) as Error;
      });
      return toSponsorship(answer, {
        label: `${method} at ${label}`,
        operation,
        version,
      });
    };
  const fetchData = ask('pm_getPaymasterData');
  return {
    label,
    fetchStub: ask('pm_getPaymasterStubData'),
    fetchData: async (...asked) => ({ ...(await fetchData(...asked)), isFinal: true }),
  };
}
