// The keyring and its parts, put together over what the platform gives. A worker has one.
import { createIndices } from '../accounts/create';
import type { GetEntropy } from '../accounts/keys';
import { createRepository } from '../accounts/repository';
import type { AccountRepository } from '../accounts/repository';
import { createSigner } from '../accounts/keys';
import type { Ledger } from '../activity/ledger';
import { fetchUsage } from '../chains/addresses';
import type { Chains } from '../chains/chain';
import {
  checkAccountAddress,
  fetchAccountAddress,
  fetchNewestEntryPoint,
} from '../chains/contracts';
import type { RouteServices } from '../methods';
import type { PrivateStore } from '../state/private-state';
import { createAgreement } from './agreement';
import type { CreateAccountsServices } from './create-accounts';
import { createKeyringEvents } from './events';
import type { EmitKeyringEvent } from './events';
import { createInFlight } from './in-flight';
import { createKeyring } from './keyring';
import { createKnownAddresses } from './known-addresses';
import { createProgressTracker } from './progress';
import type { ProgressTracker } from './progress';
import { createRequests } from './requests';
import type { RequestServices } from './requests';
import type { RestoreServices } from './restore-accounts';
import type { KeyringCall } from './rows';
import { createSettler } from './settle';

/** What the keyring is made of. */
export type KeyringParts = Pick<RequestServices, 'currentSession' | 'redirect'> &
  Pick<
    RouteServices,
    | 'nonces'
    | 'operationNonces'
    | 'broadcast'
    | 'broadcastOperation'
    | 'awaitSettled'
    | 'signedOperations'
    | 'knownOperations'
    | 'callBatches'
    | 'findSent'
    | 'findRival'
    | 'now'
    | 'feeLevels'
    | 'prepareFeeLevels'
  > & {
    store: PrivateStore;
    chains: Chains;
    ledger: Pick<Ledger, 'list'>;
    getEntropy: GetEntropy;
    emit: EmitKeyringEvent;
  };

/** Everything that works on accounts. */
export type KeyringApp = CreateAccountsServices &
  RestoreServices &
  Pick<KeyringCall, 'keyring' | 'requests' | 'assets'> & {
    progress: ProgressTracker;
    methodServices: RouteServices;
    /** Tell whether the user wants what MetaMask confirmed to be confirmed once more. */
    confirmsTwice: () => Promise<boolean>;
  };

/** Put the keyring together. */
export function composeKeyring(parts: KeyringParts): KeyringApp {
  const { store, chains, getEntropy, currentSession } = parts;
  const repository = createRepository(store, currentSession);
  const events = createKeyringEvents(parts.emit);
  const inFlight = createInFlight();
  const withPrivateKey = createSigner(getEntropy);
  const accounts = {
    repository,
    events,
    getEntropy,
    indices: createIndices(repository.list),
    agreement: createAgreement({ repository, events, inFlight }),
    ...composePlaces(chains),
  };
  const settler = createSettler({ repository, events, inFlight, currentSession });
  const keyring = createKeyring({ ...accounts, settler, withPrivateKey });
  return {
    ...accounts,
    keyring,
    requests: createRequests({ ...parts, keyring, events }),
    assets: { chains, repository, findSent: parts.findSent },
    progress: createProgressTracker(),
    ...composeAnswers(parts),
    methodServices: {
      withPrivateKey,
      connect: chains.connect,
      paymasterAt: chains.paymasterAt,
      ownChain: chains.own,
      feeLevels: parts.feeLevels,
      prepareFeeLevels: parts.prepareFeeLevels,
      nonces: parts.nonces,
      operationNonces: parts.operationNonces,
      broadcast: parts.broadcast,
      broadcastOperation: parts.broadcastOperation,
      awaitSettled: parts.awaitSettled,
      signedOperations: parts.signedOperations,
      knownOperations: parts.knownOperations,
      callBatches: parts.callBatches,
      now: parts.now,
      findSent: parts.findSent,
      findRival: parts.findRival,
      ...composeLooks(repository, parts),
    },
  };
}

function composeAnswers({
  store,
  chains,
  now,
}: Pick<KeyringParts, 'store' | 'chains' | 'now'>): Pick<
  KeyringApp,
  'confirmsTwice' | 'fetchUsage' | 'now'
> {
  return {
    now,
    confirmsTwice: async () => (await store.read()).settings.secondConfirmation,
    fetchUsage: async (addresses, unasked) => fetchUsage(chains, addresses, unasked),
  };
}

/** What methods read beside the request. */
function composeLooks(
  repository: AccountRepository,
  { store, chains, ledger }: KeyringParts,
): Pick<RouteServices, 'feeLevel' | 'knownAddresses' | 'servedChains'> {
  return {
    feeLevel: async () => (await store.read()).settings.feeLevel,
    knownAddresses: createKnownAddresses({ repository, ledger }),
    servedChains: async () => chains.list().catch(() => undefined),
  };
}

function composePlaces(
  chains: Chains,
): Pick<
  KeyringApp,
  | 'ownChain'
  | 'contractsOf'
  | 'newestEntryPoint'
  | 'fetchAccountAddress'
  | 'checkAccountAddress'
> {
  return {
    ownChain: chains.own,
    contractsOf: chains.row,
    newestEntryPoint: async (chainId) => fetchNewestEntryPoint(chains, chainId),
    fetchAccountAddress: async (origin, chainId) =>
      fetchAccountAddress(chains, origin, chainId),
    checkAccountAddress: async (account, chainId) =>
      checkAccountAddress(chains, account, chainId),
  };
}
