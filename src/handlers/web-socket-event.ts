// What the wallet tells of our sockets.
import type { WebSocketEvent } from '@metamask/snaps-sdk';

import type { Sockets } from '../platform/sockets';

/** What handling an event needs. */
export type WebSocketEventServices = { sockets: Sockets };

/** Pass an event on to whoever opened the socket. */
export async function handleWebSocketEvent(
  { event }: { event: WebSocketEvent },
  { sockets }: WebSocketEventServices,
): Promise<void> {
  await sockets.handle(event);
}
