// The baseline for JSON-RPC: viem behind Fastify, and nothing else. Usage: node viem-server.mjs
// NODE_URL
import fastify from 'fastify';
import { createPublicClient, http } from 'viem';

const [nodeUrl] = process.argv.slice(2);
const client = createPublicClient({ transport: http(nodeUrl) });
const server = fastify();

server.post('/v3/:key', async ({ body: { id, method, params } }) => {
  try {
    return { jsonrpc: '2.0', id, result: await client.request({ method, params }) };
  } catch ({ code, details }) {
    return { jsonrpc: '2.0', id, error: { code, message: details } };
  }
});

await server.listen({ port: 0, host: '127.0.0.1' });
