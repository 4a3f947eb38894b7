// The review of calls: the findings that their signer needs. One way for
// transactions, batches, user operations and insights: the calls are described, held against what
// the chain and the user know, and simulated.
import type { RpcCallObject } from '../../packages/client/src';
import type { Chain } from '../chains/chain';
import type { InsightContext } from '../context';
import type { ChainId } from '../eth/chain';
import type { Hex } from '../eth/hex';
import { info, listDistinct, listFound, warning } from '../ui/warnings';
import type { NumberedWarning, Warning } from '../ui/warnings';
import { findBalances } from './ask';
import {
  addFacts,
  listActors,
  listAddresses,
  listAllowances,
  listCalled,
  listCalls,
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
  tryOtherBlock,
  findAllowanceWarnings,
  warnOfMissingContracts,
} from './facts';
import type { NewAccount, OtherBlock } from './facts';
import {
  findFirstPayments,
  findRepetitions,
  findLookAlikes,
  findWarningsOfEach,
} from './findings';
import { listUnknown, warnOfOutcome } from './outcome';
import { listRisks, warnOfFailure } from './simulate';
import type { PendingSimulation, Simulation } from './simulate';
import { findUpgrades } from './upgrades';
import type { Upgrades } from './upgrades';

export type ReviewPlace = {
  signer: Hex;
  chainId: ChainId;
  /** Undefined if it has no server: then nothing is asked. */
  chain: Chain | undefined;
  /** What the node carries out to simulate them; undefined if nothing is simulated. */
  simulated: readonly RpcCallObject[] | undefined;
  /** Nonces of calls that are transactions of an ordinary account. */
  nonces?: Promise<readonly (bigint | undefined)[]>;
  /** The code that the signer's account runs by then, where the request changes it; null if that
   * is not known. */
  nextCode?: Hex | null | undefined;
  /** Whether the calls are to be found that create the accounts that they pay. */
  findsNew?: boolean;
};

export type Review = {
  calls: readonly CallEffect[];
  ofCalls: readonly NumberedWarning[];
  /** Addresses that resemble known ones, those that are paid for the first time, and calls that were
   * approved before and can still be executed. */
  ofPast: readonly Warning[];
  newAccounts: readonly NewAccount[];
  pendingSimulation: PendingSimulation | undefined;
  otherBlock?: OtherBlock | undefined;
  upgrades?: Upgrades | undefined;
};

export type Outlook = {
  simulation: Simulation | undefined;
  warnings: readonly Warning[];
  /** Names of the risks that must be seen before approval. */
  risks: readonly string[];
};

/** The review of calls that MetaMask's own dialog asks about: nothing draws it. */
export const UNSEEN: Review = {
  calls: [],
  ofCalls: [],
  ofPast: [],
  newAccounts: [],
  pendingSimulation: undefined,
};

/** Finds out about calls. The chain is asked in the tick of the call, so that a node that takes
 * batches gets one. What is not found out in time is not warned of. Throws if the nonces do. */
export async function reviewCalls(
  calls: readonly CallEffect[],
  place: ReviewPlace,
  { describer, findFork, simulate, knownAddresses, now }: InsightContext,
): Promise<Review> {
  const { signer, chainId, chain, simulated, nextCode, findsNew = false } = place;
  const actors = listActors(signer, calls);
  const called = listCalled(calls);
  // Data that are no call's are a note, if nothing is there that could read them.
  const asked = [...called, ...listUnknown(calls).flatMap(({ to }) => to ?? [])];
  const given = listAllowances(calls);
  const pendingSimulation = chain && simulated && simulate(actors, simulated, chain);
  const otherBlock =
    chain && simulated ? tryOtherBlock(simulated, chain.node, now()) : undefined;
  const describing = describer.calls(calls, chainId);
  const searching = chain && findUpgrades(describing, chain.node);
  const [
    described,
    missingCode,
    allowances,
    balances,
    newAccounts,
    ownCode,
    known,
    nonces,
    upgradeable,
  ] = await Promise.all([
    describing,
    chain ? findMissingCodeAt(asked, chain.node) : NO_MISSING_CODE,
    findAllowanceFacts(given, chainId, chain?.node),
    findBalances(given, signer, chain?.node),
    chain && findsNew ? findNewAccounts(calls, chain, findFork) : [],
    chain && nextCode === undefined ? findOwnCode(calls, chain.node) : undefined,
    knownAddresses(),
    place.nonces,
    chain ? findUpgradeable(called, chain.node) : [],
  ]);
  const missing = warnOfMissingContracts(
    calls.map((call, index) => ({ ...call, nonce: nonces?.[index] })),
    missingCode,
  );
  // A called contract can be a spender, too.
  const ofCalls = listDistinct([
    ...findWarningsOfEach(described, nextCode ?? ownCode),
    ...missing,
    ...findAllowanceWarnings(calls, allowances),
    ...noteUpgradeable(described, upgradeable, chainId),
  ]);
  const isDescribed = listCalls(described).some(({ description }) => description);
  const upgrades = isDescribed ? searching : undefined;
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
    // Both are drawn together.
    pendingSimulation:
      pendingSimulation && upgrades
        ? {
            ...pendingSimulation,
            pending: async () => {
              await Promise.all([pendingSimulation.pending(), upgrades.searched]);
            },
          }
        : pendingSimulation,
    otherBlock,
    upgrades,
  };
}

/** Warns of described contracts whose code is another one by now, as far as it is known. */
export function warnOfUpgrades({ upgrades }: Pick<Review, 'upgrades'>): Warning[] {
  const found = upgrades?.found() ?? [];
  return found.map((address) => warning('alert.upgraded', { address }));
}

/** Returns the simulation's result so far on a chain (CAIP-2). `shown` are the warnings that the user
 * sees already. */
export function lookAhead(
  { calls, pendingSimulation, otherBlock, upgrades }: Review,
  shown: readonly Warning[],
  chain: string,
): Outlook {
  const simulation = pendingSimulation?.now();
  return {
    simulation,
    warnings: listFound(
      warnOfFailure(simulation, shown),
      warnOfOutcome(simulation, calls, chain),
      otherBlock?.differs() && info('alert.dependsOnBlock'),
      warnOfUpgrades({ upgrades }),
    ),
    risks: listRisks(simulation),
  };
}
