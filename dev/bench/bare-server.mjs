// The yardstick for the service: node:http that answers every request with one text.
import { createServer } from 'node:http';

const body = process.argv[2] ?? '';

const server = createServer((_request, response) => {
  response.writeHead(200, {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(body),
  });
  response.end(body);
});

server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`Serving at http://127.0.0.1:${server.address().port}\n`);
});
