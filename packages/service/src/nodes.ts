// A chain's nodes. Reads go to the first node that is up, and to the next one if it fails, finds
// nothing or is unusually slow. Sends go to one node; if its answer is lost, the transaction is
// looked up before another node gets it. Every few seconds all nodes are checked: a node that
// fails, is slow, lags or serves a different chain is left out until it recovers.
import { createHistogram, type RecordableHistogram } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';

import { RLP } from '@ethereumjs/rlp';
import { bytesToHex, concatBytes, hexToBytes, isObject } from '@metamask/utils';
import type { FastifyBaseLogger } from 'fastify';

import {
  Bytes32Struct,
  findQuantity,
  keccak256,
  larger,
  smaller,
  toQuantity,
  type Hex,
} from '../../../src/eth/hex';
import { matches } from '../../../src/schema/parse';
import { toLabel } from '../../client/src/endpoint';
import { HeadStruct, type Head } from '../../client/src/rpc/block';
import { echoedFields } from './cache';
import type { NodeOptions } from './config';
import { codes, toError, type Outcome } from './json-rpc';
import { findNewestAsked, toBlock } from './methods';
import type { Metrics } from './metrics';
import type { Limits } from './options';
import { describeSight, inspect, type Observation } from './sight';
import {
  createNode,
  failWith,
  findReading,
  isLacking,
  BAD_ANSWER,
  type Ask,
  type Node,
  type NodeAsk,
  type NodeAnswer,
  type NodeFailure,
  type Upstream,
} from './upstream';

/** Why a node is left out. A node that still `answers` is used when no other node is up. */
type Loss = {
  cause: string;
  answers: boolean;
  since: number;
  until: number;
};

type Member = {
  name: string;
  node: Node;
  wsUrl: string | undefined;
  loss?: Loss | undefined;
  /** Failed requests since its last answer. */
  failures: number;
  lastFailure?: NodeFailure;
  head: bigint;
  /** Whether its chain id is known to be right. Before that it gets no calls. */
  isOfChain?: boolean;
  asking?: Promise<Attempt> | undefined;
  /** Whether the node received transactions that other nodes may not know yet. */
  hasSends?: boolean;
  sight?: Observation;
};

export type SocketSource = { name: string; url: string; toShown: Node['toShown'] };

export type NodePool = Upstream & {
  /** Finds the first available node with a WebSocket, preferably not the one named `last`. */
  findSocket: (last?: string) => SocketSource | undefined;
  /** Records the newest block that the WebSocket announced; undefined once the socket is lost. */
  announce: (number: bigint | undefined) => void;
  findNewest: () => bigint;
  isUp: () => boolean;
  list: () => string;
  /** Describes the nodes' problems for callers, without addresses. */
  describe: () => { name: string; notes: string[] }[];
  /** Finds the hash of a block that replaced another at its height, as seen over HTTP. */
  findReplacement: (number: bigint) => string | undefined;
  /** Runs the first check, but does not wait for slow nodes. */
  open: () => Promise<void>;
  watch: (events: PoolEvents) => void;
  stop: () => Promise<void>;
};

type PoolEvents = {
  onLost: (name: string) => void;
  onChecked: (newest: bigint) => void;
};

/** Chooses how to call a node: on its own, or as part of a batch. */
type Choose = (member: Member) => NodeAsk;

/** The node found something, has nothing, failed, lacks the method, or is too far behind. */
type Kind = 'found' | 'empty' | 'failed' | 'absent' | 'late';

type Attempt = { outcome: Outcome; kind: Kind };

export type PoolServices = {
  nodes: readonly NodeOptions[];
  /** Gets the chain id, if it is known. Nodes of a different chain are left out. */
  chainId: () => number | undefined;
  limits: Limits;
  log: FastifyBaseLogger;
  metrics: Metrics;
};

/** Number of consecutive failed requests before a node is left out. */
const MAX_FAILURES = 3;

/** Minimum and maximum number of recorded latencies per method. */
const MIN_SAMPLES = 20;
const MAX_SAMPLES = 1_000;

const NO_NODE = 'No node of this chain is available now.';
const NOT_YET = 'No available node has this block yet.';

