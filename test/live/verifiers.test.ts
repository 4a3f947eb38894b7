// Contracts that judge what accounts sign, on the stack: they are there, and take what a plain
// account signs by viem, and nothing else.
import {
  createWalletClient,
  erc6492SignatureValidatorAbi,
  hashMessage,
  http,
  maxUint256,
  parseAbi,
  publicActions,
  toHex,
} from 'viem';
import type { Address, Hex } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { foundry } from 'viem/chains';

import { startChainStack } from '../../dev/stack/stack';
import type { ChainStack } from '../../dev/stack/stack';
import { deployVerifiers, verifiers } from '../../dev/stack/verifiers';
import type { Verifiers } from '../../dev/stack/verifiers';
import { createRecipient } from '../support/smart-world';

const tokenAbi = parseAbi([
  'error ERC2612InvalidSigner(address signer, address owner)',
  'error ERC3009InvalidSignature()',
  'error ERC3009UsedAuthorization(address authorizer, bytes32 nonce)',
  'function mint(address to, uint256 value)',
  'function balanceOf(address) view returns (uint256)',
  'function nonces(address owner) view returns (uint256)',
  'function allowance(address owner, address spender) view returns (uint256)',
  'function permit(address owner, address spender, uint256 value, uint256 deadline, bytes signature)',
  'function transferWithAuthorization(address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, bytes signature)',
]);

const permit2Abi = parseAbi([
  'error InvalidSigner()',
  'struct TokenPermissions { address token; uint256 amount; }',
  'struct PermitTransferFrom { TokenPermissions permitted; uint256 nonce; uint256 deadline; }',
  'struct Transfer { address to; uint256 requestedAmount; }',
  'function permitTransferFrom(PermitTransferFrom permit, Transfer transfer, address owner, bytes signature)',
]);

const VALUE = 7n;

/** The account that signs, and one that does not. */
const owner = privateKeyToAccount(generatePrivateKey());
const stranger = privateKeyToAccount(generatePrivateKey());

let stack: ChainStack;
let at: Verifiers;

beforeAll(async () => {
  stack = await startChainStack();
  await deployVerifiers(stack);
  // What is there stays.
  at = await deployVerifiers(stack);
  const abi = tokenAbi;
  await connect().writeContractSync({
    ...{ address: at.token, abi, functionName: 'mint', args: [owner.address, 100n] },
  });
});
afterAll(async () => {
  await stack?.stop();
});

/** Whoever sends the transactions. */
function connect() {
  return createWalletClient({
    account: privateKeyToAccount(stack.funded.privateKey),
    chain: foundry,
    transport: http(stack.chain.url),
  }).extend(publicActions);
}

const domainOf = (
  name: string,
  verifyingContract: Address,
): { name: string; chainId: number; verifyingContract: Address } => ({
  ...{ name, chainId: stack.chainId, verifyingContract },
});

const read = async (
  functionName: 'balanceOf' | 'allowance' | 'nonces',
  ...args: Address[]
): Promise<bigint> =>
  connect().readContract({
    ...{ address: at.token, abi: tokenAbi, functionName, args: args as never },
  });

it('has the contracts of others where the world has them', async () => {
  const { safe, simple7702, permit2 } = verifiers;
  const addresses = [...Object.values(safe), ...Object.values(simple7702), permit2];
  const client = connect();
  const codes = await Promise.all(
    addresses.map(async (address) => client.getCode({ address })),
  );
  expect(addresses).toHaveLength(10);
  for (const code of codes) expect(code).toMatch(/^0x[\da-f]{500,}$/u);
});

it('has a universal validator that tells whose a signature is', async () => {
  const message = 'Hello';
  const signature = await owner.signMessage({ message });
  const client = connect();
  const erc6492VerifierAddress = at.universalValidator;
  for (const [address, isValid] of [
    [owner.address, true],
    [stranger.address, false],
  ] as const) {
    const { result } = await client.simulateContract({
      address: at.universalValidator,
      abi: erc6492SignatureValidatorAbi,
      functionName: 'isValidSig',
      args: [address, hashMessage(message), signature],
    });
    expect(result).toBe(isValid);
    expect(
      await client.verifyMessage({
        ...{ address, message, signature, erc6492VerifierAddress },
      }),
    ).toBe(isValid);
  }
});

