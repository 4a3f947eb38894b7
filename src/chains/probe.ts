// Defines which credentials the server of each part of a chain's configuration gets, and how the
// part is probed. A change is probed before it is stored. On the home page, the user can also
// examine a single server without storing anything.
import {
  createBundlerClient,
  createBundlerEndpoint,
  createGasApi,
  createGasEndpoint,
  createHttpTransport,
  createNodeClient,
  createPaymasterClient,
  createPaymasterEndpoint,
  createRpcEndpoint,
  PaymasterError,
} from '../../packages/client/src';
import type {
  BundlerSupport,
  Endpoint,
  HttpOptions,
  HttpTransport,
  Transport,
  WebSocketTransport,
} from '../../packages/client/src';
import { withTimeLimit } from '../../packages/client/src/abort';
import { hideHost } from '../../packages/client/src/endpoint';
import { entryPoints, entryPointVersions } from '../core/entry-points';
import { InvalidParamsError, TollkeeperError, UnavailableError } from '../core/errors';
import type { UserOperation } from '../core/payload';
import { toCaip2 } from '../eth/chain';
import type { ChainId } from '../eth/chain';
import { hasAddress } from '../eth/hex';
import type { Hex } from '../eth/hex';
import { DUMMY_SIGNATURE, DEFAULT_ENTRY_POINT } from '../eth/user-operation';
import { isSameJson } from '../schema/parse';
import type { ArrayServer, ChainRow } from '../state/chain-row';
import { toPublicUrl } from './chain';
import { findContracts } from './contracts';
import type { Connections } from './live-chains';

export const serverFields = [
  'rpcUrl',
  'wsUrl',
  'gasBaseUrl',
  'bundlerUrl',
  'paymasterUrl',
] as const;

export const credentials = ['apiKey', 'apiKeySecret', 'bundlerApiKey'] as const;

export type ServerField = (typeof serverFields)[number];

type Credential = (typeof credentials)[number];

type Field = ServerField | 'entryPoint' | 'factory';

export type ServerFacts = {
  /** CAIP-2. */
  chain?: string;
  block?: bigint;
  entryPoints?: readonly Hex[];
  /** Base fee, and the maximum fee of the medium level, in wei. */
  fees?: { base: bigint; medium: bigint };
};

type Inspection = {
  /** The server's fault, phrased to follow the field's name in messages. */
  fault?: string | undefined;
  facts?: ServerFacts;
  supportsBatches?: boolean;
};

/** `ms` is how long the examination took. */
export type Finding = { facts: ServerFacts; ms: number; fault?: string };

export type ChainChange = { before: ChainRow; after: ChainRow };

export type BatchSupport = Partial<Record<ArrayServer, boolean>>;

export type ProbeChain = (
  chainId: ChainId,
  change: ChainChange,
) => Promise<BatchSupport>;

export type Examined = { chainId: ChainId; field: ServerField; row: ChainRow };

export type ExamineServer = (examined: Examined) => Promise<Finding | undefined>;

type UntimedQuestion = Connections & {
  chainId: ChainId;
  row: ChainRow;
  /** Whether a node must answer with its newest block. */
  isExamined: boolean;
};

type Question = UntimedQuestion & { signal: AbortSignal };

type Part = {
  credentials?: readonly Credential[];
  /** Other fields that the answer depends on. */
  dependsOn?: readonly (keyof ChainRow)[];
  /** Whether the part is a contract. If no node answers, its address is accepted unchecked. */
  isContract?: boolean;
  /** Asks a server once, at its URL; throws the client's error if there is no usable answer. */
  inspect: (question: Question, url: string) => Promise<Inspection>;
};

const ROOT = 'tollkeeper_setChain: params';

const LIMIT_MS = 5_000;

const NO_PAYMASTER =
  'is not a paymaster service: it lacks pm_getPaymasterStubData (ERC-7677).';

/** Maximum number of a bundler's EntryPoints in a message. */
const MAX_NAMED = 5;

/** An operation without calls or payments, from an account that nobody owns. */
const HARMLESS_OPERATION: UserOperation = {
  sender: '0x0000000000000000000000000000000000000001',
  nonce: 0n,
  initCode: '0x',
  callData: '0x',
  callGasLimit: 0n,
  verificationGasLimit: 0n,
  preVerificationGas: 0n,
  maxFeePerGas: 0n,
  maxPriorityFeePerGas: 0n,
  paymasterAndData: '0x',
  signature: DUMMY_SIGNATURE,
};

