// Methods that sign messages and typed data.
import { AddressStruct, ZERO_ADDRESS } from '../../../src/eth/hex';
import {
  EntriesStruct,
  parseTypedData,
  parseTypedEntries,
  TypedDataStruct,
} from '../../../src/eth/typed-data';
import { DETERMINISTIC_DEPLOYER } from '../../../src/eth/user-operation';
import { PersonalSignParamsStruct } from '../../../src/message/request';
import { SignAuthorizationParamsStruct } from '../../../src/transaction/authorization';
import { documentOf } from '../../demo/documents';
import { signTypedData, signTypedEntries } from '../../signing';
import type { Source } from '../schema/words';
import { SignatureStruct, SignedAuthorizationStruct } from './results';
import { example, groupOf, listParams, positions, type Example } from './row';
import { ADDRESS, KEY, MESSAGE, MESSAGE_SIGNATURE, REVOCATION } from './samples';

const EITHER_WAY = 'Address and content may be passed in either order.';

// Its contract is on every network, so that its dialog has no warning.
const MAIL = documentOf(
  {
    name: 'Post',
    version: '1',
    chainId: 1,
    verifyingContract: DETERMINISTIC_DEPLOYER,
  },
  { Mail: 'address to, string contents' },
  { to: ADDRESS, contents: 'Hello.' },
);

const ENTRIES = [
  { type: 'string', name: 'Message', value: 'Hello.' },
  { type: 'uint32', name: 'A number', value: 1337 },
];

const signing = {
  result: { name: 'signature', source: SignatureStruct },
  // No server is asked.
  errors: [4001, 4100, 4200, -32602, -32005],
};

const text: Source = {
  schema: { type: 'string', description: 'the same as JSON text' },
};

/** Describes what the versions of `eth_signTypedData` have in common. */
function typed(source: Source, ...examples: Example[]) {
  return {
    description: EITHER_WAY,
    params: {
      list: listParams([AddressStruct, { anyOf: [source, text] }], {
        address: 'The account that signs.',
        typedData: 'The content to sign.',
      }),
    },
    ...signing,
    examples,
  };
}

const data = typed(
  TypedDataStruct,
  example(
    'a mail',
    [ADDRESS, MAIL],
    signTypedData(parseTypedData(MAIL, 'params[1]'), KEY),
  ),
);

const entries = typed(
  EntriesStruct,
  example(
    'two values',
    [ADDRESS, ENTRIES],
    signTypedEntries(parseTypedEntries(ENTRIES, 'params[1]'), KEY),
  ),
);

export const signatures = groupOf('Messages', {
  personal_sign: {
    summary: 'Signs a message (EIP-191).',
    description: EITHER_WAY,
    params: positions(PersonalSignParamsStruct, {
      message: 'A text, or bytes as hex.',
      address: 'The account that signs.',
      password: 'Ignored. Some libraries send it.',
    }),
    ...signing,
    examples: [example('a text', [MESSAGE, ADDRESS], MESSAGE_SIGNATURE)],
  },
  eth_sign: {
    summary: 'Always refused: it signs a hash that cannot be read.',
    errors: [4200],
    examples: [],
  },
  wallet_signAuthorization: {
    summary:
      'Signs that a standard account delegates to no contract any more (EIP-7702).',
    description:
      'Anyone can include it, and pays. `address` must be the zero address: anyone with any other ' +
      'authorization can have that code act as the account (4200). The chain is one, and never 0; ' +
      "the nonce is the account's by default. Users delegate on the home page; " +
      '`wallet_sendCalls` with `atomicRequired` asks for it.',
    params: positions(SignAuthorizationParamsStruct, {
      authorization: 'The account, the zero address, the chain and the nonce.',
    }),
    result: { name: 'authorization', source: SignedAuthorizationStruct },
    examples: [
      example(
        'on Ethereum',
        [{ account: ADDRESS, address: ZERO_ADDRESS, chainId: '0x1' }],
        REVOCATION,
      ),
    ],
  },
  eth_signTypedData_v4: {
    ...data,
    summary: 'Signs typed data (EIP-712).',
    description: `${EITHER_WAY} If \`types\` has no \`EIP712Domain\`, it is inferred from the domain.`,
  },
  eth_signTypedData_v3: { ...data, summary: 'Signs typed data without arrays.' },
  eth_signTypedData_v1: {
    ...entries,
    summary: 'Signs a list of typed values, packed as in Solidity.',
  },
  eth_signTypedData: {
    ...entries,
    summary: 'The first name of `eth_signTypedData_v1`.',
  },
});
