// What a paymaster's service promises for an operation, checked and in our form.
import type { EntryPointVersion } from '../../eth/entry-point';
import { byteLength } from '../../eth/hex';
import type { Hex } from '../../eth/hex';
import { packPaymaster, unpackPaymaster } from '../../eth/packed-fields';
import type { UserOperation } from '../../eth/user-operation';
import { matches } from '../../parse';
import { optional, type } from '../../quick';
import { named, text } from '../../structs';
import { InvalidResponseError } from '../errors';
import { PaymasterError } from './paymaster-error';
import type { PaymasterAnswer } from './schema';

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