/** How long to remember the newest block while no node has it. */
const FORGET_MS = 30_000;

/** Time to find a transaction whose answer was lost, or a block that no node has yet. */
const LOOK_UP_MS = 2_000;
const LOOK_UP_AGAIN_MS = 100;

export function createNodePool(services: PoolServices): NodePool {
  const { limits, log, metrics } = services;
  const names = services.nodes.map(
    ({ url, name }) => name ?? toLabel(new URL(url).origin).replace(/^.*\/\//u, ''),
  );
  const members = services.nodes.map(({ url, wsUrl }, index): Member => {
    const { [index]: given = '' } = names;
    const isTaken = names.indexOf(given) < index;
    const name = isTaken ? `${given}#${index + 1}` : given;
    const node = createNode(url, {
      timeoutMs: limits.nodeTimeoutMs,
      onTime: (seconds) => metrics.nodeSeconds.observe({ node: name }, seconds),
    });
    return { name, node, wsUrl, failures: 0, head: 0n };
  });
  const isAlone = members.length === 1;
  const latencies = new Map<string, RecordableHistogram>();
  // The newest block known to callers. No later answer may be older.
  let highest = 0n;
  let announced: bigint | undefined;
  let announcer: string | undefined;
  let replacement: Head | undefined;
  /** The newest block that callers know to be final. */
  let final = 0n;
  let behindSince: number | undefined;
  const lag = BigInt(limits.nodeLag);
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;
  let events: PoolEvents | undefined;

  const toLabels = ({ name }: Member): { chain: string; node: string } => ({
    chain: String(services.chainId() ?? 'unknown'),
    node: name,
  });
  const lose = (member: Member, loss: Omit<Loss, 'since'>): void => {
    const isNew = member.loss === undefined;
    const answers = loss.answers && member.loss?.answers !== false;
    member.loss = { since: performance.now(), ...member.loss, ...loss, answers };
    if (!isNew) return;
    metrics.nodeUp.set(toLabels(member), 0);
    log.error({ ...toLabels(member), reason: loss.cause }, 'A node is lost.');
    events?.onLost(member.name);
  };
  const restore = (member: Member): void => {
    member.failures = 0;
    metrics.nodeUp.set(toLabels(member), 1);
    if (member.loss === undefined) return;
    const { cause: reason, since } = member.loss;
    member.loss = undefined;
    const ms = Math.round(performance.now() - since);
    log.info({ ...toLabels(member), reason, ms }, 'A node is back.');
  };
  const noteFailure = (member: Member, failure: NodeFailure): void => {
    // A failed batch counts once.
    if (member.lastFailure === failure) return;
    member.lastFailure = failure;
    member.failures += 1;
    const { cause, retryMs = 0 } = failure;
    if (retryMs === 0 && member.failures < MAX_FAILURES) return;
    lose(member, { cause, answers: true, until: performance.now() + retryMs });
  };

  // Ignores an announced block that is far ahead of all nodes.
  const findTop = (): bigint =>
    announced !== undefined && announced - highest <= lag
      ? larger(announced, highest)
      : highest;
  // Finds the block that a node must have before it may answer a call.
  const findNeeded = ([method, params]: Parameters<Ask>): bigint => {
    const asked = findNewestAsked(method, params);
    if (asked === 'latest' || asked === 'pending') return findTop();
    return isHash(asked) ? 0n : smaller(findQuantity(asked) ?? 0n, findTop());
  };
  // Finds an answer's block number; 0 without one. Only eth_blockNumber's may be implausibly new.
  const findNamed = (method: string, { result }: Outcome): bigint => {
    if (method === 'eth_blockNumber') return findQuantity(result) ?? 0n;
    const [row] = [result].flat();
    const { number: field = '' } = echoedFields[method] ?? {};
    const number = (isObject(row) && findQuantity(row[field])) || 0n;
    return number - highest <= lag ? number : 0n;
  };
  // Compares the chain id. A node that answers without one counts as one of the chain.
  const identify = async (member: Member): Promise<Attempt | undefined> => {
    const { outcome, failure } = await member.node.ask('eth_chainId', []);
    const id = Number(toNumber({ outcome }) ?? services.chainId());
    const isWrong = id !== services.chainId();
    if (failure) noteFailure(member, failure);
    const cause = `it serves chain ${id}`;
    if (isWrong) lose(member, { cause, answers: false, until: 0 });
    member.isOfChain = !failure && !isWrong;
    if (member.isOfChain) return undefined;
    return { outcome: failure ? outcome : failWith(NO_NODE), kind: 'failed' };
  };
  const attempt = async (
    member: Member,
    [method, params]: Parameters<Ask>,
    ask: NodeAsk,
  ): Promise<Attempt> => {
    const isUnknown = !member.isOfChain && services.chainId() !== undefined;
    const failed = isUnknown ? await identify(member) : undefined;
    if (failed) return failed;
    const needed = findNeeded([method, params]);
    if (member.head < needed) {
      const height: Parameters<Ask> = ['eth_blockNumber', []];
      member.asking ??= attempt(member, height, member.node.ask).finally(
        () => (member.asking = undefined),
      );
      const done = await member.asking;
      if (done.kind === 'failed') return done;
      if (member.head < needed) return { outcome: failWith(NOT_YET), kind: 'late' };
    }
    const begin = performance.now();
    const { outcome, failure } = await ask(method, params);
    const state = outcome.error ? 'error' : 'result';
    metrics.nodeCalls.inc({ method, outcome: state });
    const isMismatched = !failure && isMismatch(method, params, outcome);
    if (failure || isMismatched) {
      noteFailure(member, failure ?? { cause: 'an answer to another request' });
      return { outcome: isMismatched ? failWith(BAD_ANSWER) : outcome, kind: 'failed' };
    }
    member.failures = 0;
    // The only node is used even while it is left out, and its answer shows that it is back.
    if (isAlone && member.loss?.answers) restore(member);
    const known = latencies.get(method);
    const histogram = known && known.count < MAX_SAMPLES ? known : createHistogram();
    latencies.set(method, histogram);
    histogram.record(Math.max(1, Math.round(performance.now() - begin)));
    const number = findNamed(method, outcome);
    const isHeight = method === 'eth_blockNumber';
    member.head = isHeight && number > 0n ? number : larger(member.head, number);
    if (isHeight && highest === 0n) highest = number;
    const asked = findNewestAsked(method, params);
    if (outcome.error) return { outcome, kind: readKind(outcome) };
    const { result } = outcome;
    if (!isAlone && isHash(asked) && Array.isArray(result) && result.length === 0) {
      // An empty list only counts if the node has the block.
      const block = await member.node.ask('eth_getBlockByHash', [asked, false]);
      const isThere = !block.outcome.error && block.outcome.result !== null;
      const unknown = toError(codes.server, 'unknown block');
      if (!isThere) return { outcome: unknown, kind: 'empty' };
    }
    const isNewest = isHeight || asked === 'latest';
    if (isNewest && number > 0n && number < findTop()) return { outcome, kind: 'late' };
    return { outcome, kind: result === null ? 'empty' : 'found' };
  };

  const findCandidates = (): Member[] => {
    const up = members.filter(({ loss }) => loss === undefined);
    return up.length > 0 ? up : members.filter(({ loss }) => loss?.answers);
  };

  // Asks one node after another until one finds something, without waiting for slow ones.
  const readOnce = async (call: Parameters<Ask>, pick: Choose): Promise<Attempt> => {
    const needed = findNeeded(call);
    const isBehind = ({ head }: Member): number => Number(head < needed);
    const waiting = findCandidates().toSorted(
      (one, other) => isBehind(one) - isBehind(other),
    );
    const count = waiting.length;
    const usual = latencies.get(call[0]);
    const isKnown = limits.hedgeMs > 0 && usual && usual.count >= MIN_SAMPLES;
    const hedgeMs = isKnown ? usual.percentile(95) + 1 : limits.hedgeMs;
    const misses: Attempt[] = [];
    let hedge: NodeJS.Timeout | undefined;
    return new Promise<Attempt>((resolve) => {
      const finish = (given: Attempt): void => {
        clearTimeout(hedge);
        waiting.length = 0;
        resolve(given);
      };
      const startNext = (why?: 'slow' | Attempt['kind']): void => {
        clearTimeout(hedge);
        const member = waiting.shift();
        if (!member) return;
        const { chain } = toLabels(member);
        if (why === 'slow') metrics.hedges.inc({ chain });
        if (why === 'failed') metrics.failovers.inc({ chain });
        void attempt(member, call, pick(member)).then((done) => {
          if (done.kind === 'found') finish(done);
          else if (misses.push(done) < count) startNext(done.kind);
          else finish(findBest(misses));
        });
        if (hedgeMs > 0 && waiting[0]) {
          hedge = setTimeout(() => startNext('slow'), hedgeMs);
        }
      };
      if (count === 0) finish({ outcome: failWith(NO_NODE), kind: 'failed' });
      startNext();
    });
  };
  const read = async (call: Parameters<Ask>, pick: Choose): Promise<Outcome> => {
    const deadline = performance.now() + LOOK_UP_MS;
    for (;;) {
      const { outcome, kind } = await readOnce(call, pick);
      if (kind === 'late' && call[0] === 'eth_blockNumber') {
        return { result: toQuantity(findTop()) };
      }
      if (kind !== 'late') {
        highest = larger(highest, findNamed(call[0], outcome));
        return outcome;
      }
      if (performance.now() > deadline) return failWith(NOT_YET);
      await sleep(LOOK_UP_AGAIN_MS);
    }
  };

  // Only nodes that received transactions reliably know the pending ones. Takes the highest count.
  const readPendingCount = async (
    call: Parameters<Ask>,
    pick: Choose,
  ): Promise<Outcome | undefined> => {
    const asked = findCandidates().filter(({ hasSends }) => hasSends);
    const attempts = await Promise.all(
      asked.map(async (member) => attempt(member, call, pick(member))),
    );
    const counts = attempts.map((each) => toNumber(each) ?? -1n);
    const most = counts.reduce(larger, -1n);
    return most < 0n ? undefined : attempts[counts.indexOf(most)]?.outcome;
  };

  // Asks all nodes of the chain, because even one that is left out may have the transaction.
  const lookUp = async (hash: string): Promise<boolean> => {
    const look = async ({ node }: Member): Promise<true> => {
      const { outcome } = await node.ask('eth_getTransactionByHash', [hash]);
      const given = isObject(outcome.result) ? String(outcome.result['hash']) : '';
      if (given.toLowerCase() === hash) return true;
      throw new Error('not found');
    };
    const ofChain = members.filter(({ isOfChain }) => isOfChain);
    const asked = Promise.any(ofChain.map(look)).catch(() => false);
    return Promise.race([asked, sleep(LOOK_UP_MS, false, { ref: false })]);
  };

  const send = async (call: Parameters<Ask>, pick: Choose): Promise<Outcome> => {
    const [method, [raw]] = call;
    const hash = hashRaw(raw);
    const ask: Ask = async (...asked) => read(asked, ({ node }) => node.ask);
    let lost: Outcome | undefined;
    let refusal: Outcome | undefined;
    for (const member of findCandidates()) {
      const { outcome, kind } = await attempt(member, call, pick(member));
      const reading = findReading(outcome);
      if (kind === 'absent' || reading?.topic === 'rate' || !member.isOfChain) {
        refusal ??= outcome;
        metrics.failovers.inc({ chain: toLabels(member).chain });
        continue;
      }
      member.hasSends = true;
      // The nonce is used, perhaps by this very transaction.
      const isUsed = reading?.topic === 'transaction' && /nonce/iu.test(reading.said);
      const isKnownHere = reading?.topic === 'known';
      if (hash !== undefined && (isKnownHere || (isUsed && (await lookUp(hash))))) {
        return toSent(method, hash, ask);
      }
      const isLost = reading?.kind === 'unknown outcome' && reading.topic !== 'late';
      const isKnown = kind !== 'failed' && !isLost;
      // After a lost answer, an error may mean that the earlier node received the transaction.
      if (isKnown && (lost === undefined || !outcome.error)) return outcome;
      lost ??= outcome;
      if (hash === undefined) return outcome;
      const isThere = async (): Promise<boolean> => lookUp(hash);
      if ((await isThere()) || (await sleep(LOOK_UP_AGAIN_MS).then(isThere))) {
        return toSent(method, hash, ask);
      }
      metrics.failovers.inc({ chain: toLabels(member).chain });
    }
    return lost ?? refusal ?? failWith(NO_NODE);
  };

  const call = async (asked: Parameters<Ask>, pick: Choose): Promise<Outcome> => {
    const [method, [, ...others]] = asked;
    if (isSend(method)) return send(asked, pick);
    const isWaiting =
      method === 'eth_getTransactionCount' && toBlock(others[0]) === 'pending';
    const waiting = isWaiting ? await readPendingCount(asked, pick) : undefined;
    const outcome = waiting ?? (await read(asked, pick));
    const isFinal = method in echoedFields && findNewestAsked(...asked) === 'finalized';
    if (!isFinal) return outcome;
    // A final block stays final, whichever node is used later.
    const number = findNamed(method, outcome);
    if (number < final) return read([method, [toQuantity(final), ...others]], pick);
    final = number;
    return outcome;
  };

  // The newest block known to callers stays the newest, unless all nodes have gone back by more
  // than the usual lag, or none has had it for a while.
  const follow = (newest: bigint, isOfAll: boolean): void => {
    behindSince = newest < highest ? (behindSince ?? performance.now()) : undefined;
    const isBack = isOfAll && highest - newest > lag;
    const ms = performance.now() - (behindSince ?? performance.now());
    if (newest < highest && !isBack && ms <= FORGET_MS) return;
    highest = newest;
    final = smaller(final, highest);
  };

  const observe = async (member: Member): Promise<void> => {
    const last = member.sight?.newest;
    member.sight = await inspect(member.node.ask, member.sight);
    const { newest } = member.sight;
    const isReplaced = newest?.number === last?.number && newest?.hash !== last?.hash;
    if (isReplaced && !member.loss) replacement = newest;
  };
  const check = async (): Promise<void> => {
    const common = highest > AGREED_DEPTH ? highest - AGREED_DEPTH : 0n;
    const findings = await Promise.all(
      members.map(async (member) => ({
        member,
        ...(await checkNode(member.node, isAlone ? undefined : common)),
      })),
    );
    const wanted = services.chainId();
    for (const { member, chainId = wanted, failure } of findings) {
      if (!failure || chainId !== wanted) member.isOfChain = chainId === wanted;
    }
    const ofChain = findings.filter(({ member }) => member.isOfChain);
    for (const { member, head = member.head } of ofChain) member.head = head;
    const heads = ofChain.flatMap(({ head }) => head ?? []);
    const newest = findNewest(heads, lag);
    if (newest !== undefined) follow(newest, heads.length === members.length);
    const agreed = findMostCommon(ofChain.flatMap(({ hash }) => hash ?? []));
    const hasQuick = findings.some(
      ({ ms, failure }) => !failure && ms <= limits.nodeSlowMs,
    );
    // Returns the reason to leave a node out, if any. A slow node stays if none is quick.
    const judge = ({
      ms,
      failure,
      chainId,
      head,
      hash,
    }: Finding): Omit<Loss, 'since' | 'until'> | undefined => {
      if (chainId !== undefined && chainId !== wanted) {
        return { cause: `it serves chain ${chainId}`, answers: false };
      }
      if (failure) return { cause: failure.cause, answers: true };
      if (hash !== undefined && hash !== agreed) {
        return { cause: `a different block ${common}`, answers: false };
      }
      const ahead = head === undefined ? 0n : head - (newest ?? head);
      if (ahead > lag) {
        return { cause: `${ahead} blocks ahead of all others`, answers: false };
      }
      const behind = highest - (head ?? highest);
      if (behind > lag) return { cause: `${behind} blocks behind`, answers: false };
      if (ms <= limits.nodeSlowMs || !hasQuick) return undefined;
      return { cause: `a check took ${Math.round(ms)} ms`, answers: true };
    };
    for (const { member, ...finding } of findings) {
      const { until = 0 } = member.loss ?? {};
      const loss = judge(finding);
      if (loss) {
        // The results of earlier checks no longer count.
        member.loss &&= { ...member.loss, answers: true };
        lose(member, { ...loss, until });
      } else if (until <= performance.now()) restore(member);
    }
    if (newest !== undefined) events?.onChecked(newest);
    for (const member of members) void observe(member);
  };
  const checkLater = (): void => {
    if (isStopped) return;
    timer = setTimeout(() => void check().then(checkLater), limits.nodeCheckMs).unref();
  };

  return {
    ask: async (...asked) => call(asked, ({ node }) => node.ask),
    openBatch: () => {
      const batches = new Map<Member, NodeAsk>();
      const pick: Choose = (member) => {
        const batch = batches.get(member) ?? member.node.openBatch();
        batches.set(member, batch);
        return batch;
      };
      return async (...asked) => call(asked, pick);
    },
    announce: (number) => {
      // In a reorganization, the replacing blocks are announced oldest first.
      const back = number === undefined ? lag + 1n : (announced ?? 0n) - number;
      if (back <= 0n || back > lag) announced = number;
    },
    findNewest: findTop,
    findSocket: (last) => {
      const able = findCandidates().filter((each) => each.isOfChain && each.wsUrl);
      const member = able.find(({ name }) => name !== last) ?? able[0];
      if (member?.wsUrl === undefined) return undefined;
      const { name, wsUrl: url, node } = member;
      announcer = name;
      return { name, url, toShown: node.toShown };
    },
    findReplacement: (number) =>
      findQuantity(replacement?.number) === number ? replacement?.hash : undefined,
    describe: () =>
      members.flatMap(({ name, loss, sight }, index) => {
        const notes = sight ? describeSight(sight) : [];
        if (loss) notes.unshift(`left out: ${loss.cause}`);
        const ahead =
          highest > 0n && name === announcer ? (announced ?? 0n) - highest : 0n;
        if (ahead > lag) notes.push(`its WebSocket is ${ahead} blocks ahead of HTTP`);
        // Callers must not learn the node's host.
        const title = services.nodes[index]?.name ?? `node ${index + 1}`;
        return notes.length > 0 ? [{ name: title, notes }] : [];
      }),
    isUp: () => members.some(({ loss }) => loss === undefined),
    list: () => {
      const toCause = ({ loss, lastFailure }: Member): string =>
        (loss ?? lastFailure)?.cause ?? 'no failure';
      return members.map((each) => `${each.name} (${toCause(each)})`).join(', ');
    },
    open: async () => {
      const late = sleep(limits.nodeSlowMs, undefined, { ref: false });
      const first = isAlone ? Promise.all(members.map(identify)) : check();
      await Promise.race([first, late]);
    },
    watch: (given) => {
      events = given;
      for (const member of members) {
        metrics.nodeUp.set(toLabels(member), member.loss === undefined ? 1 : 0);
      }
      checkLater();
    },
    stop: async () => {
      isStopped = true;
      clearTimeout(timer);
      await Promise.all(members.map(async ({ node }) => node.stop()));
    },
  };
}

// Returns whether an answer is about a different block or transaction than requested.
function isMismatch(
  method: string,
  [param]: readonly unknown[],
  outcome: Outcome,
): boolean {
  if (outcome.error) return false;
  const { result } = outcome;
  if (method === 'eth_sendRawTransaction') {
    const hash = matches(result, Bytes32Struct) ? result.toLowerCase() : undefined;
    return hash === undefined || hash !== (hashRaw(param) ?? hash);
  }
  const asked = toBlock(param);
  const field = echoedFields[method]?.[isHash(asked) ? 'hash' : 'number'];
  const [row] = [result].flat();
  const given = field !== undefined && isObject(row) ? row[field] : undefined;
  const [one, other] = [findQuantity(asked), findQuantity(given)];
  return one !== undefined && other !== undefined && one !== other;
}

function isHash(block: unknown): boolean {
  return matches(block, Bytes32Struct);
}

function readKind(outcome: Outcome): Kind {
  const { kind, topic } = findReading(outcome) ?? {};
  if (kind === 'absent') return 'absent';
  // Other nodes may not be behind, starting or failing.
  const isTemporary = kind === 'busy' || kind === 'unknown outcome';
  // Nodes accept different ranges and sizes.
  const isNodeSpecific = topic === 'missing' || topic === 'size' || isLacking(outcome);
  return isTemporary || isNodeSpecific ? 'empty' : 'found';
}

// Prefers an up-to-date node's empty answer. Without one, a node that is behind may get the block.
function findBest(misses: readonly Attempt[]): Attempt {
  const find = (kind: Kind): Attempt | undefined =>
    misses.find((each) => each.kind === kind);
  return find('empty') ?? find('late') ?? find('failed') ?? (misses[0] as Attempt);
}

type Finding = Awaited<ReturnType<typeof checkNode>>;

/** Depth below the newest block at which blocks are rarely replaced. */
const AGREED_DEPTH = 8n;

const toNumber = ({ outcome }: Pick<NodeAnswer, 'outcome'>): bigint | undefined =>
  findQuantity(outcome.result);

async function checkNode(node: Node, common?: bigint) {
  const begin = performance.now();
  const params = [toQuantity(common ?? 0n), false];
  const [id, head, block] = await Promise.all([
    node.ask('eth_chainId', []),
    node.ask('eth_blockNumber', []),
    common === undefined ? undefined : node.ask('eth_getBlockByNumber', params),
  ]);
  const chainId = toNumber(id);
  const number = toNumber(head);
  const noBlock = number === undefined ? { cause: 'it reports no block' } : undefined;
  const found = block?.outcome.result;
  return {
    ms: performance.now() - begin,
    failure: id.failure ?? head.failure ?? noBlock,
    chainId: chainId === undefined ? undefined : Number(chainId),
    head: number,
    // The hash of a block on which all nodes should agree.
    hash: matches(found, HeadStruct) ? found.hash.toLowerCase() : undefined,
  };
}

// Finds the most common value, the first if several are equally common.
function findMostCommon(values: readonly string[]): string | undefined {
  const count = (value: string): number =>
    values.filter((each) => each === value).length;
  return values.toSorted((one, other) => count(other) - count(one))[0];
}

// Finds the newest credible block. Of three or more nodes, a single one far ahead is not believed.
function findNewest(heads: readonly bigint[], lag: bigint): bigint | undefined {
  const [first, second] = heads.toSorted((one, other) => (one < other ? 1 : -1));
  if (first === undefined || second === undefined || heads.length < 3) return first;
  return first - second > lag ? second : first;
}

// Makes sends safe to fail over: computes the hash of the transaction, and builds the answers of
// eth_sendRawTransaction and eth_sendRawTransactionSync.

const BLOB_TYPE = 3;

/** Transaction types whose hash covers their bytes. Chains may hash their own types differently. */
const HASHED = /^0x(?:0[1-4]|[c-f])/iu;

/** Error code of `eth_sendRawTransactionSync` after its time limit (EIP-7966). */
const NOT_YET_INCLUDED = 4;

function isSend(method: string): boolean {
  return method.startsWith('eth_sendRawTransaction');
}

/** Computes the hash of a raw transaction; undefined for an unknown type or malformed hex. */
function hashRaw(raw: unknown): Hex | undefined {
  try {
    if (!HASHED.test(String(raw))) return undefined;
    const bytes = hexToBytes(raw as string);
    // A blob transaction is sent with its blobs, which its hash does not cover.
    const [body] = bytes[0] === BLOB_TYPE ? RLP.decode(bytes.subarray(1)) : [];
    if (!Array.isArray(body)) return bytesToHex(keccak256(bytes));
    const bare = concatBytes([Uint8Array.of(BLOB_TYPE), RLP.encode(body)]);
    return bytesToHex(keccak256(bare));
  } catch {
    return undefined;
  }
}

/** Builds the answer to a send if a node already has the transaction. */
async function toSent(method: string, hash: Hex, ask: Ask): Promise<Outcome> {
  if (method === 'eth_sendRawTransaction') return { result: hash };
  const outcome = await ask('eth_getTransactionReceipt', [hash]);
  if (!outcome.error && outcome.result !== null) return outcome;
  const message = 'The transaction was sent and is not yet in a block.';
  return { error: { code: NOT_YET_INCLUDED, message, data: hash } };
}
