// Well-known contracts. Tokens are listed by their addresses on each chain. The symbols of other
// tokens are not trusted, because a contract can call itself anything.
import { entryPoints } from '../core/entry-points';
import { findKnownChain, listCoins } from '../eth/chain';
import { hasAddress, isSameAddress, ZERO_ADDRESS } from '../eth/hex';
import type { Hex } from '../eth/hex';
import { DETERMINISTIC_DEPLOYER } from '../eth/user-operation';

export type TokenUnit = { symbol: string; decimals: number };

const ROLLUP_WETH: Hex = '0x4200000000000000000000000000000000000006';

const CBBTC: Hex = '0xcbB7C0000aB88B473b1f5aFd9ef808440eed33Bf';

/** The address that stands for the native currency in place of a token. Some contracts use zero. */
export const COIN: Hex = '0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE';

/** Tokens have 18 decimals unless the row says otherwise. */
const knownTokens: readonly [
  chain: string,
  token: Hex,
  symbol: string,
  decimals?: number,
][] = [
  ['eip155:1', '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48', 'USDC', 6],
  ['eip155:1', '0xdAC17F958D2ee523a2206206994597C13D831ec7', 'USDT', 6],
  ['eip155:1', '0x6B175474E89094C44Da98b954EedeAC495271d0F', 'DAI'],
  ['eip155:1', '0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2', 'WETH'],
  ['eip155:1', '0x2260FAC5E5542a773Aa44fBCfeDf7C193bc2C599', 'WBTC', 8],
  ['eip155:1', '0x8236a87084f8B84306f72007F36F2618A5634494', 'LBTC', 8],
  ['eip155:1', CBBTC, 'cbBTC', 8],
  ['eip155:1', '0x7f39C581F595B53c5cb19bD0b3f8dA6c935E2Ca0', 'wstETH'],
  ['eip155:1', '0xae7ab96520DE3A18E5e111B5EaAb095312D7fE84', 'stETH'],
  ['eip155:1', '0xae78736Cd615f374D3085123A210448E74Fc6393', 'rETH'],
  ['eip155:1', '0xCd5fE23C85820F7B72D0926FC9b05b43E359b7ee', 'weETH'],
  ['eip155:1', '0x4c9EDD5852cd905f086C759E8383e09bff1E68B3', 'USDe'],
  ['eip155:1', '0xdC035D45d973E3EC169d2276DDab16f1e407384F', 'USDS'],
  ['eip155:1', '0x6c3ea9036406852006290770BEdFcAbA0e23A0e8', 'PYUSD', 6],
  ['eip155:1', '0x514910771AF9Ca656af840dff83E8264EcF986CA', 'LINK'],
  ['eip155:1', '0x1f9840a85d5aF5bf1D1762F925BDADdC4201F984', 'UNI'],
  ['eip155:1', '0x7Fc66500c84A76Ad7e9c93437bFc5Ac33E2DDaE9', 'AAVE'],
  ['eip155:1', '0xCa14007Eff0dB1f8135f4C25B34De49AB0d42766', 'STRK'],
  ['eip155:10', '0x0b2C639c533813f4Aa9D7837CAf62653d097Ff85', 'USDC', 6],
  ['eip155:10', ROLLUP_WETH, 'WETH'],
  ['eip155:137', '0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359', 'USDC', 6],
  ['eip155:8453', '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913', 'USDC', 6],
  ['eip155:8453', ROLLUP_WETH, 'WETH'],
  ['eip155:8453', CBBTC, 'cbBTC', 8],
  ['eip155:8453', '0xecAc9C5F704e954931349Da37F60E39f515c11c1', 'LBTC', 8],
  ['eip155:8453', '0xc1CBa3fCea344f92D9239c08C0568f6F2F0ee452', 'wstETH'],
  ['eip155:42161', '0xaf88d065e77c8cC2239327C5EDb3A432268e5831', 'USDC', 6],
  ['eip155:42161', '0x82aF49447D8a07e3bd95BD0d56f35241523fBab1', 'WETH'],
  ['eip155:42161', '0x2f2a2543B76A4166549F7aaB2e75Bef0aefC5B0f', 'WBTC', 8],
  ['eip155:42161', '0x5979D7b546E38E414F7E9822514be443A4800529', 'wstETH'],
  ['eip155:42161', '0xf97f4df75117a78c1A5a0DBb814Af92458539FB4', 'LINK'],
  ['eip155:42161', CBBTC, 'cbBTC', 8],
  ['eip155:10', '0x94b008aA00579c1307B0EF2c499aD98a8ce58e58', 'USDT', 6],
  ['eip155:10', '0x1F32b1c2345538c0c6f582fCB022739c4A194Ebb', 'wstETH'],
  ['eip155:137', '0xc2132D05D31c914a87C6611C10748AEb04B58e8F', 'USDT', 6],
  ['eip155:137', '0x1BFD67037B42Cf73acF2047067bd4F2C47D9BfD6', 'WBTC', 8],
];

