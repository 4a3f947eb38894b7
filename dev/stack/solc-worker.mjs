// Compiles on a thread of its own: the compiler takes seconds of one core and hooks
// itself into the `process` it finds, neither of which our caller should notice.
import { createRequire } from 'node:module';
import { parentPort, workerData } from 'node:worker_threads';

const solc = createRequire(import.meta.url)('solc');

parentPort?.postMessage(solc.compile(workerData));
