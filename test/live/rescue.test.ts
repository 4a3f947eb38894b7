// Rescues on a real chain (EIP-7702). The accounts cannot pay fees, because they delegate to a
// contract that lets a bot empty them. Another account pays to revoke their delegations, while the
// bot sweeps them after every block. viem reads the chain.
import { concat, encodeFunctionData, parseEther, parseGwei } from 'viem';
import type { Address, Hex } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { foundry } from 'viem/chains';

import type { DemoAccount } from '../../dev/demo/world';
import { deployVerifiers, verifiers } from '../../dev/stack/verifiers';
import { setupSmartWorld } from '../support/smart-world';
import { compile } from '../support/solidity';
import type { Compiled } from '../support/solidity';

const RESCUES = 100;

/** Outbids all other transactions, for the first position in a block. */
const HIGHEST_FEES = {
  maxFeePerGas: parseGwei('200'),
  maxPriorityFeePerGas: parseGwei('100'),
};

const SOURCE = `
  // SPDX-License-Identifier: MIT
  pragma solidity ^0.8.28;
  import "@openzeppelin/contracts/token/ERC20/ERC20.sol";
  import "@openzeppelin/contracts/token/ERC721/ERC721.sol";
  import "@openzeppelin/contracts/token/ERC1155/ERC1155.sol";

  contract Coin is ERC20("Coin", "COIN") {
    function mint(address to, uint256 amount) external { _mint(to, amount); }
  }

  contract Art is ERC721("Art", "ART") {
    function mint(address to, uint256 id) external { _mint(to, id); }
  }

  contract Prints is ERC1155("") {
    function mint(address to, uint256 id, uint256 amount) external {
      _update(address(0), to, _ids(id), _ids(amount));
    }

    function _ids(uint256 id) private pure returns (uint256[] memory ids) {
      ids = new uint256[](1);
      ids[0] = id;
    }
  }

  /// The hostile delegate.
  contract Sweeper {
    address payable private immutable thief = payable(msg.sender);

    receive() external payable {}

    function sweep() external {
      if (address(this).balance > 0) thief.transfer(address(this).balance);
    }

    /// Uses up a nonce of the account.
    function spoil() external {
      new Nothing();
    }
  }

  contract Nothing {}

  /// Sweeps many accounts in one transaction.
  contract Bot {
    function sweep(Sweeper[] calldata victims) external {
      for (uint256 i = 0; i < victims.length; i++) {
        if (address(victims[i]).code.length > 0) victims[i].sweep();
      }
    }
  }
`;

const world = setupSmartWorld();
let contracts: Record<string, Compiled>;
let attacker: Address;
let donor: Address;
let sweeper: Address;
let bot: Address;

const encode = (contract: string, functionName: string, ...args: unknown[]): Hex =>
  encodeFunctionData({ abi: contracts[contract]?.abi ?? [], functionName, args });

async function send(fields: object): Promise<Hex> {
  return world.node.sendTransaction({ account: attacker, ...fields } as never);
}

async function deploy(name: string): Promise<Address> {
  const hash = await send({ data: contracts[name]?.bytecode });
  const { contractAddress } = await world.node.waitForTransactionReceipt({ hash });
  return contractAddress as Address;
}

beforeAll(async () => {
  await deployVerifiers(world.stack);
  contracts = await compile(SOURCE);
  [attacker = '0x', donor = '0x'] = await world.node.getAddresses();
  sweeper = await deploy('Sweeper');
  bot = await deploy('Bot');
});

async function createVictims(
  count: number,
): Promise<{ victims: DemoAccount[]; payer: DemoAccount }> {
  const victims: DemoAccount[] = [];
  const authorizationList: unknown[] = [];
  for (let index = 0; index < count; index += 1) {
    const privateKey = generatePrivateKey();
    victims.push(await world.createAccount({ type: 'eip155:eoa', privateKey }));
    authorizationList.push(
      await privateKeyToAccount(privateKey).signAuthorization({
        address: sweeper,
        chainId: foundry.id,
        nonce: 0,
      }),
    );
  }
  const hash = await send({ to: attacker, authorizationList });
  await world.node.waitForTransactionReceipt({ hash });
  for (const victim of victims) expect(await isDelegated(victim)).toBe(true);
  const payer = await world.createAccount({ type: 'eip155:eoa' }, '1');
  return { victims, payer };
}

async function createVictim(): Promise<{ victim: DemoAccount; payer: DemoAccount }> {
  const {
    victims: [victim],
    payer,
  } = await createVictims(1);
  if (!victim) throw new Error('There is no account.');
  return { victim, payer };
}

async function isDelegated({ address }: DemoAccount): Promise<boolean> {
  return (await world.node.getCode({ address })) !== undefined;
}

/** Rescues an account as the companion page does, waiting whenever its rate limit is reached. */
async function rescue(
  victim: DemoAccount,
  payer: DemoAccount,
  assets: { assets?: Record<string, string>[] } = {},
): Promise<Hex> {
  const { address: account } = victim;
  const params = [{ account, payer: payer.address, chainId: '0x7a69', ...assets }];
  for (;;) {
    try {
      const answer = await world.companion.snap('tollkeeper_revokeDelegation', params);
      return (answer as { hash: Hex }).hash;
    } catch (error) {
      const { code, data } = error as { code: number; data?: { retryAfter?: number } };
      if (code !== -32005) throw error;
      await sleep((data?.retryAfter ?? 1) * 1_000);
    }
  }
}

async function sleep(ms: number): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, ms));
}