/** Every part. If several are at fault, the first is reported. */
const parts: Readonly<Record<Field, Part>> = {
  rpcUrl: {
    credentials: ['apiKey'],
    inspect: async (question, url) => {
      const endpoint = createRpcEndpoint(url, question.row.apiKey);
      const transport = connectOnce(endpoint, question);
      // The second call makes the request an array, which shows whether the node supports arrays.
      const inspection = await inspectNode(transport, question, true);
      return { ...inspection, supportsBatches: transport.supportsBatches() };
    },
  },
  wsUrl: {
    credentials: ['apiKey'],
    inspect: async (question) => {
      const { live, chainId, row, isExamined } = question;
      const use = async (socket: WebSocketTransport): Promise<Inspection> =>
        inspectNode(onSocket(socket, question), question, isExamined);
      return (await live.withSocket(chainId, row, use)) ?? {};
    },
  },
  gasBaseUrl: {
    credentials: ['apiKey', 'apiKeySecret'],
    dependsOn: ['gasAuth'],
    inspect: async ({ row, chainId, http, signal }, gasBaseUrl) => {
      const endpoint = hidePath(createGasEndpoint({ ...row, gasBaseUrl }));
      const gas = createGasApi(endpoint, once(http));
      const fees = await gas.suggestedGasFees(chainId, { signal });
      const medium = fees.medium.suggestedMaxFeePerGas;
      return { facts: { fees: { base: fees.estimatedBaseFee, medium } } };
    },
  },
  bundlerUrl: {
    credentials: ['bundlerApiKey'],
    dependsOn: ['entryPoint'],
    inspect: async (question, url) => {
      const endpoint = createBundlerEndpoint(url, question.row.bundlerApiKey);
      const transport = connectOnce(endpoint, question);
      const support = await createBundlerClient(transport).fetchSupport();
      return {
        fault: findBundlerFault(support, question),
        facts: { chain: toCaip2(support.chainId), entryPoints: support.entryPoints },
        supportsBatches: transport.supportsBatches(),
      };
    },
  },
  entryPoint: {
    dependsOn: ['factory'],
    isContract: true,
    inspect: async (question) => {
      const { version, address } = findContracts(question.row)?.entryPoint ?? {};
      if (address === undefined || (await hasCode(address, question))) return {};
      const chain = toCaip2(question.chainId);
      return {
        fault: `cannot be ${version}: there is no code at ${address} on ${chain}.`,
      };
    },
  },
  factory: {
    dependsOn: ['entryPoint'],
    isContract: true,
    inspect: async (question) => {
      const { factory } = findContracts(question.row) ?? {};
      if (factory === undefined || (await hasCode(factory, question))) return {};
      const chain = toCaip2(question.chainId);
      return { fault: `cannot be ${factory}: there is no code there on ${chain}.` };
    },
  },
  paymasterUrl: {
    dependsOn: ['paymasterContext', 'entryPoint'],
    // A paymaster does not report its chain, so it is asked for stub data for an operation. It may
    // refuse.
    inspect: async (question, url) => {
      const { chainId, row } = question;
      const { paymasterContext: context, entryPoint = DEFAULT_ENTRY_POINT } = row;
      const transport = connectOnce(createPaymasterEndpoint(url), question);
      try {
        await createPaymasterClient(transport).fetchStub(HARMLESS_OPERATION, {
          version: entryPoint,
          chainId,
          ...(context !== undefined && { context }),
        });
      } catch (error) {
        if (!(error instanceof PaymasterError)) throw error;
        // JSON-RPC's code for a missing method.
        if (error.code === -32601) return { fault: NO_PAYMASTER };
      }
      return {};
    },
  },
};

export function listRecipients(credential: Credential): ServerField[] {
  return serverFields.filter((field) => parts[field].credentials?.includes(credential));
}

/** Probes the changed parts of a chain's configuration in parallel, each once and for at most five
 * seconds. Throws `InvalidParamsError` with the field and the result of the probe, or
 * `UnavailableError` with the field whose server gave no usable answer. */
export async function probeChain(
  chainId: ChainId,
  { before, after }: ChainChange,
  connections: Connections,
): Promise<BatchSupport> {
  const question = { ...connections, chainId, row: after, isExamined: false };
  const uses: BatchSupport = {};
  const due = (Object.keys(parts) as Field[]).filter((field) => {
    const { credentials: sent = [], dependsOn = [] } = parts[field];
    return [field, ...sent, ...dependsOn].some(
      (each) => !isSameJson(before[each], after[each]),
    );
  });
  const outcomes = await Promise.allSettled(
    due.map(async (field) => {
      const { fault, supportsBatches } = await probe(field, question);
      if (supportsBatches !== undefined) uses[field as ArrayServer] = supportsBatches;
      if (fault === undefined) return;
      throw new InvalidParamsError(`${ROOT}.${field} ${fault} Nothing was saved.`, {
        context: { field },
      });
    }),
  );
  const failed = outcomes.find((each) => each.status === 'rejected');
  if (failed) throw failed.reason as Error;
  return uses;
}

/** Examines a server for at most five seconds. Returns undefined if the server is not configured;
 * throws the client's error if there is no usable answer. */
