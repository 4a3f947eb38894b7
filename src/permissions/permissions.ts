// Finds what others may do with an account's assets on a chain: candidates from the account's own
// activity and from logs, each of which is then read from the chain.
import type { Ledger } from '../activity/ledger';
import { isOf } from '../activity/ledger';
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

/** Permissions, unlimited ones first, and the search of the logs. */
export type FoundPermissions = {
  permissions: readonly Permission[];
  logs: LogReport;
};

export type Permissions = {
  /** Finds the permissions of an account on a chain; throws `UnavailableError` if no server serves
   * it. Logs are waited for `waitMs`, and looked through in the background then. */
  find: (
    record: AccountRecord,
    chainId: ChainId,
    waitMs: number,
  ) => Promise<FoundPermissions>;
};

type Reading = { at: number; of: string; permissions: Permission[] };

/** How long permissions that were read are shown, in ms, if nothing happens. */
const FRESH_MS = 30_000;

const MAX_KEPT = 50;

type PermissionsParts = {
  connect: Chains['connect'];
  ledger: Ledger;
  now: () => number;
  epoch: () => number;
  sleep: (ms: number) => Promise<unknown>;
};

/** Creates the search; one a worker, since it remembers what it has looked through. */
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
        isOf(each, { chain, from: record.address }),
      );
      await Promise.race([advanced, sleep(waitMs)]);
      // Logs come last, since they say since when.
      const all = [...sent.flatMap(listGiven), ...scan.list()];
      const candidates = [...new Map(all.map((each) => [toKey(each), each])).values()];
      // Whatever is settled meanwhile can have changed them.
      const of = [
        candidates.map(toKey),
        sent.map(({ hash, status }) => [hash, status]),
      ].join();
      const known = readings.get(key);
      const isFresh = known?.of === of && now() - known.at < FRESH_MS;
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
        return [...controllers, ...permissions].sort(
          (one, other) => rankOf(one) - rankOf(other),
        );
      };
      const reading = isFresh ? known : { at: now(), of, permissions: await read() };
      const { permissions } = reading;
      // What could not be read is asked for again.
      if (permissions.every(({ isKnown }) => isKnown)) readings.set(key, reading);
      else readings.delete(key);
      return { permissions, logs: scan.report() };
    },
  };
}

// Unlimited ones first, unknown ones last.
function rankOf({ isKnown, isUnlimited }: Permission): number {
  return isKnown ? Number(!isUnlimited) : 2;
}

// Lists what an entry of the activity may have given.
function listGiven(sent: SentTransaction): Candidate[] {
  return listAllowances(readSent(sent)).flatMap(toCandidates);
}

function toCandidates({
  amount,
  id,
  expiration,
  ...effect
}: AllowanceEffect): Candidate[] {
  const place = { spender: toLower(effect.spender), token: toLower(effect.token) };
  if (id !== undefined) return [{ kind: 'nft', ...place, id }];
  if (amount === undefined) return [{ kind: 'operator', ...place }];
  if (expiration !== undefined) return [{ kind: 'permit2', ...place }];
  // For a collection of NFTs, the amount is a number.
  return [
    { kind: 'allowance', ...place },
    { kind: 'nft', ...place, id: amount },
  ];
}
