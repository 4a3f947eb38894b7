/**
 * Tollkeeper's smart accounts for the account-abstraction clients of viem and permissionless. The
 * snap signs; calls are encoded here.
 *
 * @module viem
 */
import {
  bytesToHex,
  concat,
  decodeFunctionData,
  encodeFunctionData,
  encodePacked,
  getAddress,
  getTypesForEIP712Domain,
  hexToBigInt,
  hexToNumber,
  isAddressEqual,
  numberToHex,
  parseAbi,
  parseErc6492Signature,
  serializeTypedData,
  size,
  slice,
  stringToHex,
  toFunctionSelector,
} from 'viem';
import type {
  Abi,
  Address,
  Chain,
  Client,
  Hex,
  JsonRpcAccount,
  LocalAccount,
  SignableMessage,
  Transport,
  TypedDataDefinition,
} from 'viem';
import {
  entryPoint06Abi,
  entryPoint06Address,
  entryPoint07Abi,
  entryPoint07Address,
  entryPoint08Abi,
  entryPoint08Address,
  entryPoint09Abi,
  entryPoint09Address,
  toPackedUserOperation,
  toSmartAccount,
} from 'viem/account-abstraction';
import type {
  SmartAccount,
  SmartAccountImplementation,
  UserOperation,
} from 'viem/account-abstraction';
import { readContract } from 'viem/actions';

import type { Provider } from '../../provider/src';

export type TollkeeperEntryPointVersion = '0.6' | '0.7' | '0.8' | '0.9';

export type ToTollkeeperSmartAccountParameters<
  version extends TollkeeperEntryPointVersion = TollkeeperEntryPointVersion,
> = {
  /** Client that reads the nonce and the code. Operations are signed for its chain. */
  client: Client<Transport, Chain, JsonRpcAccount | LocalAccount | undefined>;
  /** The provider from `createProvider`. */
  provider: Pick<Provider, 'request'>;
  /** Address of the account. Default: the first connected smart account that fits `entryPoint`. */
  address?: Address | undefined;
  /** The required EntryPoint version. Default: the account's own version. */
  entryPoint?: version | undefined;
};

/** A SimpleAccount or a Safe whose owner's key is in the snap. */
export type TollkeeperSmartAccount<
  version extends TollkeeperEntryPointVersion = TollkeeperEntryPointVersion,
> = SmartAccount<SmartAccountImplementation<Abi, version>>;

type Call = { to: Address; value?: bigint | undefined; data?: Hex | undefined };

type CompleteCall = { to: Address; value: bigint; data: Hex };

type Field = keyof Call;

type Version = {
  entryPoint: { abi: Abi; address: Address };
  /** ABI of the account's batch function. */
  batch: Abi;
  /** Call fields that `batch` takes as parallel arrays; if omitted, it takes structs. */
  columns?: readonly Field[];
};

/** The provider's error code for accounts that are not smart accounts. */
const UNSUPPORTED = 4200;

const execute = parseAbi(['function execute(address to, uint256 value, bytes data)']);

const executeSafe = parseAbi([
  'function executeUserOpWithErrorString(address to, uint256 value, bytes data, uint8 operation)',
]);

const batchOfStructs = parseAbi([
  'function executeBatch((address to, uint256 value, bytes data)[] calls)',
]);

const versions: Record<TollkeeperEntryPointVersion, Version> = {
  '0.6': {
    entryPoint: { abi: entryPoint06Abi, address: entryPoint06Address },
    batch: parseAbi(['function executeBatch(address[] to, bytes[] data)']),
    columns: ['to', 'data'],
  },
  '0.7': {
    entryPoint: { abi: entryPoint07Abi, address: entryPoint07Address },
    batch: parseAbi([
      'function executeBatch(address[] to, uint256[] value, bytes[] data)',
    ]),
    columns: ['to', 'value', 'data'],
  },
  '0.8': {
    entryPoint: { abi: entryPoint08Abi, address: entryPoint08Address },
    batch: batchOfStructs,
  },
  '0.9': {
    entryPoint: { abi: entryPoint09Abi, address: entryPoint09Address },
    batch: batchOfStructs,
  },
};

/**
 * Wraps a Tollkeeper smart account as viem's `SmartAccount`, for viem's bundler client and
 * permissionless' smart account client. The user confirms every user operation in the snap.
 *
 * Without an `address`, this function asks the user to connect if necessary. The snap then prepares
 * an operation, for which the chain needs a bundler.
 *
 * @throws {Error} If `address` is not a smart account of that EntryPoint version, or the user has
 * connected none. Errors of the provider are passed on.
 * @example
 * ```ts
 * import { createProvider } from 'tollkeeper-snap/provider';
 * import { toTollkeeperSmartAccount } from 'tollkeeper-snap/viem';
 * import { createPublicClient, custom } from 'viem';
 * import { createBundlerClient } from 'viem/account-abstraction';
 * import { sepolia } from 'viem/chains';
 *
 * const provider = createProvider();
 * const transport = custom(provider);
 * const client = createPublicClient({ chain: sepolia, transport });
 * const account = await toTollkeeperSmartAccount({ client, provider });
 * const bundler = createBundlerClient({ account, client, transport });
 * const calls = [{ to: account.address, value: 1n }];
 * const hash = await bundler.sendUserOperation({ calls });
 * ```
 */
