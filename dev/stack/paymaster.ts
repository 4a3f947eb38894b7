// What the paymaster service is asked: an operation in the form of its EntryPoint, the
// EntryPoint, the chain, and a context.
import {
  type Address,
  concat,
  encodeAbiParameters,
  type Hex,
  numberToHex,
  parseAbi,
} from 'viem';
import { toPackedUserOperation, type UserOperation } from 'viem/account-abstraction';
import type { LocalAccount } from 'viem/accounts';

import {
  address,
  bytes,
  gasNames,
  type Operation,
  quantity,
  readDraft,
  readFields,
  requireFields,
  zero,
} from '../bundler/operation';
import { type Chain, createChain } from '../bundler/simulation';
import { codes } from '../service/json-rpc';
import { findVersion, type Contracts, type EntryPointVersion } from './contracts';
import { chainId } from './processes';
import {
  type Handle,
  type JsonRpcServer,
  refuse,
  RpcFailure,
  startJsonRpcServer,
  toUnknownMethod,
} from './server';

/** An operation of EntryPoint 0.6, with every field. */
type Operation06 = {
  [Name in Exclude<keyof UserOperation<'0.6'>, 'authorization'>]-?: NonNullable<
    UserOperation<'0.6'>[Name]
  >;
};

/** What to pay for; gas fields that were not given are zero. */
type Draft =
  | { version: '0.6'; operation: Operation06 }
  | { version: Exclude<EntryPointVersion, '0.6'>; operation: Operation };

/** A request of ERC-7677. */
type PaymasterRequest = { draft: Draft; context: Record<string, unknown> };

const gas = quantity(256n);

const fields06 = {
  sender: address,
  nonce: gas,
  initCode: bytes,
  callData: bytes,
  callGasLimit: gas,
  verificationGasLimit: gas,
  preVerificationGas: gas,
  maxFeePerGas: gas,
  maxPriorityFeePerGas: gas,
  paymasterAndData: bytes,
  signature: bytes,
};

/**
 * Read the parameters of a call.
 *
 * @throws {RpcFailure} -32602 naming what is wrong.
 */
function readRequest(
  params: unknown,
  contracts: Contracts,
  isFinal: boolean,
): PaymasterRequest {
  if (!Array.isArray(params) || params.length < 3 || params.length > 4) {
    return refuse(
      'An operation, an EntryPoint, a chain id and a context are expected.',
    );
  }
  const [value, entryPoint, chain, context] = params as unknown[];
  const wanted = numberToHex(chainId);
  if (chain !== wanted) {
    refuse(`The chain ${toShown(chain)} is not sponsored; ${wanted} is.`);
  }
  const version =
    findVersion(entryPoint, contracts) ??
    refuse(`There is no paymaster for the EntryPoint ${toShown(entryPoint)}.`);
  const draft = readVersion(value, version);
  if (isFinal) requireFields(value as object, gasNames);
  return { draft, context: readContext(context) };
}

function readVersion(value: unknown, version: EntryPointVersion): Draft {
  if (version !== '0.6') return { version, operation: readDraft(value, version) };
  const given = readFields(value, fields06);
  requireFields(given, ['sender', 'nonce', 'callData']);
  return { version, operation: { ...zero06, ...given } as Operation06 };
}

const zero06 = { ...zero, initCode: '0x', paymasterAndData: '0x' } as const;

function readContext(value: unknown): Record<string, unknown> {
  if (value === undefined || value === null) return {};
  if (typeof value !== 'object' || Array.isArray(value)) {
    return refuse('The context must be an object.');
  }
  return value as Record<string, unknown>;
}

function toShown(value: unknown): string {
  return typeof value === 'string' ? value.slice(0, 66) : 'of this type';
}

// What the stack's VerifyingPaymasters take: times, and a signature of the stack's signer
// over the hash that the contract itself computes. From EntryPoint 0.7 on that hash covers
// the paymaster's gas limits.

/** What an operation needs to be paid for, in the form of its EntryPoint. */
type Sponsorship =
  | { paymasterAndData: Hex }
  | {
      paymaster: Address;
      paymasterData: Hex;
      paymasterVerificationGasLimit: Hex;
      paymasterPostOpGasLimit: Hex;
    };

/** Makes what the paymasters take. */
type Sponsor = {
  /** As long as the final data, with a signature that is nobody's. */
  makeStub: (draft: Draft) => Promise<Sponsorship>;
  makeData: (draft: Draft) => Promise<Sponsorship>;
};

