// The home page on a real chain: permits for a real token and for Permit2, listed only while they
// are usable; a rescue that fails; and revocations during which the node dies and the worker
// stops.
import {
  hashTypedData,
  maxUint256,
  padHex,
  parseAbi,
  parseGwei,
  parseSignature,
} from 'viem';
import type { Abi, Address, Hex } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { foundry } from 'viem/chains';

import { connect } from '../../dev/demo/world';
import type { DemoAccount } from '../../dev/demo/world';
import { deployVerifiers, verifiers } from '../../dev/stack/verifiers';
import type { Screen } from '../../dev/wallet/screen';
import { answerText, useHttpServers } from '../support/http-server';
import { createRecipient, setupWalletWorld } from '../support/smart-world';
import { textOf } from '../support/view';

const tokenAbi = parseAbi([
  'function permit(address, address, uint256, uint256, uint8, bytes32, bytes32)',
  'function approve(address spender, uint256 value)',
  'function allowance(address owner, address spender) view returns (uint256)',
]);

const permit2Abi = parseAbi([
  'struct Details { address token; uint160 amount; uint48 expiration; uint48 nonce; }',
  'struct Single { Details details; address spender; uint256 sigDeadline; }',
  'function permit(address, Single, bytes)',
]);

const LATER = Math.floor(Date.now() / 1_000) + 86_400;

const world = setupWalletWorld();
const serve = useHttpServers();
let token: Address;
let spender: Address;
let account: DemoAccount;

beforeAll(async () => {
  ({ token } = await deployVerifiers(world.stack));
  [spender = '0x'] = await world.node.getAddresses();
  account = await world.createAccount({ type: 'eip155:eoa' }, '1');
  await connect(world, world.dapp, [account]);
});

const parseFields = (text: string): { name: string; type: string }[] =>
  text.split(',').map((each) => {
    const [type = '', name = ''] = each.trim().split(' ');
    return { name, type };
  });

async function sign(document: object): Promise<Hex> {
  return (await world.dapp.snap('eth_signTypedData_v4', [
    account.address,
    document as never,
  ])) as Hex;
}

async function usePermit(address: Address, args: readonly unknown[]): Promise<void> {
  const abi: Abi = address === token ? tokenAbi : permit2Abi;
  const call = { abi, address, functionName: 'permit', args, account: spender };
  const { status } = await world.node.writeContractSync(call);
  expect(status).toBe('success');
}

async function openPermissions(): Promise<Screen> {
  const page = await world.wallet.openHomePage();
  await page.click('home.frame.tab:permissions');
  return page;
}

const TITLE = textOf('signed.title');

it('lists an ERC-2612 permit until it is used', async () => {
  const value = 5_000_000n;
  const signature = await sign({
    types: {
      Permit: parseFields(
        'address owner, address spender, uint256 value, uint256 nonce, uint256 deadline',
      ),
    },
    primaryType: 'Permit',
    domain: {
      name: 'Test Dollar',
      version: '1',
      chainId: foundry.id,
      verifyingContract: token,
    },
    message: {
      owner: account.address,
      spender,
      value: `${value}`,
      nonce: 0,
      deadline: LATER,
    },
  });
  const { text } = await openPermissions();
  expect(text).toContain(TITLE);
  expect(text).toContain(textOf('signed.permit'));
  expect(text).not.toContain(textOf('signed.unknown'));
  const { r, s, yParity } = parseSignature(signature);
  await usePermit(token, [
    account.address,
    spender,
    value,
    BigInt(LATER),
    27 + yParity,
    r,
    s,
  ]);
  expect((await openPermissions()).text).not.toContain(TITLE);
});

const createPermitSingle = (nonce: number): { document: object; message: object } => {
  const details = { token, amount: '1000', expiration: LATER, nonce };
  const message = { details, spender, sigDeadline: LATER };
  return {
    message,
    document: {
      types: {
        PermitSingle: parseFields(
          'PermitDetails details, address spender, uint256 sigDeadline',
        ),
        PermitDetails: parseFields(
          'address token, uint160 amount, uint48 expiration, uint48 nonce',
        ),
      },
      primaryType: 'PermitSingle',
      domain: {
        name: 'Permit2',
        chainId: foundry.id,
        verifyingContract: verifiers.permit2,
      },
      message,
    },
  };
};

it('lists a Permit2 allowance until it is used or revoked', async () => {
  const first = createPermitSingle(0);
  const signature = await sign(first.document);
  expect((await openPermissions()).text).toContain(TITLE);
  await usePermit(verifiers.permit2, [account.address, first.message, signature]);
  expect((await openPermissions()).text).not.toContain(TITLE);

  const second = createPermitSingle(1);
  const unused = await sign(second.document);
  const page = await openPermissions();
  await page.click(
    `home.permissions.invalidate:${account.id} ${hashTypedData(second.document as never)}`,
  );
  expect(page.text).toContain(textOf('delegation.sent'));
  while (page.text.includes(TITLE)) await page.click('home.frame.refresh');
  await expect(
    usePermit(verifiers.permit2, [account.address, second.message, unused]),
  ).rejects.toThrow('reverted');
});

