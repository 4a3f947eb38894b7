// The port between the WebSocket transport and whoever owns the socket: the platform, or
// the wallet on behalf of a snap.
import { bytesToString } from '@metamask/utils';

/** What a socket tells. After `onClose` it tells nothing more. */
export type SocketEvents = {
  /** Resolves once all that listen have done what they do about it; never fails. */
  onMessage: (text: string) => Promise<void>;
  onClose: () => void;
};

/** An open socket. */
export type Socket = {
  /** @throws If the socket is gone; nothing was sent then. */
  send: (text: string) => Promise<void>;
  close: () => Promise<void>;
};

/**
 * Opens a socket.
 *
 * @param signal - Gives the opening up. Who cannot heed it may open the socket all the
 * same: it is closed then.
 * @throws If it cannot be opened; the reason is for the error's cause.
 */
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

const OPEN = 1;

/** Create a port over a WebSocket class. */
export function createSocketOpener(WebSocketClass: WebSocketClass): OpenSocket {
  return async (url, { onMessage, onClose }, signal) => {
    const socket = new WebSocketClass(url);
    socket.binaryType = 'arraybuffer';
    // All at once: a first message or the end can follow the opening without a pause.
    let isOpen = false;
    const opened = new Promise<void>((resolve, reject) => {
      socket.addEventListener('open', () => {
        isOpen = true;
        resolve();
      });
      socket.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
        void onMessage(toText(data));
      });
      socket.addEventListener('close', () => {
        if (isOpen) onClose();
        else reject(new Error('The socket closed before it opened.'));
      });
      // The end follows as an event of its own; unheard, an error would be thrown.
      socket.addEventListener('error', () =>
        reject(new Error('The socket did not open.')),
      );
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

function toText(data: unknown): string {
  return typeof data === 'string'
    ? data
    : bytesToString(new Uint8Array(data as ArrayBuffer));
}
