// Runs a server script with node:cluster, and prints the address of a second server, which reports,
// as JSON, the URL of the first and the CPU time of its process so far, in milliseconds. Usage:
// node measured.mjs SCRIPT [ARGUMENT...]
import cluster from 'node:cluster';
import { once } from 'node:events';
import { createServer } from 'node:http';

if (cluster.isPrimary) {
  const [exec, ...args] = process.argv.slice(2);
  cluster.setupPrimary({ exec, args, execArgv: ['--import', import.meta.url] });
  const worker = cluster.fork();
  const [{ port }] = await once(worker, 'listening');
  const server = createServer(async (_request, response) => {
    worker.send('measure');
    const [cpuMs] = await once(worker, 'message');
    response.end(JSON.stringify({ url: `http://127.0.0.1:${port}`, cpuMs }));
  });
  server.listen(0, '127.0.0.1', () => {
    process.stdout.write(`Measured at http://127.0.0.1:${server.address().port}\n`);
  });
} else {
  process.on('message', () => {
    const { user, system } = process.cpuUsage();
    process.send((user + system) / 1_000);
  });
}
