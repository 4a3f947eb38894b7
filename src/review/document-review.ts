// The review of typed data, shared by dialogs and insights. A document's permissions and calls are
// compared with the chain and the user's data, like those of a transaction.
import type { InsightContext } from '../context';
import { encodeCall } from '../eth/abi';
import type { ChainId } from '../eth/chain';
import { findAddress, isSameAddress, toLower, ZERO_ADDRESS } from '../eth/hex';
import type { Hex } from '../eth/hex';
import { danger, info, listDistinct, listFound, warning } from '../ui/warnings';
import type { Warning } from '../ui/warnings';
import { askForWord, findBalances, tryBriefly } from './ask';
import { findTypedWarnings } from './document-findings';
import { listOfferedTokens, withDescribed } from './documents';
import type { DecodedTypedData } from './documents';
import { listAllowances, listExpectedContracts } from './effects';
import type { CallEffect, Description } from './effects';
import {
  findAllowanceFacts,
  findMissingCodeAt,
  NO_MISSING_CODE,
  findAllowanceWarnings,
  warnOfUnchecked,
} from './facts';
import type { MissingCode } from './facts';
import type { SigningContext } from './messages';
import { toAddressList } from './outcome';
import { reviewCalls } from './review';

export type DocumentReview = {
  typed: DecodedTypedData;
  description?: Description | undefined;
  /** The account's balances of the tokens that it gives, by token in lower case. */
  balances?: ReadonlyMap<Hex, bigint>;
  warnings: readonly Warning[];
};

/** Warnings about calls in transactions. For documents, more severe ones replace them: a signature
 * can be used by others, or later, when the account may have different code. */
const REPLACED: readonly string[] = ['alert.control', 'alert.ownData'];

type DocumentSubject = {
  account: Hex;
  chainId: ChainId | undefined;
  signing: SigningContext | Promise<SigningContext>;
};

export async function reviewDocument(
  read: DecodedTypedData,
  asked: DocumentSubject,
  context: InsightContext,
): Promise<DocumentReview> {
  const [known, { missingCode, warnings, ...facts }] = await Promise.all([
    asked.signing,
    findFacts(read, asked, context),
  ]);
  const found = findTypedWarnings(facts.typed, { ...known, missingCode });
  return { ...facts, warnings: listDistinct([...found, ...warnings]) };
}

async function findFacts(
  read: DecodedTypedData,
  { account, chainId }: DocumentSubject,
  context: InsightContext,
): Promise<DocumentReview & { missingCode: MissingCode }> {
  const { connect, describer, ownSafes } = context;
  const [chain, description] = await Promise.all([
    chainId === undefined ? undefined : tryBriefly(async () => connect(chainId)),
    read.document && describer.document(read.document, account),
  ]);
  const node = chain?.node;
  const typed = withDescribed(read, description);
  const safe = findSafe(read, account);
  const { contracts } = read;
  const call = toCall(read, account);
  const subject = chain && {
    signer: account,
    chainId: chain.id,
    chain,
    simulated: undefined,
  };
  const [balances, isOwner, named = [], code, allowances, ofCalls] = await Promise.all([
    findBalances(listOfferedTokens(read), findOwner(read, account), node),
    safe && askForWord(safe, node),
    safe && ownSafes?.(),
    node && findMissingCodeAt(contracts, node),
    chain && findAllowanceFacts(listAllowances([call]), chain.id, chain.node),
    subject && reviewCalls(typed.calls, subject, context),
  ]);
  const found = [
    ...(allowances ? findAllowanceWarnings([call], allowances) : []),
    ...(ofCalls?.ofCalls ?? []),
  ];
  const address = safe?.to ?? ZERO_ADDRESS;
  const ownSafe = named.find((each) => isSameAddress(each.address, address));
  const missingCode = code ?? { ...NO_MISSING_CODE, unknown: contracts };
  const warnings = listFound(
    found.map((each) => each.warning).filter(({ key }) => !REPLACED.includes(key)),
    ofCalls ? ofCalls.ofPast : warnOfUnknown(typed.calls),
    warnOfUnchecked(contracts, missingCode),
    (description?.omitted ?? 0) > 0 &&
      danger('alert.notShown', { addresses: toAddressList(read.addresses) }),
    isOwner === 0n && warning('typed.notOwner', { address }),
    ownSafe && info('typed.ownSafe', { name: ownSafe.name }),
    !ownSafe && named.length > 0 && warning('typed.otherSafe', { address }),
  );
  return {
    typed: { ...typed, calls: ofCalls?.calls ?? typed.calls },
    description,
    balances,
    warnings,
    missingCode,
  };
}

/** Finds the account whose assets a document gives: the one that the wrapper names, if any. */
function findOwner({ document, wrapped }: DecodedTypedData, signer: Hex): Hex {
  if (!wrapped) return signer;
  const account = findAddress(document?.message.verifyingContract);
  return findOwner(wrapped, account ?? signer);
}

/** Finds the Safe that a document is for, and the call that asks whether the signer is an owner. */
function findSafe(
  { document, shape, wrapped }: DecodedTypedData,
  owner: Hex,
): { to: Hex; data: Hex } | undefined {
  const { message = {}, domain } = document ?? {};
  const account = findAddress(message.verifyingContract) ?? owner;
  if (wrapped) return findSafe(wrapped, account);
  const isOfOwners = shape?.name === 'safeTransaction' || shape?.name === 'safeMessage';
  const named = isOfOwners ? domain?.verifyingContract : message.safe;
  const to = isOfOwners || shape?.name === 'safeOperation' ? findAddress(named) : '';
  return to ? { to, data: encodeCall('isOwner(address)', [owner]) } : undefined;
}

function warnOfUnknown(calls: readonly CallEffect[]): Warning[] {
  const spenders = listAllowances(calls).map(({ spender }) => toLower(spender));
  return [...new Set([...listExpectedContracts(calls), ...spenders])].map((address) =>
    warning('alert.codeUnknown', { address }),
  );
}

/** Puts the document's own allowances into a call, so that they are checked like those of a
 * transaction. Omits payments and account delegations, whose recipients need not be contracts. */
function toCall(typed: DecodedTypedData, from: Hex): CallEffect {
  const shape = (typed.wrapped ?? typed).shape?.name;
  const isForAnyone = shape === 'transfer' || shape === 'delegation';
  const inside = isForAnyone ? [] : typed.allowances;
  const nothing = { to: null, value: 0n, data: '0x', isDelegate: false } as const;
  return { kind: 'call', from, ...nothing, known: undefined, inside };
}
