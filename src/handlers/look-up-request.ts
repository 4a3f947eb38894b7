// Look-ups for dapps, by their JSON-RPC names. They need no grant, since a chain is
// public, but are limited per origin.
import type { Json } from '@metamask/utils';

import { scopesOf } from '../accounts/record';
import type { Ledger } from '../activity/ledger';
import type { Chains } from '../chains/chain';
import { InternalError, TollkeeperError } from '../errors';
import { ChainIdStruct } from '../eth/chain';
import type { ChainId } from '../eth/chain';
import { assertSameChain } from '../methods';
import { parse } from '../schema/parse';
import type { SentTransaction } from '../state/sent-transaction';
import { findGranted } from './find-granted';
import type { Grants } from './grants';
import { lookUps } from './look-ups';
import type { LookUpServices, Question } from './look-ups';
import type { RateLimit } from './rate-limit';
import { parseOutright } from './signing-request';

/** What looking up for a dapp needs. */
export type LookUpRequestServices = LookUpServices & {
  chains: Chains;
  rateLimit: RateLimit;
  grants: Pick<Grants, 'list'>;
  ledger: Pick<Ledger, 'find' | 'findCarried'>;
};

/** Tell whether a method is a look-up. */
export function isLookUp(method: string): boolean {
  return Object.hasOwn(lookUps, method);
}

/**
 * Answer a look-up on the chain that is named, outright or in the params, else on the
 * snap's own network.
 *
 * @throws {InvalidParamsError} If two different chains are named.
 * @throws {LimitExceededError} If the origin asks too often.
 */
export async function handleLookUp(
  { origin, method, params }: { origin: string; method: string; params: Json },
  services: LookUpRequestServices,
): Promise<Json> {
  services.rateLimit(origin, 'read');
  const { scope, params: own } = parseOutright(method, params);
  const question = lookUps[method]?.(own, `${method}: params`);
  if (!question) throw new InternalError('No such look-up.');
  assertSameChain(scope, question.chainId);
  const sent = await findSent(question, origin, services);
  const named = scope ?? question.chainId ?? sent?.chainId;
  const chainId = named ?? (await findOnlyChain(question, origin, services));
  try {
    return await ask(question, chainId, services);
  } catch (error) {
    // What is kept is from the chain that it was sent to, not from another that was named.
    const kept = chainId === sent?.chainId ? sent?.receipt : undefined;
    if (kept && question.isReceipt && error instanceof TollkeeperError) return kept;
    throw error;
  }
}

async function ask(
  { answer }: Question,
  chainId: bigint | undefined,
  services: LookUpRequestServices,
): Promise<Json> {
  const { chains } = services;
  const chain = await chains.connect(chainId ?? (await chains.own()));
  return (await answer(chain, services)) as Json;
}

// The chain that is the only one of every account that the site was granted.
async function findOnlyChain(
  { isOfAccounts = false }: Question,
  origin: string,
  { grants }: LookUpRequestServices,
): Promise<ChainId | undefined> {
  if (!isOfAccounts) return undefined;
  const granted = await grants.list(origin);
  const [only, ...others] = new Set<string>(granted.flatMap(scopesOf));
  if (only === undefined || others.length > 0 || only === 'eip155:0') return undefined;
  return parse(only, ChainIdStruct, 'scope');
}

// Of what was sent from here the chain is known, and the receipt is kept. The receipt of a
// user operation does not answer for a transaction, nor the other way round.
async function findSent(
  { subject }: Question,
  origin: string,
  { ledger, grants }: LookUpRequestServices,
): Promise<{ chainId: ChainId; receipt: Json | undefined } | undefined> {
  if (!subject) return undefined;
  const { hash, kind } = subject;
  const find = async (findKept: Ledger['find']): Promise<SentTransaction | undefined> =>
    findGranted(hash, origin, { grants, findSent: findKept });
  const chainOf = ({ chain }: SentTransaction): ChainId =>
    parse(chain, ChainIdStruct, 'chain');
  const sent = await find(ledger.find);
  const isOperation = sent?.entryPoint !== undefined;
  if (sent && isOperation === (kind === 'operation')) {
    return { chainId: chainOf(sent), receipt: sent.receipt };
  }
  // What carried a user operation of the site's account is on the operation's chain.
  const carried = kind === 'transaction' ? await find(ledger.findCarried) : undefined;
  return carried && { chainId: chainOf(carried), receipt: undefined };
}
