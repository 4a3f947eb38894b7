// The mail from EIP-712's example, in a dapp's form.
import type { Json } from '@metamask/utils';
import { concat, keccak256, stringToHex } from 'viem';
import type { PrivateKeyAccount } from 'viem/accounts';

import type { Hex } from '../../src/eth/hex';
import { mail } from '../fixtures/eth/typed-data';

const { types, message } = mail;

const { chainId: _chainId, ...domain } = mail.domain;

/** A document whose domain has the given chain, or none. */
export function mailOf(chainId?: Json): Record<string, Json> {
  const { EIP712Domain = [], ...others } = types;
  const fields = EIP712Domain.filter(
    ({ name }) => name !== 'chainId' || chainId !== undefined,
  );
  return {
    types: { EIP712Domain: fields, ...others },
    primaryType: 'Mail',
    domain: chainId === undefined ? domain : { ...domain, chainId },
    message,
  };
}

export async function signMail(account: PrivateKeyAccount, chainId?: bigint) {
  const { Mail = [], Person = [] } = types;
  return account.signTypedData({
    types: { Mail, Person },
    primaryType: 'Mail',
    domain: chainId === undefined ? domain : { ...domain, chainId },
    message,
  });
}

/**
 * Hashes version 1 typed data, which only MetaMask's own library supports.
 *
 * @param names - Each type and name, such as `uint32 A number`.
 * @param packed - The values as packed by Solidity.
 */
export function hashV1(names: readonly string[], packed: Hex): Hex {
  const schema = keccak256(stringToHex(names.join('')));
  return keccak256(concat([schema, keccak256(packed)]));
}
