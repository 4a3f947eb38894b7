// The wallet's WebSockets. The wallet owns the connections: they survive a stop of the snap, and
// their messages arrive through a separate entry point.
import type { WebSocketEvent } from '@metamask/snaps-sdk';
import { bytesToString } from '@metamask/utils';

import type { Socket, SocketEvents } from '../../packages/client/src';
import { askRaw } from './answered';

export type Sockets = {
  /** Opens a socket, or takes over an open one to the same address from before a stop, because the
   * wallet opens only one per address. Throws if the socket does not open or its address is in
   * use. */
  open: (url: string, events: SocketEvents) => Promise<Socket>;
  /** Closes the sockets to all other addresses, including those from before a stop. Never fails. */
  closeOthers: (urls: ReadonlySet<string>) => Promise<void>;
  /** Never fails. */
  handle: (event: WebSocketEvent) => Promise<void>;
};

/** Creates access to the wallet's sockets. Call it once per worker. */
export function createSockets(): Sockets {
  const listeners = new Map<string, SocketEvents>();
  // Ids of sockets that are being closed, which the wallet still lists.
  const closing = new Set<string>();
  // Ids of sockets that closed before the wallet returned from opening them.
  const closed = new Set<string>();
  let opening = 0;
  const close = async (id: string): Promise<void> => {
    listeners.delete(id);
    closing.add(id);
    try {
      await askRaw({ method: 'snap_closeWebSocket', params: { id } });
    } catch {
      // Usually, the wallet no longer has the socket.
      closing.delete(id);
    }
  };
  const openSocket = async (url: string): Promise<string> => {
    const found = (await listOpen()).find((each) => each.url === url);
    if (found && !closing.has(found.id)) return found.id;
    return askRaw({ method: 'snap_openWebSocket', params: { url } });
  };
  const use = (id: string, events: SocketEvents): Socket => {
    if (closed.has(id)) throw new Error('The socket closed immediately.');
    if (listeners.has(id)) throw new Error('The socket is already in use.');
    listeners.set(id, events);
    const isOurs = (): boolean => listeners.get(id) === events;
    return {
      send: async (message) => {
        if (!isOurs()) throw new Error('The socket is closed.');
        const params = { id, message };
        await askRaw({ method: 'snap_sendWebSocketMessage', params });
      },
      close: async () => {
        if (isOurs()) await close(id);
      },
    };
  };
  return {
    open: async (url, events) => {
      opening += 1;
      try {
        return use(await openSocket(url), events);
      } finally {
        opening -= 1;
        if (opening === 0) closed.clear();
      }
    },
    closeOthers: async (urls) => {
      // A wallet that does not support sockets has none to close.
      const open = await listOpen().catch(() => []);
      const others = open.filter(({ url }) => !urls.has(url));
      await Promise.all(others.map(async ({ id }) => close(id)));
    },
    handle: async (event) => {
      const { id, type } = event;
      const events = listeners.get(id);
      if (type === 'close') {
        listeners.delete(id);
        closing.delete(id);
        if (opening > 0) closed.add(id);
        events?.onClose();
      } else if (type === 'message') {
        // Keeps this request open until the message is handled, since work does not survive the end
        // of the last request.
        if (events) await events.onMessage(toText(event.data));
        // Nothing listens to the socket, usually because the snap was stopped in the meantime. It
        // must not wake the snap again.
        else if (opening === 0) await close(id);
      }
    },
  };
}

async function listOpen(): Promise<{ id: string; url: string }[]> {
  return askRaw({ method: 'snap_getWebSockets' });
}

function toText({ message }: { message: string | number[] }): string {
  if (typeof message === 'string') return message;
  return bytesToString(Uint8Array.from(message));
}
