// Typed-data documents (EIP-712) for the demo, the gallery and tests.
import type { TypedData, TypedField } from '../../src/core/typed-data';

/** Parses a list of fields in Solidity's notation, such as `address to, uint256 value`. */
export function fieldsOf(text: string): TypedField[] {
  return text.split(', ').map((field) => {
    const [type = '', name = ''] = field.split(' ');
    return { name, type };
  });
}

export const EIP712Domain = fieldsOf(
  'string name, string version, uint256 chainId, address verifyingContract',
);

export function documentOf(
  domain: TypedData['domain'],
  types: Record<string, string>,
  message: TypedData['message'],
): TypedData {
  const fields = Object.entries(types).map(([name, text]) => [name, fieldsOf(text)]);
  return {
    types: {
      EIP712Domain: EIP712Domain.filter(({ name }) => name in domain),
      ...(Object.fromEntries(fields) as Record<string, TypedField[]>),
    },
    primaryType: Object.keys(types)[0] ?? '',
    domain,
    message,
  };
}

/** Creates an ERC-2612 permit of USD Coin, or of another contract with the same name. */
export function permitOf(
  owner: string,
  verifyingContract: string,
  permit: Record<'spender' | 'value' | 'nonce' | 'deadline', string>,
): TypedData {
  const Permit =
    'address owner, address spender, uint256 value, uint256 nonce, uint256 deadline';
  const domain = { name: 'USD Coin', version: '2', chainId: 1, verifyingContract };
  return documentOf(domain, { Permit }, { owner, ...permit });
}

export function permitSingleOf(
  details: Record<'token' | 'amount' | 'expiration' | 'nonce', string>,
  signed: Record<'spender' | 'sigDeadline', string>,
): TypedData {
  const verifyingContract = '0x000000000022d473030f116ddee9f6b43ac78ba3';
  const types = {
    PermitSingle: 'PermitDetails details, address spender, uint256 sigDeadline',
    PermitDetails: 'address token, uint160 amount, uint48 expiration, uint48 nonce',
  };
  const domain = { name: 'Permit2', chainId: 1, verifyingContract };
  return documentOf(domain, types, { details, ...signed });
}

const ITEM =
  'uint8 itemType, address token, uint256 identifierOrCriteria, uint256 startAmount, uint256 endAmount';

export function seaportOrderOf(
  fields: string,
  message: TypedData['message'],
): TypedData {
  const verifyingContract = '0x0000000000000068F116a894984e2DB1123eB395';
  const types = {
    OrderComponents: fields,
    OfferItem: ITEM,
    ConsiderationItem: `${ITEM}, address recipient`,
  };
  const domain = { name: 'Seaport', version: '1.6', chainId: 1, verifyingContract };
  return documentOf(domain, types, message);
}
