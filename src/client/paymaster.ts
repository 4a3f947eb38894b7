// A client of a paymaster's service (ERC-7677).
import type { Infer } from '@metamask/superstruct';
import type { Json } from '@metamask/utils';

import { TollkeeperError } from '../errors';
import type { ErrorDetails } from '../errors';
import type { ChainId } from '../eth/chain';
import {
  AddressStruct,
  byteLength,
  HexQuantityStruct,
  NodeAddressStruct,
  NodeBytesStruct,
  toQuantity,
} from '../eth/hex';
import type { Hex } from '../eth/hex';
import { packPaymaster, unpackPaymaster } from '../eth/packed-fields';
import { entryPoints } from '../eth/user-operation';
import type { EntryPointVersion, UserOperation } from '../eth/user-operation';
import { matches } from '../schema/parse';
import { nullable, optional, tuple, type } from '../schema/quick';
import { named, text } from '../schema/structs';
import { GasStruct, JsonObjectStruct, toBundlerForm } from './bundler-schema';
import { InvalidResponseError, RpcError } from './errors';
import { createRpcClient } from './rpc/rpc-client';
import { reads } from './rpc/schema';
import type { RpcSchema } from './rpc/schema';
import type { Transport } from './rpc/transport';

// The two methods of a paymaster's service (ERC-7677).

/** Longest data of a paymaster in bytes: consents take some hundreds. */
const MAX_DATA_BYTES = 10_000;

const DataStruct = named<Hex>(
  `at most ${MAX_DATA_BYTES} bytes in hex (0x and an even number of digits)`,
  (value) => NodeBytesStruct.is(value) && value.length <= 2 + 2 * MAX_DATA_BYTES,
);

const AnyStruct = named<unknown>('anything', () => true);

const gas = optional(nullable(GasStruct));

const AnswerStruct = type({
  paymasterAndData: optional(nullable(DataStruct)),
  paymaster: optional(nullable(NodeAddressStruct)),
  paymasterData: optional(nullable(DataStruct)),
  paymasterVerificationGasLimit: gas,
  paymasterPostOpGasLimit: gas,
  sponsor: optional(AnyStruct),
  isFinal: optional(AnyStruct),
});

/** What a paymaster's service answers; which fields, the EntryPoint decides. */
export type PaymasterAnswer = Infer<typeof AnswerStruct>;

const params = tuple([
  JsonObjectStruct,
  AddressStruct,
  HexQuantityStruct,
  JsonObjectStruct,
]);

/** The service's methods. It gives its word as often as it is asked: neither sends. */
export const paymasterSchema = {
  pm_getPaymasterStubData: reads(params, AnswerStruct),
  pm_getPaymasterData: reads(params, AnswerStruct),
} as const satisfies RpcSchema;

// A paymaster's service does not pay for an operation.

/** Code where the service gave none (JSON-RPC: server error). */
const SERVER_ERROR = -32000;

/** The paymaster does not pay; code and data are the service's own, if it gave any. */
export class PaymasterError extends TollkeeperError {
  /** The method and the service. */
  readonly label: string;

  constructor(label: string, what: string, details: ErrorDetails & { code?: number }) {
    const advice = 'Ask the paymaster, or send the operation without one.';
    const { code = SERVER_ERROR, ...others } = details;
    super(code, `${label}: the paymaster does not pay. ${what} ${advice}`, others);
    this.label = label;
  }
}

/** Tell what a paymaster's service refused; other failures are passed on. */
export function toPaymasterError(error: unknown): unknown {
  if (!(error instanceof RpcError)) return error;
  const { code, context, label, said } = error;
  const what = said === '' ? 'It did not say why.' : `It said: ${said}.`;
  return new PaymasterError(label, what, { code, context, cause: error });
}

// What a paymaster's service promises for an operation, checked and in our form.

/** Who pays, as the service says: a text of others. The icon is a data URI. */
export type Sponsor = { name: string; icon?: string };

/** What pays for an operation. */
export type Sponsorship = {
  /** The field as it goes on chain: packed from EntryPoint 0.7 on. */
  paymasterAndData: Hex;
  sponsor?: Sponsor;
  /** Whether the service need not be asked again: the data are no stub. */
  isFinal: boolean;
  /** Whether the service left the gas for the paymaster's check to the bundler's estimate. */
  isCheckGasAssumed?: true;
};

/** Whose answer, to what: the method and server, the operation and its version. */
export type Asked = {
  label: string;
  operation: UserOperation;
  version: EntryPointVersion;
};

/**
 * Gas for a paymaster's check where its service leaves that to the bundler's estimate,
 * which needs something to begin with: several times what a signature takes.
 */
const ASSUMED_VERIFICATION_GAS = 150_000n;

const ADDRESS_BYTES = 20;

const ZERO_ADDRESS = /^0x0{40}/u;

const MAX_NAME_LENGTH = 100;

const MAX_ICON_LENGTH = 100_000;

const SponsorStruct = type({
  name: text(MAX_NAME_LENGTH),
  icon: optional(named<unknown>('anything', () => true)),
});

const IconStruct = named<string>(
  'an image as a data URI',
  (value) =>
    typeof value === 'string' &&
    value.length <= MAX_ICON_LENGTH &&
    /^data:image\//iu.test(value),
);

