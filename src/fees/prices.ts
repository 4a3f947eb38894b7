// Prices of native currencies in US dollars, which the chain's node reads from Chainlink's feeds
// there. They are only informative: old or implausible prices are not shown.
import type { CallOptions, NodeClient } from '../../packages/client/src';
import { encodeCall, toWord } from '../eth/abi';
import type { ChainId } from '../eth/chain';
import type { Hex } from '../eth/hex';
import { toDecimal } from '../eth/units';
import type { Translate } from '../ui/i18n';

export type CoinPrice = {
  /** US dollars, with {@link DECIMALS} decimals. */
  usd: bigint;
  /** Time since the feed's last update, in ms. */
  age: number;
};

/** Reads the price of a chain's currency; undefined if there is no price to show. Sends its
 * requests in the same tick. Never fails. */
export type ReadPrice = (options?: CallOptions) => Promise<CoinPrice | undefined>;

/** Prepares to read a price. Sends no requests if the user does not want prices. */
export type PreparePrice = (chain: {
  id: ChainId;
  node: NodeClient;
}) => Promise<ReadPrice>;

const DECIMALS = 8;

const WEI_PER_COIN = 10n ** 18n;

/** Above any currency's price, in US dollars with {@link DECIMALS} decimals. */
const MAX_PRICE = 10n ** 15n;

/** Feeds are updated at least once a day. */
const MAX_AGE_MS = 86_400_000;

/** Maximum time that the chain's clock may be ahead of ours. */
const MAX_AHEAD_MS = 300_000;

/** `0x` and the five words of `latestRoundData()`. The second word is the price, and the fourth its
 * time. */
const RoundForm = /^0x.{64}(?<price>.{64}).{64}(?<time>.{64}).{64}$/u;

/** @see https://docs.chain.link/data-feeds/price-feeds/addresses */
const feeds: ReadonlyMap<ChainId, Hex> = new Map<ChainId, Hex>([
  [1n, '0x5f4eC3Df9cbd43714FE2740f5E3616155c5b8419'],
  [10n, '0x13e3Ee699D1909E989722E753853AE30b17e08c5'],
  [56n, '0x0567F2323251f0Aab15c8dFb1967E4e8A7D42aeE'],
  [8453n, '0x71041dddad3595F9CEd3DcCFBe3D1F4b0a16Bb70'],
  [42_161n, '0x639Fe6ab55C921f74e7fac1ee960C0B6293ba612'],
  [43_114n, '0x0A77230d17318075983913bC2145DB16C7366156'],
  [59_144n, '0x3c6Cd9Cc7c7a4c2Cf5a82734CD249D7D593354dA'],
]);

export function createPreparePrice(
  now: () => number,
  isWanted: () => Promise<boolean>,
): PreparePrice {
  return async ({ id, node }) => {
    const to = feeds.get(id);
    const isAsked = to !== undefined && (await isWanted());
    return async (options) =>
      isAsked
        ? readFeed(to, node, { ...options, now }).catch(() => undefined)
        : undefined;
  };
}

async function readFeed(
  to: Hex,
  node: NodeClient,
  { now, ...options }: CallOptions & { now: () => number },
): Promise<CoinPrice | undefined> {
  const read = async (getter: 'decimals()' | 'latestRoundData()'): Promise<Hex> => {
    const call = { to, data: encodeCall(getter, []) };
    return node.request('eth_call', [call, 'latest'], options);
  };
  const [decimals, round] = await Promise.all([
    read('decimals()'),
    read('latestRoundData()'),
  ]);
  const { price, time } = RoundForm.exec(round)?.groups ?? {};
  if (toWord(decimals) !== BigInt(DECIMALS) || !price || !time) return undefined;
  const usd = BigInt(`0x${price}`);
  const age = now() - Number(BigInt(`0x${time}`)) * 1_000;
  const isPlausible = usd > 0n && usd < MAX_PRICE;
  const isFresh = age >= -MAX_AHEAD_MS && age <= MAX_AGE_MS;
  return isPlausible && isFresh ? { usd, age: Math.max(0, age) } : undefined;
}

export function toShownPrice(
  wei: bigint,
  { usd }: CoinPrice,
  translate: Translate,
): string {
  const style = { style: 'currency', currency: 'USD' } as const;
  const format = new Intl.NumberFormat(translate.language, style);
  const cent = WEI_PER_COIN * 10n ** BigInt(DECIMALS - 2);
  const isLess = wei * usd < cent;
  const shown = isLess ? '0.01' : toDecimal((wei * usd) / WEI_PER_COIN, DECIMALS);
  const amount = format.format(shown as Intl.StringNumericLiteral);
  return `${isLess ? '<' : '≈'} ${amount}`;
}
