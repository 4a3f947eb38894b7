// User operations through MetaMask: its UserOperationController has its SnapKeyring prepare, patch
// and sign them, and sends them to the bundler that the snap names. MetaMask always uses the format
// of EntryPoint 0.6, so a relay converts operations for bundlers of later versions.
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
import {
  getAddress,
  hexToBigInt,
  numberToHex,
  parseAbi,
  parseEventLogs,
  slice,
  zeroAddress,
} from 'viem';
import type { Hex } from 'viem';

import type { DemoAccount } from '../../dev/demo/world';
import {
  callRpc,
  type JsonRpcServer,
  RpcFailure,
  startJsonRpcServer,
} from '../../dev/stack/server';
import {
  createMessenger,
  messengerFor,
  type RootMessenger,
} from '../../dev/wallet/base';
import { provide } from '../../dev/wallet/controllers';
import type { EntryPointVersion } from '../../src/core/entry-points';
import { errorOf } from '../support/error-of';
import { createRecipient, setupWalletWorld } from '../support/smart-world';

const versions = ['0.6', '0.7', '0.8', '0.9'] as const;
const payers = versions.flatMap((version) =>
  (['the account', 'a paymaster'] as const).map((payer) => [version, payer] as const),
);

const abi = parseAbi([
  'event UserOperationEvent(bytes32 indexed userOpHash, address indexed sender, address indexed paymaster, uint256 nonce, bool success, uint256 actualGasCost, uint256 actualGasUsed)',
]);

const world = setupWalletWorld();

let relay: JsonRpcServer;

beforeAll(async () => {
  relay = await startJsonRpcServer({
    name: 'relay',
    path: '/',
    port: 0,
    open:
      ({ url = '' }) =>
      async (method, params) => {
        const [first, ...others] = params as [Hex | PackedFields];
        const operation = typeof first === 'string' ? first : toUnpacked(first);
        const { result, error } = await callRpc(url, method, [operation, ...others]);
        if (error) throw new RpcFailure(error);
        return result;
      },
  });
});

afterAll(async () => relay.stop());

afterEach(async () => {
  await world.setPaymaster(null);
});

type PackedFields = { initCode: Hex; paymasterAndData: Hex };

/** Unpacks the factory and paymaster, as bundlers require for EntryPoint 0.7 and later. */
function toUnpacked({ initCode, paymasterAndData, ...others }: PackedFields): object {
  const number = (start: number): Hex =>
    numberToHex(hexToBigInt(slice(paymasterAndData, start, start + 16)));
  return {
    ...others,
    ...(initCode !== '0x' && {
      factory: slice(initCode, 0, 20),
      factoryData: slice(initCode, 20),
    }),
    ...(paymasterAndData !== '0x' && {
      paymaster: slice(paymasterAndData, 0, 20),
      paymasterVerificationGasLimit: number(20),
      paymasterPostOpGasLimit: number(36),
      paymasterData: slice(paymasterAndData, 52),
    }),
  };
}

type SendOptions = {
  /** Drops the `gasLimits` that the snap prepares. */
  withoutGasLimits?: boolean;
  /** Returns the fees that the user sets when MetaMask asks for approval. */
  editFees?: (
    operation: UserOperation,
  ) => Pick<UserOperation, 'maxFeePerGas' | 'maxPriorityFeePerGas'>;
};

/**
 * Sends an operation with MetaMask's controllers, waits for its confirmation, and returns
 * MetaMask's record of it.
 */
