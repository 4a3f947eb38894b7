// The ERC-4337 bundler's methods that we call.
import { tuple, type } from '@metamask/superstruct';

import { AddressStruct, QuantityStruct } from '../../eth/hex';
import { named } from '../../structs';
import type { RpcClient } from '../rpc/rpc-client';
import type { RpcSchema } from '../rpc/schema';

const OperationStruct = named<Record<string, unknown>>(
  'a user operation',
  (value) => typeof value === 'object' && value !== null,
);

/** The bundler's methods. Some bundlers write gas as numbers, hence the tolerant struct. */
export const bundlerSchema = {
  eth_estimateUserOperationGas: {
    params: tuple([OperationStruct, AddressStruct]),
    result: type({
      callGasLimit: QuantityStruct,
      verificationGasLimit: QuantityStruct,
      preVerificationGas: QuantityStruct,
    }),
    idempotent: true,
  },
} as const satisfies RpcSchema;

/** A client of a bundler. */
export type BundlerClient = RpcClient<typeof bundlerSchema>;
