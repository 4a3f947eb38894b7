// Compiles on a separate thread: the compiler takes seconds of one core and hooks into the current
// `process`, neither of which should affect the caller.
import { createRequire } from 'node:module';
import { parentPort, workerData } from 'node:worker_threads';

const solc = createRequire(import.meta.url)('solc');

parentPort?.postMessage(solc.compile(workerData));
