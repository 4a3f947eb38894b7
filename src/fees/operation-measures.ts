// What a user operation is measured by before its user is asked: one batch to the node.
import { isRollup } from '../client';
import type { NodeClient } from '../client';
import { withTimeLimit } from '../client/abort';
import { encodeCall, findWord } from '../eth/abi';
import type { ChainId } from '../eth/chain';
import { entryPoints } from '../eth/entry-point';
import type { SmartRecord } from '../state/account-record';
import type { FeeLevels } from './level';
import type { OperationFacts } from './operation-guard-rails';
import { toInitCode } from './operation-state';

/** A confirmation waits no longer for them. */
const TIME_LIMIT_MS = 5_000;

/** Where the figures come from. */
export type MeasureSources = {
  chainId: ChainId;
  /** Without one nothing is fetched. */
  node: NodeClient | undefined;
  levels: () => Promise<FeeLevels>;
};

/** Fetch what an account's operations are measured by; never fails, but may know less. */
export async function fetchOperationMeasures(
  account: SmartRecord,
  { chainId, node, levels }: MeasureSources,
): Promise<OperationFacts> {
  const known = {
    version: account.entryPoint,
    ownInitCode: toInitCode(account, false),
    isRollup: isRollup(chainId),
  };
  if (!node) return known;
  const { entryPoint: to } = entryPoints[account.entryPoint];
  const data = encodeCall('balanceOf(address)', [account.address]);
  try {
    return await withTimeLimit(async (signal) => {
      const options = { signal };
      const { address } = account;
      const [balance, deposit, code, found] = await Promise.all([
        node.request('eth_getBalance', [address, 'latest'], options),
        node.request('eth_call', [{ to, data }, 'latest'], options),
        node.request('eth_getCode', [address, 'latest'], options),
        // Without them the rest still counts.
        levels().catch(() => undefined),
      ]);
      return {
        ...known,
        levels: found,
        balance: BigInt(balance),
        deposit: findWord(deposit),
        isDeployed: code !== '0x',
      };
    }, TIME_LIMIT_MS);
  } catch {
    return known;
  }
}
