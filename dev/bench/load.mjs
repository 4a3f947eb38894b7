// Puts a server under load and counts: connections that each ask again as soon as they
// are answered. On bare sockets, since a slower generator than the server would measure
// itself. Prints requests a second.
import { connect } from 'node:net';

const [address = '', authorization = '', connections = '32', seconds = '3'] =
  process.argv.slice(2);
const { hostname, port, pathname } = new URL(address);
const request =
  `GET ${pathname} HTTP/1.1\r\nHost: ${hostname}:${port}\r\n` +
  `Authorization: ${authorization}\r\nConnection: keep-alive\r\n\r\n`;

/** Tell whether a response has come in whole; fails if it is not a success. */
function isComplete(response) {
  const end = response.indexOf('\r\n\r\n');
  if (end < 0) return false;
  if (!response.startsWith('HTTP/1.1 200')) throw new Error(response);
  const [, length] = /content-length: (\d+)/iu.exec(response.slice(0, end)) ?? [];
  if (length === undefined) throw new Error('The answer has no length.');
  return response.length >= end + 4 + Number(length);
}

let answered = 0;
const sockets = Array.from({ length: Number(connections) }, () => {
  const socket = connect(Number(port), hostname).setNoDelay().setEncoding('latin1');
  let response = '';
  socket.on('data', (chunk) => {
    response += chunk;
    if (!isComplete(response)) return;
    response = '';
    answered += 1;
    socket.write(request);
  });
  socket.write(request);
  return socket;
});

// The first moments belong to connections and compilers.
setTimeout(() => {
  const before = answered;
  const start = performance.now();
  setTimeout(
    () => {
      const passed = (performance.now() - start) / 1_000;
      process.stdout.write(`${(answered - before) / passed}\n`, () => process.exit());
      for (const socket of sockets) socket.destroy();
    },
    Number(seconds) * 1_000,
  );
}, 300);
