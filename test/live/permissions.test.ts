// Permissions on a real chain with real contracts: tokens, NFT collections, Permit2 and a Safe. The
// snap finds and revokes them in few batches, and viem checks the result.
import type { Json } from '@metamask/utils';
import { encodeFunctionData, maxUint256, padHex, parseAbi } from 'viem';
import type { Abi, Address, Hash, Hex } from 'viem';

import type { DemoAccount, SnapSite } from '../../dev/demo/world';
import { deployVerifiers, verifiers } from '../../dev/stack/verifiers';
import { poll, sendCalls, waitForBatch } from '../fixtures/stack/requests';
import { setupSmartWorld } from '../support/smart-world';
import { compile } from '../support/solidity';

type Found = {
  permissions: ({ kind: string } & Record<string, Json>)[];
  logs: { status: string; fromBlock?: string };
};

const SOURCE = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;
import "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import "@openzeppelin/contracts/token/ERC721/ERC721.sol";

contract Coin is ERC20("Coin", "COIN") {
    function mint(address to, uint256 amount) external { _mint(to, amount); }
}

contract Art is ERC721("Art", "ART") {
    function mint(address to, uint256 id) external { _mint(to, id); }
}

contract Guard {
    function supportsInterface(bytes4) external pure returns (bool) { return true; }
    function checkTransaction(
        address, uint256, bytes memory, uint8, uint256, uint256, uint256, address,
        address payable, bytes memory, address
    ) external {}
    function checkAfterExecution(bytes32, bool) external {}
}`;

const abi = parseAbi([
  'function mint(address to, uint256 amount)',
  'function approve(address spender, uint256 amount)',
  'function allowance(address owner, address spender) view returns (uint256)',
  'function setApprovalForAll(address operator, bool approved)',
  'function isApprovedForAll(address owner, address operator) view returns (bool)',
  'function getApproved(uint256 id) view returns (address)',
  'function enableModule(address module)',
  'function setGuard(address guard)',
  'function getModulesPaginated(address start, uint256 size) view returns (address[], address)',
]);

const permit2 = parseAbi([
  'function approve(address token, address spender, uint160 amount, uint48 expiration)',
  'function allowance(address owner, address token, address spender) view returns (uint160, uint48, uint48)',
]);

const CHAIN = '0x7a69';

const NEVER = 281_474_976_710_655;

const world = setupSmartWorld();

const spenderOf = (index: number): Address =>
  padHex(`0x${(0xab_0000 + index).toString(16)}`, { size: 20 });

let coin: Address;
let art: Address;
let guard: Address;

beforeAll(async () => {
  await deployVerifiers(world.stack);
  const [payer] = await world.node.getAddresses();
  if (!payer) throw new Error('The chain has no account.');
  const contracts = await compile(SOURCE);
  const deploy = async (name: string): Promise<Address> => {
    const { bytecode: data = '0x' } = contracts[name] ?? {};
    const { contractAddress } = await world.node.sendTransactionSync({
      account: payer,
      data,
    });
    return contractAddress as Address;
  };
  coin = await deploy('Coin');
  art = await deploy('Art');
  guard = await deploy('Guard');
});

/** Sends calls as an account, without the snap. */
async function sendAs(
  account: Address,
  calls: readonly { to: Address; data: Hex }[],
): Promise<void> {
  const { node } = world;
  await node.impersonateAccount({ address: account });
  for (const call of calls) {
    const { status } = await node.sendTransactionSync({ account, ...call });
    expect(status).toBe('success');
  }
  await node.stopImpersonatingAccount({ address: account });
}

const call = (to: Address, functionName: string, args: readonly unknown[]) => ({
  to,
  data: encodeFunctionData<Abi>({ abi, functionName, args }),
});

const allow = (spender: Address, amount: bigint) =>
  call(coin, 'approve', [spender, amount]);

async function createEoa(): Promise<{ account: DemoAccount; site: SnapSite }> {
  const account = await world.createAccount({ type: 'eip155:eoa' }, '5');
  return { account, site: await world.visit(account) };
}

async function find(site: SnapSite, account: DemoAccount): Promise<Found> {
  const params = [{ account: account.address, chainId: CHAIN }];
  return (await site.snap('tollkeeper_getPermissions', params)) as unknown as Found;
}

async function revoke(
  site: SnapSite,
  account: DemoAccount,
  permissions: Json[],
): Promise<{ atomic: boolean; receipts: number }> {
  const params = [{ account: account.address, chainId: CHAIN, permissions }];
  const { id } = (await site.snap('tollkeeper_revoke', params)) as { id: string };
  const { status, atomic, receipts } = await waitForBatch(site, id);
  expect(status).toBe(200);
  return { atomic, receipts: receipts.length };
}

it('revokes 199 of 200 approvals in two batches, and nothing else', async () => {
  const { account, site } = await createEoa();
  const { address } = account;
  const ids = Array.from({ length: 10 }, (_each, index) => BigInt(1_000 + index));
  await sendAs(address, [
    call(coin, 'mint', [address, 1_000n]),
    ...ids.map((id) => call(art, 'mint', [address, id])),
    ...Array.from({ length: 160 }, (_each, index) =>
      allow(spenderOf(index), index % 2 === 0 ? maxUint256 : BigInt(index)),
    ),
    ...Array.from({ length: 20 }, (_each, index) => ({
      to: verifiers.permit2,
      data: encodeFunctionData({
        abi: permit2,
        functionName: 'approve',
        args: [coin, spenderOf(index), 500n, NEVER],
      }),
    })),
    ...Array.from({ length: 10 }, (_each, index) =>
      call(art, 'setApprovalForAll', [spenderOf(index), true]),
    ),
    ...ids.map((id, index) => call(art, 'approve', [spenderOf(index), id])),
    // An approval that is already revoked.
    allow(spenderOf(900), 7n),
    allow(spenderOf(900), 0n),
  ]);
  const params = [{ account: address, chainId: CHAIN }];
  const sent = await world.companion.snap('tollkeeper_delegate', params);
  const { hash } = sent as { hash: Hash };
  await poll(async () => world.companion.snap('eth_getTransactionReceipt', [hash]));

  const before = await find(site, account);
  expect(before.logs).toMatchObject({ status: 'complete', fromBlock: '0x0' });
  const [delegation, ...assetPermissions] = before.permissions;
  expect(delegation).toMatchObject({ kind: 'delegation' });
  const countKind = (counted: string): number =>
    assetPermissions.filter(({ kind }) => kind === counted).length;
  expect(['allowance', 'permit2', 'operator', 'nft'].map(countKind)).toStrictEqual([
    160, 20, 10, 10,
  ]);
  // Unlimited allowances come first.
  const unlimited = assetPermissions.map(({ isUnlimited }) => isUnlimited);
  expect(unlimited).toStrictEqual([...unlimited].sort().reverse());
  expect(assetPermissions[0]).toMatchObject({ isKnown: true });

  const [first, second, kept] = [
    assetPermissions.slice(0, 100),
    assetPermissions.slice(100, 199),
    assetPermissions.slice(199),
  ];
  for (const batch of [first, second]) {
    // Each site may request signatures for only 120 calls in ten seconds.
    const another = await world.visit(account);
    expect(await revoke(another, account, batch)).toStrictEqual({
      atomic: true,
      receipts: 1,
    });
  }
  const after = await find(site, account);
  expect(after.permissions).toMatchObject([delegation ?? {}, ...kept]);
  expect(after.permissions).toHaveLength(2);

  // viem finds only the kept permission on the chain.
  const remaining = await Promise.all([
    ...Array.from({ length: 160 }, async (_each, index) =>
      world.node.readContract({
        abi,
        address: coin,
        functionName: 'allowance',
        args: [address, spenderOf(index)],
      }),
    ),
    ...Array.from({ length: 20 }, async (_each, index) => {
      const [amount] = await world.node.readContract({
        abi: permit2,
        address: verifiers.permit2,
        functionName: 'allowance',
        args: [address, coin, spenderOf(index)],
      });
      return amount;
    }),
    ...Array.from({ length: 10 }, async (_each, index) =>
      world.node.readContract({
        abi,
        address: art,
        functionName: 'isApprovedForAll',
        args: [address, spenderOf(index)],
      }),
    ),
    ...ids.map(async (id) =>
      BigInt(
        await world.node.readContract({
          abi,
          address: art,
          functionName: 'getApproved',
          args: [id],
        }),
      ),
    ),
  ]);
  expect(remaining.filter(Boolean)).toHaveLength(1);
  const repeated = revoke(site, account, first.slice(0, 1));
  await expect(repeated).rejects.toThrow('is already revoked');
});

it("revokes a Safe's allowance, guard and modules, except the one that it needs", async () => {
  const type = 'eip155:erc4337';
  const scopes = ['eip155:31337'];
  const safe = await world.createAccount({ type, implementation: 'safe', scopes }, '1');
  const site = await world.visit(safe);
  expect(await find(site, safe)).toMatchObject({ permissions: [] });
  const modules = [spenderOf(1), spenderOf(2)];
  const calls = [
    ...modules.map((module) => call(safe.address, 'enableModule', [module])),
    call(safe.address, 'setGuard', [guard]),
    allow(spenderOf(3), maxUint256),
  ];
  await sendCalls(site, { from: safe.address, calls, atomicRequired: true });
  await poll(async () => world.node.getCode({ address: safe.address }));
  const { permissions: found } = await find(site, safe);
  const kinds = found.map(({ kind }) => kind).sort();
  expect(kinds).toStrictEqual(['allowance', 'guard', 'module', 'module']);
  expect(await revoke(site, safe, found)).toStrictEqual({ atomic: true, receipts: 1 });
  const [remaining] = await world.node.readContract({
    abi,
    address: safe.address,
    functionName: 'getModulesPaginated',
    args: ['0x0000000000000000000000000000000000000001', 10n],
  });
  expect(remaining).toStrictEqual([verifiers.safe.module4337]);
  expect(await find(site, safe)).toMatchObject({ permissions: [] });
});
