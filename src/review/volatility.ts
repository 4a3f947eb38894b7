// What can change the outcome of calls between their review and their inclusion: code that can be
// exchanged, and values of the block. Good to know and no danger, since most contracts are like that.
import { RpcError } from '../../packages/client/src';
import type { NodeClient, RpcCallObject } from '../../packages/client/src';
import { toCaip2 } from '../eth/chain';
import type { ChainId } from '../eth/chain';
import { isSameAddress, toQuantity } from '../eth/hex';
import type { Hex } from '../eth/hex';
import { findName } from '../ui/tokens';
import { info } from '../ui/warnings';
import type { NumberedWarning } from '../ui/warnings';
import { listCalls } from './effects';
import type { CallEffect } from './effects';
import { listCalled, within } from './facts';

/** Where proxies keep the address of their code, or of the beacon that knows it (EIP-1967). A clone
 * (EIP-1167) has it in its own code, and cannot be upgraded. */
const SLOTS = [
  '0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc',
  '0xa3f0ad74e5423aebfd80d3ef4346578335a9a72aeaee59ff6cb3582b35133d50',
];

/** Most contracts whose slots are read. */
const MAX_CONTRACTS = 20;

/** Most calls that are tried in another block. */
const MAX_TRIED = 5;

/** Most calls are included by then, in s. */
const LATER = 120;

/** Lists the contracts among the called ones that can be upgraded. Asks at once. */
export async function findUpgradeable(
  calls: readonly CallEffect[],
  node: NodeClient,
): Promise<Hex[]> {
  const contracts = listCalled(calls).slice(0, MAX_CONTRACTS);
  const found = await Promise.all(
    contracts.map(async (address) => {
      const words = await Promise.all(
        SLOTS.map(async (slot) =>
          within(async (signal) =>
            node.request('eth_getStorageAt', [address, slot, 'latest'], { signal }),
          ),
        ),
      );
      return words.some(
        (word) => word !== undefined && /[1-9a-f]/iu.test(word.slice(2)),
      );
    }),
  );
  return contracts.filter((_address, index) => found[index]);
}

/** Marks the calls, and those in them, of contracts that can be upgraded. */
export function markUpgradeable(
  call: CallEffect,
  upgradeable: readonly Hex[],
): CallEffect {
  if (upgradeable.length === 0) return call;
  const { to } = call;
  const inside = call.inside.map((each) =>
    each.kind === 'call' ? markUpgradeable(each, upgradeable) : each,
  );
  const isOne = to !== null && upgradeable.some((each) => isSameAddress(each, to));
  return { ...call, inside, ...(isOne && { isUpgradeable: true }) };
}

/**
 * Notes of calls that no descriptor describes that their contracts can be upgraded. Most well-known
 * contracts and those of the ERC-7730 registry can: of these, the fold of the call says so.
 */
export function noteUpgradeable(
  calls: readonly CallEffect[],
  upgradeable: readonly Hex[],
  chainId: ChainId,
): NumberedWarning[] {
  const chain = toCaip2(chainId);
  const unknown = upgradeable.filter((each) => findName(chain, each) === undefined);
  return calls.flatMap((call, index) => {
    const called = listCalls([call]).filter(({ description }) => !description);
    return unknown
      .filter((each) => called.some(({ to }) => to !== null && isSameAddress(to, each)))
      .map((address) => ({
        number: index + 1,
        warning: info('alert.upgradeable', { address }),
      }));
  });
}

/**
 * Tries calls in a block of now and in another one: two minutes later, with other randomness, base fee
 * and fee recipient. Asks at once, and does not wait.
 *
 * @returns Whether the node has answered by then, and an outcome differs. A node that ignores such
 * overrides shows no difference.
 */
export function tryOtherBlock(
  calls: readonly RpcCallObject[],
  node: NodeClient,
  now: number,
): () => boolean {
  let differs = false;
  const time = Math.floor(now / 1_000);
  for (const call of calls.slice(0, MAX_TRIED)) {
    if ((call.data ?? '0x') === '0x') continue;
    const runIn = async (seed: number): Promise<string | undefined> =>
      within(async (signal) => {
        const block = {
          time: toQuantity(BigInt(time + seed * LATER)),
          prevRandao: `0x${`${seed + 1}`.repeat(64)}` as const,
          feeRecipient: `0x${`${seed + 1}`.repeat(40)}` as const,
          baseFeePerGas: toQuantity(BigInt(seed + 1) * 1_000_000_007n),
        };
        return node
          .request('eth_call', [call, 'latest', {}, block], { signal })
          .catch(toReverted);
      });
    void Promise.all([runIn(0), runIn(1)]).then(([first, second]) => {
      // Where one of them failed for another reason, nothing is known.
      if (first && second && first !== second) differs = true;
    });
  }
  return () => differs;
}

/** Code of a call that reverts, with its data (geth and others). */
const REVERTED = 3;

function toReverted(error: unknown): string {
  const isReverted =
    error instanceof RpcError &&
    (error.code === REVERTED || /revert/iu.test(error.said));
  if (isReverted) return 'reverted';
  throw error;
}
