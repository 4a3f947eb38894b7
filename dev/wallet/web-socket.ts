// MetaMask's WebSocketService takes `WebSocket` from the browser, and Node has one
// only since version 22.
import { WebSocket } from 'undici';

/** Give this process a global `WebSocket` if it has none. */
export function ensureWebSocket(): void {
  if (!('WebSocket' in globalThis)) Object.assign(globalThis, { WebSocket });
}
