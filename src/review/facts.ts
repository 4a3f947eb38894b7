// Facts about a request that are fetched before its dialog is drawn, so that the dialog can warn.
// Nothing here fails or waits long: what cannot be found out in time is not warned of.
import type { NodeClient } from '../../packages/client/src';
import { withTimeLimit } from '../../packages/client/src/abort';
import type { Chain } from '../chains/chain';
import type { AppContext, InsightContext, RequestContext } from '../context';
import { encodeCall, findWord } from '../eth/abi';
import { computeDeployment } from '../eth/account-calls';
import type { ChainId } from '../eth/chain';
import {
  byteLength,
  isOrdinary,
  isSameAddress,
  isUnlimited,
  NodeAddressStruct,
  ZERO_ADDRESS,
} from '../eth/hex';
import type { Hex } from '../eth/hex';
import { computeTransferGas } from '../eth/intrinsic-gas';
import { computeCreateAddress } from '../eth/smart-account';
import type { TypedData } from '../eth/typed-data';
import type { FindFork } from '../fees/fork';
import { matches } from '../schema/parse';
import type { AccountRecord } from '../state/account-record';
import { danger, info, warning } from '../ui/warnings';
import type { NumberedWarning, Warning } from '../ui/warnings';
import type { SigningContext } from './disguises';
import type { DecodedTypedData } from './documents';
import { listAllowances, listCalls } from './effects';
import type { AllowanceEffect, CallContent, CallEffect } from './effects';
import type { ShapeName } from './shapes';

/** Access to the chains' nodes. */
type Connecting = Pick<RequestContext, 'connect'>;

/** Longest wait of a dialog for facts, in ms. */
const LIMIT_MS = 1_500;

/** Most allowances, or recipients, that the node is asked about: as many as there can be calls. */
const MAX_ALLOWANCES = 100;

/** Most called addresses whose code is looked at. */
const MAX_CALLED = 100;

/** Bytes of a function's selector, and of each word of its arguments. */
const SELECTOR_BYTES = 4;
const WORD_BYTES = 32;

type SigningPlace = InsightContext & {
  account: AccountRecord;
  origin: string;
  scope: ChainId | undefined;
  confirmsItself: boolean;
  servedChains: AppContext['servedChains'];
};

