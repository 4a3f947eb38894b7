// The client of the gas API, of a node and of a bundler: what the rest of the code uses.
export { createClient } from './client';
export type { Client } from './client';
export type { ClientOptions } from './client-options';
export {
  createBundlerEndpoint,
  createGasEndpoint,
  createPaymasterEndpoint,
  createRpcEndpoint,
} from './endpoint';
export type { Endpoint, GasEndpointOptions } from './endpoint';
export { toLabel } from './label';
export {
  BodyTooLargeError,
  HttpStatusError,
  InvalidResponseError,
  NetworkError,
  RateLimitError,
  TimeoutError,
} from './errors';
export { RpcError } from './rpc-error';
export { createGasApi } from './gas/gas-api';
export type { GasApi } from './gas/gas-api';
export { toWire } from './gas/schema';
export type { FeeLevel, FeeRange, SuggestedGasFees } from './gas/schema';
export type { HttpOptions } from './http';
export type { FoundOperation, OperationReceipt } from './bundler/answers';
export { createBundlerClient } from './bundler/bundler-client';
export type {
  BundlerClient,
  BundlerSupport,
  GasEstimate,
  SentOperation,
} from './bundler/bundler-client';
export { BundlerError } from './bundler/bundler-error';
export type { AbsentMethods, FeeFloor } from './bundler/floor';
export { toBundlerForm } from './bundler/form';
export { createPaymasterClient } from './paymaster/paymaster-client';
export type {
  Paymaster,
  PaymasterClient,
  PaymasterPlace,
} from './paymaster/paymaster-client';
export { PaymasterError } from './paymaster/paymaster-error';
export type { Sponsor, Sponsorship } from './paymaster/sponsorship';
export { createFallbackTransport } from './rpc/fallback-transport';
export type { FallbackOptions, FirstTransport } from './rpc/fallback-transport';
export { watchHeads } from './rpc/heads';
export type { Heads } from './rpc/heads';
export { createHttpTransport } from './rpc/http-transport';
export type { HttpTransport } from './rpc/http-transport';
export { isRollup, toRollupMethod } from './rpc/rollup';
export { findInclusion, isNearHeadOnly } from './rpc/near-head';
export type { Inclusion, Tracked } from './rpc/near-head';
export { createNodeClient, createRpcClient } from './rpc/rpc-client';
export type { CallOptions, NodeClient, RpcClient } from './rpc/rpc-client';
export type {
  Block,
  BlockParameter,
  Head,
  IncludedBlock,
  PendingBlock,
} from './rpc/block';
export { FeeHistoryStruct, nodeSchema } from './rpc/schema';
export type { FeeHistory, RollupEstimate, RpcSchema } from './rpc/schema';
export type {
  IncludedTransaction,
  NodeTransaction,
  PendingTransaction,
  Receipt,
  ReceiptWithRoot,
  ReceiptWithStatus,
  RpcCallObject,
} from './rpc/transaction';
export { createSocketOpener } from './rpc/socket';
export type { OpenSocket, Socket, SocketEvents, WebSocketClass } from './rpc/socket';
export type { ServerSubscription, Topic, TopicListener } from './rpc/subscriptions';
export type { SimulatedCall } from './rpc/simulation';
export type { RpcCall, Transport } from './rpc/transport';
export { WebSocketTransport } from './rpc/web-socket-transport';
export type { WebSocketOptions } from './rpc/web-socket-options';
