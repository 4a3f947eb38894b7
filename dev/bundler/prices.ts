// What the bundler takes for gas.
import { numberToHex } from 'viem';
import type { Hex } from 'viem';

import { refuse } from '../stack/json-rpc';
import type { Chain } from './chain';
import type { Operation } from './operation';

/** Fees of an operation, in wei. */
export type Price = { maxFeePerGas: bigint; maxPriorityFeePerGas: bigint };

/** Prices in hex by speed. */
export type PriceList = Record<'slow' | 'standard' | 'fast', Record<keyof Price, Hex>>;

const TIP = 1_000_000_000n;

// In eighths, by which a block may raise the base fee: one block ahead, two, four.
const headroom = { slow: 9n, standard: 10n, fast: 12n };

/** Fetch the least that is taken now. */
export async function fetchFloor(chain: Chain): Promise<Price> {
  return { maxFeePerGas: (await fetchBaseFee(chain)) + TIP, maxPriorityFeePerGas: TIP };
}

/** Fetch what should be offered: more than the floor, since the base fee may rise. */
export async function fetchPrices(chain: Chain): Promise<PriceList> {
  const baseFee = await fetchBaseFee(chain);
  const toPrice = (eighths: bigint): PriceList['slow'] => ({
    maxFeePerGas: numberToHex((baseFee * eighths) / 8n + TIP),
    maxPriorityFeePerGas: numberToHex(TIP),
  });
  return {
    slow: toPrice(headroom.slow),
    standard: toPrice(headroom.standard),
    fast: toPrice(headroom.fast),
  };
}

/**
 * Require that an operation pays enough.
 *
 * @throws {RpcFailure} -32602 naming the fee and the least of it.
 */
export function requireFloor(operation: Operation, floor: Price): void {
  for (const name of ['maxPriorityFeePerGas', 'maxFeePerGas'] as const) {
    if (operation[name] >= floor[name]) continue;
    refuse(
      `${name} is ${operation[name]} wei and must be at least ${floor[name]} wei now.`,
    );
  }
}

async function fetchBaseFee(chain: Chain): Promise<bigint> {
  return (await chain.getBlock()).baseFeePerGas ?? 0n;
}
