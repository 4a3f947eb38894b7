// Batches of the mock wallet (EIP-5792): a transaction for each call, as Tollkeeper sends those of
// an ordinary account.
import type { Address, Hex } from 'viem';
import type { LocalAccount } from 'viem/accounts';

import { randomHex } from '../../provider/src/eip1193';
import type { Ask } from '../../provider/src/eip1193';
import { fail } from './errors';
import { assertParams, isNamed, readChainId, toObject } from './params';
import type { Asked } from './params';

type Hands = {
  ask: (asked: Asked) => Promise<unknown>;
  findNode: (chainId: Hex) => Ask;
  chainIds: () => Hex[];
  /** Gets a connected account; without an address, the only one. */
  requireAccount: (address: unknown) => LocalAccount;
  send: (asked: Asked, account: LocalAccount) => Promise<Hex>;
};

type Batch = {
  chainId: Hex;
  size: number;
  hashes: Hex[];
  account: Address;
  isSending: boolean;
};

const VERSION = '2.0.0';
const MAX_CALLS = 100;

const capabilities = {
  atomic: { status: 'unsupported' },
  paymasterService: { supported: false },
};

/** Creates the answers of EIP-5792. */
export function createCalls({
  ask,
  findNode,
  chainIds,
  requireAccount,
  send,
}: Hands): Record<string, (asked: Asked) => unknown> {
  const batches = new Map<string, Batch>();

  const findBatch = (asked: Asked): readonly [string, Batch] => {
    const [id] = asked.params;
    assertParams(typeof id === 'string' && id !== '', asked);
    const batch = batches.get(String(id));
    if (!batch) fail('unknownId', `There are no calls with the id "${String(id)}".`);
    requireAccount(batch.account);
    return [String(id), batch];
  };

  const sendAll = async (
    batch: Batch,
    calls: readonly unknown[],
    [asked, account]: Parameters<Hands['send']>,
  ): Promise<void> => {
    try {
      for (const call of calls) {
        batch.hashes.push(await send({ ...asked, params: [call] }, account));
      }
    } catch (error) {
      // The status tells how far it came.
      if (batch.hashes.length === 0) throw error;
    } finally {
      batch.isSending = false;
    }
  };

  return {
    wallet_getCapabilities: (asked) => {
      const [address, wanted] = asked.params;
      requireAccount(address);
      const known = chainIds().filter(
        (id) => !Array.isArray(wanted) || wanted.includes(id),
      );
      return Object.fromEntries(known.map((id) => [id, capabilities]));
    },
    wallet_sendCalls: async (asked) => {
      const wanted = toObject(asked.params[0]);
      const {
        version,
        from,
        atomicRequired,
        calls,
        id = `0x${randomHex(32)}`,
      } = wanted;
      const isRight =
        version === VERSION &&
        typeof atomicRequired === 'boolean' &&
        typeof id === 'string' &&
        (from === undefined || isNamed(from)) &&
        Array.isArray(calls) &&
        calls.length > 0;
      assertParams(isRight, asked);
      const all = calls as unknown[];
      const chainId = readChainId(asked);
      if (all.length > MAX_CALLS) {
        fail('tooManyCalls', `At most ${MAX_CALLS} calls are sent at once.`);
      }
      for (const each of [wanted, ...all]) assertOptional(toObject(each).capabilities);
      const account = requireAccount(from);
      if (atomicRequired === true) {
        fail(
          'notAtomic',
          `The account ${account.address} cannot send calls atomically.`,
        );
      }
      if (!chainIds().includes(chainId)) {
        fail('unsupportedChain', `The chain ${BigInt(chainId)} is not known.`);
      }
      const key = String(id);
      if (batches.has(key)) fail('duplicateId', `The id "${key}" was used already.`);
      await ask(asked);
      if (batches.has(key)) fail('duplicateId', `The id "${key}" was used already.`);
      const batch: Batch = {
        chainId,
        size: all.length,
        hashes: [],
        account: account.address,
        isSending: true,
      };
      batches.set(key, batch);
      await sendAll(batch, all, [{ ...asked, chainId }, account]).catch((error) => {
        batches.delete(key);
        throw error;
      });
      return { id: key };
    },
    wallet_getCallsStatus: async (asked) => {
      const [id, batch] = findBatch(asked);
      const { chainId, hashes } = batch;
      const node = findNode(chainId);
      const found = (await Promise.all(
        hashes.map(async (hash) =>
          node({ method: 'eth_getTransactionReceipt', params: [hash] }),
        ),
      )) as (Receipt | null)[];
      const receipts = found.filter((receipt) => receipt !== null);
      return {
        version: VERSION,
        id,
        chainId,
        status: toStatus(batch, receipts),
        atomic: false,
        ...(receipts.length > 0 && { receipts: receipts.map(toReceipt) }),
      };
    },
    wallet_showCallsStatus: (asked) => {
      findBatch(asked);
      return null;
    },
  };
}

type Receipt = {
  status: Hex;
  logs: { address: Hex; data: Hex; topics: Hex[] }[];
  [field: string]: unknown;
};

function toStatus(batch: Batch, receipts: readonly Receipt[]): number {
  if (batch.isSending || receipts.length < batch.hashes.length) return 100;
  const succeeded = receipts.filter(({ status }) => status === '0x1').length;
  if (succeeded === batch.size) return 200;
  return succeeded > 0 ? 600 : 500;
}

function toReceipt(receipt: Receipt): object {
  const { logs, status, blockHash, blockNumber, gasUsed, transactionHash } = receipt;
  return {
    logs: logs.map(({ address, data, topics }) => ({ address, data, topics })),
    ...{ status, blockHash, blockNumber, gasUsed, transactionHash },
  };
}

/** Refuses capabilities that are not optional. */
export function assertOptional(wanted: unknown): void {
  for (const [name, capability] of Object.entries(toObject(wanted))) {
    if (toObject(capability).optional === true) continue;
    fail('unsupportedCapability', `The capability "${name}" is not supported.`);
  }
}
