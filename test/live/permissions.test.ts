// Permissions on a real chain, with real contracts: tokens, collections of NFTs, Permit2 and a Safe.
// What others may do is found, revoked in few batches, and read again with viem; and the page stays
// truthful when its node dies half way, and when the worker stops.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout } from 'node:timers/promises';

import type { Json } from '@metamask/utils';
import {
  createTestClient,
  encodeFunctionData,
  http,
  maxUint256,
  padHex,
  parseAbi,
  publicActions,
  walletActions,
} from 'viem';
import type { Abi, Address, Hex } from 'viem';
import { foundry } from 'viem/chains';

import { connect, createAccount } from '../../dev/demo/world';
import type { DemoAccount, SnapSite } from '../../dev/demo/world';
import { deployVerifiers, verifiers } from '../../dev/stack/verifiers';
import { setupSmartWorld } from '../support/smart-world';
import { compile } from '../support/solidity';
import { textOf } from '../support/view';

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

/** A relay to the chain that can die. */
let relay: { url: string; isDead: () => boolean; kill: (after: number) => void };

const chain = (): ReturnType<typeof createChain> => createChain(world.stack.chain.url);

function createChain(url: string) {
  return createTestClient({ mode: 'anvil', chain: foundry, transport: http(url) })
    .extend(publicActions)
    .extend(walletActions);
}

let close: () => void;

beforeAll(async () => {
  await deployVerifiers(world.stack);
  const [payer] = await chain().getAddresses();
  if (!payer) throw new Error('The chain has no account.');
  const contracts = await compile(SOURCE);
  const deploy = async (name: string): Promise<Address> => {
    const { bytecode: data = '0x' } = contracts[name] ?? {};
    const { contractAddress } = await chain().sendTransactionSync({
      account: payer,
      data,
    });
    return contractAddress as Address;
  };
  coin = await deploy('Coin');
  art = await deploy('Art');
  guard = await deploy('Guard');
  ({ relay, close } = await startRelay(world.stack.chain.url));
  await configure(relay.url);
});

afterAll(() => close?.());

async function configure(rpcUrl: string): Promise<void> {
  const { bundler } = world.stack;
  const keys = { apiKey: null, apiKeySecret: null };
  const servers = { rpcUrl, gasBaseUrl: null, bundlerUrl: bundler.url };
  const row = { chainId: CHAIN, ...servers, ...keys };
  await world.companion.snap('tollkeeper_setChain', [row]);
}

/** Starts a relay; once it is killed, it lets so many transactions through, and then nothing. */
async function startRelay(
  url: string,
): Promise<{ relay: typeof relay; close: () => void }> {
  let left = Infinity;
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const body = Buffer.concat(parts).toString();
      if (body.includes('eth_sendRawTransaction')) left -= 1;
      if (left < 0) {
        request.socket.destroy();
        return;
      }
      const headers = { 'Content-Type': 'application/json' };
      void fetch(url, { method: 'POST', headers, body }).then(async (answer) => {
        response.writeHead(answer.status, headers);
        response.end(await answer.text());
      });
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    relay: {
      url: `http://127.0.0.1:${port}`,
      isDead: () => left < 0,
      kill: (after) => (left = after),
    },
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** Makes calls as an account, without the snap. */
async function act(
  account: Address,
  calls: readonly { to: Address; data: Hex }[],
): Promise<void> {
  const client = chain();
  await client.impersonateAccount({ address: account });
  for (const call of calls) {
    const { status } = await client.sendTransactionSync({ account, ...call });
    expect(status).toBe('success');
  }
  await client.stopImpersonatingAccount({ address: account });
}

const call = (to: Address, functionName: string, args: readonly unknown[]) => ({
  to,
  data: encodeFunctionData<Abi>({ abi, functionName, args }),
});

const allow = (spender: Address, amount: bigint) =>
  call(coin, 'approve', [spender, amount]);

/** Waits until something is so; the test's own time limit ends it. */
async function until(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) await setTimeout(300);
}