/** Finds the site, the account and the served chains of a request, and what else the snap knows. */
export async function findSigningContext(
  context: SigningPlace,
): Promise<SigningContext> {
  const [chains, { own, all: known }, operations] = await Promise.all([
    context.confirmsItself ? listChains(context) : undefined,
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

/** Lists those of some addresses that have no code on a chain. */
export async function findWithoutCode(
  addresses: readonly Hex[],
  chainId: ChainId | undefined,
  { connect }: Connecting,
): Promise<Hex[]> {
  if (chainId === undefined || addresses.length === 0) return [];
  const found = await within(async (signal) => {
    const { node } = await connect(chainId);
    return lookForCode(addresses, node, signal);
  });
  return found ?? [];
}

/** Finds the balances of an account of the tokens that it allows others to take, by token. */
export async function findBalances(
  allowances: readonly { token: Hex }[],
  { account, chainId }: { account: Hex; chainId: ChainId | undefined },
  { connect }: Connecting,
): Promise<ReadonlyMap<Hex, bigint>> {
  if (chainId === undefined || allowances.length === 0) return new Map();
  const chain = await within(async () => connect(chainId));
  return chain ? findBalancesAt(allowances, account, chain.node) : new Map();
}

/** Finds them at a node. Asks at once, as {@link findWithoutCodeAt} does. */
export async function findBalancesAt(
  allowances: readonly { token: Hex }[],
  account: Hex,
  node: NodeClient,
): Promise<ReadonlyMap<Hex, bigint>> {
  const tokens = new Set(allowances.slice(0, MAX_ALLOWANCES).map(({ token }) => token));
  const data = encodeCall('balanceOf(address)', [account]);
  const found = await Promise.all(
    [...tokens].map(async (to): Promise<[Hex, bigint | undefined]> => {
      const answer = await within(async (signal) =>
        node.request('eth_call', [{ to, data }, 'latest'], { signal }),
      );
      return [to, answer === undefined ? undefined : findWord(answer)];
    }),
  );
  return new Map(
    found.flatMap(([to, balance]) => (balance === undefined ? [] : [[to, balance]])),
  );
}

/**
 * Checks the Safe that a document is for: whether it is one of those that the user
 * named, and whether the signer is an owner. Nothing is said where the chain does not answer, or
 * where no Safe is named.
 */
export async function findSafeWarnings(
  { document, shape }: DecodedTypedData,
  { account, chainId }: { account: Hex; chainId: ChainId | undefined },
  { connect, ownSafes }: Connecting & Pick<InsightContext, 'ownSafes'>,
): Promise<Warning[]> {
  const safe = findSafe(document, shape?.name);
  if (safe === undefined) return [];
  const data = encodeCall('isOwner(address)', [account]);
  const [answer, named = []] = await Promise.all([
    chainId === undefined
      ? undefined
      : within(async (signal) => {
          const { node } = await connect(chainId);
          return node.request('eth_call', [{ to: safe, data }, 'latest'], { signal });
        }),
    ownSafes?.(),
  ]);
  const own = named.find(({ address }) => isSameAddress(address, safe));
  const isStranger = answer !== undefined && findWord(answer) === 0n;
  return [
    ...(isStranger ? [warning('typed.notOwner', { address: safe })] : []),
    ...(own ? [info('typed.ownSafe', { name: own.name })] : []),
    ...(!own && named.length > 0
      ? [warning('typed.otherSafe', { address: safe })]
      : []),
  ];
}

function findSafe(
  document: TypedData | undefined,
  shape: ShapeName | undefined,
): Hex | undefined {
  const isOwn = shape === 'safeTransaction' || shape === 'safeMessage';
  const safe = isOwn ? document?.domain.verifyingContract : undefined;
  const named = shape === 'safeOperation' ? document?.message.safe : safe;
  return matches(named, NodeAddressStruct) ? named : undefined;
}

/** List those of some addresses that are known to have no code. Asks at once, in one batch with
 * what else the node is asked in this tick. */
export async function findWithoutCodeAt(
  addresses: readonly Hex[],
  node: NodeClient,
): Promise<Hex[]> {
  if (addresses.length === 0) return [];
  return (await within(async (signal) => lookForCode(addresses, node, signal))) ?? [];
}

/**
 * Find what a chain knows of the allowances that calls give: spenders that are no contracts,
 * and amounts that are all there is of a token. Asks at once, as {@link findWithoutCodeAt} does.
 */
export async function findAllowanceWarnings(
  calls: readonly CallEffect[],
  node: NodeClient,
): Promise<NumberedWarning[]> {
  const given = calls
    .flatMap((call, index) =>
      listAllowances([call]).map((each) => ({ ...each, number: index + 1 })),
    )
    .slice(0, MAX_ALLOWANCES);
  const [withoutCode = [], supplies] = await Promise.all([
    within(async (signal) => lookForCode(listSpenders(given), node, signal)),
    fetchSupplies(given, node),
  ]);
  const warnings = given.flatMap(({ number, ...allowance }) => {
    const { token, spender, amount } = allowance;
    const isAll =
      isLimited(allowance) && isUnlimited(amount ?? 0n, supplies.get(token) ?? 0n);
    const found = [
      ...(withoutCode.includes(spender)
        ? [danger('typed.spenderNoCode', { address: spender })]
        : []),
      ...(isAll
        ? [
            warning('alert.unlimited', {
              spender: { short: spender },
              token: { token },
            }),
          ]
        : []),
    ];
    return found.map((each) => ({ warning: each, number }));
  });
  const distinct = new Map(warnings.map((each) => [JSON.stringify(each), each]));
  return [...distinct.values()];
}

/**
 * Lists the addresses at which calls, and the calls in them, need a contract. Other data than a
 * call's are a note to the owner of the address.
 */
export function listCalled(calls: readonly CallEffect[]): Hex[] {
  const called = listCalls(calls).flatMap(({ from, to, data }): Hex[] => {
    if (to === null || isSameAddress(to, from)) return [];
    return isForContract({ to, data }) ? [to.toLowerCase() as Hex] : [];
  });
  return [...new Set(called)].slice(0, MAX_CALLED);
}

/**
 * Warns of those of some calls, made one after another, that reach no contract.
 *
 * @param calls - Those of an ordinary account have its nonces, on which the addresses of the
 * contracts depend that it creates.
 * @param withoutCode - Addresses that have no code yet.
 * @returns Warnings of each call.
 */
export function warnOfMissingContracts(
  calls: readonly (CallEffect & { nonce?: bigint | undefined })[],
  withoutCode: readonly Hex[],
): Warning[][] {
  const empty = new Set(withoutCode);
  return calls.map((call) => {
    const missing = listCalled([call]).filter((address) => empty.has(address));
    const created = findCreated(call);
    if (created !== undefined) empty.delete(created);
    return missing.map((address) => warning('alert.noContract', { address }));
  });
}

function findCreated({
  from,
  to,
  data,
  nonce,
}: CallContent & { nonce?: bigint | undefined }): Hex | undefined {
  if (to !== null) return computeDeployment({ to, data })?.address;
  if (nonce === undefined) return undefined;
  return computeCreateAddress(from, nonce);
}

function isForContract({ to, data }: { to: Hex; data: Hex }): boolean {
  const length = byteLength(data);
  const isCall =
    length >= SELECTOR_BYTES && (length - SELECTOR_BYTES) % WORD_BYTES === 0;
  return isCall && isOrdinary(to);
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
  return within(async (signal) =>
    node.request('eth_getCode', [own.from, 'latest'], { signal }),
  );
}

/** A call that creates the account that it sends value to, and by how much gas that is dearer. */
export type NewAccount = { number: number; gas: bigint };

/**
 * Finds which calls of a contract create the account that they send value to, on a chain where that
 * is dear (EIP-8037).
 */
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
    to !== null && value > 0n ? (to.toLowerCase() as Hex) : undefined,
  );
  const asked = new Set(paid.slice(0, MAX_ALLOWANCES).filter((to) => to !== undefined));
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

/**
 * Find whether a nonce leaves a gap: whatever uses it waits until the gap is filled.
 *
 * @param fetchNext - Finds the nonce that is to be used next.
 */
export async function findNonceGap(
  nonce: bigint,
  fetchNext: () => Promise<bigint>,
): Promise<Warning[]> {
  const next = await within(fetchNext);
  if (next === undefined || nonce <= next) return [];
  return [warning('alert.nonceGap', { nonce, next })];
}

function listSpenders(allowances: readonly AllowanceEffect[]): Hex[] {
  const spenders = new Set(allowances.map(({ spender }) => spender));
  return [...spenders].filter((each) => !isSameAddress(each, ZERO_ADDRESS));
}

/** Returns whether the supply of the token decides if there is a limit. */
function isLimited({ amount }: AllowanceEffect): boolean {
  return amount !== undefined && !isUnlimited(amount);
}

// Tokens that have no decimals are counted in pieces with numbers, which approvals name.
async function fetchSupplies(
  allowances: readonly AllowanceEffect[],
  node: NodeClient,
): Promise<Map<Hex, bigint>> {
  const tokens = new Set(allowances.filter(isLimited).map(({ token }) => token));
  const found = await Promise.all(
    [...tokens].map(async (token): Promise<[Hex, bigint]> => {
      const answers = await within(async (signal) =>
        Promise.all(
          (['totalSupply()', 'decimals()'] as const).map(async (question) => {
            const call = { to: token, data: encodeCall(question, []) };
            return findWord(
              await node.request('eth_call', [call, 'latest'], { signal }),
            );
          }),
        ),
      );
      const [supply, decimals] = answers ?? [];
      return [token, decimals === undefined ? 0n : (supply ?? 0n)];
    }),
  );
  return new Map(found);
}

async function lookForCode(
  addresses: readonly Hex[],
  node: NodeClient,
  signal: AbortSignal,
): Promise<Hex[]> {
  const codes = await Promise.all(
    addresses.map((address) => {
      const lower = address.toLowerCase() as Hex;
      return node.request('eth_getCode', [lower, 'latest'], { signal });
    }),
  );
  return addresses.filter((_address, index) => codes[index] === '0x');
}

/** Runs something within the time limit; returns undefined if it fails. */
export async function within<Result>(
  run: (signal: AbortSignal) => Promise<Result>,
): Promise<Result | undefined> {
  return withTimeLimit(run, LIMIT_MS).catch(() => undefined);
}
