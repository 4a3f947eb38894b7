// Simulates how a request changes an account: the node executes its calls one after another and
// discards the result (eth_simulateV1). Transfers, including native ones, and approvals are read
// from the logs. The result is extra information: nothing here fails, and nothing waits longer than
// three seconds.
import type {
  NodeClient,
  RpcCallObject,
  SimulatedCall,
  SimulatedLog,
} from '../../packages/client/src';
import { withTimeLimit } from '../../packages/client/src/abort';
import { UnavailableError } from '../core/errors';
import { encodeCall, findRevertReason } from '../eth/abi';
import { toCaip2 } from '../eth/chain';
import type { ChainId } from '../eth/chain';
import { isSameAddress, isUnlimited, toLower, ZERO_ADDRESS } from '../eth/hex';
import type { Hex } from '../eth/hex';
import { findTokenUnit, isReservedSymbol, PERMIT2 } from '../ui/tokens';
import type { TokenUnit } from '../ui/tokens';
import { warning } from '../ui/warnings';
import type { Warning } from '../ui/warnings';
import { askForWord, findBalances, MAX_CONTRACTS } from './ask';
import type { Pending } from './ask';
import type { StatedUnits } from './describe/describe';
import type { Asset } from './effects';
import { toAddress } from './functions';

/** An allowance of an amount (`amount`), of one NFT (`id`), or of an amount of one id (both).
 * Without either, it covers a whole collection, including future tokens. */
export type Approval = {
  token: Hex;
  spender: Hex;
  amount?: bigint | undefined;
  id?: bigint;
  /** The owner, if it is not the signer. */
  owner?: Hex;
  /** The spender's previous allowance, if known. */
  before?: bigint;
};

/** An event that reports a change to a contract's code or controller. */
type ControlChange = {
  event: string;
  of: Hex;
  to?: Hex;
  /** Whether the contract is an account that the calls act for. */
  isOwn: boolean;
};

export type AccountChanges = {
  account: Hex;
  losses: readonly Asset[];
  arrivals: readonly Asset[];
};

/** How calls change an account, without gas costs. */
export type BalanceChanges = {
  /** The signer's gains and losses as signed amounts, losses first. */
  changes: readonly Asset[];
  approvals: readonly Approval[];
  /** Other accounts that the calls act for, such as a Safe, if they lose something. */
  others: readonly AccountChanges[];
  /** Control changes of accounts that the calls act for, and of contracts that they controlled
   * before. */
  controls: readonly ControlChange[];
  /** Number of unlisted losses, gains, approvals and control changes. */
  more: number;
  /** Addresses in unlisted losses, approvals and control changes. */
  notShown: readonly Hex[];
  /** The first failing call, counted from 1, and the reason. */
  failure?: { number: number; reason: string };
  /** Units that only the tokens' own contracts state, by token in lower case. */
  units: ReadonlyMap<Hex, TokenUnit>;
  /** The signer's balances of the tokens that it approves, in their smallest units, by token in
   * lower case. */
  balances: ReadonlyMap<Hex, bigint>;
};

type TokenUnits = Pick<StatedUnits, 'find' | 'fetch'>;

/** The state of a simulation; `unknown` if the node cannot simulate, or not in time. */
export type Simulation = BalanceChanges | 'pending' | 'unknown';

/** Starts to simulate how calls change the first account, and what the other accounts lose. Sends
 * its request in the same tick. */
export type Simulate = (
  accounts: readonly [Hex, ...Hex[]],
  calls: readonly RpcCallObject[],
  chain: { id: ChainId; node: NodeClient },
) => Pending<Simulation>;

/** After this time, most users have decided. */
const TIME_LIMIT_MS = 3_000;

/** Maximum number of listed gains, since unknown contracts can fake any number. */
export const MAX_ARRIVALS = 20;

/** Maximum number of losses (of all accounts), of approvals, and of control changes to list. A
 * danger warning names the addresses of the others. */
export const MAX_LISTED = 200;

/** Addresses that emit logs of native transfers: in simulations, and in the protocol since
 * Amsterdam (EIP-7708). */
