// Addresses made to be taken for another: wallets show their first and last digits, and
// whoever poisons a history makes one that has the same ones.
import type { AccountRepository } from '../accounts/repository';
import type { Ledger } from '../activity/ledger';
import type { KnownAddresses } from '../context';
import { isOrdinary } from '../eth/hex';
import type { Hex } from '../eth/hex';
import { DETERMINISTIC_DEPLOYER, entryPoints } from '../eth/user-operation';
import { danger } from '../ui/warnings';
import type { Warning } from '../ui/warnings';

/** How many digits are the same at each end: making such an address takes minutes. */
const SAME_DIGITS = 4;

/** Most that are named: one is enough to stop. */
const MAX_NAMED = 3;

/** Contracts that people meet often: addresses that resemble theirs are no accident. Most have
 * the same address on every chain. */
export const knownContracts: readonly Hex[] = [
  // Permit2, Multicall3.
  '0x000000000022D473030F116dDEE9F6B43aC78BA3',
  '0xcA11bde05977b3631167028862bE2a173976CA11',
  // WETH, USDC, USDT, DAI on Ethereum.
  '0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2',
  '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48',
  '0xdAC17F958D2ee523a2206206994597C13D831ec7',
  '0x6B175474E89094C44Da98b954EedeAC495271d0F',
  // Routers of Uniswap and 1inch, the settlement of CoW.
  '0x7a250d5630B4cF539739dF2C5dAcb4c659F2488D',
  '0xE592427A0AEce92De3Edee1F18E0157C05861564',
  '0x68b3465833fb72A70ecDF485E0e4C7bD8665Fc45',
  '0x1111111254EEB25477B68fb85Ed929f73A960582',
  '0x111111125421cA6dc452d289314280a0f8842A65',
  '0x9008D19f58AAbD9eD0D60971565AA8510560ab41',
  // Seaport 1.5 and 1.6, and the conduit of OpenSea.
  '0x00000000000000ADc04C56Bf30aC9d3c0aAF14dC',
  '0x0000000000000068F116a894984e2DB1123eB395',
  '0x1E0049783F008A0085193E00003D00cd54003c71',
  // What stands for the native coin where a token is asked for.
  '0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE',
  // Those of ERC-4337, and the deterministic deployer.
  ...Object.values(entryPoints).flatMap(({ entryPoint, factory }) => [
    entryPoint,
    factory,
  ]),
  DETERMINISTIC_DEPLOYER,
];

/**
 * Warns of addresses that resemble a known one without being one. Numbers that have a meaning,
 * such as the zero address, are left out: nobody makes them.
 *
 * @param addresses - Those that a request names; each is reported once.
 * @param known - The user's own, recent recipients, well-known contracts.
 */
export function findLookAlikes(
  addresses: readonly Hex[],
  known: readonly Hex[],
): Warning[] {
  const exact = new Set(known.map(toLower));
  const byEnds = new Map(
    known.filter(isOrdinary).map((each) => [endsOf(each), each] as const),
  );
  const named = new Map(
    addresses.filter(isOrdinary).map((each) => [toLower(each), each] as const),
  );
  const found = [...named].flatMap(([lower, address]) => {
    const resembled = exact.has(lower) ? undefined : byEnds.get(endsOf(lower));
    return resembled === undefined
      ? []
      : [danger('warning.lookAlike', { address, known: resembled })];
  });
  return found.slice(0, MAX_NAMED);
}

function endsOf(address: string): string {
  const digits = toLower(address).slice(2);
  return digits.slice(0, SAME_DIGITS) + digits.slice(-SAME_DIGITS);
}

function toLower(address: string): string {
  return address.toLowerCase();
}

/** Creates what lists the addresses that the user knows. It never fails: what cannot be read is
 * left out. */
export function createKnownAddresses(
  repository: AccountRepository,
  ledger: Ledger,
): () => Promise<KnownAddresses> {
  return async () => {
    const [accounts, sent] = await Promise.all([
      repository.list().catch(() => []),
      ledger.list().catch(() => []),
    ]);
    const own = accounts.map(({ address }): Hex => address);
    const recipients = sent.flatMap(({ to }) => (to === null ? [] : [to]));
    return { own, all: [...own, ...recipients, ...knownContracts] };
  };
}
