// How a socket is used, and what holds where nothing is said.
import { DEFAULT_MAX_BYTES, DEFAULT_TIMEOUT_MS } from '../http-options';
import { toRetry } from '../retry';
import type { Retry, RetryPolicy, RetryServices } from '../retry';
import type { OpenSocket } from './socket';

/** How a socket is used; all but `open` has a default. */
export type WebSocketOptions = {
  open: OpenSocket;
  /** Milliseconds from the call to its answer, the opening of the socket included. */
  timeoutMs?: number | undefined;
  /** Longest message in bytes. */
  maxBytes?: number | undefined;
  retry?: Partial<RetryPolicy> | undefined;
  services?: Partial<RetryServices> | undefined;
};

/** The same, complete. */
export type WebSocketSettings = {
  open: OpenSocket;
  timeoutMs: number;
  maxBytes: number;
  retry: Retry;
};

/** Complete what was given. */
export function toSettings(options: WebSocketOptions): WebSocketSettings {
  const { open, retry, services } = options;
  const { timeoutMs = DEFAULT_TIMEOUT_MS, maxBytes = DEFAULT_MAX_BYTES } = options;
  return { open, timeoutMs, maxBytes, retry: toRetry(retry, services) };
}
