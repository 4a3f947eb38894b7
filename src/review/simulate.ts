// What a request would change for an account: the node carries its calls out, one after another,
// and undoes them (eth_simulateV1). Transfers and approvals are read from the logs, those of the
// chain's own coin among them. The result is extra information: nothing here fails, and
// nothing waits longer than three seconds.
import type {
  NodeClient,
  RpcCallObject,
  SimulatedCall,
  SimulatedLog,
} from '../../packages/client/src';
import { withTimeLimit } from '../../packages/client/src/abort';
import { UnavailableError } from '../errors';
import { encodeCall, findRevertReason } from '../eth/abi';
import { toCaip2 } from '../eth/chain';
import type { ChainId } from '../eth/chain';
import {
  isSameAddress,
  isUnlimited,
  toLower,
  toPaddedHex,
  ZERO_ADDRESS,
} from '../eth/hex';
import type { Hex } from '../eth/hex';
import { findTokenUnit, isTaken, PERMIT2 } from '../ui/tokens';
import type { TokenUnit } from '../ui/tokens';
import { danger, warning } from '../ui/warnings';
import type { Warning } from '../ui/warnings';
import { askForWord, findBalances } from './ask';
import type { StatedUnits } from './describe/describe';
import type { AllowanceEffect, Asset } from './effects';

/** An allowance, by an amount or for one NFT; without either, for every token of a collection, now and
 * later. */
export type Approval = {
  token: Hex;
  spender: Hex;
  amount?: bigint | undefined;
  id?: bigint;
};

/** What calls change for an account. What they cost in gas is not counted. */
export type BalanceChanges = {
  /** What the account has more or less of afterwards, with signed amounts; what leaves it first. */
  changes: readonly Asset[];
  approvals: readonly Approval[];
  /** What leaves other accounts that the calls act for, such as a Safe. */
  others: readonly { account: Hex; losses: readonly Asset[] }[];
  more: number;
  /** The first call that fails, from 1 on, and why. */
  failure?: { number: number; reason: string };
  units: ReadonlyMap<Hex, TokenUnit>;
  /** What the account has of the tokens that it approves, in their smallest units. */
  balances: ReadonlyMap<Hex, bigint>;
};

type TokenUnits = Pick<StatedUnits, 'find' | 'fetch'>;

/** A simulation at one moment: `unknown` if the node cannot simulate. */
export type Simulation = BalanceChanges | 'pending' | 'unknown';

export type PendingSimulation = {
  now: () => Simulation;
  /** Settles when {@link PendingSimulation.now} has more to show, and never rejects; undefined if
   * nothing is to come. */
  pending: () => Promise<void> | undefined;
};

/** Begins to simulate what calls change for an account, and what leaves those that they act for.
 * Asks the node in the tick of the call. */
export type Simulate = (
  accounts: readonly [Hex, ...Hex[]],
  calls: readonly RpcCallObject[],
  chain: { id: ChainId; node: NodeClient },
) => PendingSimulation;

/** Longest wait in ms: most users have decided by then. */
const TIME_LIMIT_MS = 3_000;

/** Maximum number of listed arrivals: unknown contracts can make up any number. */
const MAX_ARRIVALS = 20;

/** Most losses that are listed, and most approvals. */
const MAX_LISTED = 200;

/** Most accounts beside the signer's. */
const MAX_OTHERS = 20;

/** What nodes name as the emitter of a transfer of the chain's coin: simulations alone, and the
 * protocol since Amsterdam (EIP-7708). */
const COIN = {
  synthetic: '0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee',
  protocol: '0xfffffffffffffffffffffffffffffffffffffffe',
};

export function createSimulate(units: TokenUnits): Simulate {
  return ([account, ...others], calls, { id, node }) => {
    if (node.lacks('eth_simulateV1')) {
      return { now: () => 'unknown', pending: () => undefined };
    }
    const chain = toCaip2(id);
    let found: BalanceChanges | undefined;
    let simulation: Simulation = 'pending';
    const settled = withTimeLimit(async (signal) => {
      const simulated = await requestSimulation(calls, node, signal);
      const read = readAll(simulated, [account, ...others], chain);
      found = read;
      const tokens = read.approvals.filter(({ amount }) => amount !== undefined);
      const fetching = Promise.all([
        findBalances(tokens, account, node),
        listNewApprovals(read, account, node),
      ]).then(([balances, approvals]) => {
        found = { ...read, approvals, balances };
      });
      const unknown = listUnknown(read, chain);
      await Promise.all([fetching, units.fetch(unknown, { id, node, signal })]);
    }, TIME_LIMIT_MS)
      // Results without the units count as well.
      .catch(() => undefined)
      .then(() => {
        simulation = found ? withUnits(found, id, units) : 'unknown';
      });
    return {
      now: () => simulation,
      pending: () => (simulation === 'pending' ? settled : undefined),
    };
  };
}

