// MetaMask's execution service for Node, which runs the snap under SES in a worker thread.

import { createRequire } from 'node:module';
import path from 'node:path';
import { type Duplex, pipeline } from 'node:stream';
import { Worker } from 'node:worker_threads';

import type { JsonRpcEngine } from '@metamask/json-rpc-engine';
import { createEngineStream } from '@metamask/json-rpc-middleware-stream';
import { ThreadParentMessageStream } from '@metamask/post-message-stream/node';
import {
  NodeThreadExecutionService,
  setupMultiplex,
} from '@metamask/snaps-controllers/node';

import { messengerFor, type RootMessenger } from './base';
import { adaptCommands } from './commands';

/** Time limits for a worker's start and end, in ms. MetaMask's limits (10 s and 1 s) are too short
 * on a machine that runs other tests. */
const TIMEOUTS = { pingTimeout: 60_000, terminationTimeout: 5_000 };
const ENVIRONMENT = '@metamask/snaps-execution-environments/node-thread';

/** The worker's code: MetaMask's environment, with a fetch that handles its own rejections.
 * Otherwise a fetch that fails immediately is an unhandled rejection, which may kill the snap. */
const BOOT = `
  const { fetch } = globalThis;
  globalThis.fetch = (...args) => {
    const answer = fetch(...args);
    answer.catch(() => undefined);
    return answer;
  };
  require(require('node:worker_threads').workerData);
`;

/** Stores the workers' output instead of passing it on. */
class WatchedExecutionService extends NodeThreadExecutionService {
  readonly printed: string[] = [];

  protected override initEnvStream(
    snapId: string,
  ): ReturnType<NodeThreadExecutionService['initEnvStream']> {
    this.setSnapStatus(snapId, 'initializing');
    // Resolved from the working directory, because this file's module type varies.
    const workerData = createRequire(path.resolve('package.json')).resolve(ENVIRONMENT);
    const output = { stdout: true, stderr: true };
    const worker = new Worker(BOOT, {
      eval: true,
      workerData,
      execArgv: [],
      ...output,
    });
    for (const stream of [worker.stdout, worker.stderr]) {
      stream.on('data', (chunk: Buffer) => {
        this.printed.push(...chunk.toString().trimEnd().split('\n'));
      });
    }
    worker.on('error', (error) => this.printed.push(String(error)));
    const stream = new ThreadParentMessageStream({ thread: worker });
    return Promise.resolve({ worker, stream: adaptCommands(stream) });
  }
}

export function createExecutionService(
  root: RootMessenger,
  getEngine: (snapId: string) => JsonRpcEngine,
): WatchedExecutionService {
  return new WatchedExecutionService({
    messenger: messengerFor(root),
    ...TIMEOUTS,
    setupSnapProvider(snapId, rpcStream) {
      const mux = setupMultiplex(rpcStream, 'snapStream');
      // All three are Duplex streams of readable-stream, which has no type declarations.
      const [parent, stream, engine] = [
        rpcStream,
        mux.createStream('metamask-provider'),
        createEngineStream({ engine: getEngine(snapId) }),
      ] as unknown as [Duplex, Duplex, Duplex];
      // The streams close when the worker ends, which is not an error. They can emit errors even
      // after the pipeline has ended.
      for (const each of [parent, stream, engine]) each.on('error', () => undefined);
      pipeline(stream, engine, stream, () => undefined);
    },
  });
}
