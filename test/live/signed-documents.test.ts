// Permits that were signed here, on the real token and Permit2: listed while they can be used, not any
// more once they were used or ended. Who uses them is viem.
import {
  createWalletClient,
  hashTypedData,
  http,
  parseAbi,
  parseSignature,
} from 'viem';
import type { Address, Hex, WalletClient } from 'viem';
import { foundry } from 'viem/chains';

import { createAccount } from '../../dev/demo/world';
import type { DemoAccount, SnapSite } from '../../dev/demo/world';
import { deployVerifiers, verifiers } from '../../dev/stack/verifiers';
import type { Screen } from '../../dev/wallet/screen';
import { setupSmartWorld } from '../support/smart-world';
import { textOf } from '../support/view';

const ofToken = parseAbi([
  'function permit(address, address, uint256, uint256, uint8, bytes32, bytes32)',
]);

const ofPermit2 = parseAbi([
  'struct Details { address token; uint160 amount; uint48 expiration; uint48 nonce; }',
  'struct Single { Details details; address spender; uint256 sigDeadline; }',
  'function permit(address, Single, bytes)',
]);

const LATER = Math.floor(Date.now() / 1_000) + 86_400;

const world = setupSmartWorld();
let token: Address;
let user: WalletClient;
let spender: Address;
let account: DemoAccount;
let site: SnapSite;

beforeAll(async () => {
  ({ token } = await deployVerifiers(world.stack));
  user = createWalletClient({
    chain: foundry,
    transport: http(world.stack.chain.url),
    pollingInterval: 50,
  });
  [spender = '0x'] = await user.getAddresses();
  account = await createAccount(world, { type: 'eip155:eoa' });
  await world.stack.fund(account.address, '1');
  site = await world.visit(account);
});

const fields = (text: string): { name: string; type: string }[] =>
  text.split(',').map((each) => {
    const [type = '', name = ''] = each.trim().split(' ');
    return { name, type };
  });

async function sign(document: object): Promise<Hex> {
  return (await site.snap('eth_signTypedData_v4', [
    account.address,
    document as never,
  ])) as Hex;
}

async function use(address: Address, args: readonly unknown[]): Promise<void> {
  const abi = address === token ? ofToken : ofPermit2;
  const call = { abi, address, functionName: 'permit', args, account: spender };
  const hash = await user.writeContract(call as never);
  const { status } = await world.node.waitForTransactionReceipt({ hash });
  expect(status).toBe('success');
}

async function openAccount(): Promise<Screen> {
  const page = await world.wallet.openHomePage();
  await page.click('home.frame.tab:permissions');
  return page;
}

const TITLE = textOf('signed.title');

it('lists an ERC-2612 permit until it is used', async () => {
  const value = 5_000_000n;
  const signature = await sign({
    types: {
      Permit: fields(
        'address owner, address spender, uint256 value, uint256 nonce, uint256 deadline',
      ),
    },
    primaryType: 'Permit',
    domain: {
      ...{ name: 'Test Dollar', version: '1', chainId: foundry.id },
      verifyingContract: token,
    },
    message: {
      ...{ owner: account.address, spender, value: `${value}`, nonce: 0 },
      deadline: LATER,
    },
  });
  const { text } = await openAccount();
  expect(text).toContain(TITLE);
  expect(text).toContain(textOf('signed.permit'));
  expect(text).not.toContain(textOf('signed.unknown'));
  const { r, s, yParity } = parseSignature(signature);
  await use(token, [
    account.address,
    spender,
    value,
    BigInt(LATER),
    27 + yParity,
    r,
    s,
  ]);
  expect((await openAccount()).text).not.toContain(TITLE);
});

const createSingle = (nonce: number): { document: object; message: object } => {
  const details = { token, amount: '1000', expiration: LATER, nonce };
  const message = { details, spender, sigDeadline: LATER };
  return {
    message,
    document: {
      types: {
        PermitSingle: fields(
          'PermitDetails details, address spender, uint256 sigDeadline',
        ),
        PermitDetails: fields(
          'address token, uint160 amount, uint48 expiration, uint48 nonce',
        ),
      },
      primaryType: 'PermitSingle',
      domain: {
        ...{ name: 'Permit2', chainId: foundry.id },
        verifyingContract: verifiers.permit2,
      },
      message,
    },
  };
};

it('lists an allowance of Permit2 until it is used, or ended by a call', async () => {
  const first = createSingle(0);
  const signature = await sign(first.document);
  expect((await openAccount()).text).toContain(TITLE);
  await use(verifiers.permit2, [account.address, first.message, signature]);
  expect((await openAccount()).text).not.toContain(TITLE);

  const second = createSingle(1);
  const unused = await sign(second.document);
  const page = await openAccount();
  await page.click(
    `home.permissions.invalidate:${account.id} ${hashTypedData(second.document as never)}`,
  );
  expect(page.text).toContain(textOf('delegation.sent'));
  while (page.text.includes(TITLE)) await page.click('home.frame.refresh');
  await expect(
    use(verifiers.permit2, [account.address, second.message, unused]),
  ).rejects.toThrow('reverted');
});
