// Contracts that people meet often, by name. Deployers that give an address to one code alone, or
// that are theirs on every chain, made most of them; the others have their names on Ethereum.
import { isSameAddress } from '../eth/hex';
import type { Hex } from '../eth/hex';
import { DETERMINISTIC_DEPLOYER, entryPoints } from '../eth/user-operation';
import { COIN, findTokenUnit } from './tokens';

/** At this address on every chain. */
export const PERMIT2 = '0x000000000022D473030F116dDEE9F6B43aC78BA3';

const ETHEREUM = 'eip155:1';

/** Addresses and names; the chain where it is not the same everywhere. */
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

/** Contracts of which addresses that resemble theirs are no accident. */
export const knownContracts: readonly Hex[] = [
  ...contracts.map(([address]) => address),
  // WETH, USDC, USDT, DAI on Ethereum.
  '0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2',
  '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48',
  '0xdAC17F958D2ee523a2206206994597C13D831ec7',
  '0x6B175474E89094C44Da98b954EedeAC495271d0F',
  COIN,
  ...Object.values(entryPoints).map(({ factory }) => factory),
  DETERMINISTIC_DEPLOYER,
];

/** Finds the name of a contract, or the symbol of a token, that people know. `chain` is CAIP-2. */
export function findName(chain: string, address: Hex): string | undefined {
  const [, name] =
    contracts.find(
      ([each, , only = chain]) => only === chain && isSameAddress(each, address),
    ) ?? [];
  return name ?? findTokenUnit(chain, address)?.symbol;
}
