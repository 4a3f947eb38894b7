// Reviews the calls of transactions, batches and user operations, for dialogs and insights:
// describes them, compares them with facts from the chain and the user's history, and simulates
// them.
import type { RpcCallObject } from '../../packages/client/src';
import type { Chain } from '../chains/chain';
import type { InsightContext } from '../context';
import type { ChainId } from '../eth/chain';
import type { Hex } from '../eth/hex';
import { info, listDistinct, listFound, warning } from '../ui/warnings';
import type { NumberedWarning, Warning } from '../ui/warnings';
import { findBalances } from './ask';
import type { Pending } from './ask';
import {
  addFacts,
  listActingAccounts,
  listAddresses,
  listAllowances,
  listExpectedContracts,
  listCalls,
  listEffects,
} from './effects';
import type { CallEffect } from './effects';
import {
  findAllowanceFacts,
  findNewAccounts,
  findOwnCode,
  findUpgradeable,
  findMissingCodeAt,
  NO_MISSING_CODE,
  noteUpgradeable,
  checkBlockDependence,
  findAllowanceWarnings,
  warnOfMissingContracts,
} from './facts';
import type { NewAccount } from './facts';
import {
  findFirstPayments,
  findRepetitions,
  findLookAlikes,
  findWarningsOfEach,
} from './findings';
import { listUnknownCalls, warnOfOutcome } from './outcome';
import { listRisks, warnOfFailure } from './simulate';
import type { Simulation } from './simulate';
import { findUpgrades } from './upgrades';

type ReviewSubject = {
  signer: Hex;
  chainId: ChainId;
  /** Undefined if there is no server; then no facts are fetched. */
  chain: Chain | undefined;
  /** The calls to simulate; undefined to skip the simulation. */
  simulated: readonly RpcCallObject[] | undefined;
  /** Nonces, if the calls are transactions of an ordinary account. */
  nonces?: Promise<readonly (bigint | undefined)[]>;
  /** The account's new code, if the request changes it. Null if unknown. */
  nextCode?: Hex | null | undefined;
  /** Whether to find calls that create their recipients' accounts. */
  findsNew?: boolean;
};

export type Review = {
  calls: readonly CallEffect[];
  ofCalls: readonly NumberedWarning[];
  /** Warnings about look-alike addresses, first payments, and repeated calls. */
  ofPast: readonly Warning[];
  newAccounts: readonly NewAccount[];
  pendingSimulation: Pending<Simulation> | undefined;
  otherBlock?: Pending<boolean> | undefined;
  /** Described contracts that were upgraded after their descriptor was published. */
  upgrades?: Pending<readonly Hex[]> | undefined;
};

/** An empty review, for calls that only MetaMask's own dialog shows. */
export const EMPTY_REVIEW: Review = {
  calls: [],
  ofCalls: [],
  ofPast: [],
  newAccounts: [],
  pendingSimulation: undefined,
};

/** Sends most of its requests in the same tick, so that they can share a batch. Facts that arrive
 * too late cause no warning, except about unknown code. Rejects if `nonces` rejects. */
