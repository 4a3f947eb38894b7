// The baseline for the gas API. Usage: node bare-server.mjs TEXT
import { createServer } from 'node:http';

const body = process.argv[2] ?? '';

createServer((_request, response) => {
  response.writeHead(200, {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(body),
  });
  response.end(body);
}).listen(0, '127.0.0.1');