export async function toTollkeeperSmartAccount<
  version extends TollkeeperEntryPointVersion = TollkeeperEntryPointVersion,
>(
  parameters: ToTollkeeperSmartAccountParameters<version>,
): Promise<TollkeeperSmartAccount<version>> {
  const { client } = parameters;
  const { address, version, isSafe, initCode, stubSignature } =
    await findAccount(parameters);
  const { entryPoint } = versions[version];
  const ask = async (
    method: string,
    params: readonly unknown[],
    chainId = client.chain.id,
  ): Promise<Hex> => {
    const scope = `eip155:${chainId}`;
    return parameters.provider.request({
      method,
      params: { account: address, scope, params },
    });
  };
  // Removes the snap's ERC-6492 wrapper, because viem adds its own.
  const sign: typeof ask = async (...asked) =>
    parseErc6492Signature(await ask(...asked)).signature;
  return toSmartAccount({
    client,
    entryPoint: { ...entryPoint, version },
    getAddress: async () => Promise.resolve(address),
    // oxlint-disable-next-line typescript/require-await -- viem wants a promise.
    encodeCalls: async (calls) =>
      isSafe ? encodeSafeCalls(calls) : encodeCalls(versions[version], calls),
    // oxlint-disable-next-line typescript/require-await -- viem wants a promise.
    decodeCalls: async (data) =>
      isSafe ? decodeSafeCalls(data) : decodeCalls(versions[version], data),
    getFactoryArgs: async () => Promise.resolve(toFactoryArgs(initCode)),
    getStubSignature: async () => Promise.resolve(stubSignature),
    signMessage: async ({ message }) =>
      sign('personal_sign', [toMessageHex(message), address]),
    signTypedData: async (document) => {
      const { types, ...others } = document as TypedDataDefinition;
      const EIP712Domain = getTypesForEIP712Domain(others);
      const whole = { ...others, types: { EIP712Domain, ...types } };
      const text = serializeTypedData(whole as TypedDataDefinition);
      return sign('eth_signTypedData_v4', [address, text]);
    },
    signUserOperation: async ({ chainId, ...given }) => {
      const operation = { sender: address, ...given } as UserOperation;
      const params = [toElevenFields(operation, version), entryPoint.address];
      return ask('eth_signUserOperation', params, chainId);
    },
  }) as Promise<TollkeeperSmartAccount<version>>;
}

function encodeCalls({ batch, columns }: Version, given: readonly Call[]): Hex {
  const calls = given.map(complete);
  const [only, ...others] = calls;
  if (only && others.length === 0) {
    return encodeFunctionData({ abi: execute, args: [only.to, only.value, only.data] });
  }
  if (!(columns?.includes('value') ?? true) && calls.some(({ value }) => value > 0n)) {
    throw new Error(
      'A batch of EntryPoint 0.6 cannot transfer value. Send these calls one by one.',
    );
  }
  const args = columns?.map((field) => calls.map((call) => call[field])) ?? [calls];
  return encodeFunctionData({ abi: batch, args });
}

function decodeCalls({ batch, columns }: Version, callData: Hex): Call[] {
  const { functionName, args = [] } = decodeFunctionData({
    abi: [...execute, ...batch],
    data: callData,
  });
  if (functionName === 'execute') {
    const [to, value, data] = args as [Address, bigint, Hex];
    return [{ to, value, data }];
  }
  if (!columns) return [...(args[0] as Call[])];
  const [to] = args as [Address[]];
  const values = args as Call[Field][][];
  return to.map((_, call) => ({
    value: 0n,
    ...(Object.fromEntries(
      columns.map((field, column) => [field, values[column]?.[call]]),
    ) as Call),
  }));
}

/** Safe's MultiSendCallOnly. */
const MULTI_SEND = '0x9641d764fc13c8B624c04430C7356C1C7C8102e2';

const multiSend = parseAbi(['function multiSend(bytes transactions)']);

const transaction = ['uint8', 'address', 'uint256', 'uint256', 'bytes'] as const;

function encodeSafeCalls(given: readonly Call[]): Hex {
  const calls = given.map(complete);
  const encode = ({ to, value, data }: CompleteCall, operation: 0 | 1): Hex =>
    encodeFunctionData({ abi: executeSafe, args: [to, value, data, operation] });
  const [only, ...others] = calls;
  if (only && others.length === 0) return encode(only, 0);
  const packed = calls.map(({ to, value, data }) =>
    encodePacked(transaction, [0, to, value, BigInt(size(data)), data]),
  );
  const batch = encodeFunctionData({ abi: multiSend, args: [concat(packed)] });
  return encode({ to: MULTI_SEND, value: 0n, data: batch }, 1);
}

function complete({ to, value = 0n, data = '0x' }: Call): CompleteCall {
  return { to, value, data };
}

/** Byte offsets of the fields of a MultiSend transaction, which begins with the operation. */
const HEAD = { to: 1, value: 21, length: 53, data: 85 };

