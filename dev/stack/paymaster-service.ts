// The paymaster service of the stack: ERC-7677 over its VerifyingPaymasters, which pay for
// whatever it signs, and it signs everything.
import type { LocalAccount } from 'viem/accounts';

import { createChain } from '../bundler/chain';
import type { Contracts } from './contracts';
import { toUnknownMethod } from './json-rpc';
import type { Handle } from './json-rpc';
import { startJsonRpcServer } from './json-rpc-server';
import type { JsonRpcServer } from './json-rpc-server';
import { createSponsor } from './paymaster-data';
import type { Sponsor } from './paymaster-data';
import { findFault } from './paymaster-faults';
import type { PaymasterAnswer, Step } from './paymaster-faults';
import { readRequest } from './paymaster-request';

/** What the service works with. */
export type PaymasterServiceOptions = {
  /** Port to listen on; 0 for any free one. */
  port: number;
  chainUrl: string;
  contracts: Contracts;
  /** Signs what the paymasters accept. */
  signer: LocalAccount;
};

const SPONSOR = { name: 'Tollkeeper development paymaster' };

const steps = new Map<string, Step>([
  ['pm_getPaymasterStubData', 'stub'],
  ['pm_getPaymasterData', 'data'],
]);

/**
 * Start the service.
 *
 * @throws {Error} If the port is taken.
 * @see https://eips.ethereum.org/EIPS/eip-7677
 */
export async function startPaymasterService({
  port,
  chainUrl,
  contracts,
  signer,
}: PaymasterServiceOptions): Promise<JsonRpcServer> {
  const sponsor = createSponsor({ chain: createChain(chainUrl), contracts, signer });
  const handle: Handle = async (method, params) => {
    const step = steps.get(method);
    if (step === undefined) throw toUnknownMethod(method);
    return answer(step, readRequest(params, contracts, step === 'data'), sponsor);
  };
  return startJsonRpcServer({
    name: 'paymaster service',
    path: '/rpc',
    port,
    open: () => handle,
  });
}

async function answer(
  step: Step,
  { draft, context }: ReturnType<typeof readRequest>,
  { makeStub, makeData }: Sponsor,
): Promise<PaymasterAnswer> {
  const { before, after } = findFault(context, step);
  const changed = before ? await before(draft) : draft;
  const sponsorship = await (step === 'stub' ? makeStub(changed) : makeData(changed));
  const result = after ? after(sponsorship, changed) : sponsorship;
  return step === 'stub' ? { ...result, sponsor: SPONSOR, isFinal: false } : result;
}
