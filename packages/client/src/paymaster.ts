// A client for a paymaster service (ERC-7677). It validates the service's answers and converts them
// to the on-chain form.
import {
  define,
  nullable,
  optional,
  tuple,
  type,
  unknown,
} from '@metamask/superstruct';
import type { Infer } from '@metamask/superstruct';
import type { Json } from '@metamask/utils';

import { entryPoints } from '../../../src/core/entry-points';
import type { EntryPointVersion } from '../../../src/core/entry-points';
import { TollkeeperError } from '../../../src/core/errors';
import type { ErrorDetails } from '../../../src/core/errors';
import type { UserOperation } from '../../../src/core/payload';
import type { ChainId } from '../../../src/eth/chain';
import {
  AddressStruct,
  byteLength,
  HexQuantityStruct,
  NodeAddressStruct,
  NodeBytesStruct,
  toQuantity,
} from '../../../src/eth/hex';
import type { Hex } from '../../../src/eth/hex';
import { packPaymaster, unpackPaymaster } from '../../../src/eth/user-operation';
import { matches } from '../../../src/schema/parse';
import { isAbsent, text } from '../../../src/schema/structs';
import { GasStruct, JsonObjectStruct, toBundlerForm } from './bundler-schema';
import { invalidAnswer, readAt, RpcError } from './errors';
import { createRpcClient } from './rpc/rpc-client';
import { reads } from './rpc/schema';
import type { RpcSchema } from './rpc/schema';
import type { Transport } from './rpc/transport';

/** Name of the sponsor as reported by the service, unverified. */
export type Sponsor = { name: string };

/** A paymaster's fields for a user operation. */
export type Sponsorship = {
  /** The field `paymasterAndData` in its on-chain form, packed from EntryPoint 0.7 on. */
  paymasterAndData: Hex;
  sponsor?: Sponsor;
  /** Whether the data is final, so `fetchData` is not needed. */
  isFinal: boolean;
  /** Whether the paymaster's verification gas is assumed, as the service left it to the bundler. */
  isCheckGasAssumed?: true;
};

/** EntryPoint and chain of a user operation, and the ERC-7677 context for the service. */
export type PaymasterPlace = {
  version: EntryPointVersion;
  chainId: ChainId;
  context?: Record<string, Json>;
};

export type AskPaymaster = (
  operation: UserOperation,
  place: PaymasterPlace,
) => Promise<Sponsorship>;

/** Client for an ERC-7677 paymaster service. If the service returns an error or no paymaster, both
 * methods throw {@link PaymasterError}; for a malformed answer, {@link InvalidResponseError}. */
export type PaymasterClient = {
  /** Name of the service in messages, without credentials. */
  readonly label: string;
  /** Fetches stub data for gas estimation (`pm_getPaymasterStubData`). */
  readonly fetchStub: AskPaymaster;
  /** Fetches the final data (`pm_getPaymasterData`). The user operation must have its gas limits,
   * its fees and the stub data. Paymaster gas limits that the service omits stay as in the stub. */
  readonly fetchData: AskPaymaster;
};

/** A paymaster service and the context to send with each request. */
export type Paymaster = { client: PaymasterClient; context: Record<string, Json> };

/** Maximum paymaster data in bytes. Approvals take a few hundred. */
const MAX_DATA_BYTES = 10_000;

/** Assumed verification gas if the service leaves it to the bundler, whose estimate needs a
 * starting value. Several times the cost of a signature check and a new storage slot. */
const ASSUMED_VERIFICATION_GAS = 300_000n;

const DataStruct = define<Hex>(
  `at most ${MAX_DATA_BYTES} bytes in hex (0x and an even number of digits)`,
  (value) => matches(value, NodeBytesStruct) && byteLength(value) <= MAX_DATA_BYTES,
);

const gas = optional(nullable(GasStruct));

// The EntryPoint version decides which fields are required.
const AnswerStruct = type({
  paymasterAndData: optional(nullable(DataStruct)),
  paymaster: optional(nullable(NodeAddressStruct)),
  paymasterData: optional(nullable(DataStruct)),
  paymasterVerificationGasLimit: gas,
  paymasterPostOpGasLimit: gas,
  sponsor: optional(unknown()),
  isFinal: optional(unknown()),
});

const SponsorStruct = type({ name: text(100) });

