// Signatures of every kind of account, judged by common verifiers. docs/reference/clients.md has
// the results as a table.
import { ExactEvmScheme as PaymentClient } from '@x402/evm/exact/client';
import { ExactEvmScheme as Facilitator } from '@x402/evm/exact/facilitator';
import {
  concat,
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

import type { DemoAccount } from '../../dev/demo/world';
import { judges, kinds } from '../../dev/docs/verification';
import type { Judge, Kind } from '../../dev/docs/verification';
import { deployVerifiers, type Verifiers } from '../../dev/stack/verifiers';
import { createRecipient, setupSmartWorld } from '../support/smart-world';
import { createSnapTransport } from '../support/snap-transport';

type Signer = {
  address: Address;
  signMessage: (message: string) => Promise<Hex>;
  signTypedData: (document: TypedDataDefinition) => Promise<Hex>;
};

type Judgement = (signer: Signer) => Promise<boolean>;

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

const UNSUPPORTED = 4200;

const world = setupSmartWorld();

let judgements: Record<Judge, Judgement>;

const signers = new Map<string, Signer>();

// Opens the accounts in parallel, because a smart account's transaction returns only after its
// inclusion.
beforeAll(async () => {
  judgements = createJudges(await deployVerifiers(world.stack));
  await Promise.all(
    Object.keys(kinds).map(async (name) => signers.set(name, await open(name))),
  );
});

async function open(name: string): Promise<Signer> {
  const [type = '', version = '', state = ''] = name.split(' ');
  const account = await create(type, version);
  const site = await world.visit(account);
  const address = account.address;
  await world.stack.fund(address, '1');
  if (type === 'eoa' && version !== '') {
    const params = [{ account: address, chainId: '0x7a69', entryPoint: version }];
    const answer = await world.companion.snap('tollkeeper_delegate', params);
    await world.node.waitForTransactionReceipt(answer as { hash: Hex });
  } else if (type !== 'eoa' && version !== 'new' && state !== 'new') {
    const call = { from: address, to: createRecipient(), value: '0x1' };
    await site.snap('eth_sendTransaction', [call]);
  }
  const client = createWalletClient({
    account: address,
    chain: foundry,
    transport: createSnapTransport(site),
  });
  return {
    address,
    signMessage: async (message) => client.signMessage({ message }),
    signTypedData: async (document) => client.signTypedData(document),
  };
}

describe.each(Object.entries(kinds))('%s', (name, { refusals }: Kind) => {
  const [type = '', version = ''] = name.split(' ');
  const getSigner = (): Signer => signers.get(name) as Signer;

  it('has the expected code', async () => {
    const code = await world.node.getCode(getSigner());
    const hasCode = type === 'eoa' ? version !== '' : !name.endsWith('new');
    expect(code !== undefined).toBe(hasCode);
  });

  // The payment comes last, because it deploys its payer.
  it.each(Object.keys(judges) as Judge[])(
    'is judged as documented: %s',
    async (judge) => {
      const signer = getSigner();
      const judged = judgements[judge](signer);
      if (type === 'simple') {
        await expect(judged).rejects.toMatchObject({ code: UNSUPPORTED });
        return;
      }
      expect(await judged).toBe(refusals[judge] === undefined);
      const stranger = { ...signer, address: createRecipient() };
      await expect(judgements[judge](stranger).catch(() => false)).resolves.toBe(false);
    },
  );
});

async function create(type: string, version: string): Promise<DemoAccount> {
  if (type === 'eoa') return world.createAccount({ type: 'eip155:eoa' });
  const contract =
    type === 'safe' ? { implementation: 'safe' } : { entryPoint: version };
  const scopes = ['eip155:31337'];
  return world.createAccount({ type: 'eip155:erc4337', scopes, ...contract });
}

/** Creates the judges: viem, and contracts on the chain. */
function createJudges(at: Verifiers): Record<Judge, Judgement> {
  const account = privateKeyToAccount(world.stack.funded.privateKey);
  const transport = http(world.stack.chain.url);
  const client = createWalletClient({ account, chain: foundry, transport }).extend(
    publicActions,
  );
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

  // Writes to the token's storage, because a transaction would deploy the account.
  const approve = async (owner: Address): Promise<void> => {
    const slotOf = (key: Address, slot: Hex) => keccak256(concat([pad(key), slot]));
    const allowances = numberToHex(1, { size: 32 });
    await world.node.setStorageAt({
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
