// The mail of EIP-712's own example, as a dapp sends it.
import type { Json } from '@metamask/utils';
import { concat, keccak256, stringToHex } from 'viem';
import type { PrivateKeyAccount } from 'viem/accounts';

import type { Hex } from '../../src/eth/hex';

const types = {
  EIP712Domain: [
    { name: 'name', type: 'string' },
    { name: 'version', type: 'string' },
    { name: 'chainId', type: 'uint256' },
    { name: 'verifyingContract', type: 'address' },
  ],
  Person: [
    { name: 'name', type: 'string' },
    { name: 'wallet', type: 'address' },
  ],
  Mail: [
    { name: 'from', type: 'Person' },
    { name: 'to', type: 'Person' },
    { name: 'contents', type: 'string' },
  ],
};

const message = {
  from: { name: 'Cow', wallet: '0xCD2a3d9F938E13CD947Ec05AbC7FE734Df8DD826' },
  to: { name: 'Bob', wallet: '0xbBbBBBBbbBBBbbbBbbBbbbbBBbBbbbbBbBbbBBbB' },
  contents: 'Hello, Bob!',
} as const;

const VERIFIER: Hex = '0xCcCCccccCCCCcCCCCCCcCcCccCcCCCcCcccccccC';

/** A document whose domain names the chain as given, or none. */
export function mailOf(chainId?: Json): Record<string, Json> {
  const domain = { name: 'Ether Mail', version: '1', verifyingContract: VERIFIER };
  const { EIP712Domain, ...others } = types;
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

/** Sign {@link mailOf} with another implementation. */
export async function signMail(account: PrivateKeyAccount, chainId?: bigint) {
  const { Mail, Person } = types;
  const domain = { name: 'Ether Mail', version: '1', verifyingContract: VERIFIER };
  return account.signTypedData({
    types: { Mail, Person },
    primaryType: 'Mail',
    domain: chainId === undefined ? domain : { ...domain, chainId },
    message,
  });
}

/**
 * Hash what version 1 of typed data signs: nobody but MetaMask's own library does.
 *
 * @param names - Each type and name, `uint32 A number`.
 * @param packed - The values as Solidity packs them.
 */
export function hashV1(names: readonly string[], packed: Hex): Hex {
  const schema = keccak256(stringToHex(names.join('')));
  return keccak256(concat([schema, keccak256(packed)]));
}
