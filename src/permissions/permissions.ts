// Finds the permissions over an account and its assets on a chain: collects candidates from the
// account's activity and from logs, and reads the current state of each.
import type { Ledger } from '../activity/ledger';
import { isSentBy } from '../activity/ledger';
import type { Chains } from '../chains/chain';
import { toCaip2 } from '../eth/chain';
import type { ChainId } from '../eth/chain';
import { toLower } from '../eth/hex';
import { listAllowances } from '../review/effects';
import type { AllowanceEffect } from '../review/effects';
import { readSent } from '../review/read';
import type { AccountRecord } from '../state/account-record';
import type { SentTransaction } from '../state/sent-transaction';
import { fetchControllers, readPermissions, toKey } from './permission';
import type { Candidate, Permission } from './permission';
import { createLogScan } from './scan';
import type { LogReport, LogScan } from './scan';

/** Permissions, unlimited ones first, and the state of the log search. */
export type FoundPermissions = {
  permissions: readonly Permission[];
  logs: LogReport;
};

export type Permissions = {
  /** Finds an account's permissions on a chain. Waits up to `waitMs` for the log search, which then
   * continues in the background. Throws `UnavailableError` if no server serves the chain. */
  find: (
    record: AccountRecord,
    chainId: ChainId,
    waitMs: number,
  ) => Promise<FoundPermissions>;
};

/** `at` is the time of reading; `basis` identifies the candidates and transactions it is based
 * on. */
type Reading = { at: number; basis: string; permissions: Permission[] };

const FRESH_MS = 30_000;

const MAX_KEPT = 50;

type PermissionsParts = {
  connect: Chains['connect'];
  ledger: Ledger;
  now: () => number;
  epoch: () => number;
  sleep: (ms: number) => Promise<unknown>;
};

/** Creates the search. Call it once per worker, because it remembers its progress. */
export function createPermissions(parts: PermissionsParts): Permissions {
  const { connect, ledger, now, epoch, sleep } = parts;
  const scans = new Map<string, LogScan>();
  const readings = new Map<string, Reading>();
  return {
    find: async (record, chainId, waitMs) => {
      const chain = toCaip2(chainId);
      const key = `${chain}:${record.address}`;
      if (scans.size >= MAX_KEPT && !scans.has(key)) {
        scans.clear();
        readings.clear();
      }
      const scan =
        scans.get(key) ??
        createLogScan(record.address, {
          connect: async () => connect(chainId),
          now,
          epoch,
        });
      scans.set(key, scan);
      const advanced = scan.advance();
      const sent = (await ledger.list()).filter((each) =>
        isSentBy(each, { chain, from: record.address }),
      );
      await Promise.race([advanced, sleep(waitMs)]);
      // Candidates from logs come last, to replace the others: only logs contain the block.
      const all = [...sent.flatMap(listGiven), ...scan.list()];
      const logs = scan.report();
      const candidates = [...new Map(all.map((each) => [toKey(each), each])).values()];
      // A transaction that settles may change the permissions.
      const basis = [
        candidates.map(toKey).sort(),
        sent.map(({ hash, status }) => [hash, status]),
      ].join();
      const known = readings.get(key);
      const isFresh = known?.basis === basis && now() - known.at < FRESH_MS;
      const read = async (): Promise<Permission[]> => {
        const { node } = await connect(chainId);
        const seconds = BigInt(Math.floor(now() / 1_000));
        const [controllers, permissions] = await Promise.all([
          fetchControllers(record, node).catch((): Permission[] => [
            {
              kind: record.type === 'eip155:eoa' ? 'delegation' : 'module',
              spender: record.address,
              isUnlimited: false,
              isKnown: false,
            },
          ]),
          readPermissions(candidates, { record, node, now: seconds }),
        ]);
        const found = new Set(permissions.map(toKey));
        scan.noteAbsent(candidates.map(toKey).filter((each) => !found.has(each)));
        return [...controllers, ...permissions].sort(
          (one, other) => rankOf(one) - rankOf(other),
        );
      };
      const reading = isFresh ? known : { at: now(), basis, permissions: await read() };
      const { permissions } = reading;
      // An incomplete reading is not reused.
      if (permissions.every(({ isKnown }) => isKnown)) readings.set(key, reading);
      else readings.delete(key);
      return { permissions, logs };
    },
  };
}

function rankOf({ isKnown, isUnlimited }: Permission): number {
  return isKnown ? Number(!isUnlimited) : 2;
}

function listGiven(sent: SentTransaction): Candidate[] {
  return listAllowances(readSent(sent)).flatMap(toCandidates);
}

function toCandidates({
  amount,
  id,
  expiration,
  ...effect
}: AllowanceEffect): Candidate[] {
  const parties = { spender: toLower(effect.spender), token: toLower(effect.token) };
  if (id !== undefined) return [{ kind: 'nft', ...parties, id }];
  if (amount === undefined) return [{ kind: 'operator', ...parties }];
  if (expiration !== undefined) return [{ kind: 'permit2', ...parties }];
  // ERC-721 uses the same function as ERC-20, with a token id instead of an amount.
  return [
    { kind: 'allowance', ...parties },
    { kind: 'nft', ...parties, id: amount },
  ];
}
