// Puts servers under load and measures: connections, spread over the servers, that each ask again
// as soon as they are answered. On bare sockets, since a slower generator than the server would
// measure itself. Prints, as JSON, requests a second and the time in ms within which 99 % of them
// were answered.
import { connect } from 'node:net';

const [addresses = '', authorization = '', connections = '32', seconds = '3'] =
  process.argv.slice(2);
const servers = addresses.split(',').map((address) => {
  const { hostname, port, pathname } = new URL(address);
  const request =
    `GET ${pathname} HTTP/1.1\r\nHost: ${hostname}:${port}\r\n` +
    `Authorization: ${authorization}\r\nConnection: keep-alive\r\n\r\n`;
  return { hostname, port, request };
});

/** Tell whether a response has come in whole; fails if it is not a success. */
function isComplete(response) {
  const end = response.indexOf('\r\n\r\n');
  if (end < 0) return false;
  if (!response.startsWith('HTTP/1.1 200')) throw new Error(response);
  const [, length] = /content-length: (\d+)/iu.exec(response.slice(0, end)) ?? [];
  if (length === undefined) throw new Error('The answer has no length.');
  return response.length >= end + 4 + Number(length);
}

let times = [];
const sockets = Array.from({ length: Number(connections) }, (_each, index) => {
  const { hostname, port, request } = servers[index % servers.length];
  const socket = connect(Number(port), hostname).setNoDelay().setEncoding('latin1');
  let response = '';
  let asked = performance.now();
  socket.on('data', (chunk) => {
    response += chunk;
    if (!isComplete(response)) return;
    response = '';
    const now = performance.now();
    times.push(now - asked);
    asked = now;
    socket.write(request);
  });
  socket.write(request);
  return socket;
});

// The first moments belong to connections and compilers.
setTimeout(() => {
  times = [];
  const start = performance.now();
  setTimeout(
    () => {
      const perSecond = times.length / ((performance.now() - start) / 1_000);
      const p99 = times.sort((one, other) => one - other)[
        Math.floor(times.length * 0.99)
      ];
      process.stdout.write(JSON.stringify({ perSecond, p99 }), () => process.exit());
      for (const socket of sockets) socket.destroy();
    },
    Number(seconds) * 1_000,
  );
}, 300);
