// What others use to check a signature: viem, and contracts on the chain.
import { ExactEvmScheme as PaymentClient } from '@x402/evm/exact/client';
import { ExactEvmScheme as Facilitator } from '@x402/evm/exact/facilitator';
import {
  concat,
  createTestClient,
  createWalletClient,
  erc6492SignatureValidatorAbi,
  hashMessage,
  http,
  keccak256,
  maxUint256,
  numberToHex,
  pad,
  parseAbi,
  publicActions,
} from 'viem';
import type { Address, Hex, TypedDataDefinition } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { foundry } from 'viem/chains';
import { createSiweMessage } from 'viem/siwe';

import type { Judge } from '../../dev/docs/verification';
import type { ChainStack } from '../../dev/stack/stack';
import type { Verifiers } from '../../dev/stack/verifiers';
import { createRecipient } from './smart-world';

/** The signer, and the claimed address. */
export type Signer = {
  address: Address;
  signMessage: (message: string) => Promise<Hex>;
  signTypedData: (document: TypedDataDefinition) => Promise<Hex>;
};

/** Tries whether a judge accepts what a signer signs. */
export type Judgement = (signer: Signer) => Promise<boolean>;

const tokenAbi = parseAbi([
  'function mint(address to, uint256 value)',
  'function balanceOf(address) view returns (uint256)',
  'function nonces(address owner) view returns (uint256)',
  'function permit(address owner, address spender, uint256 value, uint256 deadline, bytes signature)',
]);

const permit2Abi = parseAbi([
  'struct TokenPermissions { address token; uint256 amount; }',
  'struct PermitTransferFrom { TokenPermissions permitted; uint256 nonce; uint256 deadline; }',
  'struct Transfer { address to; uint256 requestedAmount; }',
  'function permitTransferFrom(PermitTransferFrom permit, Transfer transfer, address owner, bytes signature)',
]);

const VALUE = 7n;

const TOKEN = { name: 'Test Dollar', version: '1' };

const MESSAGE = 'Hello';

const document = {
  domain: { name: 'Example', chainId: foundry.id },
  types: { Note: [{ name: 'text', type: 'string' }] },
  primaryType: 'Note',
  message: { text: MESSAGE },
} as const;

/** Brings the judges of a chain together. */
export function createJudges(
  stack: Pick<ChainStack, 'chain' | 'funded'>,
  at: Verifiers,
): Record<Judge, Judgement> {
  const options = { chain: foundry, transport: http(stack.chain.url) };
  const account = privateKeyToAccount(stack.funded.privateKey);
  const client = createWalletClient({ account, ...options }).extend(publicActions);
  const anvil = createTestClient({ mode: 'anvil', ...options });
  const token = { address: at.token, abi: tokenAbi } as const;

  const accepts = async (attempt: Promise<{ status: string }>): Promise<boolean> =>
    attempt.then(
      ({ status }) => status === 'success',
      () => false,
    );
  const domainOf = (name: string, verifyingContract: Address) => ({
    name,
    chainId: foundry.id,
    verifyingContract,
  });
  const fund = async (address: Address): Promise<void> => {
    await client.writeContractSync({
      ...token,
      functionName: 'mint',
      args: [address, 100n],
    });
  };

  // In the token's storage: an account that sent a transaction could not be deployed any more.
  const approve = async (owner: Address): Promise<void> => {
    const slotOf = (key: Address, slot: Hex) => keccak256(concat([pad(key), slot]));
    const allowances = numberToHex(1, { size: 32 });
    await anvil.setStorageAt({
      address: at.token,
      index: slotOf(at.permit2, slotOf(owner, allowances)),
      value: numberToHex(VALUE, { size: 32 }),
    });
  };

  return {
    verifyMessage: async ({ address, signMessage }) => {
      const signature = await signMessage(MESSAGE);
      return client.verifyMessage({ address, message: MESSAGE, signature });
    },
    verifyTypedData: async ({ address, signTypedData }) => {
      const signature = await signTypedData(document);
      return client.verifyTypedData({ address, ...document, signature });
    },
    verifySiweMessage: async ({ address, signMessage }) => {
      const message = createSiweMessage({
        address,
        domain: 'dapp.example',
        uri: 'https://dapp.example',
        version: '1',
        chainId: foundry.id,
        nonce: '12345678',
      });
      const signature = await signMessage(message);
      return client.verifySiweMessage({ address, message, signature });
    },
    validator: async ({ address, signMessage }) => {
      const signature = await signMessage(MESSAGE);
      const { result } = await client.simulateContract({
        address: at.universalValidator,
        abi: erc6492SignatureValidatorAbi,
        functionName: 'isValidSig',
        args: [address, hashMessage(MESSAGE), signature],
      });
      return result;
    },
    permit: async ({ address, signTypedData }) => {
      const spender = createRecipient();
      const args = [address] as const;
      const nonce = await client.readContract({
        ...token,
        functionName: 'nonces',
        args,
      });
      const signature = await signTypedData({
        domain: { ...domainOf(TOKEN.name, at.token), version: TOKEN.version },
        types: {
          Permit: [
            { name: 'owner', type: 'address' },
            { name: 'spender', type: 'address' },
            { name: 'value', type: 'uint256' },
            { name: 'nonce', type: 'uint256' },
            { name: 'deadline', type: 'uint256' },
          ],
        },
        primaryType: 'Permit',
        message: {
          owner: address,
          spender,
          value: VALUE,
          nonce,
          deadline: maxUint256,
        },
      });
      return accepts(
        client.writeContractSync({
          ...token,
          functionName: 'permit',
          args: [address, spender, VALUE, maxUint256, signature],
        }),
      );
    },
    permit2: async ({ address, signTypedData }) => {
      const to = createRecipient();
      await fund(address);
      await approve(address);
      const permitted = { token: at.token, amount: VALUE };
      const permit = { permitted, nonce: 0n, deadline: maxUint256 };
      const signature = await signTypedData({
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
        message: { ...permit, spender: account.address },
      });
      return accepts(
        client.writeContractSync({
          address: at.permit2,
          abi: permit2Abi,
          functionName: 'permitTransferFrom',
          args: [permit, { to, requestedAmount: VALUE }, address, signature],
        }),
      );
    },
    payment: async ({ address, signTypedData }) => {
      await fund(address);
      const accepted = {
        scheme: 'exact',
        network: `eip155:${foundry.id}`,
        asset: at.token,
        amount: String(VALUE),
        payTo: createRecipient(),
        maxTimeoutSeconds: 600,
        extra: TOKEN,
      } as const;
      const payer = new PaymentClient({
        address,
        signTypedData: async (typed) => signTypedData(typed as TypedDataDefinition),
      });
      const payload = { ...(await payer.createPaymentPayload(2, accepted)), accepted };
      const facilitator = new Facilitator(
        {
          ...(client as unknown as ConstructorParameters<typeof Facilitator>[0]),
          getAddresses: () => [account.address],
        },
        { eip6492AllowedFactories: [at.safe.proxyFactory] },
      );
      const { isValid } = await facilitator.verify(payload, accepted);
      if (!isValid) return false;
      const { success } = await facilitator.settle(payload, accepted);
      return success;
    },
  };
}
