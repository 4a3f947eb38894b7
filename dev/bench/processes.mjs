// Runs a server as several processes behind one port (node:cluster), and prints an address that
// reports, as JSON, where they serve and each process's usage so far, beginning with the one that
// distributes connections: CPU time, and its event loop's busy and idle time, in milliseconds. node
// processes.mjs COUNT SCRIPT [ARGUMENT...]
import cluster from 'node:cluster';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { performance } from 'node:perf_hooks';

function measure() {
  const { user, system } = process.cpuUsage();
  const { active, idle } = performance.eventLoopUtilization();
  return { cpuMs: (user + system) / 1_000, busyMs: active, idleMs: idle };
}

async function ask(worker) {
  worker.send('measure');
  const [usage] = await once(worker, 'message');
  return usage;
}

if (cluster.isPrimary) {
  const [count, exec, ...args] = process.argv.slice(2);
  cluster.setupPrimary({ exec, args, execArgv: ['--import', import.meta.url] });
  const workers = Array.from({ length: Number(count) }, () => cluster.fork());
  const listening = workers.map(async (worker) => once(worker, 'listening'));
  const [[{ port }]] = await Promise.all(listening);
  const server = createServer(async (_request, response) => {
    const usages = [measure(), ...(await Promise.all(workers.map(ask)))];
    response.end(JSON.stringify({ url: `http://127.0.0.1:${port}`, usages }));
  });
  server.listen(0, '127.0.0.1', () => {
    process.stdout.write(`Shown at http://127.0.0.1:${server.address().port}\n`);
  });
} else {
  process.on('message', () => process.send(measure()));
}
