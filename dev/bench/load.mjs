// Load generator: each connection sends its next request as soon as the last one is answered. Uses
// bare sockets, since a generator slower than the server would measure itself. The argument is the
// fields below as JSON; the output is JSON with times in ms.
import { connect } from 'node:net';
import { setTimeout } from 'node:timers/promises';

const { address, authorization, connections, seconds, body } = JSON.parse(
  process.argv[2],
);
const { hostname, port, pathname } = new URL(address);
const request =
  `${body === '' ? 'GET' : 'POST'} ${pathname} HTTP/1.1\r\nHost: ${hostname}:${port}\r\n` +
  `Authorization: ${authorization}\r\nConnection: keep-alive\r\n` +
  `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;

function isComplete(response) {
  const end = response.indexOf('\r\n\r\n');
  if (end < 0) return false;
  if (!response.startsWith('HTTP/1.1 200')) throw new Error(response);
  const [, length] = /content-length: (\d+)/iu.exec(response.slice(0, end)) ?? [];
  if (length === undefined) throw new Error('The answer has no length.');
  return response.length >= end + 4 + Number(length);
}

let count = 0;
let times = [];
const sockets = Array.from({ length: Number(connections) }, () => {
  const socket = connect(Number(port), hostname).setNoDelay().setEncoding('latin1');
  let response = '';
  let asked = performance.now();
  socket.on('data', (chunk) => {
    response += chunk;
    if (!isComplete(response)) return;
    response = '';
    count += 1;
    const now = performance.now();
    times.push(now - asked);
    asked = now;
    socket.write(request);
  });
  socket.write(request);
  return socket;
});

// Ignores the first 300 ms, in which connections open and code is compiled.
await setTimeout(300);
times = [];
const start = performance.now();
await setTimeout(Number(seconds) * 1_000);
const perSecond = times.length / ((performance.now() - start) / 1_000);
const p99 = times.sort((one, other) => one - other)[Math.floor(times.length * 0.99)];
process.stdout.write(JSON.stringify({ perSecond, p99, count }), () => process.exit());
for (const socket of sockets) socket.destroy();
