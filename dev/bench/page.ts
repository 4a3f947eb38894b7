// The browser benchmark's page. It answers the snaps' requests to MetaMask immediately, so that
// only the snaps are measured.
import type { Duplex } from 'node:stream';

import { Messenger, MOCK_ANY_NAMESPACE } from '@metamask/messenger';
import { rpcErrors, serializeError } from '@metamask/rpc-errors';
import { IframeExecutionService, setupMultiplex } from '@metamask/snaps-controllers';
import { restrictedMethodPermissionBuilders } from '@metamask/snaps-rpc-methods';
import type { HandlerType } from '@metamask/snaps-utils';
import type { Json, JsonRpcRequest } from '@metamask/utils';

import { adaptCommands } from '../wallet/commands';
import { DEFAULT_MNEMONIC, Secrets } from '../wallet/platform';

export type BuiltSnap = {
  source: string;
  endowments: string[];
  /** The auxiliary files in Base64, by path. */
  files: Record<string, string>;
};

export type Call = {
  handler: `${HandlerType}`;
  origin: string;
  method: string;
  params?: Json;
};

export type State = { encrypted: Json; open: Json };

type Held = BuiltSnap & {
  state: State;
  sentAt: number;
  onDialog: () => void;
};

type Params = Record<string, Json> & Json[];

const snaps = new Map<string, Held>();

const secrets = new Secrets(DEFAULT_MNEMONIC);
const entropy = restrictedMethodPermissionBuilders.snap_getEntropy.specificationBuilder(
  {
    methodHooks: {
      getMnemonicSeed: async (source) => secrets.getMnemonicSeed(source),
      getUnlockPromise: async () => Promise.resolve(),
      getClientCryptography: () => ({}),
    },
  },
);

const keyOf = ({ encrypted }: Params): keyof State =>
  encrypted === false ? 'open' : 'encrypted';

const GWEI = '0x3b9aca00';

/** Answers of MetaMask and of its node, for a chain without contracts. */
const answers: Record<string, (params: Params, snap: Held, id: string) => unknown> = {
  snap_getState: (params, { state }) => state[keyOf(params)],
  snap_setState: (params, { state }) => {
    state[keyOf(params)] = params.value ?? null;
    return null;
  },
  snap_manageState: (params, { state }) => {
    if (params.operation === 'get') return state[keyOf(params)];
    state[keyOf(params)] = params.newState ?? null;
    return null;
  },
  snap_getEntropy: async (params, _snap, origin) =>
    entropy.methodImplementation({
      method: 'snap_getEntropy',
      params: params as never,
      context: { origin },
    }),
  snap_listEntropySources: () => secrets.getEntropySources(),
  snap_getPreferences: () => ({ locale: 'en' }),
  snap_getClientStatus: () => ({ locked: false, active: true }),
  snap_getFile: ({ path }, { files }) => files[path as string] ?? null,
  snap_manageAccounts: () => null,
  snap_createInterface: () => crypto.randomUUID(),
  snap_updateInterface: () => null,
  snap_getInterfaceState: () => ({}),
  snap_getBackgroundEvents: () => [],
  snap_scheduleBackgroundEvent: () => crypto.randomUUID(),
  snap_dialog: (_params, { onDialog }) => {
    onDialog();
    return null;
  },
  eth_chainId: () => '0x1',
  eth_blockNumber: () => '0x10',
  eth_getCode: () => '0x',
  eth_call: () => '0x',
  eth_getBalance: () => '0xde0b6b3a7640000',
  eth_getTransactionCount: () => '0x0',
  eth_estimateGas: () => '0x5208',
  eth_maxPriorityFeePerGas: () => GWEI,
  eth_feeHistory: ([blocks, , percentiles]) => {
    const length = Number(blocks);
    const reward = (percentiles as Json[]).map(() => GWEI);
    return {
      oldestBlock: '0x1',
      baseFeePerGas: Array.from({ length: length + 1 }, () => GWEI),
      gasUsedRatio: Array.from({ length }, () => 0.5),
      reward: Array.from({ length }, () => reward),
    };
  },
};

