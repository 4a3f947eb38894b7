// Follows the node's newHeads, and connects again when the socket is lost; meanwhile the
// newest block is asked for (head.ts).
import { HeadStruct } from '../../src/client/rpc/block';
import { matches } from '../../src/parse';
import type { Head } from './head';
import { openNodeSocket } from './node-socket';
import type { NodeSocket, NodeSocketOptions } from './node-socket';

const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 30_000;

/** Follow until the returned function is called. */
export function followHeads(
  head: Head,
  options: Pick<NodeSocketOptions, 'url' | 'timeoutMs' | 'toShown'>,
): () => void {
  let socket: NodeSocket | undefined;
  let timer: NodeJS.Timeout | undefined;
  let waitMs = FIRST_WAIT_MS;
  let isStopped = false;

  const connect = (): void => {
    socket = openNodeSocket({
      ...options,
      onNotification: ({ result }) => {
        if (!matches(result, HeadStruct)) return;
        waitMs = FIRST_WAIT_MS;
        head.push({ key: result.hash, number: BigInt(result.number) });
      },
      onClose: () => {
        head.lose();
        if (isStopped) return;
        timer = setTimeout(connect, waitMs).unref();
        waitMs = Math.min(waitMs * 2, LONGEST_WAIT_MS);
      },
    });
    void socket.ask('eth_subscribe', ['newHeads']);
  };

  connect();
  return () => {
    isStopped = true;
    clearTimeout(timer);
    socket?.close();
  };
}
