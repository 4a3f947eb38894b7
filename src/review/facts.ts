// Facts about a request, fetched before its dialog is drawn so that the dialog can warn. Nothing
// here fails or waits long. Facts that arrive too late cause no warning, except about unknown code.
import type { NodeClient, RpcCallObject } from '../../packages/client/src';
import type { Chain } from '../chains/chain';
import type { InsightContext, PreparingContext } from '../context';
import { encodeCall } from '../eth/abi';
import { computeDeployment } from '../eth/account-calls';
import { toCaip2 } from '../eth/chain';
import type { ChainId } from '../eth/chain';
import { findDelegate } from '../eth/delegation';
import {
  hasAddress,
  isSameAddress,
  isUnlimited,
  toLower,
  toQuantity,
} from '../eth/hex';
import type { Hex } from '../eth/hex';
import { computeTransferGas } from '../eth/intrinsic-gas';
import { computeCreateAddress } from '../eth/smart-account';
import type { FindFork } from '../fees/gas-limit';
import type { AccountRecord } from '../state/account-record';
import { findName, findTokenUnit } from '../ui/tokens';
import { danger, info, listFound, warning, warnOfEach } from '../ui/warnings';
import type { NumberedWarning, Warning } from '../ui/warnings';
import { askForCode, askForWord, ifReverted, MAX_CONTRACTS, tryBriefly } from './ask';
import type { Pending } from './ask';
import { listAllowances, listExpectedContracts, listCalls } from './effects';
import type { AllowanceEffect, CallContent, CallEffect } from './effects';
import type { SigningContext } from './messages';

/** Pass `chains`, the served chains, for content that can name a chain. */
export async function findSigningContext(
  context: InsightContext & { account: Pick<AccountRecord, 'address'>; origin: string },
  chains?: Promise<ChainId[] | undefined>,
): Promise<SigningContext> {
  const [served, { own, all: known }, operations] = await Promise.all([
    chains,
    context.knownAddresses(),
    context.knownOperations.list(),
  ]);
  return {
    origin: context.origin,
    account: context.account.address,
    chains: served,
    now: context.now(),
    own,
    known,
    operations,
  };
}

/** Lists the chains with a node: the served ones, and the request's chain if MetaMask has a node
 * for it. Returns undefined if Tollkeeper shows no dialog, or if the chains are not known in
 * time. */
export async function listChains({
  confirmsItself,
  servedChains,
  connect,
  scope,
}: Pick<
  PreparingContext,
  'confirmsItself' | 'servedChains' | 'connect' | 'scope'
>): Promise<ChainId[] | undefined> {
  if (!confirmsItself) return undefined;
  const served = await tryBriefly(servedChains);
  if (!served || scope === undefined || served.includes(scope)) return served;
  return (await tryBriefly(async () => connect(scope))) ? [...served, scope] : served;
}

/** Addresses without code, ordinary accounts that delegate to a contract (EIP-7702), addresses with
 * unknown code, with code on which two nodes differ, and those beyond the limit. */
export type MissingCode = Record<
  'none' | 'delegated' | 'unknown' | 'disputed' | 'left',
  readonly Hex[]
>;

export const NO_MISSING_CODE: MissingCode = {
  none: [],
  delegated: [],
  unknown: [],
  disputed: [],
  left: [],
};

/** Finds addresses without code. Only the first {@link MAX_CONTRACTS} are checked. Sends its
 * requests in the same tick, so that they can share a batch with others. */
export async function findMissingCodeAt(
  addresses: readonly Hex[],
  node: NodeClient,
): Promise<MissingCode> {
  const all = [...new Set(addresses.map(toLower))];
  const asked = all.slice(0, MAX_CONTRACTS);
  const codes = await Promise.all(
    asked.map(async (address) => askForCode(address, node)),
  );
  const find = (code: string | undefined): Hex[] =>
    asked.filter((_address, index) => codes[index] === code);
  return {
    none: find('0x'),
    delegated: asked.filter((_address, index) => findDelegate(codes[index] ?? '')),
    unknown: find(undefined),
    disputed: find('disputed'),
    left: all.slice(MAX_CONTRACTS),
  };
}