async function answer(
  id: string,
  { method, params }: JsonRpcRequest,
): Promise<unknown> {
  const snap = findSnap(id);
  const found = answers[method];
  if (!found) throw rpcErrors.methodNotFound(`The page does not answer ${method}.`);
  return await found((params ?? {}) as Params, snap, id);
}

function findSnap(id: string): Held {
  const snap = snaps.get(id);
  if (!snap) throw new Error(`The page has no snap ${id}.`);
  return snap;
}

const messenger = new Messenger({ namespace: MOCK_ANY_NAMESPACE });

class Service extends IframeExecutionService {
  protected override async initEnvStream(
    id: string,
  ): ReturnType<IframeExecutionService['initEnvStream']> {
    const { worker, stream } = await super.initEnvStream(id);
    return { worker, stream: adaptCommands(stream) };
  }
}

const service = new Service({
  messenger,
  iframeUrl: new URL(location.hash.slice(1)),
  // The service calls this when the environment is ready, right before sending the bundle.
  setupSnapProvider: (id, rpcStream) => {
    // A Duplex of readable-stream, which has no types.
    const stream = setupMultiplex(rpcStream, id).createStream(
      'metamask-provider',
    ) as unknown as Duplex;
    stream.on('data', (request: JsonRpcRequest) => {
      const { id: number, jsonrpc } = request;
      void answer(id, request).then(
        (result) => stream.write({ id: number, jsonrpc, result }),
        (error: unknown) => {
          const serialized = serializeError(error, { shouldIncludeStack: false });
          stream.write({ id: number, jsonrpc, error: serialized });
        },
      );
    });
    findSnap(id).sentAt = performance.now();
  },
});

/** Starts a snap. Returns how long its bundle took to execute, in ms. */
async function start(id: string): Promise<number> {
  const { source: sourceCode, endowments } = findSnap(id);
  await service.executeSnap({ snapId: id, sourceCode, endowments });
  return performance.now() - findSnap(id).sentAt;
}

async function call(id: string, { handler, origin, ...asked }: Call): Promise<Json> {
  const request = { jsonrpc: '2.0', id: crypto.randomUUID(), ...asked };
  const given = { handler: handler as HandlerType, origin, request };
  return (await service.handleRpcRequest(id, given)) as Json;
}

/** The functions that the benchmark calls in this page. Times are in ms. */
const bench = {
  open: (id: string, snap: BuiltSnap): void => {
    const state = { encrypted: null, open: null };
    snaps.set(id, { ...snap, state, sentAt: 0, onDialog: () => undefined });
  },
  getState: (id: string): State => findSnap(id).state,
  setState: async (id: string, state: State): Promise<void> => {
    await service.terminateSnap(id);
    findSnap(id).state = structuredClone(state);
  },
  start,
  call,
  measure: async (id: string, asked: Call, repeats: number): Promise<number> => {
    const begun = performance.now();
    for (let done = 0; done < repeats; done += 1) await call(id, asked);
    return (performance.now() - begun) / repeats;
  },
  /** Starts a snap and stops it again. `answered` is the total time. */
  measureStart: async (
    id: string,
    asked: Call,
  ): Promise<{ answered: number; executing: number; answering: number }> => {
    const begun = performance.now();
    const executing = await start(id);
    const asking = performance.now();
    await call(id, asked);
    const ended = performance.now();
    await service.terminateSnap(id);
    return { answered: ended - begun, executing, answering: ended - asking };
  },
  /** Makes a request. Returns the time until its dialog, including the start of a stopped snap. */
  measureDialog: async (
    id: string,
    asked: Call,
    isStopped: boolean,
  ): Promise<number> => {
    const begun = performance.now();
    const opened = new Promise<number>((resolve) => {
      findSnap(id).onDialog = () => resolve(performance.now() - begun);
    });
    if (isStopped) await start(id);
    // The request fails because the simulated user closes the dialog.
    const refused = call(id, asked).then(
      () => undefined,
      (error: unknown) => error,
    );
    const first = await Promise.race([opened, refused]);
    const error = await refused;
    if (isStopped) await service.terminateSnap(id);
    if (typeof first === 'number') return first;
    throw new Error(`${asked.method} opened no dialog.`, { cause: error });
  },
};

export type BenchPage = typeof bench;

Object.assign(globalThis, { bench });