it("judges a rescue by the account's code, not by the receipt, and can repeat it", async () => {
  const privateKey = generatePrivateKey();
  const victim = await world.createAccount({ privateKey });
  const payer = await world.createAccount({ type: 'eip155:eoa' }, '1');
  await connect(world, world.companion, [payer, victim]);
  const { address } = victim;
  // Any call with data makes this code create a contract, which uses up an account nonce.
  const spoiler = createRecipient();
  await world.node.setCode({ address: spoiler, bytecode: '0x36600557005b5f5f5ff000' });
  const signer = privateKeyToAccount(privateKey);
  const delegation = { address: spoiler, chainId: foundry.id, nonce: 0 };
  const authorizationList = [await signer.signAuthorization(delegation)];
  await world.node.sendTransactionSync({
    account: spender,
    to: spender,
    authorizationList,
  });
  const rescue = async (): Promise<Hex> => {
    const params = [{ account: address, payer: payer.address, chainId: '0x7a69' }];
    const answer = await world.companion.snap('tollkeeper_revokeDelegation', params);
    return (answer as { hash: Hex }).hash;
  };
  const waitFor = async (hash: Hex): Promise<void> => {
    const { status } = await world.node.waitForTransactionReceipt({ hash });
    expect(status).toBe('success');
  };
  await world.node.setAutomine(false);
  const hash = await rescue();
  expect(world.wallet.user.dialogs.at(-1)?.text.toLowerCase()).toContain(spoiler);
  const first = await world.node.sendTransaction({
    account: spender,
    to: address,
    data: '0x01',
    gas: 100_000n,
    maxFeePerGas: parseGwei('200'),
    maxPriorityFeePerGas: parseGwei('100'),
  });
  await world.node.mine({ blocks: 1 });
  await world.node.setAutomine(true);
  for (const each of [first, hash]) await waitFor(each);
  expect(await world.node.getCode({ address })).toBeDefined();
  const page = await world.wallet.openHomePage();
  await page.click('home.frame.tab:accounts');
  await page.click(`home.accounts.show:${victim.id}`);
  while (!page.text.includes('but the account still delegates')) {
    await page.click('home.frame.refresh');
  }
  await waitFor(await rescue());
  expect(await world.node.getCode({ address })).toBeUndefined();
});

it('shows the outcome of each revocation, even if the node dies and the worker stops', async () => {
  const privateKey = generatePrivateKey();
  const { address, id } = await world.createAccount({ privateKey }, '5');
  const spenders = [1, 2, 3, 4].map((index) => padHex(`0xab000${index}`, { size: 20 }));
  for (const each of spenders) {
    const args = [each, maxUint256] as const;
    await world.node.writeContractSync({
      account: privateKeyToAccount(privateKey),
      address: token,
      abi: tokenAbi,
      functionName: 'approve',
      args,
    });
  }
  // Number of transactions that the relay forwards before it drops every connection.
  let remaining = Infinity;
  const relay = await serve((response, arrived) => {
    const { body } = arrived;
    if (body.includes('eth_sendRawTransaction')) remaining -= 1;
    if (remaining < 0) return void response.destroy();
    const headers = { 'Content-Type': 'application/json' };
    void fetch(world.stack.chain.url, { method: 'POST', headers, body }).then(
      async (answer) => answerText(await answer.text())(response, arrived),
    );
  });
  const servers = { rpcUrl: relay.url, gasBaseUrl: null };
  const keys = { apiKey: null, apiKeySecret: null };
  await world.companion.snap('tollkeeper_setChain', [
    { chainId: foundry.id, ...servers, ...keys },
  ]);
  const page = await openPermissions();
  await page.fill('home.permissions.account', id);
  const countListed = (): number =>
    page.text.split(textOf('permissions.allowance')).length - 1;
  const refresh = async (): Promise<void> => page.click('home.frame.refresh');
  while (countListed() !== 4) await refresh();
  await page.fill('home.permissions.all', true);
  const dialogs: string[] = [];
  const { user } = world.wallet;
  const { onDialog } = user;
  user.onDialog = async (dialog) => {
    dialogs.push(dialog.text);
    remaining = 2;
    await dialog.approve();
  };
  await page.click('home.permissions.revoke');
  user.onDialog = onDialog;
  expect(dialogs).toHaveLength(1);
  expect(dialogs[0]).toContain(textOf('act.verb.revoke'));
  expect(remaining).toBeLessThan(0);
  // Without the node, the page shows the allowances as unknown, not as revoked.
  await world.wallet.stopSnap();
  do await refresh();
  while (page.text.includes(textOf('permissions.logs.begun')));
  expect(page.text).toContain(textOf('permissions.unsent'));
  expect(page.text).toContain(textOf('permissions.logs.silent'));
  expect(page.text).toContain(textOf('permissions.unknown'));
  expect(page.text).not.toContain(textOf('permissions.none'));

  remaining = Infinity;
  await world.wallet.stopSnap();
  // The third revocation was signed and stored before the node died, so it is sent again. The
  // fourth was not.
  while (countListed() !== 1) await refresh();
  const allowances = await Promise.all(
    spenders.map(async (each) =>
      world.node.readContract({
        abi: tokenAbi,
        address: token,
        functionName: 'allowance',
        args: [address, each],
      }),
    ),
  );
  expect(allowances.filter(Boolean)).toHaveLength(1);
  expect(page.text).not.toContain(textOf('permissions.unknown'));
  expect(page.text).toContain(textOf('permissions.unsent'));
  await page.fill('home.permissions.all', true);
  await page.click('home.permissions.revoke');
  while (countListed() > 0) await refresh();
  expect(page.text).toContain(textOf('permissions.none'));
  expect(page.text).not.toContain(textOf('permissions.unsent'));
});
