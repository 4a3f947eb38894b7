// The mock provider: the provider that dapps use, over a mock wallet.
import type { Address } from 'viem';
import { mnemonicToAccount } from 'viem/accounts';

import { randomHex } from '../../provider/src/eip1193';
import { createProvider } from '../../provider/src/provider';
import type { Provider } from '../../provider/src/provider';
import type { MockChain } from './chain';
import type { MockQuestion, MockUser } from './user';
import { createMockWallet } from './wallet';

/** Options of {@link createMockProvider}. All are optional. */
export type MockOptions = {
  /** By default that of anvil and Hardhat, whose accounts have money there. */
  mnemonic?: string;
  /** How many accounts the user has. Default: 3. */
  accounts?: number;
  /** The only chain. Default: 31337, without a node. */
  chain?: MockChain;
  /** The chains, of which the first is selected; instead of `chain`. */
  chains?: readonly MockChain[];
  /** How the user answers. Default: `approve`. */
  user?: MockUser;
};

/** Tollkeeper's provider, and the user's side of it. */
export type MockProvider = Provider & {
  /** How the user answers from now on. */
  user: MockUser;
  /** What the user was asked, in order. */
  readonly questions: readonly MockQuestion[];
  /** The accounts that the user has. */
  readonly addresses: readonly Address[];
  /** Connects these accounts as the user does in the wallet; none disconnects the dapp. */
  setAccounts: (addresses: readonly Address[]) => Promise<void>;
  /** Selects a chain as the user does in the wallet. */
  setChain: (id: number) => void;
};

const MNEMONIC = 'test test test test test test test test test test test junk';

/**
 * Creates a provider for tests: Tollkeeper's own, over a wallet that is a script. It needs viem.
 *
 * @example
 * ```ts
 * const provider = createMockProvider({ user: ['approve', 'reject'] });
 * const [account] = await provider.request({ method: 'eth_requestAccounts' });
 * ```
 */
export function createMockProvider({
  mnemonic = MNEMONIC,
  accounts = 3,
  chain = { id: 31_337 },
  chains = [chain],
  user = 'approve',
}: MockOptions = {}): MockProvider {
  // Of its own, so that providers of two tests in one page do not take each other for tabs.
  const snapId = `local:mock-${randomHex(8)}`;
  const wallet = createMockWallet({
    accounts: Array.from({ length: accounts }, (_, addressIndex) =>
      mnemonicToAccount(mnemonic, { addressIndex }),
    ),
    chains,
    user,
    snapId,
  });
  const provider = createProvider({ ethereum: wallet, snapId });
  return Object.defineProperties(provider, {
    user: {
      get: () => wallet.user,
      set: (next: MockUser) => {
        wallet.user = next;
      },
      enumerable: true,
    },
    questions: { value: wallet.questions },
    addresses: { value: wallet.addresses },
    setAccounts: {
      value: async (addresses: readonly Address[]) => {
        wallet.grant(addresses);
        // The provider finds the change, and tells it.
        await provider.request({ method: 'eth_accounts' });
      },
    },
    setChain: { value: wallet.select },
  }) as MockProvider;
}
