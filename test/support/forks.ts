// A node's answers about its chain's forks (EIP-7910).
import type { GasFork } from '../../src/eth/intrinsic-gas';
import { fork as known } from '../fixtures/client/method-parts';

const { systemContracts } = known;

/** Amsterdam's system contracts (EIP-8282), by the names that clients use. */
const amsterdamContracts = {
  BUILDER_DEPOSIT_CONTRACT_ADDRESS: '0x0000bff46984e3725691fa540a8c7589300d8282',
  BUILDER_EXIT_CONTRACT_ADDRESS: '0x000064d678505ad48f8ccb093bc65613800e8282',
};

const configurations = {
  prague: known,
  amsterdam: {
    ...known,
    systemContracts: { ...systemContracts, ...amsterdamContracts },
  },
};

/**
 * Creates the answer to `eth_config`.
 *
 * @param next - Start of Amsterdam, in seconds since 1970.
 */
export function configOf(fork: GasFork, next?: number) {
  const upcoming =
    next === undefined ? null : { ...configurations.amsterdam, activationTime: next };
  return { current: configurations[fork], next: upcoming, last: upcoming };
}
