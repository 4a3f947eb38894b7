// The compiler occupies a core for seconds and adds listeners to the current `process`, so it runs
// on a separate thread.
import { createRequire } from 'node:module';
import { parentPort, workerData } from 'node:worker_threads';

const solc = createRequire(import.meta.url)('solc');

parentPort?.postMessage(solc.compile(workerData));
