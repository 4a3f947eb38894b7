// A real HTTP server on loopback that answers as a test decides and records requests.
import { createServer } from 'node:http';
import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export type Arrived = {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
};

export type Answer = (response: ServerResponse, arrived: Arrived) => void;

export type HttpServer = Awaited<ReturnType<typeof startHttpServer>>;

export async function startHttpServer(answer: Answer) {
  const arrived: Arrived[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (chunk: string) => (body += chunk));
    request.on('end', () => {
      const { method = '', url: path = '', headers } = request;
      arrived.push({ method, path, headers, body });
      answer(response, { method, path, headers, body });
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const stop = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return {
    url: `http://127.0.0.1:${port}`,
    arrived,
    stop,
  };
}

export function useHttpServers(): (answer: Answer) => Promise<HttpServer> {
  const started: HttpServer[] = [];
  afterEach(async () => {
    await Promise.all(started.splice(0).map(({ stop }) => stop()));
  });
  return async (answer) => {
    const server = await startHttpServer(answer);
    started.push(server);
    return server;
  };
}

export function answerJson(
  value: unknown,
  status = 200,
  headers: Record<string, string> = {},
): Answer {
  return answerText(JSON.stringify(value), status, headers);
}

/** Answers with text declared as JSON. */
export function answerText(
  text: string,
  status = 200,
  headers: Record<string, string> = {},
): Answer {
  return (response) => {
    response.writeHead(status, { 'Content-Type': 'application/json', ...headers });
    response.end(text);
  };
}

export async function findDeadUrl(): Promise<string> {
  const { url, stop } = await startHttpServer(() => undefined);
  await stop();
  return url;
}
