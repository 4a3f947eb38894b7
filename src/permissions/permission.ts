// Permissions over an account and its assets: token allowances, NFT approvals, Permit2 allowances,
// the account's delegation (EIP-7702), and a Safe's modules, guard and fallback handler. Reads
// their state from the chain and creates the calls that revoke them.
import { boolean, exactOptional } from '@metamask/superstruct';
import { hexToBytes } from '@metamask/utils';

import { RpcError } from '../../packages/client/src';
import type { NodeClient } from '../../packages/client/src';
import { fetchDelegation } from '../chains/delegation';
import { InvalidParamsError, UnavailableError } from '../core/errors';
import { SAFE_MODULE } from '../core/safe';
import { encodeBySignature, readArguments } from '../eth/abi';
import type { Intent } from '../eth/account-calls';
import {
  AddressStruct,
  isSameAddress,
  isUnlimited,
  QuantityStruct,
  toLower,
  toPaddedHex,
  ZERO_ADDRESS,
} from '../eth/hex';
import type { Hex } from '../eth/hex';
import { ifReverted } from '../review/ask';
import { matches } from '../schema/parse';
import { oneOf, paramObject } from '../schema/structs';
import type { AccountRecord } from '../state/account-record';
import { PERMIT2 } from '../ui/tokens';

const assetKinds = ['allowance', 'operator', 'nft', 'permit2'] as const;

const permissionKinds = [
  ...assetKinds,
  'delegation',
  ...(['module', 'guard', 'handler'] as const),
] as const;

type PermissionKind = (typeof permissionKinds)[number];

/** A permission that an account may have granted. */
export type Candidate = {
  kind: PermissionKind;
  /** Who holds the permission. For an NFT, the address that the chain reports replaces it. */
  spender: Hex;
  token?: Hex | undefined;
  id?: bigint | undefined;
  /** The block in which the permission was granted, if known from a log. */
  block?: bigint | undefined;
};

export type Permission = Candidate & {
  /** In the token's smallest unit; undefined for permissions without an amount. */
  amount?: bigint | undefined;
  balance?: bigint | undefined;
  /** Unix time in seconds. */
  expiration?: bigint | undefined;
  /** Whether the permission covers everything, including future assets. */
  isUnlimited: boolean;
  /** False if the permission could not be read from the chain. */
  isKnown: boolean;
};

/** A permission to revoke, as returned by `tollkeeper_getPermissions`. */
export const PermissionStruct = paramObject({
  kind: oneOf(permissionKinds),
  spender: AddressStruct,
  token: exactOptional(AddressStruct),
  id: exactOptional(QuantityStruct),
  amount: exactOptional(QuantityStruct),
  balance: exactOptional(QuantityStruct),
  expiration: exactOptional(QuantityStruct),
  block: exactOptional(QuantityStruct),
  isUnlimited: exactOptional(boolean()),
  isKnown: exactOptional(boolean()),
});

/** Marks the start and the end of a Safe's list of modules. */
const SENTINEL: Hex = `0x${'1'.padStart(40, '0')}`;

const MAX_PAGES = 10;
const PAGE_SIZE = 50n;

/** Storage slots of a Safe: the hashes of `guard_manager.guard.address` and
 * `fallback_manager.handler.address`. */
const SLOTS = {
  guard: '0x4a204f620c8c5ccdca3fd54d003badd85ba500436a431f0cbda4f558c93c34c8',
  handler: '0x6c9a6c4a39284e37ed1cf53d337577d14212a4870fb976a4366c693b939918d5',
} as const;

/** Returns a permission's unique key. It omits the spender of an NFT, which has only one. */
export function toKey({ kind, spender, token, id }: Candidate): string {
  const who = kind === 'nft' ? '' : toLower(spender);
  return [kind, token && toLower(token), who, id].join('.');
}

type ReadingContext = {
  record: AccountRecord;
  node: NodeClient;
  /** Unix time in seconds. */
  now: bigint;
};

/** Reads the current state of candidates in one batch. Omits permissions that do not exist, and
 * sets `isKnown` to false for those that could not be read. */
