// The options of keyring_createAccount.
import { isValidPrivate } from '@ethereumjs/util';
import { exactOptional, sensitive, type } from '@metamask/superstruct';
import type { Infer } from '@metamask/superstruct';
import { hexToBytes } from '@metamask/utils';

import { InvalidParamsError } from '../errors';
import { AddressStruct, QuantityStruct } from '../eth/hex';
import type { Hex } from '../eth/hex';
import { EntryPointVersionStruct } from '../eth/user-operation';
import { parse } from '../schema/parse';
import { converted, oneOf, paramObject, text } from '../schema/structs';
import {
  AccountIndexStruct,
  EntropySourceStruct,
  ScopesStruct,
} from '../state/account-record';

/** A private key, with or without 0x, in the range of secp256k1. */
const PrivateKeyStruct = sensitive(
  converted<Hex>(
    'a 32-byte private key in hex, in the range of secp256k1',
    isPrivateKey,
    (value) =>
      typeof value === 'string' && !value.startsWith('0x') ? `0x${value}` : undefined,
  ),
);

/** The options as callers give them. */
export const CreateAccountOptionsStruct = paramObject({
  type: exactOptional(oneOf(['eip155:eoa', 'eip155:erc4337'])),
  privateKey: exactOptional(PrivateKeyStruct),
  index: exactOptional(AccountIndexStruct),
  entropySource: exactOptional(EntropySourceStruct),
  scopes: exactOptional(ScopesStruct),
  entryPoint: exactOptional(EntryPointVersionStruct),
  factory: exactOptional(AddressStruct),
  salt: exactOptional(QuantityStruct),
  /** MetaMask's own, to be echoed in the event; it may grow. */
  metamask: exactOptional(type({ correlationId: text(64) })),
});

/** What account to create. */
export type CreateAccountOptions = Infer<typeof CreateAccountOptionsStruct>;

/**
 * Read the options of `keyring_createAccount`.
 *
 * @param root - How messages name them.
 * @throws {InvalidParamsError} If an option is malformed, unknown or does not go with
 * another; never quotes a value.
 */
export function parseCreateAccountOptions(
  value: unknown,
  root = 'keyring_createAccount: options',
): CreateAccountOptions {
  const options = parse(value, CreateAccountOptionsStruct, root);
  const fail = (reason: string): never => {
    throw new InvalidParamsError(`${root}: ${reason}`);
  };
  const { privateKey, index, entropySource, scopes } = options;
  if (
    privateKey !== undefined &&
    (index !== undefined || entropySource !== undefined)
  ) {
    fail('privateKey excludes index and entropySource, which derive a key.');
  }
  if (options.type === 'eip155:erc4337') {
    if (scopes?.includes('eip155:0')) {
      fail('a smart account needs real chains as scopes.');
    }
    return options;
  }
  const contractOption = (['entryPoint', 'factory', 'salt'] as const).find(
    (name) => options[name] !== undefined,
  );
  if (contractOption) fail(`${contractOption} is for accounts of type eip155:erc4337.`);
  if (scopes && !(scopes.length === 1 && scopes[0] === 'eip155:0')) {
    fail(
      'an account of type eip155:eoa serves all chains: scopes must be ["eip155:0"].',
    );
  }
  return options;
}

function isPrivateKey(value: unknown): boolean {
  if (typeof value !== 'string' || !/^0x[0-9a-fA-F]{64}$/u.test(value)) return false;
  return isValidPrivate(hexToBytes(value));
}