export function warnOfUnchecked(
  addresses: readonly Hex[],
  { left }: Pick<MissingCode, 'left'>,
): Warning | false {
  const count = left.filter((each) => hasAddress(addresses, each)).length;
  return count > 0 && danger('alert.notChecked', { count });
}

/** Returns `warnOfNone` for an address without code, and other warnings for unknown or disputed
 * code. */
export function ifWithoutCode(
  warnOfNone: Warning,
  address: Hex,
  { none, unknown, disputed }: MissingCode,
): Warning | false {
  if (hasAddress(disputed, address)) return danger('alert.disputed', { address });
  if (hasAddress(none, address)) return warnOfNone;
  return hasAddress(unknown, address) && warning('alert.codeUnknown', { address });
}

/** Warns of a spender that is not a contract. Honest sites use contracts. Anyone can delegate an
 * ordinary account to a contract, and still sign for it. */
export function warnOfSpender(address: Hex, code: MissingCode): Warning | false {
  const none = [...code.none, ...code.delegated];
  const warnOfNone = danger('typed.spenderNoCode', { address });
  return ifWithoutCode(warnOfNone, address, { ...code, none });
}

/** Facts about allowances. `unread` lists the tokens beyond the limit. */
type AllowanceFacts = {
  code: MissingCode;
  supplies: ReadonlyMap<Hex, bigint>;
  unread: readonly Hex[];
  /** Tokens with decimals. */
  divisible: readonly Hex[];
};

/** Finds which spenders have code, and the total supplies of tokens, starting with the allowances
 * that risk the most. Sends its requests in the same tick. */
export async function findAllowanceFacts(
  allowances: readonly AllowanceEffect[],
  chainId: ChainId,
  node: NodeClient | undefined,
): Promise<AllowanceFacts> {
  const byStake = [...allowances].sort((one, other) => stakeOf(other) - stakeOf(one));
  const spenders = byStake.map(({ spender }) => spender);
  const unsure = byStake.filter((each) => isLimited(each) || each.mayRevoke);
  const all = [...new Set(unsure.map(({ token }) => toLower(token)))];
  const [code, supplies] = await Promise.all([
    node ? findMissingCodeAt(spenders, node) : NO_MISSING_CODE,
    fetchSupplies(all.slice(0, MAX_CONTRACTS), node),
  ]);
  const chain = toCaip2(chainId);
  const divisible = byStake
    .map(({ token }) => toLower(token))
    .filter((each) => findTokenUnit(chain, each) ?? supplies.has(each));
  return { code, supplies, unread: node ? all.slice(MAX_CONTRACTS) : [], divisible };
}

/** Warns of spenders that are not contracts, and of amounts that cover a token's whole supply. */
export function findAllowanceWarnings(
  calls: readonly CallEffect[],
  { code, supplies, unread, divisible }: AllowanceFacts,
): NumberedWarning[] {
  return warnOfEach(calls, (call) => {
    const allowances = listAllowances([call]).filter(
      ({ token, mayRevoke }) => !mayRevoke || !hasAddress(divisible, token),
    );
    return listFound(
      warnOfUnchecked(
        allowances.flatMap(({ spender, token }) => [spender, token]),
        { left: [...code.left, ...unread] },
      ),
      ...allowances.map((allowance) => {
        const { token, spender, amount = 0n } = allowance;
        const supply = supplies.get(toLower(token));
        const isAll = isLimited(allowance) && isUnlimited(amount, supply);
        return listFound(
          warnOfSpender(spender, code),
          isAll &&
            warning('alert.unlimited', {
              spender: { short: spender },
              token: { token },
            }),
        );
      }),
    );
  });
}

function stakeOf({ amount, mayRevoke }: AllowanceEffect): number {
  if (mayRevoke) return 0;
  if (amount === undefined) return 3;
  return isUnlimited(amount) ? 2 : 1;
}

/** Warns of calls to addresses that have no code, or may have none, unless an earlier call creates
 * the contract. To find the contract that an ordinary account creates, set the `nonce`. */