export async function readPermissions(
  candidates: readonly Candidate[],
  { record, node, now }: ReadingContext,
): Promise<Permission[]> {
  const { address: owner } = record;
  // Returns the 32-byte words of the answer: none if there is no contract at the address, or it
  // reverts, as for a burnt NFT or a contract of another kind. A call that runs out of the gas that
  // the node allows proves nothing.
  const ask = async (
    to: Hex,
    ...call: Parameters<typeof encodeBySignature>
  ): Promise<bigint[]> => {
    const data = encodeBySignature(...call);
    const answer = await node
      .request('eth_call', [{ to, data }, 'latest'])
      .catch((error: unknown) => {
        if (error instanceof RpcError && error.topic === 'gas') throw error;
        return ifReverted('0x')(error);
      });
    const words = answer.slice(2).match(/.{64}/gu);
    if (!words && answer !== '0x') {
      throw new UnavailableError(`${to} returned less than a word.`);
    }
    return (words ?? []).map((word) => BigInt(`0x${word}`));
  };
  const balances = new Map<string, Promise<bigint | undefined>>();
  const findBalance = async (token: Hex): Promise<bigint | undefined> => {
    const key = toLower(token);
    const asked =
      balances.get(key) ??
      ask(token, 'balanceOf(address)', owner).then(
        ([balance]) => balance,
        () => undefined,
      );
    balances.set(key, asked);
    return asked;
  };
  const read = async (candidate: Candidate): Promise<Permission | undefined> => {
    const { kind, spender, token = ZERO_ADDRESS, id = 0n } = candidate;
    const known = { ...candidate, isKnown: true };
    if (kind === 'operator') {
      const question = 'isApprovedForAll(address,address)';
      const [isApproved = 0n] = await ask(token, question, owner, spender);
      return isApproved === 0n ? undefined : { ...known, isUnlimited: true };
    }
    if (kind === 'nft') {
      const [[holder = 0n], [approved = 0n]] = await Promise.all([
        ask(token, 'ownerOf(uint256)', id),
        ask(token, 'getApproved(uint256)', id),
      ]);
      if (holder !== BigInt(owner) || approved === 0n) return undefined;
      return { ...known, spender: toPaddedHex(approved, 20), isUnlimited: false };
    }
    const isPermit2 = kind === 'permit2';
    const [[amount = 0n, expiration = 0n], balance] = await Promise.all([
      isPermit2
        ? ask(PERMIT2, 'allowance(address,address,address)', owner, token, spender)
        : ask(token, 'allowance(address,address)', owner, spender),
      findBalance(token),
    ]);
    if (amount === 0n || (isPermit2 && expiration < now)) return undefined;
    return {
      ...known,
      amount,
      balance,
      ...(isPermit2 && { expiration }),
      isUnlimited: isUnlimited(amount),
    };
  };
  const found = await Promise.all(
    candidates.map(async (candidate) =>
      read(candidate).catch((): Permission => ({
        ...candidate,
        isUnlimited: false,
        isKnown: false,
      })),
    ),
  );
  return found.filter((each) => each !== undefined);
}

/** Fetches the contracts that control an account besides its key: its delegate, or a Safe's
 * modules, guard and fallback handler. Omits the module that Tollkeeper's Safes need. */
export async function fetchControllers(
  { address, ...record }: AccountRecord,
  node: NodeClient,
): Promise<Permission[]> {
  const toPermission = (kind: PermissionKind, spender: Hex): Permission => ({
    kind,
    spender,
    isKnown: true,
    isUnlimited: true,
  });
  if (record.type === 'eip155:eoa') {
    const delegation = await fetchDelegation(node, address);
    return delegation ? [toPermission('delegation', delegation.address)] : [];
  }
  if (record.implementation !== 'safe') return [];
  const [modules, ...others] = await Promise.all([
    fetchModules(address, node),
    ...(['guard', 'handler'] as const).map(async (kind) => {
      const slot = await node.request('eth_getStorageAt', [
        address,
        SLOTS[kind],
        'latest',
      ]);
      return [kind, toPaddedHex(BigInt(slot), 20)] as const;
    }),
  ]);
  return [
    ...modules.map((module) => toPermission('module', module)),
    ...others
      .filter(([, contract]) => BigInt(contract) > 0n)
      .map(([kind, contract]) => toPermission(kind, contract)),
  ].filter(({ spender }) => !isSameAddress(spender, SAFE_MODULE));
}