const COIN_EMITTERS = {
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
      // Ignores calls that are neither from nor to the account, such as its deployment.
      const relevant = simulated.map((each, index) => {
        const { from = account, to } = calls[index] ?? {};
        const isOwn = [from, to].some((end) => end && isSameAddress(end, account));
        return isOwn ? each : { ...each, logs: [] };
      });
      const read = readAll(relevant, [account, ...others], chain);
      found = read;
      const tokens = read.approvals.filter(
        ({ amount, owner }) => amount !== undefined && !owner,
      );
      const fetching = Promise.all([
        findBalances(tokens, account, node),
        listNewApprovals(read, account, node),
      ]).then(([balances, approvals]) => {
        found = { ...read, approvals, balances };
      });
      const unknown = listUnknownTokens(read, chain);
      await Promise.all([fetching, units.fetch(unknown, { id, node, signal })]);
    }, TIME_LIMIT_MS)
      // The result is shown even without the units.
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

// Some tokens emit an Approval event with the remaining allowance when a spender takes tokens. An
// approval that does not exceed the current allowance is therefore not new.
async function listNewApprovals(
  { approvals }: BalanceChanges,
  account: Hex,
  node: NodeClient,
): Promise<Approval[]> {
  const found = await Promise.all(
    approvals.map(async (each, index) => {
      const { token: to, spender, amount, id, owner = account } = each;
      const isAsked = amount !== undefined && id === undefined && index < MAX_CONTRACTS;
      if (!isAsked) return [each];
      const data = encodeCall('allowance(address,address)', [owner, spender]);
      const before = (await askForWord({ to, data }, node)) ?? 0n;
      if (before >= amount) return [];
      return [{ ...each, ...(before > 0n && { before }) }];
    }),
  );
  return found.flat();
}

function listUnknownTokens(
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
  const stated = [...listUnknownTokens(found, chain)].flatMap((token) => {
    const unit = units.find(id, token)?.unit;
    return unit && !isReservedSymbol(unit.symbol, chain)
      ? [[token, unit] as const]
      : [];
  });
  return { ...found, units: new Map(stated) };
}

// Sent separately from other requests, since a batch is as slow as its slowest call.
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

/** Lists the risks that the user must see before approval: failure, outgoing transfers, allowances,
 * and control changes. */
export function listRisks(simulation: Simulation | undefined): string[] {
  if (typeof simulation !== 'object') return [];
  const { changes, others, approvals, controls, more, failure } = simulation;
  const ownLosses = changes.filter(({ amount }) => amount < 0n);
  const otherLosses = others.flatMap(({ account, losses }) =>
    losses.map((each) => ({ account, ...each })),
  );
  return [
    ...(failure ? ['failure'] : []),
    ...(more > 0 ? ['more'] : []),
    ...[...ownLosses, ...otherLosses, ...approvals, ...controls].map((each) =>
      Object.entries(each).join(' '),
    ),
  ];
}

type FoundChanges = { changes: Map<string, Asset>; approvals: Map<string, Approval> };

/** A log: its emitter, its indexed values, and then the words of its data. */
type Log = {
  event: string;
  token: Hex;
  values: readonly bigint[];
  /** Whether the third value is indexed, like an ERC-721 token's id. */
  isNft: boolean;
};

type LogEntry = Log &
  FoundChanges & {
    /** The account whose changes are read. */
    self: bigint;
    chain: string;
  };

type Reader = (entry: LogEntry) => void;

type Positions = { from?: number; to?: number; id?: number; amount: number };

/** Creates a reader of transfers from the positions of their values; ERC-20 tokens have no id. */
const moving =
  ({ from, to, id, amount }: Positions, standard = ''): Reader =>
  ({ token, values, self, changes }) => {
    const at = (index = values.length): bigint | undefined => values[index];
    const change = signOf(at(from), at(to), self) * (at(amount) ?? 0n);
    const number = id === undefined ? {} : { id: at(id) ?? 0n };
    add(changes, { token, ...number, amount: change }, standard);
  };

const movingWrapped =
  (positions: Positions): Reader =>
  (entry) => {
    const unit = findTokenUnit(entry.chain, entry.token);
    if (unit?.symbol === 'WETH') moving(positions)(entry);
  };