async function sendUserOperation(
  request: AddUserOperationRequest,
  version: EntryPointVersion,
  { withoutGasLimits, editFees }: SendOptions,
): Promise<UserOperationMetadata> {
  const { keyring } = world.wallet;
  const root = createMessenger();
  provide(root, 'KeyringController', {
    async prepareUserOperation(
      ...given: Parameters<typeof keyring.prepareUserOperation>
    ) {
      const prepared = await keyring.prepareUserOperation(...given);
      const gasLimits = withoutGasLimits ? undefined : prepared.gasLimits;
      const { bundlerUrl: url } = prepared;
      const relayed = `${relay.url}?${new URLSearchParams({ url })}`;
      return { ...prepared, gasLimits, bundlerUrl: version === '0.6' ? url : relayed };
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
  const { networkClientId, destroy } = addNetwork(root);
  const controller = new UserOperationController({
    entrypoint: world.stack.contracts[version].entryPoint,
    getGasFeeEstimates: fetchGasFees,
    messenger: messengerFor<UserOperationControllerMessenger>(root),
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
    // Polling starts with the latest block, which may already contain the operation.
    controller.startPollingByNetworkClientId(networkClientId);
    await transactionHash();
  } finally {
    destroy();
  }
  return recordOf(id);
}

function addNetwork(root: RootMessenger) {
  const networks = new NetworkController({
    messenger: messengerFor<NetworkControllerMessenger>(root),
    infuraProjectId: 'none',
    getRpcServiceOptions: () => ({ fetch, btoa }),
    getBlockTrackerOptions: () => ({ pollingInterval: 50 }),
  });
  const chainId = numberToHex(world.stack.chainId);
  networks.addNetwork({
    chainId,
    name: 'Stack',
    nativeCurrency: 'ETH',
    rpcEndpoints: [{ type: RpcEndpointType.Custom, url: world.stack.chain.url }],
    defaultRpcEndpointIndex: 0,
    blockExplorerUrls: [],
  });
  const networkClientId = networks.findNetworkClientIdByChainId(chainId);
  const { destroy } = networks.getNetworkClientById(networkClientId);
  return { networkClientId, destroy };
}

// Returns the gas API's fees in the format of MetaMask's GasFeeController.
async function fetchGasFees(): Promise<GasFeeState> {
  const { url, apiKey, apiKeySecret } = world.stack.service;
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

// Sends 1 wei, and returns the operation's outcome on chain.
async function transfer(
  { address }: DemoAccount,
  version: EntryPointVersion,
  options: SendOptions = {},
) {
  const to = createRecipient();
  const request = { from: address, to, value: '0x1' };
  const record = await sendUserOperation(request, version, options);
  const { hash, status, userFeeLevel, transactionHash, userOperation } = record;
  const { logs } = await world.node.waitForTransactionReceipt({
    hash: transactionHash as Hex,
  });
  const [event] = parseEventLogs({ abi, logs }).filter(
    ({ args }) => args.userOpHash === hash,
  );
  const { sender, success, paymaster } = event?.args ?? {};
  return {
    operation: userOperation,
    outcome: { status, userFeeLevel, sender, success, paymaster },
    received: await world.node.getBalance({ address: to }),
  };
}

it.each(payers)(
  'handles operations for EntryPoint %s from preparation to receipt if %s pays',
  async (version, payer) => {
    const isSponsored = payer === 'a paymaster';
    // A sponsored account needs only 1 wei for each transfer.
    const account = await world.createSmart(
      version,
      isSponsored ? '0.000000000000000002' : '1',
    );
    if (isSponsored) await world.setPaymaster({});
    const { verifyingPaymaster } = world.stack.contracts[version];
    const outcome = {
      status: 'confirmed',
      // MetaMask's name for the gas API's fees.
      userFeeLevel: 'medium',
      sender: getAddress(account.address),
      success: true,
      paymaster: isSponsored ? verifyingPaymaster : zeroAddress,
    };

    const first = await transfer(account, version);
    expect(first).toMatchObject({ outcome, received: 1n });
    expect(first.operation.initCode).not.toBe('0x');
    expect(await world.node.getCode(account)).toBeDefined();

    const second = await transfer(account, version);
    expect(second).toMatchObject({ outcome, received: 1n });
    expect(second.operation.initCode).toBe('0x');
    expect(second.operation.nonce).toBe('0x1');
  },
);

it.each(payers)(
  'lets MetaMask estimate the gas limits for EntryPoint %s if %s pays',
  async (version, payer) => {
    const account = await world.createSmart(version, '1');
    // Deploys the account first: the 0.6 bundler simulates the calls of an undeployed account as
    // doing nothing, so its estimate would be too low.
    await transfer(account, version);
    if (payer === 'a paymaster') await world.setPaymaster({});
    const options = { withoutGasLimits: true };
    expect(await transfer(account, version, options)).toMatchObject({
      outcome: { status: 'confirmed', success: true },
      received: 1n,
    });
  },
);

it.each(versions)(
  'has the paymaster sign the fees that the user sets for EntryPoint %s',
  async (version) => {
    const account = await world.createSmart(version, '1');
    await world.setPaymaster({});
    const fees = {
      maxFeePerGas: '0x165a0bc00',
      maxPriorityFeePerGas: '0x77359400',
    };
    const signed: string[] = [];
    const editFees = ({ paymasterAndData }: UserOperation): typeof fees => {
      signed.push(paymasterAndData);
      return fees;
    };
    const { operation, outcome } = await transfer(account, version, { editFees });
    expect(operation).toMatchObject(fees);
    expect(signed).not.toContain(operation.paymasterAndData);
    expect(outcome).toMatchObject({ status: 'confirmed', success: true });
  },
);

it.each(versions)(
  "ignores a paymaster's gas limits for EntryPoint %s",
  async (version) => {
    const account = await world.createSmart(version, '1');
    await world.setPaymaster({ fault: 'changeGas' });
    const error = await errorOf(async () => transfer(account, version));
    // The paymaster signed only its own limits.
    expect(error.message).toContain('does not accept the data for this operation');
  },
);

it.each(versions)(
  'tells MetaMask why a paymaster refuses to pay for EntryPoint %s',
  async (version) => {
    const account = await world.createSmart(version, '1');
    const message = 'This operation is not sponsored (a requested fault).';
    for (const at of ['stub', 'data']) {
      await world.setPaymaster({ fault: 'refuse', at });
      const error = await errorOf(async () => transfer(account, version));
      expect(error.message).toContain(message);
    }

    await world.setPaymaster(null);
    expect(await transfer(account, version)).toMatchObject({ received: 1n });
  },
);
