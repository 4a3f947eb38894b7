// The digests of ERC-8213, and those that the owners of a Safe compare, beside viem's, and a Safe's
// own formulas from 1.1.1 to 1.5.0.
import {
  concat,
  domainSeparator,
  encodeAbiParameters,
  encodeFunctionData,
  erc20Abi,
  hashMessage,
  hashStruct,
  hashTypedData,
  keccak256,
  numberToHex,
  pad,
  size,
  stringToBytes,
  toFunctionSelector,
  toHex,
} from 'viem';
import type { Address, Hex } from 'viem';

import { parseTypedData } from '../../../src/eth/typed-data';
import { decodeDocument, decodeEntries } from '../../../src/review/documents';
import {
  getCalldataDigest,
  getMessageDigest,
  listTypedDigests,
} from '../../../src/review/screen/digests';
import { mailOf } from '../../support/typed-data';

const digestsOf = (document: unknown): Record<string, Hex> =>
  Object.fromEntries(
    listTypedDigests(decodeDocument(parseTypedData(document, 'data'))).map(
      ({ term, value }) => [term, value],
    ),
  );

const addressOf = (seed: number): Address => pad(numberToHex(seed), { size: 20 });

const versions = ['1.1.1', '1.2.0', '1.3.0', '1.4.1', '1.5.0'] as const;

const SAFE_TX = [
  { name: 'to', type: 'address' },
  { name: 'value', type: 'uint256' },
  { name: 'data', type: 'bytes' },
  { name: 'operation', type: 'uint8' },
  { name: 'safeTxGas', type: 'uint256' },
  { name: 'baseGas', type: 'uint256' },
  { name: 'gasPrice', type: 'uint256' },
  { name: 'gasToken', type: 'address' },
  { name: 'refundReceiver', type: 'address' },
  { name: 'nonce', type: 'uint256' },
] as const;

/** A transaction of a Safe; from 1.3.0 on its domain has the chain. */
function safeTransactionOf(version: (typeof versions)[number], seed: number) {
  const hasChain = version >= '1.3.0';
  const chainId = [1, 10, 137, 8_453, 11_155_111][seed % 5] ?? 1;
  const args = [addressOf(seed + 1), BigInt(seed) ** 5n] as const;
  const transfer = encodeFunctionData({
    abi: erc20Abi,
    functionName: 'transfer',
    args,
  });
  return {
    types: {
      EIP712Domain: [
        ...(hasChain ? [{ name: 'chainId', type: 'uint256' }] : []),
        { name: 'verifyingContract', type: 'address' },
      ],
      SafeTx: SAFE_TX,
    },
    primaryType: 'SafeTx',
    domain: {
      ...(hasChain && { chainId }),
      verifyingContract: addressOf(0xabc + seed),
    },
    message: {
      to: addressOf(seed + 7),
      value: String(BigInt(seed) * 10n ** 17n),
      data: seed % 3 === 0 ? '0x' : transfer,
      operation: seed % 2,
      safeTxGas: String(seed * 1_000),
      baseGas: String(seed),
      gasPrice: String(seed % 4),
      gasToken: addressOf(0),
      refundReceiver: addressOf(seed % 2),
      nonce: String(seed),
    },
  } as const;
}

// As the contract computes it, by its constants.
function hashAsSafe(document: ReturnType<typeof safeTransactionOf>) {
  const { domain, message } = document;
  const chainId = 'chainId' in domain ? BigInt(domain.chainId ?? 0) : undefined;
  const domainType =
    chainId === undefined
      ? '0x035aff83d86937d35b32e04f0ddc6ff469290eef2f1b692d8a815c89404d4749'
      : '0x47e79534a245952e8b16893a336b85a3d9ea9fa8c573f3d803afb92a79469218';
  const words = [
    { type: 'bytes32' },
    { type: 'uint256' },
    { type: 'address' },
  ] as const;
  const contract = domain.verifyingContract;
  const domainHash = keccak256(
    chainId === undefined
      ? encodeAbiParameters([words[0], words[2]], [domainType, contract])
      : encodeAbiParameters(words, [domainType, chainId, contract]),
  );
  const messageHash = keccak256(
    encodeAbiParameters(
      [
        { type: 'bytes32' },
        { type: 'address' },
        { type: 'uint256' },
        { type: 'bytes32' },
        { type: 'uint8' },
        { type: 'uint256' },
        { type: 'uint256' },
        { type: 'uint256' },
        { type: 'address' },
        { type: 'address' },
        { type: 'uint256' },
      ],
      [
        '0xbb8310d486368db6bd6f849402fdd73ad53d316b5a4b2644ad6efe0f941286d8',
        message.to,
        BigInt(message.value),
        keccak256(message.data),
        message.operation,
        BigInt(message.safeTxGas),
        BigInt(message.baseGas),
        BigInt(message.gasPrice),
        message.gasToken,
        message.refundReceiver,
        BigInt(message.nonce),
      ],
    ),
  );
  const hash = keccak256(concat(['0x1901', domainHash, messageHash]));
  return { domain: domainHash, message: messageHash, hash };
}

describe("the digests of a Safe's transaction", () => {
  it.each(versions)('are those of the contract, version %s', (version) => {
    for (let seed = 1; seed <= 25; seed += 1) {
      const document = safeTransactionOf(version, seed);
      const { domain, message, hash } = hashAsSafe(document);
      expect(digestsOf(document)).toStrictEqual({
        'Domain hash': domain,
        'Message hash': message,
        'Safe transaction hash': hash,
      });
    }
  });
});

describe('the digests of typed data', () => {
  it('are those of viem', () => {
    const document = mailOf(1);
    const { domain, message: data } = document;
    expect(digestsOf(document)).toStrictEqual({
      'Domain hash': domainSeparator({ domain } as never),
      'Message hash': hashStruct({ ...document, data } as never),
      'EIP-712 digest': hashTypedData(document as never),
    });
  });

  it('have no message hash where only the domain is signed', () => {
    const types = { EIP712Domain: [{ name: 'name', type: 'string' }] };
    const primaryType = 'EIP712Domain';
    const document = { types, primaryType, domain: { name: 'a' }, message: {} };
    expect(Object.keys(digestsOf(document))).toStrictEqual([
      'Domain hash',
      'EIP-712 digest',
    ]);
  });

  it('are none for version 1, and for what cannot be hashed', () => {
    const entries = [{ type: 'string', name: 'a', value: 'b' }];
    expect(listTypedDigests(decodeEntries(entries))).toStrictEqual([]);
    const types = { EIP712Domain: [{ name: 'name', type: 'string' }], A: [] };
    const document = { types, primaryType: 'A', domain: {}, message: {} };
    expect(listTypedDigests(decodeDocument(document as never))).toStrictEqual([]);
  });
});

it.each(['', 'hello', 'ünï'.repeat(50)])('hashes the message %j by ERC-191', (text) => {
  const { term, value } = getMessageDigest(stringToBytes(text));
  expect([term, value]).toStrictEqual(['ERC-191 digest', hashMessage(text)]);
});

it.each<Hex>([
  '0x',
  toFunctionSelector('approve(address,uint256)'),
  toHex('x'.repeat(99)),
])('hashes calldata after their length: %s', (data) => {
  const length = numberToHex(size(data), { size: 32 });
  expect(getCalldataDigest(data)).toStrictEqual({
    term: 'Calldata digest',
    value: keccak256(concat([length, data])),
  });
});