/** Creates a reader of operators, who may take everything, and of their revocations. */
const operating =
  (arrange = (values: readonly bigint[]) => values): Reader =>
  ({ token, values, self, approvals }) => {
    const [owner, to = 0n, isApproved = 0n] = arrange(values);
    if (owner !== self) return;
    const spender = toAddress(to);
    set(approvals, `${token} all ${spender}`, isApproved > 0n && { token, spender });
  };

const ERC777 = 'ERC-777 ';

/** Readers by the first four bytes of an event's topic. */
const readers: Readonly<Record<string, Reader>> = {
  // Transfer(address,address,uint256) of ERC-20 and ERC-721
  '0xddf252ad': ({ token, values: [from, to, value = 0n], isNft, self, changes }) => {
    const sign = signOf(from, to, self);
    if (token === COIN_EMITTERS.synthetic || token === COIN_EMITTERS.protocol) {
      add(changes, { token: ZERO_ADDRESS, amount: sign * value });
    } else if (isNft) add(changes, { token, id: value, amount: sign });
    else add(changes, { token, amount: sign * value });
  },
  // Burn(address,uint256) of EIP-7708, and its name in drafts: Selfdestruct(address,uint256)
  '0xcc16f5db': readBurn,
  '0x4bfaba34': readBurn,
  // TransferSingle(address,address,address,uint256,uint256) of ERC-1155
  '0xc3d58168': moving({ from: 1, to: 2, id: 3, amount: 4 }),
  // TransferBatch(address,address,address,uint256[],uint256[]) of ERC-1155
  '0x4a39dc06': ({ token, values: [, from, to, ...data], self, changes }) => {
    const sign = signOf(from, to, self);
    const amounts = readList(data, 1);
    readList(data, 0).forEach((id, index) => {
      add(changes, { token, id, amount: sign * (amounts[index] ?? 0n) });
    });
  },
  // Transfer(address,address,address,uint256,uint256) of ERC-6909
  '0x1b3d7edb': moving({ from: 0, to: 1, id: 2, amount: 4 }),
  // Sent(address,address,address,uint256,bytes,bytes), Minted(address,address,uint256,bytes,bytes)
  // and Burned(address,address,uint256,bytes,bytes) of ERC-777
  '0x06b541dd': moving({ from: 1, to: 2, amount: 3 }, ERC777),
  '0x2fe5be01': moving({ to: 1, amount: 2 }, ERC777),
  '0xa78a9be3': moving({ from: 1, amount: 2 }, ERC777),
  // Deposit(address,uint256) and Withdrawal(address,uint256) of wrapped ether, which emits no
  // transfer for them
  '0xe1fffcc4': movingWrapped({ to: 0, amount: 1 }),
  '0x7fcf532c': movingWrapped({ from: 0, amount: 1 }),
  // Approval(address,address,uint256) of ERC-20 and ERC-721, and
  // Approval(address,address,uint256,uint256) of ERC-6909
  '0x8c5be1e5': readApproval,
  '0xb3fd5071': readApproval,
  // ApprovalForAll(address,address,bool) of ERC-721 and ERC-1155
  '0x17307eab': operating(),
  // OperatorSet(address,address,bool) of ERC-6909
  '0xceb576d9': operating(),
  // AuthorizedOperator(address,address) and RevokedOperator(address,address) of ERC-777
  '0xf4caeb2d': operating(([to = 0n, owner = 0n]) => [owner, to, 1n]),
  '0x50546e66': operating(([to = 0n, owner = 0n]) => [owner, to]),
  // Approval(address,address,address,uint160,uint48) and
  // Permit(address,address,address,uint160,uint48,uint48) of Permit2
  '0xda9fa7c1': readPermit2,
  '0xc6a377bf': readPermit2,
};

/** Events that report a new code or controller of a contract, by the first four bytes of their
 * topic, with the positions of the new controller and of the previous one (for roles, the
 * granter). */
const controlEvents: Readonly<
  Record<string, readonly [event: string, to?: number, by?: number]>
