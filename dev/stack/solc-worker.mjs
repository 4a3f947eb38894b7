// Compiles on a separate thread: the compiler occupies a core for seconds and hooks into the
// current `process`, neither of which should affect the caller.
import { createRequire } from 'node:module';
import { parentPort, workerData } from 'node:worker_threads';

const solc = createRequire(import.meta.url)('solc');

parentPort?.postMessage(solc.compile(workerData));
