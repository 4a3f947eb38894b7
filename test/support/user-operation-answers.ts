// What MetaMask's UserOperationController 40.0.0 takes of an account (utils/validation.ts),
// after its SnapKeyring has checked the same answers more strictly.
import { assert, define, object, optional, string } from '@metamask/superstruct';
import type { Infer, Struct } from '@metamask/superstruct';
import { isStrictHexString } from '@metamask/utils';
import type { Hex } from 'viem';

const hex = (isEmptyAllowed: boolean): Struct<Hex, null> =>
  define('Hexadecimal String', (value) =>
    Boolean(isStrictHexString(value) || (isEmptyAllowed && value === '0x')),
  );

const HexStruct = hex(false);
const BytesStruct = hex(true);

const PreparedStruct = object({
  bundler: string(),
  callData: HexStruct,
  dummyPaymasterAndData: optional(BytesStruct),
  dummySignature: optional(BytesStruct),
  gas: optional(
    object({
      callGasLimit: HexStruct,
      preVerificationGas: HexStruct,
      verificationGasLimit: HexStruct,
    }),
  ),
  initCode: optional(BytesStruct),
  nonce: HexStruct,
  sender: HexStruct,
});

const UpdatedStruct = object({
  paymasterAndData: optional(BytesStruct),
  callGasLimit: optional(BytesStruct),
  preVerificationGas: optional(BytesStruct),
  verificationGasLimit: optional(BytesStruct),
});

const SignedStruct = object({ signature: HexStruct });

/** What an account prepares, in the words of MetaMask's controller. */
export type Prepared = Infer<typeof PreparedStruct>;

/** `validatePrepareUserOperationResponse`. */
export function checkPrepared(response: Prepared): void {
  assert(response, PreparedStruct);
  if (!response.gas && !/^0x./u.test(response.dummySignature ?? '')) {
    throw new Error('Must specify dummySignature if not specifying gas');
  }
}

/** `validateUpdateUserOperationResponse`. */
export function checkUpdated(response: unknown): void {
  assert(response, UpdatedStruct);
}

/** `validateSignUserOperationResponse`. */
export function checkSigned(response: unknown): void {
  assert(response, SignedStruct);
}