// Some tokens emit an approval of the rest when a spender takes a part.
async function listNewApprovals(
  { approvals }: BalanceChanges,
  account: Hex,
  node: NodeClient,
): Promise<Approval[]> {
  const found = await Promise.all(
    approvals.map(async (each) => {
      if (each.amount === undefined || !isWide(each)) return [each];
      const data = encodeCall('allowance(address,address)', [account, each.spender]);
      const before = await askForWord({ to: each.token, data }, node);
      return before !== undefined && before >= each.amount ? [] : [each];
    }),
  );
  return found.flat();
}

function listUnknown(
  { changes, approvals, others }: BalanceChanges,
  chain: string,
): ReadonlySet<Hex> {
  const losses = others.flatMap((each) => each.losses);
  const tokens = [...changes, ...losses, ...approvals].filter(
    ({ token, amount, id }) =>
      amount !== undefined &&
      id === undefined &&
      token !== ZERO_ADDRESS &&
      !findTokenUnit(chain, token),
  );
  return new Set(tokens.map(({ token }) => token));
}

function withUnits(
  found: BalanceChanges,
  id: ChainId,
  units: TokenUnits,
): BalanceChanges {
  const chain = toCaip2(id);
  const stated = [...listUnknown(found, chain)].flatMap((token) => {
    const unit = units.find(id, token);
    return unit && !isTaken(unit.symbol, chain) ? [[token, unit] as const] : [];
  });
  return { ...found, units: new Map(stated) };
}

// Apart from all else that the node is asked: a batch is answered when its slowest call is.
async function requestSimulation(
  calls: readonly RpcCallObject[],
  node: NodeClient,
  signal: AbortSignal,
): Promise<SimulatedCall[]> {
  const simulation = {
    blockStateCalls: [{ calls: [...calls] }],
    traceTransfers: true,
    validation: false,
  };
  const blocks = await node.tryRequest('eth_simulateV1', [simulation, 'latest'], {
    signal,
    isSlow: true,
  });
  const simulated = blocks?.flatMap((block) => block.calls);
  if (simulated?.length === calls.length) return simulated;
  throw new UnavailableError(`${node.label} did not simulate every call.`);
}

/** Warns of approvals without bound that nothing but the simulation shows. */
export function warnOfApprovals(
  simulation: Simulation | undefined,
  allowances: readonly AllowanceEffect[],
): Warning[] {
  if (typeof simulation !== 'object') return [];
  const hidden = simulation.approvals.filter(
    (each) =>
      isWide(each) &&
      !allowances.some(({ spender }) => isSameAddress(spender, each.spender)),
  );
  return hidden.map(({ amount, token, spender }) =>
    amount === undefined
      ? danger('alert.operator', { operator: spender })
      : danger('alert.unlimited', { spender: { short: spender }, token: { token } }),
  );
}

/** Warns of a call that fails, unless another warning says so. */
export function warnOfFailure(
  simulation: Simulation | undefined,
  shown: readonly Warning[],
): Warning[] {
  const failure = findFailure(simulation);
  const isShown = shown.some(
    ({ key }) => key === 'alert.willFail' || key === 'alert.mayFail',
  );
  if (!failure || isShown) return [];
  return [warning('alert.willFail', { reason: { text: failure.reason } })];
}

export function findFailure(
  simulation: Simulation | undefined,
): BalanceChanges['failure'] {
  return typeof simulation === 'object' ? simulation.failure : undefined;
}

/** Names the risks that must be seen before approval: failure, transfers out, and allowances. */
export function listRisks(simulation: Simulation | undefined): string[] {
  if (typeof simulation !== 'object') return [];
  const { changes, others, approvals, more, failure } = simulation;
  const own = changes.filter(({ amount }) => amount < 0n);
  const losses = [...own, ...others.flatMap((each) => each.losses)];
  return [
    ...(failure ? ['failure'] : []),
    ...(more > 0 ? ['more'] : []),
    ...[...losses, ...approvals].map((each) => Object.values(each).join(' ')),
  ];
}

type Found = { changes: Map<string, Asset>; approvals: Map<string, Approval> };

/** A log: who emitted it, and its values in order, whether they are indexed or not. */
type Entry = Found & {
  /** The account whose changes are read. */
  self: bigint;
  token: Hex;
  values: readonly bigint[];
  /** Whether the third value is indexed, as the number of an ERC-721 token is. */
  isNft: boolean;
  chain: string;
};

type Reader = (entry: Entry) => void;

