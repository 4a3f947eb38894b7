// Compiles on a separate thread, because the compiler occupies a core for seconds and adds
// listeners to the current `process`.
import { createRequire } from 'node:module';
import { parentPort, workerData } from 'node:worker_threads';

const solc = createRequire(import.meta.url)('solc');

parentPort?.postMessage(solc.compile(workerData));
