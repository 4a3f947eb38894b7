// eth_sendRawTransaction [raw] → hash. Whoever has a signed transaction may send it; one of
// our own accounts is followed as if it had been sent from here.
import { tuple } from '@metamask/superstruct';
import type { Json } from '@metamask/utils';

import type { AccountRepository } from '../accounts/repository';
import { sendRaw } from '../activity/broadcast';
import { toOutgoing } from '../activity/outgoing';
import type { Chains } from '../chains/chain';
import { toCaip2 } from '../eth/chain';
import { BytesStruct } from '../eth/hex';
import type { Hex } from '../eth/hex';
import { parseRawTransaction } from '../eth/raw-transaction';
import { assertSameChain } from '../methods';
import type { RouteServices } from '../methods';
import { parse } from '../parse';
import type { RateLimit } from './rate-limit';
import { parseOutright } from './signing-request';

const NAME = 'eth_sendRawTransaction';

/** What sending needs. */
export type SendRawServices = {
  chains: Chains;
  rateLimit: RateLimit;
  repository: Pick<AccountRepository, 'findByAddress'>;
  methodServices: Pick<RouteServices, 'broadcast' | 'nonces'>;
};

/**
 * Send a signed transaction.
 *
 * @throws {InvalidParamsError} If it is malformed, or not for the chain named outright.
 * @throws What the node says if it refuses it.
 */
export async function handleSendRaw(
  { origin, params }: { origin: string; params: Json },
  { chains, rateLimit, repository, methodServices }: SendRawServices,
): Promise<Hex> {
  rateLimit(origin);
  const root = `${NAME}: params`;
  const { scope, params: own } = parseOutright(NAME, params);
  const [raw] = parse(own, tuple([BytesStruct]), root);
  const { hash, chainId, transaction } = parseRawTransaction(raw, `${root}[0]`);
  assertSameChain(scope, chainId);
  const chain = await chains.connect(chainId ?? scope ?? (await chains.own()));
  const account = await repository.findByAddress(transaction.from);
  if (account?.type !== 'eip155:eoa') return sendRaw(chain.node, { raw, hash });
  const { nonces, broadcast } = methodServices;
  const sender = { chain: toCaip2(chain.id), from: account.address };
  const whole = { ...transaction, chainId: chain.id };
  const outgoing = toOutgoing(whole, { hash, raw }, { account, origin });
  return nonces.alone(sender, async () => broadcast(chain, outgoing, raw));
}