/** Starts a bot that sweeps all accounts after every block, until it is stopped. */
function startBot(victims: readonly DemoAccount[]): {
  stop: () => Promise<{ sweeps: number }>;
} {
  let isStopped = false;
  let sweeps = 0;
  const run = async (): Promise<void> => {
    let last = 0n;
    while (!isStopped) {
      const block = await world.node.getBlockNumber({ cacheTime: 0 });
      if (block > last) {
        last = block;
        const data = encode(
          'Bot',
          'sweep',
          victims.map(({ address }) => address),
        );
        await send({ to: bot, data, gas: 10_000_000n, ...HIGHEST_FEES });
        sweeps += 1;
      }
      await sleep(20);
    }
  };
  const running = run();
  return {
    stop: async () => {
      isStopped = true;
      await running;
      return { sweeps };
    },
  };
}

async function withBlocks<Result>(run: () => Promise<Result>): Promise<Result> {
  await world.node.setIntervalMining({ interval: 1 });
  try {
    return await run();
  } finally {
    await world.node.setIntervalMining({ interval: 0 });
    await world.node.setAutomine(true);
  }
}

async function read(
  [contract, address]: [name: string, address: Address],
  functionName: string,
  ...args: unknown[]
): Promise<unknown> {
  const { abi = [] } = contracts[contract] ?? {};
  return world.node.readContract({ address, abi, functionName, args });
}

async function waitFor(hash: Hex): Promise<void> {
  const { status } = await world.node.waitForTransactionReceipt({ hash });
  expect(status).toBe('success');
}

it('moves tokens in the transaction that removes the hostile delegation', async () => {
  const { victim, payer } = await createVictim();
  const { address } = victim;
  const [coin, art, prints] = [
    await deploy('Coin'),
    await deploy('Art'),
    await deploy('Prints'),
  ];
  const mint = async (
    to: Address,
    contract: string,
    ...args: bigint[]
  ): Promise<void> =>
    waitFor(await send({ to, data: encode(contract, 'mint', address, ...args) }));
  await mint(coin, 'Coin', 700n);
  await mint(art, 'Art', 7n);
  await mint(prints, 'Prints', 3n, 9n);
  const hash = await rescue(victim, payer, {
    assets: [
      { token: coin },
      { token: art, id: '0x7' },
      { token: prints, id: '0x3', amount: '0x4' },
    ],
  });
  await waitFor(hash);
  expect(await read(['Coin', coin], 'balanceOf', payer.address)).toBe(700n);
  expect(String(await read(['Art', art], 'ownerOf', 7n)).toLowerCase()).toBe(
    payer.address,
  );
  expect(await read(['Prints', prints], 'balanceOf', payer.address, 3n)).toBe(4n);
  expect(await read(['Prints', prints], 'balanceOf', address, 3n)).toBe(5n);
  // The account now delegates to a contract that obeys only the account's key.
  const code = await world.node.getCode({ address });
  const offered = Object.values(verifiers.simple7702).map((each) =>
    concat(['0xef0100', each]).toLowerCase(),
  );
  expect(offered).toContain(code);
  await waitFor(await rescue(victim, payer));
  expect(await isDelegated(victim)).toBe(false);
});

it('costs only the fee if the chain skips the authorization', async () => {
  const { victim, payer } = await createVictim();
  const { address } = victim;
  const coin = await deploy('Coin');
  await waitFor(await send({ to: coin, data: encode('Coin', 'mint', address, 700n) }));
  const assets = { assets: [{ token: coin }] };
  await world.node.setAutomine(false);
  const hash = await rescue(victim, payer, assets);
  const data = encode('Sweeper', 'spoil');
  const spoiling = await send({ to: address, data, gas: 100_000n, ...HIGHEST_FEES });
  await world.node.mine({ blocks: 1 });
  await world.node.setAutomine(true);
  await waitFor(spoiling);
  const { status } = await world.node.waitForTransactionReceipt({ hash });
  expect(status).toBe('reverted');
  expect(await read(['Coin', coin], 'balanceOf', address)).toBe(700n);
  await waitFor(await rescue(victim, payer, assets));
  expect(await read(['Coin', coin], 'balanceOf', payer.address)).toBe(700n);
});

it(`rescues all ${RESCUES} accounts that a bot empties after every block`, async () => {
  const { victims, payer } = await createVictims(RESCUES);
  const swept = new Set<Address>();
  const { sweeps } = await withBlocks(async () => {
    const running = startBot(victims);
    const hashes: Hex[] = [];
    for (const [index, victim] of victims.entries()) {
      // Accounts sometimes receive ether, which the bot takes.
      const other = victims[index + Math.floor(Math.random() * (RESCUES - index))];
      if (other && Math.random() < 0.3) {
        const value = parseEther('0.001');
        await send({ account: donor, to: other.address, value });
        swept.add(other.address);
      }
      hashes.push(await rescue(victim, payer));
    }
    await Promise.all(hashes.map(waitFor));
    return running.stop();
  });
  const delegated = await Promise.all(victims.map(isDelegated));
  expect(delegated).toStrictEqual(victims.map(() => false));
  expect(sweeps).toBeGreaterThan(5);
  expect(swept.size).toBeGreaterThan(0);
  // A rescued account keeps new payments.
  const [first] = victims as [DemoAccount];
  const before = await world.node.getBalance(first);
  await waitFor(await send({ to: first.address, value: 5n }));
  await waitFor(await send({ to: bot, data: encode('Bot', 'sweep', [first.address]) }));
  expect(await world.node.getBalance(first)).toBe(before + 5n);
}, 300_000);
