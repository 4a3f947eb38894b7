// An execution service that runs the snap in this process, where its clock and its network
// are the caller's, and a worker starts in milliseconds. It keeps the rules of MetaMask's
// executor that a snap can feel: answers that come after the last entry point has ended are
// dropped and timers cleared, a stopped worker does nothing more, and requests pause the time
// limit. It has no walls: a snap of others belongs into worker.ts.
import vm from 'node:vm';

import type { JsonRpcEngine } from '@metamask/json-rpc-engine';
import type { Messenger } from '@metamask/messenger';
import { JsonRpcError, rpcErrors, serializeError } from '@metamask/rpc-errors';
import type {
  ExecutionServiceActions,
  ExecutionServiceEvents,
} from '@metamask/snaps-controllers';
import { WrappedSnapError } from '@metamask/snaps-utils';

import { createGlobals } from './in-process-globals';
import type { Exports, Job, World } from './in-process-globals';
import { toJson } from './json';
import { createMessenger, type RootMessenger } from './messenger';

/** What a wallet needs of the one that runs its snaps. */
export type Execution = {
  /** What was printed, by line. */
  readonly printed: string[];
  terminateAllSnaps: () => Promise<void>;
};

type ServiceMessenger = Messenger<
  'ExecutionService',
  ExecutionServiceActions,
  ExecutionServiceEvents
>;

/**
 * Create the service.
 *
 * @param root - The wallet's root messenger.
 * @param getEngine - The engine that answers a snap's calls.
 * @param world - The snap's clock and network.
 * @returns The service.
 */
export function createInProcessService(
  root: RootMessenger,
  getEngine: (snapId: string) => JsonRpcEngine,
  world: World,
): Execution {
  const messenger = createMessenger<ServiceMessenger>(root, 'ExecutionService');
  const jobs = new Map<string, Job>();
  const terminate = async (snapId: string): Promise<void> => {
    const job = jobs.get(snapId);
    if (job) job.isDead = true;
    jobs.delete(snapId);
    return Promise.resolve();
  };
  const terminateAll = async (): Promise<void> => {
    for (const snapId of [...jobs.keys()]) await terminate(snapId);
  };

  messenger.registerActionHandler(
    'ExecutionService:executeSnap',
    async ({ snapId, sourceCode }) => {
      const job: Job = { exports: {}, running: 0, era: 0, isDead: false };
      const tell = (name: 'outboundRequest' | 'outboundResponse'): void =>
        messenger.publish(`ExecutionService:${name}`, snapId);
      const engine = getEngine(snapId);
      job.exports = evaluate(sourceCode, createGlobals({ job, engine, tell, world }));
      jobs.set(snapId, job);
      return Promise.resolve('OK');
    },
  );
  messenger.registerActionHandler(
    'ExecutionService:handleRpcRequest',
    async (snapId, { handler, origin, request }) => {
      const job = jobs.get(snapId);
      if (!job) throw new Error(`"${snapId}" is not currently running.`);
      const { params } = request as { params?: object };
      return run(job, handler, { origin, request, ...(isOwn(handler) && params) });
    },
  );
  messenger.registerActionHandler('ExecutionService:terminateSnap', terminate);
  messenger.registerActionHandler('ExecutionService:terminateAllSnaps', terminateAll);
  return { printed: [], terminateAllSnaps: terminateAll };
}

/** Whether an entry point is given the params themselves, and not a request. */
function isOwn(handler: string): boolean {
  return ['onUserInput', 'onWebSocketEvent', 'onTransaction', 'onSignature'].includes(
    handler,
  );
}

async function run(job: Job, handler: string, args: unknown): Promise<unknown> {
  job.running += 1;
  try {
    return toJson((await job.exports[handler]?.(toJson(args))) ?? null);
  } catch (error) {
    const { code, message, data } = serializeError(new WrappedSnapError(error), {
      fallbackError: rpcErrors.internal('Execution Environment Error').serialize(),
      shouldPreserveMessage: false,
    });
    throw new JsonRpcError(code, message, data);
  } finally {
    job.running -= 1;
    if (job.running === 0) job.era += 1;
  }
}

type Compiled = (module: { exports: Exports }, globals: object) => void;

const compiled = new Map<string, Compiled>();

const NAMES = 'snap, ethereum, fetch, Math, crypto, Date, setTimeout, clearTimeout';

/** Run a bundle anew; it is compiled once. */
function evaluate(sourceCode: string, globals: object): Exports {
  const source = `(module, { ${NAMES} }) => { const { exports } = module; ${sourceCode}\n}`;
  const start =
    compiled.get(source) ?? (new vm.Script(source).runInThisContext() as Compiled);
  compiled.set(source, start);
  const module = { exports: {} };
  start(module, globals);
  return module.exports;
}
