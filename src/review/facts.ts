// Facts about a request that are fetched before its dialog is drawn, so that the dialog can warn.
// Nothing here fails or waits long: what cannot be found out in time is not warned of.
import type { NodeClient, RpcCallObject } from '../../packages/client/src';
import type { Chain } from '../chains/chain';
import type { AppContext, InsightContext } from '../context';
import { encodeCall } from '../eth/abi';
import { computeDeployment } from '../eth/account-calls';
import { toCaip2 } from '../eth/chain';
import type { ChainId } from '../eth/chain';
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
import { askForCode, askForWord, ifReverted, MAX_ASKED, within } from './ask';
import { listAllowances, listCalled, listCalls } from './effects';
import type { AllowanceEffect, CallContent, CallEffect } from './effects';
import type { SigningContext } from './messages';

type SigningPlace = InsightContext & {
  account: AccountRecord;
  origin: string;
  scope: ChainId | undefined;
  confirmsItself: boolean;
  servedChains: AppContext['servedChains'];
};

/** Finds the site, the account and the served chains of a request, and what else the snap knows.
 * Content that names no chain has none to compare with those that are served: pass false, so that
 * MetaMask is not asked. */
export async function findSigningContext(
  context: SigningPlace,
  namesChain = true,
): Promise<SigningContext> {
  const [chains, { own, all: known }, operations] = await Promise.all([
    namesChain && context.confirmsItself ? listChains(context) : undefined,
    context.knownAddresses(),
    context.knownOperations.list(),
  ]);
  const { account, origin } = context;
  const now = context.now();
  return { origin, account: account.address, chains, now, own, known, operations };
}

// The site says which network it has chosen, and MetaMask whether it has that one.
async function listChains({
  servedChains,
  connect,
  scope,
}: SigningPlace): Promise<ChainId[] | undefined> {
  const served = await within(servedChains);
  if (!served || scope === undefined || served.includes(scope)) return served;
  return (await within(async () => connect(scope))) ? [...served, scope] : served;
}

/** Addresses without code, those whose code could not be read, those of whose code two nodes differ,
 * and those that are too many to ask about. */
export type MissingCode = Record<
  'none' | 'unknown' | 'disputed' | 'left',
  readonly Hex[]
>;

export const NO_MISSING_CODE: MissingCode = {
  none: [],
  unknown: [],
  disputed: [],
  left: [],
};

/** Finds those of some addresses, the most important first, that have no code. Asks at once, in one
 * batch with what else the node is asked in this tick. */
export async function findMissingCodeAt(
  addresses: readonly Hex[],
  node: NodeClient,
): Promise<MissingCode> {
  const all = [...new Set(addresses.map(toLower))];
  const asked = all.slice(0, MAX_ASKED);
  const codes = await Promise.all(
    asked.map(async (address) => askForCode(address, node)),
  );
  const find = (code: string | undefined): Hex[] =>
    asked.filter((_address, index) => codes[index] === code);
  return {
    none: find('0x'),
    unknown: find(undefined),
    disputed: find('disputed'),
    left: all.slice(MAX_ASKED),
  };
}

/** Warns of addresses that the node was not asked about. */
export function warnOfLeft(
  addresses: readonly Hex[],
  { left }: Pick<MissingCode, 'left'>,
): Warning | false {
  const count = left.filter((each) => hasAddress(addresses, each)).length;
  return count > 0 && danger('alert.notChecked', { count });
}

/** Gives a warning about an address if it has no code, and one that its code is unknown if it is. */
export function ifWithoutCode(
  warnOfNone: Warning,
  address: Hex,
  { none, unknown, disputed }: MissingCode,
): Warning | false {
  if (hasAddress(disputed, address)) return danger('alert.disputed', { address });
  if (hasAddress(none, address)) return warnOfNone;
  return hasAddress(unknown, address) && warning('alert.codeUnknown', { address });
}

/** Warns of a spender that is no contract: honest sites have contracts for that. */
export function warnOfSpender(address: Hex, code: MissingCode): Warning | false {
  return ifWithoutCode(danger('typed.spenderNoCode', { address }), address, code);
}

