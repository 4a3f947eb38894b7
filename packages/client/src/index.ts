/**
 * Clients of the gas API, nodes, bundlers and paymaster services.
 *
 * @module client
 */
export { createClient } from './client';
export type { Client, ClientOptions } from './client';
export {
  createBundlerEndpoint,
  createGasEndpoint,
  createPaymasterEndpoint,
  createRpcEndpoint,
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
export type { Place, RpcFailure } from './errors';
export type { FailureKind, Topic } from './reading';
export { createGasApi } from './gas-api';
export type {
  FeeLevel,
  FeeRange,
  GasApi,
  GasCallOptions,
  SuggestedGasFees,
} from './gas-api';
export type { HttpOptions } from './http';
export type { RetryOptions, RetryPolicy, RetryServices } from './retry';
export { createBundlerClient } from './bundler';
export type {
  BundlerClient,
  BundlerSupport,
  FeeFloor,
  GasEstimate,
  KnownOperation,
  OperationReceipt,
  SentOperation,
} from './bundler';
export { BundlerError } from './bundler-errors';
export { createPaymasterClient, PaymasterError } from './paymaster';
export type {
  AskPaymaster,
  Paymaster,
  PaymasterClient,
  PaymasterPlace,
  Sponsor,
  Sponsorship,
} from './paymaster';
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
export type { Inclusion, Tracked } from './rpc/heads';
export { createHttpTransport } from './rpc/http-transport';
export type { HttpTransport } from './rpc/http-transport';
export { createNodeClient, nodeSchema } from './rpc/node-client';
export type { NodeClient, SimulatedCall, SimulatedLog } from './rpc/node-client';
export { createRpcClient } from './rpc/rpc-client';
export type {
  AbsentMethods,
  CallOptions,
  ClientParts,
  RpcClient,
} from './rpc/rpc-client';
export type {
  EstimateParams,
  FeeHistory,
  ForkConfiguration,
  NodeConfiguration,
  RollupEstimate,
  RpcCallObject,
  RpcMethod,
  RpcSchema,
  BlockOverrides,
  StateOverrides,
} from './rpc/schema';
export type {
  IncludedTransaction,
  NodeTransaction,
  PendingTransaction,
  Receipt,
} from './rpc/transaction';
export { createFallbackTransport } from './rpc/transport';
export type { ServerSubscription, TopicListener } from './rpc/subscriptions';
export type { FirstTransport, RpcCall, Transport } from './rpc/transport';
export { WebSocketTransport } from './rpc/web-socket-transport';
export type { WebSocketOptions } from './rpc/web-socket-transport';
export type { ErrorContext, ErrorDetails } from '../../../src/core/errors';
export type { ChainId } from '../../../src/eth/chain';
export type { EntryPointVersion } from '../../../src/core/entry-points';
export type { UserOperation } from '../../../src/core/payload';
export type { StructOf } from '../../../src/schema/parse';
