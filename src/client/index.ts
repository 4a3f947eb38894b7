// The client of the gas API, of a node, of a bundler and of a paymaster's service.
export { createClient } from './client';
export type { Client, ClientOptions } from './client';
export {
  createBundlerEndpoint,
  createGasEndpoint,
  createPaymasterEndpoint,
  createRpcEndpoint,
  toLabel,
} from './endpoint';
export type { Endpoint, GasEndpointOptions } from './endpoint';
export {
  BodyTooLargeError,
  HttpStatusError,
  InvalidResponseError,
  NetworkError,
  RateLimitError,
  RpcError,
  TimeoutError,
} from './errors';
export { createGasApi, toWire } from './gas-api';
export type { FeeLevel, FeeRange, GasApi, SuggestedGasFees } from './gas-api';
export type { HttpOptions } from './http';
export { createBundlerClient } from './bundler';
export type {
  AbsentMethods,
  BundlerClient,
  BundlerSupport,
  FeeFloor,
  GasEstimate,
  OperationReceipt,
} from './bundler';
export { BundlerError } from './bundler-errors';
export { toBundlerForm } from './bundler-schema';
export { createPaymasterClient, PaymasterError } from './paymaster';
export type { Paymaster, PaymasterClient, Sponsor, Sponsorship } from './paymaster';
export type {
  Block,
  BlockParameter,
  Head,
  IncludedBlock,
  PendingBlock,
} from './rpc/block';
export { createSocketOpener } from './rpc/connection';
export type {
  OpenSocket,
  Socket,
  SocketEvents,
  WebSocketClass,
} from './rpc/connection';
export { findInclusion, isNearHeadOnly, watchHeads } from './rpc/heads';
export type { Heads, Inclusion } from './rpc/heads';
export { createHttpTransport } from './rpc/http-transport';
export type { HttpTransport } from './rpc/http-transport';
export { createNodeClient, createRpcClient } from './rpc/rpc-client';
export type { CallOptions, NodeClient } from './rpc/rpc-client';
export { FeeHistoryStruct, isRollup, nodeSchema, toRollupMethod } from './rpc/schema';
export type { FeeHistory, RollupEstimate, SimulatedCall } from './rpc/schema';
export type {
  IncludedTransaction,
  NodeTransaction,
  PendingTransaction,
  Receipt,
  ReceiptWithRoot,
  ReceiptWithStatus,
  RpcCallObject,
} from './rpc/transaction';
export { createFallbackTransport } from './rpc/transport';
export type { RpcCall, Transport } from './rpc/transport';
export { WebSocketTransport } from './rpc/web-socket-transport';
export type { WebSocketOptions } from './rpc/web-socket-transport';