/** What a chain knows of allowances, and of which tokens it was not asked, since there are too many. */
type AllowanceFacts = {
  code: MissingCode;
  supplies: ReadonlyMap<Hex, bigint>;
  unread: readonly Hex[];
  /** Tokens with decimals. */
  divisible: readonly Hex[];
};

/** Finds out about allowances: which spenders have code, and how much there is of a token. Asks the
 * node, if there is one, at once, as {@link findMissingCodeAt} does, first about those with most at
 * stake. */
export async function findAllowanceFacts(
  allowances: readonly AllowanceEffect[],
  chainId: ChainId,
  node: NodeClient | undefined,
): Promise<AllowanceFacts> {
  const given = [...allowances].sort((one, other) => stakeOf(other) - stakeOf(one));
  const spenders = given.map(({ spender }) => spender);
  const unsure = given.filter((each) => isLimited(each) || each.mayRevoke);
  const all = [...new Set(unsure.map(({ token }) => toLower(token)))];
  const [code, supplies] = await Promise.all([
    node ? findMissingCodeAt(spenders, node) : NO_MISSING_CODE,
    fetchSupplies(all.slice(0, MAX_ASKED), node),
  ]);
  const chain = toCaip2(chainId);
  const divisible = given
    .map(({ token }) => toLower(token))
    .filter((each) => findTokenUnit(chain, each) ?? supplies.has(each));
  return { code, supplies, unread: node ? all.slice(MAX_ASKED) : [], divisible };
}