/** Finds a token's unit; `chain` is CAIP-2, and `token` is null for a contract creation. */
export function findTokenUnit(chain: string, token: Hex | null): TokenUnit | undefined {
  if (token === null) return undefined;
  const [, , symbol, decimals = 18] =
    knownTokens.find(
      ([each, address]) => each === chain && isSameAddress(address, token),
    ) ?? [];
  return symbol === undefined ? undefined : { symbol, decimals };
}

export function hasKnownTokens(chain: string): boolean {
  return knownTokens.some(([each]) => each === chain);
}

export function isCoin(address: Hex): boolean {
  return hasAddress([ZERO_ADDRESS, COIN], address);
}

/** Returns whether a symbol is, or looks like, that of the chain's native currency or of a
 * well-known token on it. Unknown contracts with such a symbol are not trusted. */
export function isReservedSymbol(symbol: string, chain: string): boolean {
  const known = knownTokens.filter(([each]) => each === chain);
  const coin = findKnownChain(chain)?.unit ?? 'ETH';
  const letters = toLetters(symbol);
  return [coin, ...known.map(([, , each]) => each)].some(
    (each) => toLetters(each) === letters,
  );
}

/** Returns whether a contract's symbol is unreliable: it contains a well-known symbol of any chain,
 * or characters other than a leading `$` and ASCII letters, which can read as an amount or as words
 * of a sentence. */
export function isDoubtful(symbol: string): boolean {
  const known = knownTokens.map(([, , symbol]) => symbol);
  const letters = toLetters(symbol);
  return (
    !/^\$?[a-z]+$/iu.test(symbol) ||
    [...known, ...listCoins()].some((each) => letters.includes(toLetters(each)))
  );
}

// `USDC.`, `U-S-D-C`, `USD₮` and `0P` count as what they look like.
function toLetters(symbol: string): string {
  return symbol
    .toLowerCase()
    .replace(/₮/gu, 't')
    .replace(/0/gu, 'o')
    .replace(/1/gu, 'l')
    .replace(/[^a-z\d]/gu, '');
}

/** The same address on nearly every chain. */
export const PERMIT2 = '0x000000000022D473030F116dDEE9F6B43aC78BA3';

const ETHEREUM = 'eip155:1';

/** Common contracts. Most have the same code or the same owner at their address on every chain. The
 * others are named on one chain only. */
const contracts: readonly [address: Hex, name: string, chain?: string][] = [
  [PERMIT2, 'Permit2'],
  ['0xcA11bde05977b3631167028862bE2a173976CA11', 'Multicall3'],
  ['0x7a250d5630B4cF539739dF2C5dAcb4c659F2488D', 'Uniswap V2', ETHEREUM],
  ['0xE592427A0AEce92De3Edee1F18E0157C05861564', 'Uniswap V3', ETHEREUM],
  ['0x68b3465833fb72A70ecDF485E0e4C7bD8665Fc45', 'Uniswap', ETHEREUM],
  ['0x1111111254EEB25477B68fb85Ed929f73A960582', '1inch', ETHEREUM],
  ['0x111111125421cA6dc452d289314280a0f8842A65', '1inch', ETHEREUM],
  ['0xDef1C0ded9bec7F1a1670819833240f027b25EfF', '0x', ETHEREUM],
  ['0x9008D19f58AAbD9eD0D60971565AA8510560ab41', 'CoW Protocol'],
  ['0x00000000000000ADc04C56Bf30aC9d3c0aAF14dC', 'Seaport 1.5'],
  ['0x0000000000000068F116a894984e2DB1123eB395', 'Seaport 1.6'],
  ['0x1E0049783F008A0085193E00003D00cd54003c71', 'OpenSea', ETHEREUM],
  ...Object.entries(entryPoints).map(([version, { entryPoint }]): [Hex, string] => [
    entryPoint,
    `EntryPoint ${version}`,
  ]),
];

/** Contracts that attackers imitate with look-alike addresses. */
export const knownContracts: readonly Hex[] = [
  ...contracts.map(([address]) => address),
  ...knownTokens.flatMap(([chain, token]) => (chain === ETHEREUM ? [token] : [])),
  COIN,
  ...Object.values(entryPoints).map(({ factory }) => factory),
  DETERMINISTIC_DEPLOYER,
];

/** Finds the name of a well-known contract, or a token's symbol. `chain` is CAIP-2. */
export function findName(chain: string, address: Hex): string | undefined {
  const [, name] =
    contracts.find(
      ([each, , only = chain]) => only === chain && isSameAddress(each, address),
    ) ?? [];
  return name ?? findTokenUnit(chain, address)?.symbol;
}