/** By the first topic, the hash of an event's signature. */
const readers: Readonly<Record<string, Reader>> = {
  // Transfer(address,address,uint256) of ERC-20 and ERC-721
  '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef': ({
    token,
    values: [from, to, value = 0n],
    isNft,
    self,
    changes,
  }) => {
    const sign = signOf(from, to, self);
    if (isCoinLog(token)) {
      add(changes, { token: ZERO_ADDRESS, amount: sign * value });
    } else if (isNft) add(changes, { token, id: value, amount: sign });
    else add(changes, { token, amount: sign * value });
  },
  // Burn(address,uint256) of EIP-7708, and its name in drafts: Selfdestruct(address,uint256)
  '0xcc16f5dbb4873280815c1ee09dbd06736cffcc184412cf7a71a0fdb75d397ca5': readBurn,
  '0x4bfaba3443c1a1836cd362418edc679fc96cae8449cbefccb6457cdf2c943083': readBurn,
  // TransferSingle(address,address,address,uint256,uint256) of ERC-1155
  '0xc3d58168c5ae7397731d063d5bbf3d657854427343f4c083240f7aacaa2d0f62': ({
    token,
    values: [, from, to, id = 0n, value = 0n],
    self,
    changes,
  }) => {
    add(changes, { token, id, amount: signOf(from, to, self) * value });
  },
  // TransferBatch(address,address,address,uint256[],uint256[]) of ERC-1155
  '0x4a39dc06d4c0dbc64b70af90fd698a233a518aa5d07e595d983b8c0526c8f7fb': ({
    token,
    values: [, from, to, ...data],
    self,
    changes,
  }) => {
    const sign = signOf(from, to, self);
    const amounts = readList(data, 1);
    readList(data, 0).forEach((id, index) => {
      add(changes, { token, id, amount: sign * (amounts[index] ?? 0n) });
    });
  },
  // Deposit(address,uint256) and Withdrawal(address,uint256) of wrapped ether, which has no other
  // log of them
  '0xe1fffcc4923d04b559f4d29a8bfc6cda04eb5b0d3c460751c2402c5c5cc9109c': (entry) =>
    readWrapping(entry, 1n),
  '0x7fcf532c15f0a6db0bd6d0e038bea71d30d808c7d98cb3bf7268a95bf5081b65': (entry) =>
    readWrapping(entry, -1n),
  // Approval(address,address,uint256) of ERC-20 and ERC-721
  '0x8c5be1e5ebec7d5bd14f71427d1e84f3dd0314c0f7b2291e5b200ac8c7c3b925': ({
    token,
    values: [owner, to = 0n, value = 0n],
    isNft,
    self,
    approvals,
  }) => {
    if (owner !== self) return;
    const spender = toAddress(to);
    // An ERC-721 token has one spender at most: zero is none.
    if (isNft) {
      const approval = { token, spender, id: value };
      set(approvals, `${token} ${value}`, to > 0n && approval);
    } else {
      const approval = { token, spender, amount: value };
      set(approvals, `${token} ${spender}`, value > 0n && approval);
    }
  },
  // ApprovalForAll(address,address,bool) of ERC-721 and ERC-1155
  '0x17307eab39ab6107e8899845ad3d59bd9653f200f220920489ca2b5937696c31': ({
    token,
    values: [owner, to = 0n, isApproved = 0n],
    self,
    approvals,
  }) => {
    if (owner !== self) return;
    const spender = toAddress(to);
    set(approvals, `${token} all ${spender}`, isApproved > 0n && { token, spender });
  },
  // Approval(address,address,address,uint160,uint48) and
  // Permit(address,address,address,uint160,uint48,uint48) of Permit2
  '0xda9fa7c1b00402c17d0161b249b1ab8bbec047c5a52207b9c112deffd817036b': readPermit2,
  '0xc6a377bfc4eb120024a8ac08eef205be16b817020812c73223e81d1bdb9708ec': readPermit2,
};

function readPermit2({ token: emitter, values, self, approvals }: Entry): void {
  const [owner, token = 0n, to = 0n, amount = 0n] = values;
  if (!isSameAddress(emitter, PERMIT2) || owner !== self) return;
  const spender = toAddress(to);
  const approval = { token: toAddress(token), spender, amount };
  set(approvals, `permit2 ${approval.token} ${spender}`, amount > 0n && approval);
}

function readBurn({ token, values: [holder, value = 0n], self, changes }: Entry): void {
  if (token !== COIN.protocol || holder !== self) return;
  add(changes, { token: ZERO_ADDRESS, amount: -value });
}

function readWrapping(
  { token, values: [holder, amount = 0n], chain, self, changes }: Entry,
  sign: bigint,
): void {
  const isWrapped = findTokenUnit(chain, token)?.symbol === 'WETH';
  if (isWrapped && holder === self) {
    add(changes, { token, amount: sign * amount });
  }
}