function decodeSafeCalls(callData: Hex): Call[] {
  const { args } = decodeFunctionData({ abi: executeSafe, data: callData });
  const [to, value, data, operation] = args;
  if (operation === 0) return [{ to, value, data }];
  let [rest] = decodeFunctionData({ abi: multiSend, data }).args;
  const calls: Call[] = [];
  while (size(rest) > 0) {
    const end = HEAD.data + hexToNumber(slice(rest, HEAD.length, HEAD.data));
    calls.push({
      to: getAddress(slice(rest, HEAD.to, HEAD.value)),
      value: hexToBigInt(slice(rest, HEAD.value, HEAD.length)),
      data: end === HEAD.data ? '0x' : slice(rest, HEAD.data, end),
    });
    rest = end === size(rest) ? '0x' : slice(rest, end);
  }
  return calls;
}

// Text is sent as hex too, because the snap reads text that looks like hex as bytes.
function toMessageHex(message: SignableMessage): Hex {
  if (typeof message === 'string') return stringToHex(message);
  return typeof message.raw === 'string' ? message.raw : bytesToHex(message.raw);
}

function toFactoryArgs(initCode: Hex): { factory?: Address; factoryData?: Hex } {
  return initCode === '0x'
    ? {}
    : { factory: slice(initCode, 0, 20), factoryData: slice(initCode, 20) };
}

// Prepares two empty calls, because the selector of the batch function identifies most versions.
async function findAccount({
  client,
  provider,
  address,
  entryPoint,
}: ToTollkeeperSmartAccountParameters) {
  const candidates = address
    ? [address]
    : await provider.request({ method: 'eth_requestAccounts' });
  for (const each of candidates) {
    const call = { to: each, value: '0x0', data: '0x' };
    const prepared = await provider
      .request<{ callData: Hex; initCode: Hex; dummySignature: Hex }>({
        method: 'eth_prepareUserOperation',
        params: {
          account: each,
          scope: `eip155:${client.chain.id}`,
          params: [call, call],
        },
      })
      .catch((error: { code?: unknown }) => {
        if (error.code === UNSUPPORTED) return undefined;
        throw error;
      });
    if (!prepared) continue;
    const { callData, initCode, dummySignature } = prepared;
    const isSafe = callData.startsWith(toFunctionSelector(executeSafe[0]));
    const found = isSafe ? (['0.7'] as const) : findVersions(callData);
    const version =
      found.length > 1 ? await fetchVersion(client, each, initCode) : found[0];
    if (version === undefined || (entryPoint ?? version) !== version) continue;
    return { address: each, version, isSafe, initCode, stubSignature: dummySignature };
  }
  const kind = `smart account${entryPoint === undefined ? '' : ` of EntryPoint ${entryPoint}`}`;
  throw new Error(
    address
      ? `${address} is not a ${kind}.`
      : `The user has connected no ${kind}. Ask for one with wallet_requestPermissions.`,
  );
}

const allVersions = Object.keys(versions) as TollkeeperEntryPointVersion[];

function findVersions(callData: Hex): TollkeeperEntryPointVersion[] {
  return allVersions.filter((version) => {
    const [item] = versions[version].batch;
    return item?.type === 'function' && callData.startsWith(toFunctionSelector(item));
  });
}

// The accounts of EntryPoints 0.8 and 0.9 have the same batch function, so the version comes from
// the contract or, before deployment, from the factory's implementation.
async function fetchVersion(
  client: Client,
  account: Address,
  initCode: Hex,
): Promise<TollkeeperEntryPointVersion | undefined> {
  const ask = async (
    address: Address,
    functionName: 'accountImplementation' | 'entryPoint',
  ): Promise<Address> => readContract(client, { address, abi: ownAbi, functionName });
  const { factory } = toFactoryArgs(initCode);
  const code = factory ? await ask(factory, 'accountImplementation') : account;
  const own = await ask(code, 'entryPoint');
  return allVersions.find((version) =>
    isAddressEqual(versions[version].entryPoint.address, own),
  );
}

const ownAbi = parseAbi([
  'function accountImplementation() view returns (address)',
  'function entryPoint() view returns (address)',
]);

// Converts an operation to the form that eth_signUserOperation accepts for every version.
function toElevenFields(
  operation: UserOperation,
  version: TollkeeperEntryPointVersion,
): Record<string, Hex> {
  const { initCode = '0x', paymasterAndData = '0x' } =
    version === '0.6'
      ? (operation as UserOperation<'0.6'>)
      : toPackedUserOperation(operation);
  return {
    sender: operation.sender,
    nonce: numberToHex(operation.nonce),
    initCode,
    callData: operation.callData,
    callGasLimit: numberToHex(operation.callGasLimit),
    verificationGasLimit: numberToHex(operation.verificationGasLimit),
    preVerificationGas: numberToHex(operation.preVerificationGas),
    maxFeePerGas: numberToHex(operation.maxFeePerGas),
    maxPriorityFeePerGas: numberToHex(operation.maxPriorityFeePerGas),
    paymasterAndData,
    signature: operation.signature,
  };
}