async function createOrdinary(): Promise<{ account: DemoAccount; site: SnapSite }> {
  const account = await createAccount(world, { type: 'eip155:eoa' });
  await world.stack.fund(account.address, '5');
  await connect(world, world.companion, [account]);
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
  let answer = { status: 100, atomic: false, receipts: [] as Json[] };
  await until(async () => {
    answer = (await site.snap('wallet_getCallsStatus', [id])) as typeof answer;
    return answer.status !== 100;
  });
  expect(answer.status).toBe(200);
  return { atomic: answer.atomic, receipts: answer.receipts.length };
}

it('revokes 200 approvals in two batches, and nothing else', async () => {
  const { account, site } = await createOrdinary();
  const { address } = account;
  const ids = Array.from({ length: 10 }, (_each, index) => BigInt(1_000 + index));
  await act(address, [
    call(coin, 'mint', [address, 1_000n]),
    ...ids.map((id) => call(art, 'mint', [address, id])),
    ...Array.from({ length: 160 }, (_each, index) =>
      allow(spenderOf(index), index % 2 === 0 ? maxUint256 : BigInt(index)),
    ),
    ...Array.from({ length: 20 }, (_each, index) => ({
      to: verifiers.permit2,
      data: encodeFunctionData({
        ...{ abi: permit2, functionName: 'approve' },
        args: [coin, spenderOf(index), 500n, NEVER],
      }),
    })),
    ...Array.from({ length: 10 }, (_each, index) =>
      call(art, 'setApprovalForAll', [spenderOf(index), true]),
    ),
    ...ids.map((id, index) => call(art, 'approve', [spenderOf(index), id])),
    // What was taken back is none.
    allow(spenderOf(900), 7n),
    allow(spenderOf(900), 0n),
  ]);
  const params = [{ account: address, chainId: CHAIN }];
  await world.companion.snap('tollkeeper_delegate', params);
  await until(async () => {
    const [newest] = (await world.companion.snap('tollkeeper_getActivity')) as {
      status: string;
    }[];
    return newest?.status === 'included';
  });

  const before = await find(site, account);
  expect(before.logs).toMatchObject({ status: 'complete', fromBlock: '0x0' });
  const [delegation, ...ofAssets] = before.permissions;
  expect(delegation).toMatchObject({ kind: 'delegation' });
  const countOf = (wanted: string): number =>
    ofAssets.filter(({ kind }) => kind === wanted).length;
  expect(['allowance', 'permit2', 'operator', 'nft'].map(countOf)).toStrictEqual([
    160, 20, 10, 10,
  ]);
  // Unlimited ones come first, and the balance says what is at risk.
  const unlimited = ofAssets.map(({ isUnlimited }) => isUnlimited);
  expect(unlimited).toStrictEqual([...unlimited].sort().reverse());
  expect(ofAssets[0]).toMatchObject({ isKnown: true });

  const [first, second, kept] = [
    ofAssets.slice(0, 100),
    ofAssets.slice(100, 199),
    ofAssets.slice(199),
  ];
  for (const batch of [first, second]) {
    // A site may have 120 calls signed in ten seconds.
    const another = await world.visit(account);
    expect(await revoke(another, account, batch)).toStrictEqual({
      ...{ atomic: true, receipts: 1 },
    });
  }
  const after = await find(site, account);
  expect(after.permissions).toMatchObject([delegation ?? {}, ...kept]);
  expect(after.permissions).toHaveLength(2);

  // viem reads the same.
  const client = chain();
  const left = await Promise.all([
    ...Array.from({ length: 160 }, async (_each, index) =>
      client.readContract({
        ...{ abi, address: coin, functionName: 'allowance' },
        args: [address, spenderOf(index)],
      }),
    ),
    ...Array.from({ length: 20 }, async (_each, index) => {
      const [amount] = await client.readContract({
        ...{ abi: permit2, address: verifiers.permit2, functionName: 'allowance' },
        args: [address, coin, spenderOf(index)],
      });
      return amount;
    }),
    ...Array.from({ length: 10 }, async (_each, index) =>
      client.readContract({
        ...{ abi, address: art, functionName: 'isApprovedForAll' },
        args: [address, spenderOf(index)],
      }),
    ),
    ...ids.map(async (id) =>
      BigInt(
        await client.readContract({
          ...{ abi, address: art, functionName: 'getApproved' },
          args: [id],
        }),
      ),
    ),
  ]);
  expect(left.filter(Boolean)).toHaveLength(1);
  const gone = revoke(site, account, first.slice(0, 1));
  await expect(gone).rejects.toThrow('is revoked already');
});

