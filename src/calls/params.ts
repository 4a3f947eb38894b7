// The params of wallet_sendCalls (EIP-5792, ERC-7677, ERC-8132) and the known capabilities.
import {
  any,
  boolean,
  define,
  exactOptional,
  nullable,
  optional,
  record,
  tuple,
  type,
} from '@metamask/superstruct';
import type { Infer } from '@metamask/superstruct';
import { isObject } from '@metamask/utils';

import { CallsError } from '../core/errors';
import { IntentStruct, toIntent } from '../eth/account-calls';
import type { Intent } from '../eth/account-calls';
import { ChainIdStruct } from '../eth/chain';
import type { ChainId } from '../eth/chain';
import { AddressStruct, QuantityStruct } from '../eth/hex';
import type { Hex } from '../eth/hex';
import { matches, parse } from '../schema/parse';
import { isAbsent, list, paramObject, text } from '../schema/structs';
import { ContextStruct, HttpUrlStruct } from '../state/chain-row';
import { MAX_BATCH_CALLS, MAX_ID_LENGTH } from '../state/sent-transaction';

export const CALLS_VERSION = '2.0.0';

export const BatchIdStruct = define<string>(
  `a string of 1 to ${MAX_ID_LENGTH} characters`,
  (value) =>
    typeof value === 'string' && value.length >= 1 && value.length <= MAX_ID_LENGTH,
);

const CapabilitiesStruct = exactOptional(record(text(128), any()));

export const CallsStruct = paramObject({
  version: define<string>(
    `${CALLS_VERSION}, the supported version of EIP-5792`,
    (value) => value === CALLS_VERSION,
  ),
  id: exactOptional(BatchIdStruct),
  from: exactOptional(AddressStruct),
  chainId: ChainIdStruct,
  atomicRequired: boolean(),
  calls: list(
    paramObject({ ...IntentStruct.schema, capabilities: CapabilitiesStruct }),
    { min: 1, max: MAX_BATCH_CALLS },
  ),
  capabilities: CapabilitiesStruct,
});

export const CallsParamsStruct = tuple([CallsStruct]);

// The text may mention development builds: connected sites can detect the build anyway.
const PaymasterUrlStruct = define<string>(
  'a URL that starts with https:// (in development builds also http:// on this machine) and has no credentials',
  (value) => matches(value, HttpUrlStruct),
);

/** The capability that a site uses to name a paymaster (ERC-7677). */
export const PaymasterServiceStruct = type({
  url: PaymasterUrlStruct,
  context: optional(nullable(ContextStruct)),
  optional: optional(nullable(boolean())),
});

/** The per-call capability that a site uses to set the gas (ERC-8132). */
const GasLimitOverrideStruct = type({ value: QuantityStruct });

export type RequestedCall = Intent & { gasLimit?: bigint };

export type CallsRequest = {
  id?: string | undefined;
  from?: Hex | undefined;
  chainId: ChainId;
  atomicRequired: boolean;
  /** At least one. */
  intents: RequestedCall[];
  paymasterService?: Infer<typeof PaymasterServiceStruct> | undefined;
  /** Whether each call is known to revoke a permission of the account. */
  isRevoking?: boolean;
};

const ROOT = 'wallet_sendCalls: params';

/** Reads `[{ version, id?, from?, chainId, atomicRequired, calls, capabilities? }]`. Throws
 * `CallsError` if there are too many calls (5740), or for an unknown capability that is not
 * optional (5700). */
export function parseCalls(params: unknown): CallsRequest {
  assertSize(params);
  const [given] = parse(params, CallsParamsStruct, ROOT);
  const { id, from, chainId, atomicRequired, calls, capabilities = {} } = given;
  const { paymasterService: service, ...others } = capabilities;
  assertOptional(others);
  const path = `${ROOT}[0].capabilities.paymasterService`;
  return {
    id,
    from,
    chainId,
    atomicRequired,
    intents: calls.map(({ capabilities: own = {}, ...call }, index): RequestedCall => {
      const root = `${ROOT}[0].calls[${index}]`;
      const { gasLimitOverride: limit, ...unknown } = own;
      assertOptional(unknown);
      const intent = toIntent(call, root);
      if (isAbsent(limit)) return intent;
      const at = `${root}.capabilities.gasLimitOverride`;
      return { ...intent, gasLimit: parse(limit, GasLimitOverrideStruct, at).value };
    }),
    paymasterService: isAbsent(service)
      ? undefined
      : parse(service, PaymasterServiceStruct, path),
  };
}

export function refuseCapability(name: string): never {
  throw new CallsError(
    'capability',
    `The capability ${JSON.stringify(name.slice(0, 64))} is not supported here, and it is not ` +
      'marked as optional.',
  );
}

function assertSize(params: unknown): void {
  const given: unknown[] = Array.isArray(params) ? params : [];
  const [first] = given;
  if (!isObject(first) || !('calls' in first)) return;
  const { calls }: { calls?: unknown } = first;
  if (!Array.isArray(calls) || calls.length <= MAX_BATCH_CALLS) return;
  throw new CallsError(
    'size',
    `There are ${calls.length} calls, but at most ${MAX_BATCH_CALLS} can be sent at once.`,
  );
}

function assertOptional(unknown: Record<string, unknown>): void {
  for (const [name, value] of Object.entries(unknown)) {
    const isOptional =
      isObject(value) && 'optional' in value && value.optional === true;
    if (!isAbsent(value) && !isOptional) refuseCapability(name);
  }
}
