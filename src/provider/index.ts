// For dapps: Tollkeeper as the provider that they know already.
export { announce } from './announce';
export type { ProviderInfo } from './announce';
export type { Eip1193, Listener, ProviderEvents, RequestArguments } from './eip1193';
export type { Status } from './connection';
export { ProviderRpcError } from './eip1193';
export { createProvider } from './provider';
export type { Provider, ProviderOptions } from './provider';