// An unlisted module could not be revoked, so an incomplete list is an error.
async function fetchModules(safe: Hex, node: NodeClient): Promise<Hex[]> {
  const found: Hex[] = [];
  let start = SENTINEL;
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const signature = 'getModulesPaginated(address,uint256)';
    const data = encodeBySignature(signature, start, PAGE_SIZE);
    const answer = await node.request('eth_call', [{ to: safe, data }, 'latest']);
    // The Safe is not deployed yet.
    if (answer === '0x' && page === 0) return [];
    const [modules, last] =
      readArguments(['address[]', 'address'], hexToBytes(answer)) ?? [];
    if (!modules) break;
    found.push(...(modules as Hex[]));
    start = last as Hex;
    if (isSameAddress(start, SENTINEL)) return found;
  }
  throw new UnavailableError(`The modules of ${safe} cannot be read.`);
}

/**
 * Creates the calls that revoke permissions, in order.
 *
 * @throws {InvalidParamsError} If a permission is listed twice, is gone, has changed, or cannot be
 * revoked by a call.
 * @throws {UnavailableError} If a permission could not be read.
 */
export async function toRevocations(
  wanted: readonly (Candidate & { amount?: bigint })[],
  context: ReadingContext,
): Promise<Intent[]> {
  const { record, node } = context;
  if (new Set(wanted.map(toKey)).size < wanted.length) {
    throw new InvalidParamsError('permissions contains a duplicate.');
  }
  const ofAssets = wanted.filter(({ kind }) => matches(kind, oneOf(assetKinds)));
  const needsControllers = ofAssets.length < wanted.length;
  const [assets, controllers, modules] = await Promise.all([
    readPermissions(ofAssets, context),
    needsControllers ? fetchControllers(record, node) : [],
    wanted.some(({ kind }) => kind === 'module')
      ? fetchModules(record.address, node)
      : ([] as Hex[]),
  ]);
  const found = new Map([...assets, ...controllers].map((each) => [toKey(each), each]));
  return wanted.map((each, index) => {
    const name = `permissions[${index}] (${each.kind} of ${each.spender})`;
    const now = found.get(toKey(each));
    if (!isRevocable(each)) {
      throw new InvalidParamsError(
        `${name} cannot be revoked by a call. ${otherWays[each.kind]}`,
      );
    }
    if (!now) {
      throw new InvalidParamsError(`${name} is already revoked. Nothing was sent.`);
    }
    if (!now.isKnown) {
      throw new UnavailableError(`${name} cannot be read now. Nothing was sent.`);
    }
    const { spender, amount = now.amount } = each;
    const isSame = isSameAddress(now.spender, spender) && amount === now.amount;
    if (!isSame) {
      throw new InvalidParamsError(
        `${name} has changed: ${now.spender} may take ${now.amount ?? 'it'}. Nothing was sent: ` +
          'review it again.',
      );
    }
    const intent = toRevocation(now, record.address, modules);
    if (now.kind === 'module') modules.splice(modules.indexOf(toLower(now.spender)), 1);
    return intent;
  });
}

/** Advice for permissions that a call cannot revoke. Without a fallback handler, a Safe would no
 * longer accept user operations. */
const otherWays: Partial<Record<PermissionKind, string>> = {
  delegation: "Use tollkeeper_revokeDelegation, or Tollkeeper's page.",
  handler: "The Safe's owners have to replace it with a Safe transaction.",
};

export function isRevocable({ kind }: Candidate): boolean {
  return otherWays[kind] === undefined;
}

function toRevocation(
  { kind, spender, token = ZERO_ADDRESS, id = 0n }: Permission,
  account: Hex,
  modules: readonly Hex[],
): Intent {
  const call = (to: Hex, ...called: Parameters<typeof encodeBySignature>): Intent => ({
    to,
    value: 0n,
    data: encodeBySignature(...called),
  });
  const approve = 'approve(address,uint256)';
  if (kind === 'allowance') return call(token, approve, spender, 0n);
  if (kind === 'nft') return call(token, approve, ZERO_ADDRESS, id);
  if (kind === 'operator') {
    return call(token, 'setApprovalForAll(address,bool)', spender, false);
  }
  if (kind === 'permit2') {
    const inPermit2 = 'approve(address,address,uint160,uint48)';
    return call(PERMIT2, inPermit2, token, spender, 0n, 0n);
  }
  if (kind === 'guard') return call(account, 'setGuard(address)', ZERO_ADDRESS);
  const before = modules[modules.indexOf(toLower(spender)) - 1] ?? SENTINEL;
  return call(account, 'disableModule(address,address)', before, spender);
}