/**
 * Read what a service answered.
 *
 * @throws {PaymasterError} If it names no paymaster.
 * @throws {InvalidResponseError} If what it names cannot be used.
 */
export function toSponsorship(answer: PaymasterAnswer, asked: Asked): Sponsorship {
  const sponsor = findSponsor(answer.sponsor);
  return {
    ...(asked.version === '0.6' ? readPacked(answer, asked) : pack(answer, asked)),
    ...(sponsor ? { sponsor } : {}),
    isFinal: answer.isFinal === true,
  };
}

type Payer = Pick<Sponsorship, 'paymasterAndData' | 'isCheckGasAssumed'>;

function readPacked({ paymasterAndData }: PaymasterAnswer, asked: Asked): Payer {
  const given = assertGiven(paymasterAndData, 'paymasterAndData', asked);
  if (byteLength(given) >= ADDRESS_BYTES) return { paymasterAndData: given };
  throw invalid(
    asked,
    `result.paymasterAndData must be at least ${ADDRESS_BYTES} bytes long.`,
  );
}

function pack(answer: PaymasterAnswer, asked: Asked): Payer {
  const paymaster = assertGiven(answer.paymaster, 'paymaster', asked);
  const { paymasterData } = answer;
  if (!isGiven(paymasterData)) {
    throw invalid(asked, 'result.paymasterData is missing.');
  }
  // The final answer may leave out what the stub said.
  const before = unpackPaymaster(asked.operation.paymasterAndData);
  const postOp = answer.paymasterPostOpGasLimit ?? before?.postOpGasLimit;
  if (postOp === undefined) {
    throw invalid(asked, 'result.paymasterPostOpGasLimit is missing.');
  }
  const checkGas = answer.paymasterVerificationGasLimit ?? before?.verificationGasLimit;
  const paymasterAndData = packPaymaster({
    paymaster,
    verificationGasLimit: checkGas ?? ASSUMED_VERIFICATION_GAS,
    postOpGasLimit: postOp,
    data: paymasterData,
  });
  return checkGas === undefined
    ? { paymasterAndData, isCheckGasAssumed: true }
    : { paymasterAndData };
}

// Without a paymaster the account itself would pay, which is not what was asked for.
function assertGiven(given: Hex | null | undefined, field: string, asked: Asked): Hex {
  if (isGiven(given) && given !== '0x' && !ZERO_ADDRESS.test(given)) return given;
  throw new PaymasterError(asked.label, `It answered without ${field}.`, {});
}

function isGiven<Value>(value: Value | null | undefined): value is Value {
  return value !== undefined && value !== null;
}

function invalid({ label }: Asked, reason: string): InvalidResponseError {
  return new InvalidResponseError({ label }, reason);
}

// It is only shown: what is not in order is left out.
function findSponsor(value: unknown): Sponsor | undefined {
  if (!matches(value, SponsorStruct)) return undefined;
  const { name, icon } = value;
  return matches(icon, IconStruct) ? { name, icon } : { name };
}

/** Where an operation goes, and what the service wants to know of whoever asks. */
export type PaymasterPlace = {
  version: EntryPointVersion;
  chainId: ChainId;
  context?: Record<string, Json>;
};

/** Asks a paymaster's service to pay for operations. */
export type PaymasterClient = {
  /** How messages name the service. */
  readonly label: string;
  /**
   * Fetch data to estimate an operation's gas with.
   *
   * @throws {PaymasterError} If the service refuses.
   * @throws {InvalidResponseError} If its answer cannot be used.
   */
  readonly fetchStub: Ask;
  /**
   * Fetch the data with which the paymaster pays for an operation, which has its limits
   * and fees by now, and holds the stub: gas limits that the service leaves out are the
   * stub's.
   *
   * @throws {PaymasterError} If the service refuses.
   * @throws {InvalidResponseError} If its answer cannot be used.
   */
  readonly fetchData: Ask;
};

/** A paymaster's service, and what it is told beside an operation. */
export type Paymaster = { client: PaymasterClient; context: Record<string, Json> };

type Ask = (operation: UserOperation, place: PaymasterPlace) => Promise<Sponsorship>;

/** Create a client of a paymaster's service. */
export function createPaymasterClient(transport: Transport): PaymasterClient {
  const rpc = createRpcClient(paymasterSchema, transport);
  const { label } = rpc;
  const ask =
    (method: keyof typeof paymasterSchema): Ask =>
    async (operation, { version, chainId, context = {} }) => {
      const form = toBundlerForm(operation, version);
      // It is asked before the account signs.
      delete form.signature;
      const { entryPoint } = entryPoints[version];
      const params = [form, entryPoint, toQuantity(chainId), context] as const;
      const answer = await rpc.request(method, [...params]).catch((error: unknown) => {
        throw toPaymasterError(error) as Error;
      });
      return toSponsorship(answer, {
        label: `${method} at ${label}`,
        operation,
        version,
      });
    };
  const fetchData = ask('pm_getPaymasterData');
  return {
    label,
    fetchStub: ask('pm_getPaymasterStubData'),
    fetchData: async (...asked) => ({ ...(await fetchData(...asked)), isFinal: true }),
  };
}
