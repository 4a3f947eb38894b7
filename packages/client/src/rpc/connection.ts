// One socket that is opened when it is needed. After a failure it is left alone for a while, twice
// as long each time, so that a server that is down is not stormed. Who owns the sockets (the
// platform, or the wallet on behalf of a snap) gives a function that opens one.
import { bytesToString } from '@metamask/utils';

import { unlessAborted } from '../abort';
import { toPause } from '../retry';
import type { RetryServices } from '../retry';

/** None comes after `onClose`. */
export type SocketEvents = {
  /** Resolves once all that listen have done what they do about it; never fails. */
  onMessage: (text: string) => Promise<void>;
  onClose: () => void;
};

export type Socket = {
  /** @throws If the socket is gone; nothing was sent then. */
  send: (text: string) => Promise<void>;
  close: () => Promise<void>;
};

/** Opens a socket. The signal gives the opening up; a socket that opens all the same is closed then.
 * Throws if it cannot be opened; the reason is for the error's cause. */
export type OpenSocket = (
  url: string,
  events: SocketEvents,
  signal: AbortSignal,
) => Promise<Socket>;

/** The platform's WebSocket, or a class with the same ways, such as that of `ws`. */
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
  /** Milliseconds within which the socket must open, if less than five seconds. */
  timeoutMs: number;
  services: RetryServices;
};

/** A socket that is open, or is being opened. */
type Current = {
  /** When its opening began. */
  since: number;
  abort: AbortController;
  opening: Promise<Socket>;
  /** Once it is open. */
  socket?: Socket;
};

const OPEN = 1;

/** Pauses after failures in a row. */
export const RECONNECT = { firstMs: 500, maxMs: 30_000 };

/** Longest time for opening: who waits for longer has a better way to ask by then. */
const MAX_OPEN_MS = 5_000;

export class Connection {
  readonly #options: ConnectionOptions;
  readonly #openMs: number;

  /** Events of an earlier socket are ignored. */
  #current: Current | undefined;

  /** Since the last message: a server that opens and closes at once is down as well. */
  #failures = 0;
  #pausedUntil = 0;
  #isClosed = false;

  constructor(options: ConnectionOptions) {
    this.#options = options;
    this.#openMs = Math.min(options.timeoutMs, MAX_OPEN_MS);
  }

  /** Gets the open socket; opens one if there is none, after the pause that a failure left behind. */
  async get(): Promise<Socket> {
    this.#giveUpStuck();
    const ms = this.#current ? 0 : this.pauseMs();
    if (ms > 0) await this.#options.services.sleep(ms);
    if (this.#isClosed) throw new Error('The connection was closed.');
    this.#current ??= this.#start();
    return this.#current.opening;
  }

  /** Gets how long the connection is left alone from now on, in ms. */
  pauseMs(): number {
    return Math.max(this.#pausedUntil - this.#options.services.now(), 0);
  }

  /** Gives up a useless open socket, as if it had closed. */
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

  // In a snap a promise of the platform's never settles once all requests have ended.
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
      // Later, when events find their socket to be the current one.
      opening: Promise.resolve().then(async () => this.#open(current)),
    };
    current.opening.catch(() => this.#lose(current));
    return current;
  }

  async #open(current: Current): Promise<Socket> {
    const { url, open } = this.#options;
    const { signal } = current.abort;
    const timer = setTimeout(() => {
      current.abort.abort(new Error('The socket did not open in time.'));
    }, this.#openMs);
    try {
      const opening = open(url, this.#listen(current), signal);
      // It may still open, and is closed then.
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
    // All at once: a first message or the end can follow the opening without a pause.
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
      // The end follows as a separate event; unheard, an error would be thrown.
      socket.addEventListener('error', () => fail('The socket did not open.'));
    });
    signal.addEventListener('abort', () => socket.close(), { once: true });
    await opened;
    return {
      send: async (text) => {
        // A closed socket drops what it is given without a word.
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

// What cannot be closed is gone.
async function close(socket: Socket): Promise<void> {
  await socket.close().catch(() => undefined);
}