/** Who signs, and for which contracts. */
type SponsorOptions = {
  chain: Chain;
  contracts: Contracts;
  signer: LocalAccount;
};

type Times = readonly [validUntil: number, validAfter: number];

type Limits = {
  paymasterVerificationGasLimit: bigint;
  paymasterPostOpGasLimit: bigint;
};

const VALID_SECONDS = 3_600;

// What the contracts need, with some room; they do nothing after an operation.
const LIMITS: Limits = {
  paymasterVerificationGasLimit: 100_000n,
  paymasterPostOpGasLimit: 10_000n,
};

/** It recovers to an address: one that does not would revert. */
const STUB_SIGNATURE: Hex = `0x${'f'.repeat(31)}${'0'.repeat(33)}7${'a'.repeat(63)}1c`;

const abi06 = parseAbi([
  'struct Operation { address sender; uint256 nonce; bytes initCode; bytes callData; uint256 callGasLimit; uint256 verificationGasLimit; uint256 preVerificationGas; uint256 maxFeePerGas; uint256 maxPriorityFeePerGas; bytes paymasterAndData; bytes signature; }',
  'function getHash(Operation operation, uint48 validUntil, uint48 validAfter) view returns (bytes32)',
]);
const abiPacked = parseAbi([
  'struct Operation { address sender; uint256 nonce; bytes initCode; bytes callData; bytes32 accountGasLimits; uint256 preVerificationGas; bytes32 gasFees; bytes paymasterAndData; bytes signature; }',
  'function getHash(Operation operation, uint48 validUntil, uint48 validAfter) view returns (bytes32)',
]);

/** Create what pays for operations. */
function createSponsor(options: SponsorOptions): Sponsor {
  const make = async (draft: Draft, sign?: typeof signDraft): Promise<Sponsorship> => {
    const address = options.contracts[draft.version].verifyingPaymaster;
    const times: Times = [await fetchDeadline(options.chain), 0];
    const encoded = encodeAbiParameters(
      [{ type: 'uint48' }, { type: 'uint48' }],
      times,
    );
    const signature = sign ? await sign(draft, times, options) : STUB_SIGNATURE;
    const data = concat([encoded, signature]);
    if (draft.version === '0.6') return { paymasterAndData: concat([address, data]) };
    const limits = chooseLimits(draft);
    return {
      paymaster: address,
      paymasterData: data,
      paymasterVerificationGasLimit: numberToHex(limits.paymasterVerificationGasLimit),
      paymasterPostOpGasLimit: numberToHex(limits.paymasterPostOpGasLimit),
    };
  };
  return {
    makeStub: async (draft) => make(draft),
    makeData: async (draft) => make(draft, signDraft),
  };
}

async function signDraft(
  draft: Draft,
  times: Times,
  { chain, contracts, signer }: SponsorOptions,
): Promise<Hex> {
  const address = contracts[draft.version].verifyingPaymaster;
  const functionName = 'getHash';
  const hash =
    draft.version === '0.6'
      ? await chain.readContract({
          address,
          abi: abi06,
          functionName,
          args: [draft.operation, ...times],
        })
      : await chain.readContract({
          address,
          abi: abiPacked,
          functionName,
          args: [pack(draft, address), ...times],
        });
  return signer.signMessage({ message: { raw: hash } });
}

function pack(
  draft: Exclude<Draft, { version: '0.6' }>,
  paymaster: Address,
): ReturnType<typeof toPackedUserOperation> {
  const limits = chooseLimits(draft);
  return toPackedUserOperation({ ...draft.operation, ...limits, paymaster });
}

// The wallet may have put others in since the stub.
function chooseLimits({ operation }: Exclude<Draft, { version: '0.6' }>): Limits {
  const { paymasterVerificationGasLimit, paymasterPostOpGasLimit } = operation;
  return {
    paymasterVerificationGasLimit:
      paymasterVerificationGasLimit ?? LIMITS.paymasterVerificationGasLimit,
    paymasterPostOpGasLimit: paymasterPostOpGasLimit ?? LIMITS.paymasterPostOpGasLimit,
  };
}

// By the chain's clock, which tests may set.
async function fetchDeadline(chain: Chain): Promise<number> {
  return Number((await chain.getBlock()).timestamp) + VALID_SECONDS;
}

// What the paymaster service can be asked to do wrong, by the context of a call:
// `{ "fault": "refuse" }`, and with `"at": "stub"` or `"at": "data"` at one call alone.

