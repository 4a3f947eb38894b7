// Smart account signatures, verified by the account's contract (ERC-1271): shows the contract in
// the dialog and prepares the signature. Before deployment, the signature includes the deployment
// data (ERC-6492).
import { Section, Text } from '@metamask/snaps-sdk/jsx';
import type { SectionElement } from '@metamask/snaps-sdk/jsx';

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
import { ifReverted } from '../review/ask';
import { toAccountRef } from '../state/account-record';
import type { AccountRecord } from '../state/account-record';
import { toShownChain } from '../ui/format';
import type { Translate } from '../ui/i18n';
import { assertControlled, fetchControl } from './kinds/control';
import type { SmartAccount } from './kinds/kind';
import { kindOf } from './kinds/kinds';

export type Verifier = { chainId: ChainId };

type Content = Extract<SigningPayload, { kind: 'message' | 'document' | 'entries' }>;

export type Signing = {
  /** Undefined if the key alone signs. */
  verifier: Verifier | undefined;
  toTask: (content: Content) => SigningTask;
  /** Signs the approved task; throws `UnavailableError` if the contract does not accept the
   * signature. */
  sign: (approval: Approval, core: Core) => Promise<Hex>;
};

/** For a valid signature, `isValidSignature` returns its own selector, padded to a word. */
const VALID = abi['isValidSignature(bytes32,bytes)'].selector;

/** Returns undefined if the key signs alone. */
export function findVerifier(
  account: AccountRecord,
  chainId: ChainId,
): Verifier | undefined {
  return kindOf(account).smart && { chainId };
}

/**
 * Prepares an account's signature.
 *
 * @param chooseChain - Chooses the chain where a contract verifies the signature.
 * @throws {UnavailableError} If the contract is neither on the chain nor deployable there, or does
 *   not accept the key's signatures.
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

/** A contract's signature is for one chain. */
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

// ERC-6492 verifiers deploy the contract before they call it.
async function assertDeployable({ smart, chainId, node }: Place): Promise<void> {
  const { address, origin } = smart;
  const found = await findFactoryAddress(origin, node).catch(ifReverted(undefined));
  if (found !== undefined && isSameAddress(found, address)) return;
  throw new UnavailableError(
    `A signature of ${address} could not be verified on ${toCaip2(chainId)}: the account ` +
      `is not deployed there, and its factory ${origin.factory} does not deploy it.`,
  );
}

// The owner or the code may have been changed elsewhere.
async function assertValid(
  { hash, signature }: { hash: Hex; signature: Hex },
  { smart, chainId, node }: Place,
): Promise<void> {
  const { address, owner } = smart;
  const data = encodeCall('isValidSignature(bytes32,bytes)', [hash, signature]);
  const answer = await node
    .request('eth_call', [{ to: address, data }, 'latest'])
    .catch(ifReverted(undefined));
  if (answer?.startsWith(VALID)) return;
  throw new UnavailableError(
    `The contract of ${address} on ${toCaip2(chainId)} does not accept the signature of ` +
      `${owner}. Its owners or its code were changed. No signature was returned.`,
  );
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
