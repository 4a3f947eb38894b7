// What the stack's VerifyingPaymasters take: times, and a signature of the stack's signer
// over the hash that the contract itself computes. From EntryPoint 0.7 on that hash covers
// the paymaster's gas limits.
import { concat, encodeAbiParameters, numberToHex, parseAbi } from 'viem';
import type { Address, Hex } from 'viem';
import { toPackedUserOperation } from 'viem/account-abstraction';
import type { LocalAccount } from 'viem/accounts';

import type { Chain } from '../bundler/chain';
import type { Contracts } from './contracts';
import type { Draft } from './paymaster-request';

/** What an operation needs to be paid for, in the form of its EntryPoint. */
export type Sponsorship =
  | { paymasterAndData: Hex }
  | {
      paymaster: Address;
      paymasterData: Hex;
      paymasterVerificationGasLimit: Hex;
      paymasterPostOpGasLimit: Hex;
    };

/** Makes what the paymasters take. */
export type Sponsor = {
  /** As long as the final data, with a signature that is nobody's. */
  makeStub: (draft: Draft) => Promise<Sponsorship>;
  makeData: (draft: Draft) => Promise<Sponsorship>;
};

/** Who signs, and for which contracts. */
export type SponsorOptions = {
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

// What the 0.7 and 0.8 contracts need, with some room; they do nothing after an operation.
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
export function createSponsor(options: SponsorOptions): Sponsor {
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
          ...{ address, abi: abi06, functionName },
          args: [draft.operation, ...times],
        })
      : await chain.readContract({
          ...{ address, abi: abiPacked, functionName },
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