export async function reviewCalls(
  calls: readonly CallEffect[],
  subject: ReviewSubject,
  { describer, findFork, simulate, knownAddresses, now }: InsightContext,
): Promise<Review> {
  const { signer, chainId, chain, simulated, nextCode, findsNew = false } = subject;
  const startSimulation = (all: readonly CallEffect[]): Review['pendingSimulation'] =>
    chain && simulated && simulate(listActingAccounts(signer, all), simulated, chain);
  const firstSimulation = startSimulation(calls);
  const otherBlock =
    chain && simulated ? checkBlockDependence(simulated, chain.node, now()) : undefined;
  const describing = describer.calls(calls, chainId);
  const countActors = (all: readonly CallEffect[]): number =>
    listActingAccounts(signer, all).length;
  // Only a descriptor may decode some calls; they need the same checks.
  const checkMore = async () => {
    const all = await describing;
    const isMore = listEffects(all).length > listEffects(calls).length;
    const hasMoreActors = countActors(all) > countActors(calls);
    return {
      simulation: hasMoreActors ? startSimulation(all) : firstSimulation,
      facts: isMore ? await findFacts(all, subject) : undefined,
    };
  };
  const upgradeSearch = chain && findUpgrades(describing, chain.node);
  const [described, firstFacts, more, newAccounts, ownCode, known, nonces] =
    await Promise.all([
      describing,
      findFacts(calls, subject),
      checkMore(),
      chain && findsNew ? findNewAccounts(calls, chain, findFork) : [],
      chain && nextCode === undefined ? findOwnCode(calls, chain.node) : undefined,
      knownAddresses(),
      subject.nonces,
    ]);
  const { simulation: pendingSimulation } = more;
  const { missingCode, allowances, balances, upgradeable } = more.facts ?? firstFacts;
  const missing = warnOfMissingContracts(
    described.map((call, index) => ({ ...call, nonce: nonces?.[index] })),
    missingCode,
  );
  // A called contract can also be a spender, so a warning can occur twice.
  const ofCalls = listDistinct([
    ...findWarningsOfEach(described, nextCode ?? ownCode),
    ...missing,
    ...findAllowanceWarnings(described, allowances),
    ...noteUpgradeable(described, upgradeable, chainId),
  ]);
  const isDescribed = listCalls(described).some(({ description }) => description);
  const upgrades = isDescribed ? upgradeSearch : undefined;
  const facts = {
    signer,
    balances,
    upgradeable,
    codeless: missingCode.none,
    divisible: allowances.divisible,
  };
  const lookAlikes = findLookAlikes(listAddresses(described), known.all);
  return {
    calls: described.map((call) => addFacts(call, facts)),
    ofCalls,
    ofPast: [
      ...findRepetitions(described, known.open, { signer, chainId, nonces }),
      ...(lookAlikes.length > 0 ? lookAlikes : findFirstPayments(described, known)),
    ],
    newAccounts,
    // Waits for the simulation and the upgrades, so that one redraw shows both.
    pendingSimulation:
      pendingSimulation && upgrades
        ? {
            ...pendingSimulation,
            pending: async () => {
              await Promise.all([pendingSimulation.pending(), upgrades.pending()]);
            },
          }
        : pendingSimulation,
    otherBlock,
    upgrades,
  };
}

async function findFacts(
  calls: readonly CallEffect[],
  { signer, chainId, chain }: ReviewSubject,
) {
  const called = listExpectedContracts(calls);
  // Also checks recipients of unknown calls: data to an address without code is only a note.
  const addressesToCheck = [
    ...called,
    ...listUnknownCalls(calls).flatMap(({ to }) => to ?? []),
  ];
  const requestedAllowances = listAllowances(calls);
  const [missingCode, allowances, balances, upgradeable] = await Promise.all([
    chain ? findMissingCodeAt(addressesToCheck, chain.node) : NO_MISSING_CODE,
    findAllowanceFacts(requestedAllowances, chainId, chain?.node),
    findBalances(requestedAllowances, signer, chain?.node),
    chain ? findUpgradeable(called, chain.node) : [],
  ]);
  return { missingCode, allowances, balances, upgradeable };
}

export function warnOfUpgrades({ upgrades }: Pick<Review, 'upgrades'>): Warning[] {
  const found = upgrades?.now() ?? [];
  return found.map((address) => warning('alert.upgraded', { address }));
}

/** Returns the results available so far. `shown` lists the warnings on the screen, and `chain` is a
 * CAIP-2 id. */
export function getOutlook(
  { calls, pendingSimulation, otherBlock, upgrades }: Review,
  shown: readonly Warning[],
  chain: string,
): {
  simulation: Simulation | undefined;
  warnings: readonly Warning[];
  /** Names of the risks that the user must see before approval. */
  risks: readonly string[];
} {
  const simulation = pendingSimulation?.now();
  return {
    simulation,
    warnings: listFound(
      warnOfFailure(simulation, shown),
      warnOfOutcome(simulation, calls, chain),
      otherBlock?.now() && info('alert.dependsOnBlock'),
      warnOfUpgrades({ upgrades }),
    ),
    risks: listRisks(simulation),
  };
}