it("revokes a Safe's modules and guard, and leaves it able to act", async () => {
  const safe = await createAccount(world, {
    ...{ type: 'eip155:erc4337', implementation: 'safe' },
    scopes: ['eip155:31337'],
  });
  await world.stack.fund(safe.address, '1');
  const site = await world.visit(safe);
  expect(await find(site, safe)).toMatchObject({ permissions: [] });
  const modules = [spenderOf(1), spenderOf(2)];
  const calls = [
    ...modules.map((module) => call(safe.address, 'enableModule', [module])),
    call(safe.address, 'setGuard', [guard]),
    allow(spenderOf(3), maxUint256),
  ];
  const batch = { version: '2.0.0', chainId: CHAIN, from: safe.address };
  await site.snap('wallet_sendCalls', [
    { ...batch, atomicRequired: true, calls: calls.map((each) => ({ ...each })) },
  ]);
  await until(async () => {
    const code = await chain().getCode({ address: safe.address });
    return code !== undefined;
  });
  const { permissions: found } = await find(site, safe);
  const kinds = found.map(({ kind }) => kind).sort();
  expect(kinds).toStrictEqual(['allowance', 'guard', 'module', 'module']);
  expect(await revoke(site, safe, found)).toStrictEqual({ atomic: true, receipts: 1 });
  const [left] = await chain().readContract({
    ...{ abi, address: safe.address, functionName: 'getModulesPaginated' },
    args: ['0x0000000000000000000000000000000000000001', 10n],
  });
  expect(left).toStrictEqual([verifiers.safe.module4337]);
  expect(await find(site, safe)).toMatchObject({ permissions: [] });
});

it('shows what became of each, though the node dies half way and the worker stops', async () => {
  const { account } = await createOrdinary();
  const { address, id } = account;
  await act(address, [
    call(coin, 'mint', [address, 1_000n]),
    ...[1, 2, 3, 4].map((index) => allow(spenderOf(index), maxUint256)),
  ]);
  const page = await world.wallet.openHomePage();
  await page.click('home.frame.tab:permissions');
  await page.fill('home.permissions.account', id);
  const countListed = (): number =>
    page.text.split(textOf('permissions.allowance')).length - 1;
  const refresh = async (): Promise<void> => page.click('home.frame.refresh');
  expect(countListed()).toBe(4);
  await page.fill('home.permissions.all', true);
  const dialogs: string[] = [];
  const { user } = world.wallet;
  const { onDialog } = user;
  user.onDialog = async (dialog) => {
    dialogs.push(dialog.text);
    relay.kill(2);
    await dialog.approve();
  };
  await page.click('home.permissions.revoke');
  user.onDialog = onDialog;
  expect(dialogs).toHaveLength(1);
  expect(dialogs[0]).toContain(textOf('act.verb.revoke'));
  expect(relay.isDead()).toBe(true);
  // What cannot be asked is not known, and not gone.
  await world.wallet.stopSnap();
  await refresh();
  expect(page.text).toContain(textOf('permissions.unsent'));
  expect(page.text).toContain(textOf('permissions.logs.silent'));
  expect(page.text).toContain(textOf('permissions.unknown'));
  expect(page.text).not.toContain(textOf('permissions.none'));

  relay.kill(Infinity);
  await world.wallet.stopSnap();
  // The third was signed and noted before the node died: it is sent again. The fourth was not.
  await until(async () => {
    await refresh();
    return countListed() === 1;
  });
  const left = await Promise.all(
    [1, 2, 3, 4].map(async (index) =>
      chain().readContract({
        ...{ abi, address: coin, functionName: 'allowance' },
        args: [address, spenderOf(index)],
      }),
    ),
  );
  expect(left.filter(Boolean)).toHaveLength(1);
  expect(page.text).not.toContain(textOf('permissions.unknown'));
  expect(page.text).toContain(textOf('permissions.unsent'));
  await page.fill('home.permissions.all', true);
  await page.click('home.permissions.revoke');
  await until(async () => {
    await refresh();
    return countListed() === 0;
  });
  expect(page.text).toContain(textOf('permissions.none'));
  expect(page.text).not.toContain(textOf('permissions.unsent'));
});