> = {
  '0x8be0079c': ['OwnershipTransferred', 1, 0],
  '0x38d16b8c': ['OwnershipTransferStarted', 1, 0],
  '0x7e644d79': ['AdminChanged', 1, 0],
  '0x2f878811': ['RoleGranted', 1, 2],
  '0xbc7cd75a': ['Upgraded', 0],
  '0x1cf3b03a': ['BeaconUpgraded', 0],
  // Events of Safes.
  '0x9465fa0c': ['AddedOwner', 0],
  '0xf8d49fc5': ['RemovedOwner'],
  '0x610f7ff2': ['ChangedThreshold'],
  '0xecdf3a3e': ['EnabledModule', 0],
  '0x11511169': ['ChangedGuard', 0],
  '0xcd1966d6': ['ChangedModuleGuard', 0],
  '0x5ac6c46c': ['ChangedFallbackHandler', 0],
  // Events of ERC-7579, and of Coinbase's account, whose owners are bytes.
  '0xd21d0b28': ['ModuleInstalled', 1],
  '0x38109edc': ['AddOwner'],
};

function readApproval({ token, values, isNft, self, approvals }: LogEntry): void {
  const [owner, to = 0n, value = 0n, amount] = values;
  if (owner !== self) return;
  const spender = toAddress(to);
  if (!isNft) {
    const approval = { token, spender, amount: value };
    set(approvals, `${token} ${spender}`, value > 0n && approval);
  } else if (amount === undefined) {
    // An ERC-721 token has at most one spender: zero means none.
    set(approvals, `${token} ${value}`, to > 0n && { token, spender, id: value });
  } else {
    const approval = { token, spender, id: value, amount };
    set(approvals, `${token} ${value} ${spender}`, amount > 0n && approval);
  }
}

function readPermit2({ token: emitter, values, self, approvals }: LogEntry): void {
  const [owner, token = 0n, to = 0n, amount = 0n] = values;
  if (!isSameAddress(emitter, PERMIT2) || owner !== self) return;
  const spender = toAddress(to);
  const approval = { token: toAddress(token), spender, amount };
  set(approvals, `permit2 ${approval.token} ${spender}`, amount > 0n && approval);
}

function readBurn({
  token,
  values: [holder, value = 0n],
  self,
  changes,
}: LogEntry): void {
  if (token !== COIN_EMITTERS.protocol || holder !== self) return;
  add(changes, { token: ZERO_ADDRESS, amount: -value });
}

function readAll(
  calls: readonly SimulatedCall[],
  accounts: readonly [Hex, ...Hex[]],
  chain: string,
): BalanceChanges {
  const selves = new Set(accounts.map(BigInt));
  // The logs of a failing call are reverted.
  const logs = calls.filter(({ status }) => status === '0x1').flatMap(listLogs);
  const all = accounts.map((account) => ({
    account,
    ...readChanges(logs, BigInt(account), chain),
  }));
  // Events of unknown contracts must not push important ones out of sight.
  const rank = ({ token }: Asset): number =>
    token === ZERO_ADDRESS ? 0 : findTokenUnit(chain, token) ? 1 : 2;
  const byRank = (one: Asset, other: Asset): number => rank(one) - rank(other);
  const losses = all
    .flatMap(({ account, changes }) => changes.map((asset) => ({ ...asset, account })))
    .filter(({ amount }) => amount < 0n)
    .sort(byRank);
  const [signer] = accounts;
  const approvals = all
    .flatMap(({ account: owner, approvals: given }) =>
      given.map((each) => (owner === signer ? each : { ...each, owner })),
    )
    .sort(
      (one, other) =>
        Number(isUnlimitedApproval(other)) - Number(isUnlimitedApproval(one)),
    );
  const controls = logs.flatMap((log) => findControl(log, selves));
  const [signerChanges, ...others] = all.map(({ account, changes }) => ({
    account,
    losses: losses
      .slice(0, MAX_LISTED)
      .flatMap(({ account: loser, ...asset }) => (loser === account ? asset : [])),
    arrivals: changes.filter(({ amount }) => amount > 0n).sort(byRank),
  }));
  const arrivals = signerChanges?.arrivals ?? [];
  const notShown = [
    ...losses.slice(MAX_LISTED).flatMap(({ account, token }) => [account, token]),
    ...approvals.slice(MAX_LISTED).flatMap(({ spender, token }) => [spender, token]),
    ...controls.slice(MAX_LISTED).flatMap(({ of, to = of }) => [of, to]),
  ];
  const failed = calls.findIndex(({ status }) => status === '0x0');
  const failure = calls[failed];
  return {
    changes: [...(signerChanges?.losses ?? []), ...arrivals.slice(0, MAX_ARRIVALS)],
    approvals: approvals.slice(0, MAX_LISTED),
    others: others.filter((each) => each.losses.length > 0),
    controls: controls.slice(0, MAX_LISTED),
    more:
      losses.slice(MAX_LISTED).length +
      approvals.slice(MAX_LISTED).length +
      controls.slice(MAX_LISTED).length +
      arrivals.slice(MAX_ARRIVALS).length,
    notShown: [...new Set(notShown)],
    units: new Map(),
    balances: new Map(),
    ...(failure && { failure: { number: failed + 1, reason: toReason(failure) } }),
  };
}