const permitTypes = {
  Permit: [
    { name: 'owner', type: 'address' },
    { name: 'spender', type: 'address' },
    { name: 'value', type: 'uint256' },
    { name: 'nonce', type: 'uint256' },
    { name: 'deadline', type: 'uint256' },
  ],
} as const;

/** Has the token take a permit that an account signs in the owner's name. */
async function permit(signer: typeof owner, spender: Address): Promise<void> {
  const client = connect();
  const nonce = await read('nonces', owner.address);
  const signature = await signer.signTypedData({
    domain: { ...domainOf('Test Dollar', at.token), version: '1' },
    types: permitTypes,
    primaryType: 'Permit',
    message: {
      ...{ owner: owner.address, spender, value: VALUE, nonce, deadline: maxUint256 },
    },
  });
  await client.writeContractSync({
    address: at.token,
    abi: tokenAbi,
    functionName: 'permit',
    args: [owner.address, spender, VALUE, maxUint256, signature],
  });
}

it('has a token that takes a permit', async () => {
  const spender = createRecipient();
  await expect(permit(stranger, spender)).rejects.toThrow('ERC2612InvalidSigner');
  await permit(owner, spender);
  expect(await read('allowance', owner.address, spender)).toBe(VALUE);
});

it('has a token that takes an authorization of a transfer', async () => {
  const to = createRecipient();
  const nonce = toHex(1n, { size: 32 });
  const document = {
    domain: { ...domainOf('Test Dollar', at.token), version: '1' },
    types: {
      TransferWithAuthorization: [
        { name: 'from', type: 'address' },
        { name: 'to', type: 'address' },
        { name: 'value', type: 'uint256' },
        { name: 'validAfter', type: 'uint256' },
        { name: 'validBefore', type: 'uint256' },
        { name: 'nonce', type: 'bytes32' },
      ],
    },
    primaryType: 'TransferWithAuthorization',
    message: {
      ...{ from: owner.address, to, value: VALUE, nonce },
      ...{ validAfter: 0n, validBefore: maxUint256 },
    },
  } as const;
  const use = async (signature: Hex): Promise<unknown> =>
    connect().writeContractSync({
      address: at.token,
      abi: tokenAbi,
      functionName: 'transferWithAuthorization',
      args: [owner.address, to, VALUE, 0n, maxUint256, nonce, signature],
    });
  await expect(use(await stranger.signTypedData(document))).rejects.toThrow(
    'ERC3009InvalidSignature',
  );
  await use(await owner.signTypedData(document));
  expect(await read('balanceOf', to)).toBe(VALUE);
  await expect(use(await owner.signTypedData(document))).rejects.toThrow(
    'ERC3009UsedAuthorization',
  );
});

it('has a Permit2 that transfers what was permitted', async () => {
  const to = createRecipient();
  const client = connect();
  await permit(owner, at.permit2);
  const permitted = { token: at.token, amount: VALUE };
  const signed = { permitted, nonce: 0n, deadline: maxUint256 };
  const document = {
    domain: domainOf('Permit2', at.permit2),
    types: {
      TokenPermissions: [
        { name: 'token', type: 'address' },
        { name: 'amount', type: 'uint256' },
      ],
      PermitTransferFrom: [
        { name: 'permitted', type: 'TokenPermissions' },
        { name: 'spender', type: 'address' },
        { name: 'nonce', type: 'uint256' },
        { name: 'deadline', type: 'uint256' },
      ],
    },
    primaryType: 'PermitTransferFrom',
    message: { ...signed, spender: client.account.address },
  } as const;
  const use = async (signature: Hex): Promise<unknown> =>
    client.writeContractSync({
      address: at.permit2,
      abi: permit2Abi,
      functionName: 'permitTransferFrom',
      args: [signed, { to, requestedAmount: VALUE }, owner.address, signature],
    });
  await expect(use(await stranger.signTypedData(document))).rejects.toThrow(
    'InvalidSigner',
  );
  await use(await owner.signTypedData(document));
  expect(await read('balanceOf', to)).toBe(VALUE);
});
