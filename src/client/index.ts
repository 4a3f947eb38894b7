// The client of the gas API, of a node and of a bundler: what the rest of the code uses.
export {
  createBundlerEndpoint,
  createGasEndpoint,
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
export { createGasApi } from './gas/gas-api';
export type { GasApi } from './gas/gas-api';
export { toWire } from './gas/schema';
export type { FeeLevel, FeeRange, SuggestedGasFees } from './gas/schema';
export type { HttpOptions } from './http';
export { toBundlerForm } from './bundler/form';
export { bundlerSchema } from './bundler/schema';
export type { BundlerClient } from './bundler/schema';
export { createHttpTransport } from './rpc/http-transport';
export { isRollup, toRollupMethod } from './rpc/rollup';
export { createRpcClient } from './rpc/rpc-client';
export type { NodeClient, RpcClient } from './rpc/rpc-client';
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
export type { RpcCall, Transport } from './rpc/transport';