function readAll(
  calls: readonly SimulatedCall[],
  [account, ...others]: readonly [Hex, ...Hex[]],
  chain: string,
): BalanceChanges {
  const ofOthers = others.slice(0, MAX_OTHERS).map((other) => ({
    account: other,
    losses: readChanges(calls, other, chain).changes.filter(
      ({ amount }) => amount < 0n,
    ),
  }));
  return {
    ...readChanges(calls, account, chain),
    others: ofOthers.filter(({ losses }) => losses.length > 0),
  };
}

function readChanges(
  calls: readonly SimulatedCall[],
  account: Hex,
  chain: string,
): Omit<BalanceChanges, 'others'> {
  const found: Found = { changes: new Map(), approvals: new Map() };
  const self = BigInt(account);
  // A call that fails leaves no logs.
  const done = calls.filter(({ status }) => status === '0x1');
  for (const log of done.flatMap(listLogs)) {
    const [event = '', ...indexed] = log.topics;
    const read = readers[event.toLowerCase()];
    if (!read) continue;
    const token = toLower(log.address);
    const words = (log.data.slice(2).match(/.{64}/gu) ?? []).map((word) => `0x${word}`);
    const values = [...indexed, ...words].map(BigInt);
    read({ ...found, self, token, values, isNft: indexed.length === 3, chain });
  }
  // Events of unknown contracts must not push the important ones out of sight.
  const rank = ({ token, amount }: Asset): number =>
    (amount < 0n ? 0 : 3) +
    (token === ZERO_ADDRESS ? 0 : findTokenUnit(chain, token) ? 1 : 2);
  const changes = [...found.changes.values()]
    .filter(({ amount }) => amount !== 0n)
    .sort((one, other) => rank(one) - rank(other));
  const approvals = [...found.approvals.values()].sort(
    (one, other) => Number(isWide(other)) - Number(isWide(one)),
  );
  const losses = changes.filter(({ amount }) => amount < 0n).slice(0, MAX_LISTED);
  const arrivals = changes.filter(({ amount }) => amount > 0n).slice(0, MAX_ARRIVALS);
  const listed = [...losses, ...arrivals];
  const given = approvals.slice(0, MAX_LISTED);
  const failed = calls.findIndex(({ status }) => status === '0x0');
  const failure = calls[failed];
  return {
    changes: listed,
    approvals: given,
    more: changes.length + approvals.length - listed.length - given.length,
    units: new Map(),
    balances: new Map(),
    ...(failure && { failure: { number: failed + 1, reason: toReason(failure) } }),
  };
}

// Some nodes report a transfer of the coin twice: as the protocol does, and as simulations did.
function listLogs({ logs = [] }: SimulatedCall): readonly SimulatedLog[] {
  const emits = (emitter: string) => (log: SimulatedLog) =>
    isSameAddress(log.address, emitter);
  if (!logs.some(emits(COIN.protocol))) return logs;
  const isSynthetic = emits(COIN.synthetic);
  return logs.filter((log) => !isSynthetic(log));
}

function isCoinLog(emitter: Hex): boolean {
  return emitter === COIN.synthetic || emitter === COIN.protocol;
}

/** Returns whether an approval has no bound. */
export function isWide({ amount, id }: Approval): boolean {
  return id === undefined && (amount === undefined || isUnlimited(amount));
}

function toReason({ returnData, error }: SimulatedCall): string {
  const reason = findRevertReason(returnData) ?? '';
  return reason === '' ? error?.message || 'execution reverted' : reason;
}

function add(changes: Found['changes'], change: Asset): void {
  const { token, id, amount } = change;
  const key = `${token} ${id}`;
  const before = changes.get(key)?.amount ?? 0n;
  if (amount !== 0n) changes.set(key, { ...change, amount: before + amount });
}

function set(
  approvals: Found['approvals'],
  key: string,
  approval: Approval | false,
): void {
  if (approval) approvals.set(key, approval);
  else approvals.delete(key);
}

function signOf(
  from: bigint | undefined,
  to: bigint | undefined,
  self: bigint,
): bigint {
  return (to === self ? 1n : 0n) - (from === self ? 1n : 0n);
}

function toAddress(word: bigint): Hex {
  return toPaddedHex(BigInt.asUintN(160, word), 20);
}

// An ABI array whose position is in one of the first words; empty if it lies outside.
function readList(words: readonly bigint[], head: number): readonly bigint[] {
  const start = Number(words[head] ?? 0n) / 32;
  const length = Number(words[start] ?? 0n);
  return words.slice(start + 1, start + 1 + length);
}