/** Warns of spenders that are no contracts, and of amounts that are all there is of a token. */
export function findAllowanceWarnings(
  calls: readonly CallEffect[],
  { code, supplies, unread, divisible }: AllowanceFacts,
): NumberedWarning[] {
  return warnOfEach(calls, (call) => {
    const allowances = listAllowances([call]).filter(
      ({ token, mayRevoke }) => !mayRevoke || !hasAddress(divisible, token),
    );
    return listFound(
      warnOfLeft(
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

// All of a collection, then all of a token, then an amount of it.
function stakeOf({ amount, mayRevoke }: AllowanceEffect): number {
  if (mayRevoke) return 0;
  if (amount === undefined) return 3;
  return isUnlimited(amount) ? 2 : 1;
}

/** Warns of those of some calls, made one after another, that reach no contract, or may reach none.
 * The addresses of the contracts that an ordinary account creates depend on its nonces. */
export function warnOfMissingContracts(
  calls: readonly (CallEffect & { nonce?: bigint | undefined })[],
  code: MissingCode,
): NumberedWarning[] {
  const created = new Set<Hex>();
  return warnOfEach(calls, (call) => {
    const all = listCalled([call]);
    const called = all.filter((address) => !created.has(address));
    const creates = findCreated(call);
    if (creates !== undefined) created.add(creates);
    return listFound(
      warnOfLeft(all, code),
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

/** Finds the code of an account that calls itself; undefined if it does not, or if the code is not
 * known. */
export async function findOwnCode(
  calls: readonly CallEffect[],
  node: NodeClient,
): Promise<Hex | undefined> {
  const own = calls.find(
    ({ from, to, data }) => to !== null && data !== '0x' && isSameAddress(to, from),
  );
  if (!own) return undefined;
  const code = await askForCode(own.from, node);
  return code === 'disputed' ? undefined : code;
}

/** A call that creates the account that it sends value to, and by how much gas that is dearer. */
export type NewAccount = { number: number; gas: bigint };

/** Finds which calls of a contract create the account that they send value to, on a chain where
 * that is dear (EIP-8037). */
export async function findNewAccounts(
  calls: readonly CallEffect[],
  chain: Chain,
  findFork: FindFork,
): Promise<NewAccount[]> {
  const fork = await within(async () => findFork(chain));
  if (!fork) return [];
  const gas = computeTransferGas(fork, 'created') - computeTransferGas(fork, 'exists');
  if (gas === 0n) return [];
  const paid = calls.map(({ to, value }) =>
    to !== null && value > 0n ? toLower(to) : undefined,
  );
  const asked = new Set(paid.slice(0, MAX_ASKED).filter((to) => to !== undefined));
  const found = await Promise.all(
    [...asked].map(async (address) => {
      const isNew = await within(async (signal) => isAbsent(address, chain, signal));
      return isNew === true ? [{ number: paid.indexOf(address) + 1, gas }] : [];
    }),
  );
  return found.flat();
}

// As EIP-161 has it.
async function isAbsent(
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

/** Warns that a transfer creates the recipient's account, with the maximum extra cost. */
export function warnOfNewAccount(gas: bigint, fee: bigint): Warning {
  return info('alert.newAccount', { cost: { coins: gas * fee } });
}

/** Warns of a nonce that is used already, so that nothing with it is ever included, or that leaves a
 * gap to the next one: then it waits until the gap is filled. */
export async function warnOfNonce(
  nonce: bigint,
  find: () => Promise<{ next: bigint; used: bigint }>,
): Promise<Warning[]> {
  const range = await within(find);
  if (!range) return [];
  const { next, used } = range;
  if (nonce < used) return [warning('alert.nonceUsed', { nonce, next })];
  return nonce > next ? [warning('alert.nonceGap', { nonce, next })] : [];
}

/** Returns whether the supply of the token decides if there is a limit. */
function isLimited({ amount, id }: AllowanceEffect): boolean {
  return id === undefined && amount !== undefined && !isUnlimited(amount);
}

// Tokens that have no decimals are counted in pieces with numbers, which approvals name.
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
      return decimals === undefined ? [] : [[to, supply] as const];
    }),
  );
  return new Map(found.flat());
}

/** Where proxies keep the address of their code, or of the beacon that knows it (EIP-1967). A clone
 * (EIP-1167) has it in its own code, and cannot be upgraded. */
const SLOTS = [
  '0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc',
  '0xa3f0ad74e5423aebfd80d3ef4346578335a9a72aeaee59ff6cb3582b35133d50',
];

/** Most calls that are tried in another block; of more, it counts as known that they differ. */
export const MAX_TRIED = 20;

/** Most calls are included by then, in s. */
const LATER = 120;

/** Lists those of the called contracts that can be upgraded. Asks at once. */
export async function findUpgradeable(
  called: readonly Hex[],
  node: NodeClient,
): Promise<Hex[]> {
  const contracts = called.slice(0, MAX_ASKED);
  const found = await Promise.all(
    contracts.map(async (address) => {
      const words = await Promise.all(
        SLOTS.map(async (slot) =>
          within(async (signal) =>
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

/** Notes of calls that no descriptor describes that their contracts can be upgraded. Most well-
 * known contracts and those of the ERC-7730 registry can: of these, the call's fold says so. */
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

/** What is known by now of calls in another block. */
export type OtherBlock = {
  /** Returns whether an outcome is known to differ. */
  differs: () => boolean;
  /** Settles when nothing more is to come; never rejects. */
  tried: Promise<unknown>;
};

/** Tries calls in a block of now and in another one: two minutes later, with other randomness, base
 * fee and fee recipient. Asks at once. A node that ignores such overrides shows no difference. */
export function tryOtherBlock(
  calls: readonly RpcCallObject[],
  node: NodeClient,
  now: number,
): OtherBlock {
  let differs = calls.length > MAX_TRIED;
  const time = Math.floor(now / 1_000);
  const tries = calls.slice(0, MAX_TRIED).map(async (call) => {
    if ((call.data ?? '0x') === '0x') return;
    const runIn = async (seed: number): Promise<string | undefined> =>
      within(async (signal) => {
        const block = {
          time: toQuantity(BigInt(time + seed * LATER)),
          prevRandao: `0x${`${seed + 1}`.repeat(64)}` as const,
          feeRecipient: `0x${`${seed + 1}`.repeat(40)}` as const,
          baseFeePerGas: toQuantity(BigInt(seed + 1) * 1_000_000_007n),
        };
        return node
          .request('eth_call', [call, 'latest', {}, block], { signal })
          .catch(ifReverted('reverted'));
      });
    const [first, second] = await Promise.all([runIn(0), runIn(1)]);
    // Where one of them failed for another reason, nothing is known.
    if (first && second && first !== second) differs = true;
  });
  return { differs: () => differs, tried: Promise.all(tries) };
}
