// Signatures of smart accounts, which their contracts verify (ERC-1271): what the dialog says of
// the contract, and how they are made. Before the contract is deployed, the signature holds what
// deploys it (ERC-6492).
import { Section, Text } from '@metamask/snaps-sdk/jsx';
import type { SectionElement } from '@metamask/snaps-sdk/jsx';

import { RpcError } from '../../packages/client/src';
import type { NodeClient } from '../../packages/client/src';
import { findFactoryAddress } from '../chains/contracts';
import type { PreparingContext } from '../context';
import type { Approval } from '../core/approval';
import type { Core } from '../core/core';
import { InternalError, UnavailableError } from '../core/errors';
import type { SigningPayload, SigningTask } from '../core/payload';
import { abi, encodeCall } from '../eth/abi';
import { toCaip2 } from '../eth/chain';
import type { ChainId } from '../eth/chain';
import { isSameAddress } from '../eth/hex';
import type { Hex } from '../eth/hex';
import { wrapUndeployed } from '../eth/smart-account';
import { toAccountRef } from '../state/account-record';
import type { AccountRecord } from '../state/account-record';
import { toShownChain } from '../ui/format';
import type { Translate } from '../ui/i18n';
import { assertControlled, fetchControl } from './kinds/control';
import type { SmartAccount } from './kinds/kind';
import { kindOf } from './kinds/kinds';

export type Verifier = { chainId: ChainId };

/** What is signed by an account as a whole: a message or typed data. */
type Content = Extract<SigningPayload, { kind: 'message' | 'document' | 'entries' }>;

export type Signing = {
  /** Undefined if its key alone signs. */
  verifier: Verifier | undefined;
  /** Makes the task that is approved. */
  toTask: (content: Content) => SigningTask;
  /** Signs what was approved; throws `UnavailableError` if the contract does not accept it. */
  sign: (approval: Approval, core: Core) => Promise<Hex>;
};

/** `isValidSignature` answers its own selector, in a word, for a signature that is valid. */
const VALID = abi['isValidSignature(bytes32,bytes)'].selector;

/** Finds where an account's contract verifies its signatures; undefined if its key signs alone. */
export function findVerifier(
  account: AccountRecord,
  chainId: ChainId,
): Verifier | undefined {
  return kindOf(account).smart && { chainId };
}

/**
 * Prepares to sign by an account.
 *
 * @param chooseChain - Chooses the chain where a contract verifies it.
 * @throws {UnavailableError} If the contract is neither on the chain nor can be deployed there, or
 * takes no signature of the key.
 */
export async function prepareSigning(
  account: AccountRecord,
  chooseChain: () => Promise<ChainId>,
  { connect }: Pick<PreparingContext, 'connect'>,
): Promise<Signing> {
  const { smart } = kindOf(account);
  if (!smart) {
    return {
      verifier: undefined,
      toTask: (payload) => ({ account: toAccountRef(account), payload }),
      sign: async (approval, core) => core.signBytes(approval),
    };
  }
  const chainId = await chooseChain();
  const { node } = await connect(chainId);
  const { origin } = smart;
  const control = await fetchControl(smart, node);
  assertControlled(control, smart, chainId);
  const { isDeployed } = control;
  const place = { smart, chainId, node };
  if (!isDeployed) await assertDeployable(place);
  return {
    verifier: { chainId },
    toTask: (payload) => toTask(account, payload, chainId),
    sign: async (approval, core) => {
      const [task] = core.tasksOf(approval);
      const signature = await core.signBytes(approval);
      if (!isDeployed) return wrapUndeployed(signature, origin);
      await assertValid({ hash: task?.digest ?? '0x', signature }, place);
      return signature;
    },
  };
}

/** Makes the task by which an account signs a message or typed data; a contract does for one chain. */
export function toTask(
  record: AccountRecord,
  payload: Content,
  chainId: ChainId,
): SigningTask {
  const account = toAccountRef(record);
  const { smart } = kindOf(record);
  if (!smart) return { account, payload };
  const { address, implementation } = smart;
  if (payload.kind === 'entries' || implementation !== 'safe') {
    throw new InternalError('The contract cannot verify this message.');
  }
  return { account, payload: { ...payload, safe: { address, chainId } } };
}

type Place = { smart: SmartAccount; chainId: ChainId; node: NodeClient };

// Verifiers deploy it before they ask it.
async function assertDeployable({ smart, chainId, node }: Place): Promise<void> {
  const { address, origin } = smart;
  const found = await unlessRefused(findFactoryAddress(origin, node));
  if (found !== undefined && isSameAddress(found, address)) return;
  throw new UnavailableError(
    `A signature of ${address} could not be verified on ${toCaip2(chainId)}: the account ` +
      `is not deployed there, and its factory ${origin.factory} does not deploy it.`,
  );
}

// Its owner can have been changed elsewhere, or its code.
async function assertValid(
  { hash, signature }: { hash: Hex; signature: Hex },
  { smart, chainId, node }: Place,
): Promise<void> {
  const { address, owner } = smart;
  const data = encodeCall('isValidSignature(bytes32,bytes)', [hash, signature]);
  const answer = await unlessRefused(
    node.request('eth_call', [{ to: address, data }, 'latest']),
  );
  if (answer?.startsWith(VALID)) return;
  throw new UnavailableError(
    `The contract of ${address} on ${toCaip2(chainId)} does not accept the signature of ` +
      `${owner}. Its owners or its code were changed. No signature was given out.`,
  );
}

// A contract that reverts, or a node that does not run it, says nothing.
async function unlessRefused<Answer>(
  asked: Promise<Answer>,
): Promise<Answer | undefined> {
  return asked.catch((error: unknown) => {
    if (error instanceof RpcError) return undefined;
    throw error;
  });
}

export function drawVerifier(
  { chainId }: Verifier,
  translate: Translate,
): SectionElement {
  const chain = toShownChain(toCaip2(chainId));
  return (
    <Section>
      <Text>{translate('verifier.meaning', { chain })}</Text>
    </Section>
  );
}