function readChanges(
  logs: readonly Log[],
  self: bigint,
  chain: string,
): { changes: Asset[]; approvals: Approval[] } {
  const found: FoundChanges = { changes: new Map(), approvals: new Map() };
  for (const log of logs) {
    // The account that loses, gets or allows something is among the first three values.
    const [first, second, third] = log.values;
    if (self !== first && self !== second && self !== third) continue;
    readers[log.event]?.({ ...log, ...found, self, chain });
  }
  // Most ERC-777 tokens are ERC-20 tokens as well, and emit both events.
  const changes = [...found.changes].filter(
    ([key, { token, amount }]) =>
      amount !== 0n && !(key.startsWith(ERC777) && found.changes.has(toKey({ token }))),
  );
  return {
    changes: changes.map(([, change]) => change),
    approvals: [...found.approvals.values()],
  };
}

function findControl(
  { event: topic, token: of, values }: Log,
  selves: ReadonlySet<bigint>,
): ControlChange[] {
  const [event, to, by] = controlEvents[topic] ?? [];
  const previous = by === undefined ? undefined : values[by];
  const next = to === undefined ? undefined : values[to];
  const isOwn = selves.has(BigInt(of));
  const isTakenOver =
    previous !== undefined && selves.has(previous) && !selves.has(next ?? 0n);
  if (event === undefined || !(isOwn || isTakenOver)) return [];
  return [{ event, of, isOwn, ...(next !== undefined && { to: toAddress(next) }) }];
}

// Some nodes report a native transfer twice: as a protocol log and as a simulated log.
function listLogs({ logs = [] }: SimulatedCall): Log[] {
  const emits = (emitter: string) => (log: SimulatedLog) =>
    isSameAddress(log.address, emitter);
  const hasProtocol = logs.some(emits(COIN_EMITTERS.protocol));
  const isSynthetic = emits(COIN_EMITTERS.synthetic);
  return logs.flatMap((log) => {
    const [topic = '', ...indexed] = log.topics;
    const event = topic.slice(0, 10).toLowerCase();
    const isKnown =
      Object.hasOwn(readers, event) || Object.hasOwn(controlEvents, event);
    if (!isKnown || (hasProtocol && isSynthetic(log))) return [];
    const words = (log.data.slice(2).match(/.{64}/gu) ?? []).map((word) => `0x${word}`);
    const values = [...indexed, ...words].map(BigInt);
    const isNft = indexed.length === 3;
    return [{ event, token: toLower(log.address), values, isNft }];
  });
}

export function isUnlimitedApproval({ amount, id }: Approval): boolean {
  return amount === undefined ? id === undefined : isUnlimited(amount);
}

function toReason({ returnData, error }: SimulatedCall): string {
  const reason = findRevertReason(returnData) ?? '';
  return reason === '' ? error?.message || 'execution reverted' : reason;
}

function toKey({ token, id }: Pick<Asset, 'token' | 'id'>): string {
  return `${token} ${id}`;
}

function add(changes: FoundChanges['changes'], change: Asset, standard = ''): void {
  const { amount } = change;
  const key = standard + toKey(change);
  const before = changes.get(key)?.amount ?? 0n;
  if (amount !== 0n) changes.set(key, { ...change, amount: before + amount });
}

function set(
  approvals: FoundChanges['approvals'],
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

// Reads an ABI array whose offset is in the word at `head`; empty if the offset is out of range.
function readList(words: readonly bigint[], head: number): readonly bigint[] {
  const start = Number(words[head] ?? 0n) / 32;
  const length = Number(words[start] ?? 0n);
  return words.slice(start + 1, start + 1 + length);
}
