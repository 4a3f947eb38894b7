// MetaMask's UserOperationController and NetworkController, with the SnapKeyring of a wallet
// and the stack's chain and bundler.
import type { GasFeeEstimates, GasFeeState } from '@metamask/gas-fee-controller';
import {
  NetworkController,
  type NetworkControllerMessenger,
  RpcEndpointType,
} from '@metamask/network-controller';
import {
  type AddUserOperationRequest,
  type UserOperation,
  UserOperationController,
  type UserOperationControllerMessenger,
  type UserOperationMetadata,
} from '@metamask/user-operation-controller';
import { type Address, numberToHex } from 'viem';

import type { World } from '../../dev/demo/world';
import {
  createMessenger,
  createRootMessenger,
  type RootMessenger,
  words,
} from '../../dev/wallet/base';
import { provide } from '../../dev/wallet/controllers';

export type ControllerOptions = {
  entryPoint: Address;
  /** Makes of the bundler's address that the snap names the one that MetaMask gets. */
  toBundlerUrl: (url: string) => string;
  /** Takes what the snap prepares as if it had left `gasLimits` out. */
  withoutGasLimits?: boolean;
  /** Returns the fees that the user sets when MetaMask asks for approval. */
  editFees?: (
    operation: UserOperation,
  ) => Pick<UserOperation, 'maxFeePerGas' | 'maxPriorityFeePerGas'>;
};

const ACTIONS = `
  ApprovalController:addRequest KeyringController:patchUserOperation
  KeyringController:prepareUserOperation KeyringController:signUserOperation
  NetworkController:getNetworkClientById
`;

/** Sends an operation, waits until it is confirmed, and returns MetaMask's record of it. */
export async function sendUserOperation(
  { wallet: { keyring }, stack }: World,
  request: AddUserOperationRequest,
  { entryPoint, toBundlerUrl, withoutGasLimits, editFees }: ControllerOptions,
) {
  const root = createRootMessenger();
  provide(root, 'KeyringController', {
    async prepareUserOperation(
      ...given: Parameters<typeof keyring.prepareUserOperation>
    ) {
      const prepared = await keyring.prepareUserOperation(...given);
      const gasLimits = withoutGasLimits ? undefined : prepared.gasLimits;
      return { ...prepared, gasLimits, bundlerUrl: toBundlerUrl(prepared.bundlerUrl) };
    },
    patchUserOperation: keyring.patchUserOperation.bind(keyring),
    signUserOperation: keyring.signUserOperation.bind(keyring),
  });
  provide(root, 'ApprovalController', {
    addRequest: ({ id }: { id: string }) => {
      const fees = editFees?.(recordOf(id).userOperation);
      return { value: fees && { txMeta: { txParams: { ...request, ...fees } } } };
    },
  });
  const { networkClientId, destroy } = addNetwork(root, stack);
  const controller = new UserOperationController({
    entrypoint: entryPoint,
    getGasFeeEstimates: async () => fetchGasFees(stack),
    messenger: createMessenger<UserOperationControllerMessenger>(
      root,
      'UserOperationController',
      { actions: words(ACTIONS) },
    ),
  });
  const recordOf = (id: string): UserOperationMetadata => {
    const record = controller.state.userOperations[id];
    if (!record) throw new Error(`There is no operation ${id}.`);
    return record;
  };
  const { id, hash, transactionHash } = await controller.addUserOperation(request, {
    networkClientId,
    origin: 'https://dapp.example',
  });
  try {
    await hash();
    // Polling starts with the latest block, which may hold the operation already.
    controller.startPollingByNetworkClientId(networkClientId);
    await transactionHash();
  } finally {
    destroy();
  }
  return recordOf(id);
}

function addNetwork(root: RootMessenger, stack: World['stack']) {
  const networks = new NetworkController({
    messenger: createMessenger<NetworkControllerMessenger>(root, 'NetworkController'),
    infuraProjectId: 'none',
    getRpcServiceOptions: () => ({ fetch, btoa }),
    getBlockTrackerOptions: () => ({ pollingInterval: 50 }),
  });
  const chainId = numberToHex(stack.chainId);
  networks.addNetwork({
    chainId,
    name: 'Stack',
    nativeCurrency: 'ETH',
    rpcEndpoints: [{ type: RpcEndpointType.Custom, url: stack.chain.url }],
    defaultRpcEndpointIndex: 0,
    blockExplorerUrls: [],
  });
  const networkClientId = networks.findNetworkClientIdByChainId(chainId);
  const { destroy } = networks.getNetworkClientById(networkClientId);
  return { networkClientId, destroy };
}

// What MetaMask's GasFeeController has from the gas API.
async function fetchGasFees({ service }: World['stack']): Promise<GasFeeState> {
  const { url, apiKey, apiKeySecret } = service;
  const credentials = Buffer.from(`${apiKey}:${apiKeySecret}`).toString('base64');
  const answer = await fetch(`${url}/networks/31337/suggestedGasFees`, {
    headers: { Authorization: `Basic ${credentials}` },
  });
  return {
    gasFeeEstimates: (await answer.json()) as GasFeeEstimates,
    gasEstimateType: 'fee-market',
    estimatedGasFeeTimeBounds: {},
  };
}
