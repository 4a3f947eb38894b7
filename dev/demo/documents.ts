// Typed-data documents (EIP-712) that the demo and the benches sign and the gallery shows.
import type { TypedData, TypedField } from '../../src/eth/typed-data';

/** Reads fields as Solidity writes them: a type and a name each. */
export function fieldsOf(text: string): TypedField[] {
  return text.split(', ').map((field) => {
    const [type = '', name = ''] = field.split(' ');
    return { name, type };
  });
}

export const EIP712Domain = fieldsOf(
  'string name, string version, uint256 chainId, address verifyingContract',
);

/** The values of a permit, without its owner. */
type Permit = Record<'spender' | 'value' | 'nonce' | 'deadline', string>;

/** Writes a permit of USD Coin (ERC-2612), or of another contract with its name. */
export function permitOf(
  owner: string,
  verifyingContract: string,
  permit: Permit,
): TypedData {
  return {
    types: {
      EIP712Domain,
      Permit: fieldsOf(
        'address owner, address spender, uint256 value, uint256 nonce, uint256 deadline',
      ),
    },
    primaryType: 'Permit',
    domain: { name: 'USD Coin', version: '2', chainId: 1, verifyingContract },
    message: { owner, ...permit },
  };
}

/** Writes a PermitSingle of Uniswap's Permit2 on the main network. */
export function permitSingleOf(
  details: Record<'token' | 'amount' | 'expiration' | 'nonce', string>,
  signed: Record<'spender' | 'sigDeadline', string>,
): TypedData {
  return {
    types: {
      EIP712Domain: fieldsOf('string name, uint256 chainId, address verifyingContract'),
      PermitSingle: fieldsOf(
        'PermitDetails details, address spender, uint256 sigDeadline',
      ),
      PermitDetails: fieldsOf(
        'address token, uint160 amount, uint48 expiration, uint48 nonce',
      ),
    },
    primaryType: 'PermitSingle',
    domain: {
      name: 'Permit2',
      chainId: 1,
      verifyingContract: '0x000000000022d473030f116ddee9f6b43ac78ba3',
    },
    message: { details, ...signed },
  };
}

const ITEM =
  'uint8 itemType, address token, uint256 identifierOrCriteria, uint256 startAmount, uint256 endAmount';

/** Writes an order of Seaport on the main network, with all of its fields or some. */
export function seaportOrderOf(
  fields: string,
  message: TypedData['message'],
): TypedData {
  return {
    types: {
      EIP712Domain,
      OrderComponents: fieldsOf(fields),
      OfferItem: fieldsOf(ITEM),
      ConsiderationItem: fieldsOf(`${ITEM}, address recipient`),
    },
    primaryType: 'OrderComponents',
    domain: {
      name: 'Seaport',
      version: '1.6',
      chainId: 1,
      verifyingContract: '0x0000000000000068F116a894984e2DB1123eB395',
    },
    message,
  };
}
