/**
 * Tollkeeper as an EIP-1193 provider, for dapps.
 *
 * @module provider
 */
export { announce, tollkeeperInfo } from './announce';
export type { ProviderInfo } from './announce';
export type * from './answers';
export type {
  Ask,
  Eip1193,
  Listener,
  ProviderEvents,
  RequestArguments,
} from './eip1193';
export type { ConnectionOptions, Status } from './connection';
export { ProviderRpcError } from './eip1193';
export type {
  JsonRpcCallback,
  JsonRpcPayload,
  JsonRpcResponse,
  LegacyState,
  Send,
  SendAsync,
} from './legacy';
export { createProvider } from './provider';
export type {
  ChangeListener,
  Provider,
  ProviderOptions,
  ProviderRequest,
  ProviderRequestFn,
} from './provider';