export function warnOfMissingContracts(
  calls: readonly (CallEffect & { nonce?: bigint | undefined })[],
  code: MissingCode,
): NumberedWarning[] {
  const created = new Set<Hex>();
  return warnOfEach(calls, (call) => {
    const all = listExpectedContracts([call]);
    const called = all.filter((address) => !created.has(address));
    const creates = findCreated(call);
    if (creates !== undefined) created.add(creates);
    return listFound(
      warnOfUnchecked(all, code),
      ...called.map((address) =>
        ifWithoutCode(warning('alert.noContract', { address }), address, code),
      ),
    );
  });
}

function findCreated({
  from,
  to,
  data,
  nonce,
}: CallContent & { nonce?: bigint | undefined }): Hex | undefined {
  if (to !== null) return computeDeployment({ to, data })?.address;
  return nonce === undefined ? undefined : computeCreateAddress(from, nonce);
}

/** Finds the code of an account that calls itself. Undefined if no call does, or if the code
 * is unknown. */
export async function findOwnCode(
  calls: readonly CallEffect[],
  node: NodeClient,
): Promise<Hex | undefined> {
  const selfCall = calls.find(
    ({ from, to, data }) => to !== null && data !== '0x' && isSameAddress(to, from),
  );
  if (!selfCall) return undefined;
  const code = await askForCode(selfCall.from, node);
  return code === 'disputed' ? undefined : code;
}

/** A call that creates its recipient's account, with the extra gas. `number` counts from 1. */
export type NewAccount = { number: number; gas: bigint };

/** Finds calls that create their recipients' accounts, where that costs extra gas (EIP-8037). */
export async function findNewAccounts(
  calls: readonly CallEffect[],
  chain: Chain,
  findFork: FindFork,
): Promise<NewAccount[]> {
  const fork = await tryBriefly(async () => findFork(chain));
  if (!fork) return [];
  const gas = computeTransferGas(fork, 'created') - computeTransferGas(fork, 'exists');
  if (gas === 0n) return [];
  const paid = calls.map(({ to, value }) =>
    to !== null && value > 0n ? toLower(to) : undefined,
  );
  const asked = new Set(paid.slice(0, MAX_CONTRACTS).filter((to) => to !== undefined));
  const found = await Promise.all(
    [...asked].map(async (address) => {
      const isNew = await tryBriefly(async (signal) =>
        isEmptyAccount(address, chain, signal),
      );
      return isNew === true ? [{ number: paid.indexOf(address) + 1, gas }] : [];
    }),
  );
  return found.flat();
}

// Returns whether an account is empty (EIP-161).
async function isEmptyAccount(
  address: Hex,
  { node }: Chain,
  signal: AbortSignal,
): Promise<boolean> {
  const [code, ...counts] = await Promise.all([
    node.request('eth_getCode', [address, 'latest'], { signal }),
    node.request('eth_getBalance', [address, 'latest'], { signal }),
    node.request('eth_getTransactionCount', [address, 'latest'], { signal }),
  ]);
  return code === '0x' && counts.every((count) => BigInt(count) === 0n);
}

export function warnOfNewAccount(gas: bigint, fee: bigint): Warning {
  return info('alert.newAccount', { cost: { coins: gas * fee } });
}

export async function warnOfNonce(
  nonce: bigint,
  find: () => Promise<{ next: bigint; used: bigint }>,
): Promise<Warning[]> {
  const range = await tryBriefly(find);
  if (!range) return [];
  const { next, used } = range;
  if (nonce < used) return [warning('alert.nonceUsed', { nonce, next })];
  return nonce > next ? [warning('alert.nonceGap', { nonce, next })] : [];
}

function isLimited({ amount, id }: AllowanceEffect): boolean {
  return id === undefined && amount !== undefined && !isUnlimited(amount);
}

