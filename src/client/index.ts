// The client of the gas API, of a node and of a bundler: what the rest of the code uses.
export { createClient } from './client';
export type { Client } from './client';
export type { ClientOptions } from './client';
export {
  createBundlerEndpoint,
  createGasEndpoint,
  createPaymasterEndpoint,
  createRpcEndpoint,
} from './endpoint';
export type { Endpoint, GasEndpointOptions } from './endpoint';
export { toLabel } from './endpoint';
export {
  BodyTooLargeError,
  HttpStatusError,
  InvalidResponseError,
  NetworkError,
  RateLimitError,
  TimeoutError,
} from './errors';
export { RpcError } from './errors';
export { createGasApi } from './gas-api';
export type { GasApi } from './gas-api';
export { toWire } from './gas-api';
export type { FeeLevel, FeeRange, SuggestedGasFees } from './gas-api';
export type { HttpOptions } from './http';
export type { FoundOperation, OperationReceipt } from './bundler-schema';
export { createBundlerClient } from './bundler';
export type {
  BundlerClient,
  BundlerSupport,
  GasEstimate,
  SentOperation,
} from './bundler';
export { BundlerError } from './bundler-errors';
export type { AbsentMethods, FeeFloor } from './bundler';
export { toBundlerForm } from './bundler-schema';
export { createPaymasterClient } from './paymaster';
export type { Paymaster, PaymasterClient, PaymasterPlace } from './paymaster';
export { PaymasterError } from './paymaster';
export type { Sponsor, Sponsorship } from './paymaster';
export { createFallbackTransport } from './rpc/transport';
export type { FallbackOptions, FirstTransport } from './rpc/transport';
export { watchHeads } from './rpc/heads';
export type { Heads } from './rpc/heads';
export { createHttpTransport } from './rpc/http-transport';
export type { HttpTransport } from './rpc/http-transport';
export { isRollup, toRollupMethod } from './rpc/schema';
export { findInclusion, isNearHeadOnly } from './rpc/heads';
export type { Inclusion, Tracked } from './rpc/heads';
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
export { createSocketOpener } from './rpc/connection';
export type {
  OpenSocket,
  Socket,
  SocketEvents,
  WebSocketClass,
} from './rpc/connection';
export type { ServerSubscription, Topic, TopicListener } from './rpc/subscriptions';
export type { SimulatedCall } from './rpc/schema';
export type { RpcCall, Transport } from './rpc/transport';
export { WebSocketTransport } from './rpc/web-socket-transport';
export type { WebSocketOptions } from './rpc/web-socket-transport';
