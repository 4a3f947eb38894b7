// Ports that are the same from day to day where they can be, so that what was configured
// in the snap yesterday still fits.
import { createServer } from 'node:net';

/** Choose a port: the wanted one, or 0 (any free one) if it is taken. */
export async function choosePort(wanted: number): Promise<number> {
  const server = createServer();
  return new Promise((resolve) => {
    server.once('error', () => resolve(0));
    server.listen(wanted, '127.0.0.1', () => server.close(() => resolve(wanted)));
  });
}
