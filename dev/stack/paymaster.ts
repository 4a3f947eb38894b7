// The stack's paymaster service (ERC-7677). It signs every operation. The context of a call may
// request a fault: `{ "fault": "refuse" }` rejects the call, and `{ "fault": "changeGas" }` changes
// the gas limits in the final data. `"at": "stub"` or `"at": "data"` limits the fault to one kind
// of call.
import { exactOptional, object, type } from '@metamask/superstruct';
import type { Infer } from '@metamask/superstruct';
import { concat, encodeAbiParameters, type Hex, numberToHex, parseAbi } from 'viem';
import {
  formatUserOperationRequest,
  toPackedUserOperation,
} from 'viem/account-abstraction';
import type { LocalAccount } from 'viem/accounts';

import { codes } from '../../packages/service/src/json-rpc';
import type { EntryPointVersion } from '../../src/core/entry-points';
import { parse } from '../../src/schema/parse';
import { oneOf } from '../../src/schema/structs';
import {
  bytes,
  draftFields,
  gasNames,
  type Operation,
  readDraft,
  requireFields,
  zero,
} from '../bundler/operation';
import { type Chain, createChain } from '../bundler/simulation';
import { findVersion, type Contracts } from './contracts';
import { chainId } from './processes';
import {
  type JsonRpcServer,
  refuse,
  RpcFailure,
  startJsonRpcServer,
  toUnknownMethod,
} from './server';

type Services = { chain: Chain; contracts: Contracts; signer: LocalAccount };

/** What a call requests: stub data, before the gas is estimated, or the final data. */
type Step = 'stub' | 'data';

const ContextStruct = type({
  fault: exactOptional(oneOf(['refuse', 'changeGas'])),
  at: exactOptional(oneOf(['stub', 'data'])),
});

const SPONSOR = { name: 'Tollkeeper development paymaster' };

const steps = new Map<string, Step>([
  ['pm_getPaymasterStubData', 'stub'],
  ['pm_getPaymasterData', 'data'],
]);

/** Starts the service. Throws if the port is taken. Port 0 means any free one. */
export async function startPaymasterService({
  port,
  chainUrl,
  ...options
}: Omit<Services, 'chain'> & {
  port: number;
  chainUrl: string;
}): Promise<JsonRpcServer> {
  const services = { ...options, chain: createChain(chainUrl) };
  return startJsonRpcServer({
    name: 'paymaster service',
    path: '/rpc',
    port,
    open: () => async (method, params) => {
      const step = steps.get(method);
      if (step === undefined) throw toUnknownMethod(method);
      return answer(step, params, services);
    },
  });
}

async function answer(step: Step, params: unknown, services: Services) {
  if (!Array.isArray(params) || params.length < 3 || params.length > 4) {
    return refuse('Expected an operation, an EntryPoint, a chain id and a context.');
  }
  const [value, entryPoint, chain, context] = params as unknown[];
  const wanted = numberToHex(chainId);
  if (chain !== wanted) {
    refuse(`The chain ${toShown(chain)} is not sponsored; ${wanted} is.`);
  }
  const version =
    findVersion(entryPoint) ??
    refuse(`There is no paymaster for the EntryPoint ${toShown(entryPoint)}.`);
  const { fault, at = step } = parse(context ?? {}, ContextStruct, 'context');
  if (fault === 'refuse' && at === step) {
    const message = 'This operation is not sponsored (a requested fault).';
    throw new RpcFailure({ code: codes.refused, message });
  }
  const draft = readVersion(value, version);
  if (step === 'stub') {
    const stub = await sponsor(draft, services, true);
    return { ...stub, sponsor: SPONSOR, isFinal: false };
  }
  requireFields(value as object, gasNames);
  if (fault !== 'changeGas' || at !== 'data') return sponsor(draft, services);
  const { callGasLimit, verificationGasLimit, preVerificationGas } = draft.operation;
  const gas = {
    callGasLimit: callGasLimit * 2n,
    verificationGasLimit: verificationGasLimit * 2n,
    preVerificationGas: preVerificationGas + 10_000n,
  };
  const changed = { version, operation: { ...draft.operation, ...gas } } as Draft;
  const limits = formatUserOperationRequest(gas);
  return { ...(await sponsor(changed, services)), ...limits };
}