const params = tuple([
  JsonObjectStruct,
  AddressStruct,
  HexQuantityStruct,
  JsonObjectStruct,
]);

/** Both methods may be retried, because neither sends a transaction. */
const paymasterSchema = {
  pm_getPaymasterStubData: reads(params, AnswerStruct),
  pm_getPaymasterData: reads(params, AnswerStruct),
} as const satisfies RpcSchema;

/** The paymaster refused to pay. `code` is that of the service's {@link RpcError}, if any. */
export class PaymasterError extends TollkeeperError {
  override readonly name = 'PaymasterError';

  constructor(
    /** The method and the service, without credentials. */
    readonly label: string,
    what: string,
    { code = -32000, ...details }: ErrorDetails & { code?: number } = {},
  ) {
    const advice = 'Ask the paymaster, or send the operation without one.';
    super(code, `${label}: the paymaster does not pay. ${what} ${advice}`, details);
  }
}

/** Creates a client for an ERC-7677 paymaster service. */
export function createPaymasterClient(transport: Transport): PaymasterClient {
  const rpc = createRpcClient(paymasterSchema, transport);
  const ask =
    (method: keyof typeof paymasterSchema): AskPaymaster =>
    async (operation, { version, chainId, context = {} }) => {
      const form = toBundlerForm(operation, version);
      // The account has not signed yet.
      delete form.signature;
      const { entryPoint } = entryPoints[version];
      const answer = await rpc
        .request(method, [form, entryPoint, toQuantity(chainId), context])
        .catch(throwRefusal);
      const label = `${method} at ${rpc.label}`;
      const { sponsor, isFinal } = answer;
      return readAt({ label }, () => ({
        ...(version === '0.6'
          ? readPacked(answer, label)
          : pack(answer, label, operation)),
        // Only displayed, so an invalid sponsor is omitted instead of refused.
        ...(matches(sponsor, SponsorStruct) && { sponsor: { name: sponsor.name } }),
        isFinal: isFinal === true,
      }));
    };
  const fetchData = ask('pm_getPaymasterData');
  return {
    label: rpc.label,
    fetchStub: ask('pm_getPaymasterStubData'),
    fetchData: async (...asked) => ({ ...(await fetchData(...asked)), isFinal: true }),
  };
}

function throwRefusal(error: unknown): never {
  if (!(error instanceof RpcError)) throw error;
  const { code, context, label, said } = error;
  const what = said === '' ? 'It did not say why.' : `It said: ${said}.`;
  throw new PaymasterError(label, what, { code, context, cause: error });
}

type PaymasterAnswer = Infer<typeof AnswerStruct>;

type Payer = { paymasterAndData: Hex; isCheckGasAssumed?: true };

function readPacked({ paymasterAndData }: PaymasterAnswer, label: string): Payer {
  const given = assertGiven(paymasterAndData, 'paymasterAndData', label);
  if (byteLength(given) >= 20) return { paymasterAndData: given };
  throw invalidAnswer('result.paymasterAndData must be at least 20 bytes long.');
}

function pack(answer: PaymasterAnswer, label: string, operation: UserOperation): Payer {
  const paymaster = assertGiven(answer.paymaster, 'paymaster', label);
  const { paymasterData: data } = answer;
  if (isAbsent(data)) throw invalidAnswer('result.paymasterData is missing.');
  // The final answer may omit fields of the stub.
  const before = unpackPaymaster(operation.paymasterAndData);
  const postOpGasLimit = answer.paymasterPostOpGasLimit ?? before?.postOpGasLimit;
  if (postOpGasLimit === undefined) {
    throw invalidAnswer('result.paymasterPostOpGasLimit is missing.');
  }
  const checkGas = answer.paymasterVerificationGasLimit ?? before?.verificationGasLimit;
  const verificationGasLimit = checkGas ?? ASSUMED_VERIFICATION_GAS;
  const fields = { paymaster, verificationGasLimit, postOpGasLimit, data };
  return {
    paymasterAndData: packPaymaster(fields),
    ...(checkGas === undefined && { isCheckGasAssumed: true }),
  };
}

// Without a paymaster, the account would pay, which nobody requested.
function assertGiven(given: Hex | null | undefined, field: string, label: string): Hex {
  if (!isAbsent(given) && given !== '0x' && !/^0x0{40}/u.test(given)) return given;
  throw new PaymasterError(label, `It answered without ${field}.`);
}
