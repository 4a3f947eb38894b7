// eth_sendRawTransaction [raw] → hash. Whoever has a signed transaction may send it; one of
// an account that the site was granted is followed as if it had been sent from here.
import { tuple } from '@metamask/superstruct';

import type { AppContext } from '../context';
import { toCaip2 } from '../eth/chain';
import { BytesStruct, isSameAddress } from '../eth/hex';
import type { Hex } from '../eth/hex';
import { parseRawTransaction } from '../eth/sign-transaction';
import { assertSameChain, parseEnvelope } from '../request';
import type { SiteRequest } from '../request';
import { parse } from '../schema/parse';
import { sendRaw, toOutgoing } from './broadcast';

/** The params: a signed transaction. */
export const RawParamsStruct = tuple([BytesStruct]);

/**
 * Sends a signed transaction.
 *
 * @throws {InvalidParamsError} If it is malformed, or not for the chain named outright.
 * @throws What the node says if it refuses it.
 */
export async function sendRawTransaction(
  { origin, method, params }: SiteRequest,
  { chains, grants, nonces, broadcast }: AppContext,
): Promise<Hex> {
  const root = `${method}: params`;
  const { scope, params: own } = parseEnvelope(method, params);
  const [raw] = parse(own, RawParamsStruct, root);
  const { hash, chainId, transaction } = parseRawTransaction(raw, `${root}[0]`);
  assertSameChain(scope, chainId);
  const chain = await chains.connect(chainId ?? scope ?? (await chains.own()));
  const granted = await grants.list(origin);
  const account = granted.find(({ address }) =>
    isSameAddress(address, transaction.from),
  );
  if (!account) return sendRaw(chain.node, { raw, hash });
  const sender = { chain: toCaip2(chain.id), from: account.address };
  const whole = { ...transaction, chainId: chain.id };
  const outgoing = toOutgoing(whole, { hash, raw }, { account, origin });
  return nonces.alone(sender, async () => broadcast(chain, outgoing, raw));
}
