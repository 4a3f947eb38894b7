// eth_sendRawTransaction [raw] → hash. Whoever has a signed transaction may send it; one of
// an account that the site was granted is followed as if it had been sent from here.
import { tuple } from '@metamask/superstruct';
import type { Json } from '@metamask/utils';

import { sendRaw, toOutgoing } from '../activity/broadcast';
import type { Chains } from '../chains/chain';
import { toCaip2 } from '../eth/chain';
import { BytesStruct, isSameAddress } from '../eth/hex';
import type { Hex } from '../eth/hex';
import { parseRawTransaction } from '../eth/sign-transaction';
import { assertSameChain } from '../methods';
import type { RouteServices } from '../methods';
import { parse } from '../schema/parse';
import type { Grants } from './grants';
import type { RateLimit } from './rate-limit';
import { parseOutright } from './signing-request';

const NAME = 'eth_sendRawTransaction';

/** The params: a signed transaction. */
export const RawParamsStruct = tuple([BytesStruct]);

/** What sending needs. */
export type SendRawServices = {
  chains: Chains;
  rateLimit: RateLimit;
  grants: Pick<Grants, 'list'>;
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
  { chains, rateLimit, grants, methodServices }: SendRawServices,
): Promise<Hex> {
  rateLimit(origin, 'sign');
  const root = `${NAME}: params`;
  const { scope, params: own } = parseOutright(NAME, params);
  const [raw] = parse(own, RawParamsStruct, root);
  const { hash, chainId, transaction } = parseRawTransaction(raw, `${root}[0]`);
  assertSameChain(scope, chainId);
  const chain = await chains.connect(chainId ?? scope ?? (await chains.own()));
  const granted = await grants.list(origin);
  const account = granted.find(({ address }) =>
    isSameAddress(address, transaction.from),
  );
  if (!account) return sendRaw(chain.node, { raw, hash });
  const { nonces, broadcast } = methodServices;
  const sender = { chain: toCaip2(chain.id), from: account.address };
  const whole = { ...transaction, chainId: chain.id };
  const outgoing = toOutgoing(whole, { hash, raw }, { account, origin });
  return nonces.alone(sender, async () => broadcast(chain, outgoing, raw));
}
