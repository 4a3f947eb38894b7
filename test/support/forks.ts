// Nodes' answers about their chains' forks (EIP-7910).
import type { GasFork } from '../../src/eth/intrinsic-gas';
import { fork as known } from '../fixtures/client/method-parts';

const { systemContracts } = known;

/** Contracts of Amsterdam (EIP-8282), under clients' names. */
const ofAmsterdam = {
  BUILDER_DEPOSIT_CONTRACT_ADDRESS: '0x0000bff46984e3725691fa540a8c7589300d8282',
  BUILDER_EXIT_CONTRACT_ADDRESS: '0x000064d678505ad48f8ccb093bc65613800e8282',
};

const configurations = {
  prague: known,
  amsterdam: { ...known, systemContracts: { ...systemContracts, ...ofAmsterdam } },
};

/**
 * Creates the answer of `eth_config`.
 *
 * @param next - When Amsterdam begins, in seconds since 1970.
 */
export function configOf(fork: GasFork, next?: number) {
  const upcoming =
    next === undefined ? null : { ...configurations.amsterdam, activationTime: next };
  return { current: configurations[fork], next: upcoming, last: upcoming };
}