// Omits tokens without decimals: they may be NFTs, whose ids look like amounts in approvals. Some
// NFT collections answer zero.
async function fetchSupplies(
  tokens: readonly Hex[],
  node: NodeClient | undefined,
): Promise<Map<Hex, bigint>> {
  const found = await Promise.all(
    tokens.map(async (to) => {
      const [supply = 0n, decimals] = await Promise.all(
        (['totalSupply()', 'decimals()'] as const).map(async (question) =>
          askForWord({ to, data: encodeCall(question, []) }, node),
        ),
      );
      return decimals ? [[to, supply] as const] : [];
    }),
  );
  return new Map(found.flat());
}

/** Storage slots of proxies for their implementation or beacon (EIP-1967). Clones (EIP-1167) cannot
 * be upgraded. */
const SLOTS = [
  '0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc',
  '0xa3f0ad74e5423aebfd80d3ef4346578335a9a72aeaee59ff6cb3582b35133d50',
];

/** Maximum calls to try in another block. A request with more calls counts as block-dependent. */
export const MAX_TRIED_CALLS = 20;

/** Time within which most calls are included, in s. */
const LATER_S = 120;

/** Finds the proxies (EIP-1967) among the first {@link MAX_CONTRACTS} called contracts. Sends its
 * requests in the same tick. */
export async function findUpgradeable(
  called: readonly Hex[],
  node: NodeClient,
): Promise<Hex[]> {
  const contracts = called.slice(0, MAX_CONTRACTS);
  const found = await Promise.all(
    contracts.map(async (address) => {
      const words = await Promise.all(
        SLOTS.map(async (slot) =>
          tryBriefly(async (signal) =>
            node.request('eth_getStorageAt', [address, slot, 'latest'], { signal }),
          ),
        ),
      );
      return words.some(
        (word) => word !== undefined && /[1-9a-f]/iu.test(word.slice(2)),
      );
    }),
  );
  return contracts.filter((_address, index) => found[index]);
}

/** Returns a note for each upgradeable contract of a call without a description. Many well-known
 * contracts and many in the ERC-7730 registry can be upgraded; for them, only the call's details
 * say so. */
export function noteUpgradeable(
  calls: readonly CallEffect[],
  upgradeable: readonly Hex[],
  chainId: ChainId,
): NumberedWarning[] {
  const chain = toCaip2(chainId);
  const unknown = upgradeable.filter((each) => findName(chain, each) === undefined);
  return warnOfEach(calls, (call) => {
    const called = listCalls([call]).flatMap(({ to, description }) =>
      to === null || description ? [] : [to],
    );
    return unknown
      .filter((each) => hasAddress(called, each))
      .map((address) => info('alert.upgradeable', { address }));
  });
}

/** Finds out whether one of the calls returns different bytes, or reverts, in a block two minutes
 * later that has other randomness, another base fee and another fee recipient. Each call is tried
 * on its own. Sends its requests in the same tick. A node that ignores these overrides shows no
 * difference. */
export function checkBlockDependence(
  calls: readonly RpcCallObject[],
  node: NodeClient,
  now: number,
): Pending<boolean> {
  let differs = calls.length > MAX_TRIED_CALLS;
  const time = Math.floor(now / 1_000);
  const tries = calls.slice(0, MAX_TRIED_CALLS).map(async (call) => {
    if ((call.data ?? '0x') === '0x') return;
    const runIn = async (seed: number): Promise<string | undefined> =>
      tryBriefly(async (signal) => {
        const block = {
          time: toQuantity(BigInt(time + seed * LATER_S)),
          prevRandao: `0x${`${seed + 1}`.repeat(64)}` as const,
          feeRecipient: `0x${`${seed + 1}`.repeat(40)}` as const,
          baseFeePerGas: toQuantity(BigInt(seed + 1) * 1_000_000_007n),
        };
        return node
          .request('eth_call', [call, 'latest', {}, block], { signal })
          .catch(ifReverted('reverted'));
      });
    const [first, second] = await Promise.all([runIn(0), runIn(1)]);
    // If a call failed for another reason, nothing is known.
    if (first && second && first !== second) differs = true;
  });
  const tried = Promise.all(tries).then(() => undefined);
  return { now: () => differs, pending: () => tried };
}