export async function examineServer(
  { chainId, field, row }: Examined,
  { now, ...connections }: Connections & { now: () => number },
): Promise<Finding | undefined> {
  if (row[field] === undefined) return undefined;
  const begun = now();
  const question = { ...connections, chainId, row, isExamined: true };
  const { facts = {}, fault } = await inspect(field, question);
  return { facts, ms: now() - begun, ...(fault !== undefined && { fault }) };
}

async function inspect(field: Field, question: UntimedQuestion): Promise<Inspection> {
  const value = question.row[field];
  if (value === undefined && !parts[field].isContract) return {};
  return withTimeLimit(
    async (signal) => parts[field].inspect({ ...question, signal }, value ?? ''),
    LIMIT_MS,
  );
}

// The client's messages can be passed on: they name servers by labels and quote no secrets.
async function probe(field: Field, question: UntimedQuestion): Promise<Inspection> {
  try {
    return await inspect(field, question);
  } catch (cause) {
    if (parts[field].isContract) return {};
    if (!(cause instanceof TollkeeperError)) throw cause;
    const message = `${ROOT}.${field}: ${cause.message} Nothing was saved.`;
    const details = { context: { ...cause.context, field }, cause };
    // The client refuses some credentials with `InvalidParamsError`, before it sends anything.
    throw cause instanceof InvalidParamsError
      ? new InvalidParamsError(message, details)
      : new UnavailableError(message, details);
  }
}

async function inspectNode(
  transport: Transport,
  { chainId, isExamined }: Question,
  asksBlock: boolean,
): Promise<Inspection> {
  const node = createNodeClient(transport);
  const fetchBlock = async (): Promise<bigint> =>
    BigInt(await node.request('eth_blockNumber', []));
  const [found, block] = await Promise.all([
    node.request('eth_chainId', []).then(BigInt),
    // Only an examination needs the block.
    asksBlock
      ? fetchBlock().catch((error: unknown) => {
          if (isExamined) throw error;
        })
      : undefined,
  ]);
  const chain = toCaip2(found);
  return {
    fault:
      found === chainId
        ? undefined
        : `is the address of ${chain}, not of ${toCaip2(chainId)}.`,
    facts: { chain, ...(block !== undefined && { block }) },
  };
}

function findBundlerFault(
  { chainId, entryPoints: served }: BundlerSupport,
  asked: Question,
): string | undefined {
  if (chainId !== asked.chainId) {
    return `is a bundler of ${toCaip2(chainId)}, not of ${toCaip2(asked.chainId)}.`;
  }
  const { version, address } = findContracts(asked.row)?.entryPoint ?? {};
  const wanted = address
    ? [address]
    : Object.values(entryPoints).map(({ entryPoint }) => entryPoint);
  if (wanted.some((each) => hasAddress(served, each))) return undefined;
  if (address) {
    return `does not serve EntryPoint ${version} at ${address}; it serves ${listNamed(served)}.`;
  }
  const known = entryPointVersions.join(', ');
  return `serves no EntryPoint that Tollkeeper knows (${known}), but ${listNamed(served)}.`;
}

function listNamed(addresses: readonly Hex[]): string {
  const named = addresses.slice(0, MAX_NAMED).join(', ');
  const others = addresses.length - MAX_NAMED;
  if (named === '') return 'none';
  return others > 0 ? `${named} and ${others} more` : named;
}

// Uses the configured node, otherwise MetaMask's. Without a node, the contract is assumed to exist.
async function hasCode(address: Hex, question: Question): Promise<boolean> {
  const { row, live, wallet, chainId } = question;
  const ask = async (node: Transport): Promise<boolean> =>
    (await createNodeClient(node).request('eth_getCode', [address, 'latest'])) !== '0x';
  if (row.rpcUrl !== undefined) {
    return ask(connectOnce(createRpcEndpoint(row.rpcUrl, row.apiKey), question));
  }
  if (row.wsUrl !== undefined) {
    const use = async (socket: WebSocketTransport): Promise<boolean> =>
      ask(onSocket(socket, question));
    return (await live.withSocket(chainId, row, use)) ?? true;
  }
  const node = await wallet.connect(chainId).catch(() => undefined);
  return node ? ask(withSignal(node, question)) : true;
}

function connectOnce(endpoint: Endpoint, question: Question): HttpTransport {
  const transport = createHttpTransport(hidePath(endpoint), once(question.http));
  return { ...transport, ...withSignal(transport, question) };
}

// A page that changes another field must not learn the key in a saved URL.
function hidePath(endpoint: Endpoint): Endpoint {
  return hideHost(endpoint, toPublicUrl(endpoint.url));
}

function onSocket(socket: WebSocketTransport, question: Question): Transport {
  const { label } = socket;
  const request: Transport['request'] = async (call) => socket.requestOnce(call);
  return withSignal({ label, request }, question);
}

function withSignal({ label, request }: Transport, { signal }: Question): Transport {
  return { label, request: async (call) => request({ ...call, signal }) };
}

function once(http: HttpOptions): HttpOptions {
  return { ...http, retry: { maxAttempts: 1 } };
}