/** A call: for the stub before the estimate, or for what is sent. */
type Step = 'stub' | 'data';

/** An answer, with the gas limits that some services set themselves. */
type PaymasterAnswer = Sponsorship & Record<string, unknown>;

/** What is done to a call. */
type PaymasterFault = {
  /** The only call that it makes sense at. */
  at?: Step;
  /** Changes what is signed. */
  before?: (draft: Draft) => Promise<Draft> | Draft;
  /** Changes what is answered; `draft` is what was signed. */
  after?: (answer: Sponsorship, draft: Draft) => PaymasterAnswer;
};

const faultTable = {
  refuse: {
    before: () => {
      const message = 'This operation is not sponsored (a fault that was asked for).';
      throw new RpcFailure({ code: codes.refused, message });
    },
  },
  /** Asks for more gas than was estimated, and signs that. */
  changeGas: {
    at: 'data',
    before: (draft) => {
      const operation = { ...draft.operation, ...raiseGas(draft.operation) };
      return { ...draft, operation } as Draft;
    },
    after: (answer, { operation }) => ({ ...answer, ...gasOf(operation) }),
  },
} satisfies Record<string, PaymasterFault>;

/**
 * Find the fault that a context asks for.
 *
 * @throws {RpcFailure} -32602 if there is none of this name.
 */
function findFault({ fault, at }: Record<string, unknown>, step: Step): PaymasterFault {
  if (fault === undefined) return {};
  const row = Object.entries<PaymasterFault>(faultTable).find(
    ([name]) => name === fault,
  )?.[1];
  if (!row) return refuse(`There is no fault ${JSON.stringify(fault)}.`);
  const isWanted = at === undefined || at === step;
  return isWanted && (row.at ?? step) === step ? row : {};
}

type GasFields = Pick<
  Draft['operation'],
  'callGasLimit' | 'verificationGasLimit' | 'preVerificationGas'
>;

function raiseGas(operation: GasFields): GasFields {
  return {
    callGasLimit: operation.callGasLimit * 2n,
    verificationGasLimit: operation.verificationGasLimit * 2n,
    preVerificationGas: operation.preVerificationGas + 10_000n,
  };
}

function gasOf(operation: GasFields): Record<keyof GasFields, Hex> {
  return {
    callGasLimit: numberToHex(operation.callGasLimit),
    verificationGasLimit: numberToHex(operation.verificationGasLimit),
    preVerificationGas: numberToHex(operation.preVerificationGas),
  };
}

// The paymaster service of the stack: ERC-7677 over its VerifyingPaymasters, which pay for
// whatever it signs, and it signs everything.

type PaymasterServiceOptions = {
  /** Port to listen on; 0 for any free one. */
  port: number;
  chainUrl: string;
  contracts: Contracts;
  /** Signs what the paymasters accept. */
  signer: LocalAccount;
};

const SPONSOR = { name: 'Tollkeeper development paymaster' };

const steps = new Map<string, Step>([
  ['pm_getPaymasterStubData', 'stub'],
  ['pm_getPaymasterData', 'data'],
]);

/**
 * Start the service.
 *
 * @throws {Error} If the port is taken.
 * @see https://eips.ethereum.org/EIPS/eip-7677
 */
export async function startPaymasterService({
  port,
  chainUrl,
  contracts,
  signer,
}: PaymasterServiceOptions): Promise<JsonRpcServer> {
  const sponsor = createSponsor({ chain: createChain(chainUrl), contracts, signer });
  const handle: Handle = async (method, params) => {
    const step = steps.get(method);
    if (step === undefined) throw toUnknownMethod(method);
    return answer(step, readRequest(params, contracts, step === 'data'), sponsor);
  };
  return startJsonRpcServer({
    name: 'paymaster service',
    path: '/rpc',
    port,
    open: () => handle,
  });
}

async function answer(
  step: Step,
  { draft, context }: ReturnType<typeof readRequest>,
  { makeStub, makeData }: Sponsor,
): Promise<PaymasterAnswer> {
  const { before, after } = findFault(context, step);
  const changed = before ? await before(draft) : draft;
  const sponsorship = await (step === 'stub' ? makeStub(changed) : makeData(changed));
  const result = after ? after(sponsorship, changed) : sponsorship;
  return step === 'stub' ? { ...result, sponsor: SPONSOR, isFinal: false } : result;
}
