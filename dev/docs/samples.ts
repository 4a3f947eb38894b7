// The sample data of openrpc.json.
import { hexToBytes, type Hex, type Json } from '@metamask/utils';

import { getContractMethod, listExamples, type Example } from './contract';

type Fields = Record<string, Json>;

/** Private key of the example in EIP-155. */
export const KEY = hexToBytes(`0x${'46'.repeat(32)}`);

export const OWNER_KEY = hexToBytes(`0x${'47'.repeat(32)}`);

const message = exampleOf('personal_sign');

export const [MESSAGE, ADDRESS] = message.params as [Hex, Hex];

const filled = exampleOf('eth_fillTransaction').result as { tx: Fields };

export const FILLED = filled.tx;

const included = exampleOf('eth_getTransactionByHash');

export const INCLUDED = included.result as Fields & { to: Hex };

export const [HASH] = included.params as [Hex];

export const RECIPIENT = INCLUDED.to;

export const RECEIPT = exampleOf('eth_getTransactionReceipt').result as Fields;

export const BLOCK = exampleOf('eth_getUncleByBlockNumberAndIndex').result as Fields;

const operation = exampleOf('eth_patchUserOperation').params as [
  Fields & { sender: Hex },
];

export const [OPERATION] = operation;

export const SMART_ADDRESS = OPERATION.sender;

const found = exampleOf('eth_getUserOperationReceipt');

export const [OPERATION_HASH] = found.params as [Hex];

export const OPERATION_RECEIPT = found.result as Fields;

export const SUGGESTED = exampleOf('gas_suggestedGasFees').result;

function exampleOf(method: string): Example {
  const [example] = listExamples(getContractMethod(method));
  if (!example) throw new Error(`${method} has no example.`);
  return example;
}
