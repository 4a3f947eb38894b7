// One socket that opens on demand. The pause before the next attempt doubles with each consecutive
// failure, so a server that is down is not flooded. The caller supplies the function that opens a
// socket, because the wallet owns the sockets of a snap.
import { bytesToString } from '@metamask/utils';

import { unlessAborted } from '../abort';
import { toPause } from '../retry';
import type { RetryServices } from '../retry';

/** `onClose` is always the last event. */
export type SocketEvents = {
  /** Resolves once all listeners are done; never rejects. */
  onMessage: (text: string) => Promise<void>;
  onClose: () => void;
};

export type Socket = {
  /** @throws If the socket is closed, in which case nothing was sent. */
  send: (text: string) => Promise<void>;
  close: () => Promise<void>;
};

/** Opens a socket. The signal cancels the attempt; a socket that opens afterwards is closed.
 * Rejects if the socket cannot open; the transport reports the reason as its error's cause. */
export type OpenSocket = (
  url: string,
  events: SocketEvents,
  signal: AbortSignal,
) => Promise<Socket>;

/** The platform's WebSocket, or a compatible class, such as the one from `ws`. */
export type WebSocketClass = new (
  url: string,
) => Pick<
  WebSocket,
  'addEventListener' | 'binaryType' | 'close' | 'readyState' | 'send'
>;

type ConnectionOptions = SocketEvents & {
  url: string;
  open: OpenSocket;
  onOpen: () => void;
  /** Time limit for opening in ms, capped at five seconds. */
  timeoutMs: number;
  services: RetryServices;
};

type Current = {
  since: number;
  abort: AbortController;
  opening: Promise<Socket>;
  /** Set once open. */
  socket?: Socket;
};

const OPEN = 1;

export const RECONNECT = { firstMs: 500, maxMs: 30_000 };

/** Maximum time to open a socket in ms; after that, HTTP is faster. */
const MAX_OPEN_MS = 5_000;

export class Connection {
  readonly #options: ConnectionOptions;
  readonly #openMs: number;

  /** Events of any other socket are ignored. */
  #current: Current | undefined;

  /** Reset only by a message, because a server that closes each socket immediately is down too. */
  #failures = 0;
  #pausedUntil = 0;
  #isClosed = false;

  constructor(options: ConnectionOptions) {
    this.#options = options;
    this.#openMs = Math.min(options.timeoutMs, MAX_OPEN_MS);
  }

  /** Gets the open socket, or opens one after the pause that follows a failure. */
  async get(): Promise<Socket> {
    this.#giveUpStuck();
    const ms = this.#current ? 0 : this.pauseMs();
    if (ms > 0) await this.#options.services.sleep(ms);
    if (this.#isClosed) throw new Error('The connection was closed.');
    this.#current ??= this.#start();
    return this.#current.opening;
  }

  pauseMs(): number {
    return Math.max(this.#pausedUntil - this.#options.services.now(), 0);
  }

  /** Drops an unresponsive socket, as if it had closed. */
  drop(socket: Socket): void {
    const current = this.#current;
    if (current?.socket !== socket) return;
    void close(socket);
    this.#lose(current);
  }

  async close(): Promise<void> {
    const current = this.#current;
    this.#isClosed = true;
    this.#current = undefined;
    if (current?.socket) await close(current.socket);
    else current?.abort.abort(new Error('The connection was closed.'));
  }

  // Abandons an attempt that will never settle: in a snap, a platform promise never settles if it
  // is still pending when the last request ends.
  #giveUpStuck(): void {
    const current = this.#current;
    if (!current || current.socket) return;
    if (this.#options.services.now() - current.since <= this.#openMs) return;
    this.#lose(current);
    current.abort.abort(new Error('The socket did not open in time.'));
  }

  #start(): Current {
    const current: Current = {
      since: this.#options.services.now(),
      abort: new AbortController(),
      // Deferred, so events can recognize their socket as the current one.
      opening: Promise.resolve().then(async () => this.#open(current)),
    };
    current.opening.catch(() => this.#lose(current));
    return current;
  }

  async #open(current: Current): Promise<Socket> {
    const { url, open } = this.#options;
    const { signal } = current.abort;
    signal.throwIfAborted();
    const timer = setTimeout(() => {
      current.abort.abort(new Error('The socket did not open in time.'));
    }, this.#openMs);
    try {
      const opening = open(url, this.#listen(current), signal);
      // Closes a socket that opens too late.
      signal.addEventListener('abort', () => void opening.then(close, () => undefined));
      current.socket = await unlessAborted(opening, signal);
    } finally {
      clearTimeout(timer);
    }
    if (this.#current === current) this.#options.onOpen();
    return current.socket;
  }

  #listen(current: Current): SocketEvents {
    return {
      onMessage: async (text) => {
        if (this.#current !== current) return;
        this.#failures = 0;
        await this.#options.onMessage(text);
      },
      onClose: () => this.#lose(current),
    };
  }

  #lose(current: Current): void {
    if (this.#current !== current) return;
    const { now, random } = this.#options.services;
    this.#pausedUntil = now() + toPause(RECONNECT, this.#failures, random());
    this.#failures += 1;
    this.#current = undefined;
    if (current.socket) this.#options.onClose();
  }
}

export function createSocketOpener(WebSocketClass: WebSocketClass): OpenSocket {
  return async (url, { onMessage, onClose }, signal) => {
    const socket = new WebSocketClass(url);
    socket.binaryType = 'arraybuffer';
    // Listens right away, because a message or a close event can immediately follow the opening.
    let isOpen = false;
    const opened = new Promise<void>((resolve, reject) => {
      const fail = (words: string): void => reject(new Error(words));
      socket.addEventListener('open', () => {
        isOpen = true;
        resolve();
      });
      socket.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
        const bytes = typeof data !== 'string' && new Uint8Array(data as ArrayBuffer);
        void onMessage(bytes ? bytesToString(bytes) : String(data));
      });
      socket.addEventListener('close', () => {
        if (isOpen) onClose();
        else fail('The socket closed before it opened.');
      });
      // A close event follows; an unhandled error event would throw.
      socket.addEventListener('error', () => fail('The socket did not open.'));
    });
    signal.addEventListener('abort', () => socket.close(), { once: true });
    await opened;
    return {
      send: async (text) => {
        // Closed sockets silently drop messages.
        if (socket.readyState !== OPEN) throw new Error('The socket is closed.');
        socket.send(text);
        return Promise.resolve();
      },
      close: async () => {
        socket.close();
        return Promise.resolve();
      },
    };
  };
}

// A failure to close means the socket is already gone.
async function close(socket: Socket): Promise<void> {
  await socket.close().catch(() => undefined);
}