function toShown(value: unknown): string {
  return typeof value === 'string' ? value.slice(0, 66) : 'of this type';
}

const Draft06Struct = object({
  ...draftFields,
  initCode: exactOptional(bytes),
  paymasterAndData: exactOptional(bytes),
});

const zero06 = { ...zero, initCode: '0x', paymasterAndData: '0x' } as const;

/** Missing gas fields are zero. */
type Draft =
  | { version: '0.6'; operation: Required<Infer<typeof Draft06Struct>> }
  | { version: Exclude<EntryPointVersion, '0.6'>; operation: Operation };

function readVersion(value: unknown, version: EntryPointVersion): Draft {
  if (version !== '0.6') return { version, operation: readDraft(value, version) };
  return {
    version,
    operation: { ...zero06, ...parse(value, Draft06Struct, 'operation') },
  };
}

// Paymaster data consists of a time range and a signature of the hash that the contract computes.
// From EntryPoint 0.7 on, the hash covers the paymaster's gas limits.

const VALID_SECONDS = 3_600;

/** A signature that recovers to some address. The contract would revert for a malformed one. */
const STUB_SIGNATURE: Hex = `0x${'f'.repeat(31)}${'0'.repeat(33)}7${'a'.repeat(63)}1c`;

const abi06 = parseAbi([
  'struct Operation { address sender; uint256 nonce; bytes initCode; bytes callData; uint256 callGasLimit; uint256 verificationGasLimit; uint256 preVerificationGas; uint256 maxFeePerGas; uint256 maxPriorityFeePerGas; bytes paymasterAndData; bytes signature; }',
  'function getHash(Operation operation, uint48 validUntil, uint48 validAfter) view returns (bytes32)',
]);
const abiPacked = parseAbi([
  'struct Operation { address sender; uint256 nonce; bytes initCode; bytes callData; bytes32 accountGasLimits; uint256 preVerificationGas; bytes32 gasFees; bytes paymasterAndData; bytes signature; }',
  'function getHash(Operation operation, uint48 validUntil, uint48 validAfter) view returns (bytes32)',
]);

/** A stub has the same length as the final fields. */
async function sponsor(
  draft: Draft,
  { chain, contracts, signer }: Services,
  isStub = false,
): Promise<Record<string, Hex>> {
  const paymaster = contracts[draft.version].verifyingPaymaster;
  // Tests may change the chain's clock, so the times follow it.
  const { timestamp } = await chain.getBlock();
  const times = [Number(timestamp) + VALID_SECONDS, 0] as const;
  const toData = async (fetchHash: () => Promise<Hex>): Promise<Hex> =>
    concat([
      encodeAbiParameters([{ type: 'uint48' }, { type: 'uint48' }], times),
      isStub
        ? STUB_SIGNATURE
        : await signer.signMessage({ message: { raw: await fetchHash() } }),
    ]);
  const call = { address: paymaster, functionName: 'getHash' } as const;
  if (draft.version === '0.6') {
    const args = [draft.operation, ...times] as const;
    const data = await toData(async () =>
      chain.readContract({ ...call, abi: abi06, args }),
    );
    return { paymasterAndData: concat([paymaster, data]) };
  }
  const {
    // The wallet may have changed the limits since the stub. The defaults have some margin.
    paymasterVerificationGasLimit = 100_000n,
    paymasterPostOpGasLimit = 10_000n,
  } = draft.operation;
  const limits = { paymasterVerificationGasLimit, paymasterPostOpGasLimit };
  const packed = toPackedUserOperation({ ...draft.operation, ...limits, paymaster });
  return {
    paymaster,
    paymasterData: await toData(async () =>
      chain.readContract({ ...call, abi: abiPacked, args: [packed, ...times] }),
    ),
    paymasterVerificationGasLimit: numberToHex(paymasterVerificationGasLimit),
    paymasterPostOpGasLimit: numberToHex(paymasterPostOpGasLimit),
  };
}
