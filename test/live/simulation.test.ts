// Outcomes that dialogs show, simulated by a real node: OpenZeppelin's tokens, a shop that can
// revert, batches and user operations. The real outcomes must be the same.
import { encodeFunctionData, parseEther } from 'viem';
import type { Address, Hex } from 'viem';

import type { DemoAccount, SnapSite } from '../../dev/demo/world';
import { sendCalls, waitFor } from '../fixtures/stack/requests';
import { setupSmartWorld } from '../support/smart-world';
import { compile } from '../support/solidity';
import type { Compiled } from '../support/solidity';
import { textOf } from '../support/view';

const SOURCE = `
pragma solidity ^0.8.20;
import "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import "@openzeppelin/contracts/token/ERC721/ERC721.sol";
import "@openzeppelin/contracts/token/ERC1155/ERC1155.sol";
contract Pear is ERC20("Pear", "PEAR") {
  function decimals() public pure override returns (uint8) { return 2; }
  function mint(address to, uint256 amount) external { _mint(to, amount); }
}
contract Apple is ERC721("Apple", "APPLE") {
  function mint(address to, uint256 id) external { _mint(to, id); }
}
contract Seed is ERC1155("") {
  function mint(address to, uint256 id, uint256 amount) external { _mint(to, id, amount, ""); }
}
contract Shop {
  constructor() payable {}
  function sell(ERC20 token, uint256 amount) external {
    token.transferFrom(msg.sender, address(this), amount);
    payable(msg.sender).transfer(0.07 ether);
  }
  function close() external pure { revert("sold out"); }
}
contract Multicall {
  struct Call { address target; bool mayFail; bytes data; }
  struct Result { bool isDone; bytes data; }
  function aggregate3(Call[] calldata calls) external returns (Result[] memory results) {
    results = new Result[](calls.length);
    for (uint256 i = 0; i < calls.length; i++) {
      (results[i].isDone, results[i].data) = calls[i].target.call(calls[i].data);
    }
  }
}
`;

const MULTICALL = '0xcA11bde05977b3631167028862bE2a173976CA11';

const FRIEND: Address = '0x000000000000000000000000000000000000f00d';

const world = setupSmartWorld();

let contracts: Record<string, Compiled>;
let tokens: Record<'Pear' | 'Apple' | 'Seed' | 'Shop', Address>;
let owner: DemoAccount;
let smart: DemoAccount;
let site: SnapSite;
let smartSite: SnapSite;

const encode = (contract: string, functionName: string, ...args: unknown[]): Hex =>
  encodeFunctionData({ abi: contracts[contract]?.abi ?? [], functionName, args });

beforeAll(async () => {
  contracts = await compile(SOURCE);
  const { node } = world;
  const [account = FRIEND] = await node.getAddresses();
  const send = async (fields: object): Promise<Address | null | undefined> => {
    const receipt = await node.sendTransactionSync({ account, ...fields } as never);
    expect(receipt.status).toBe('success');
    return receipt.contractAddress;
  };
  const deploy = async (name: string, value = 0n): Promise<Address> =>
    (await send({ data: contracts[name]?.bytecode, value })) as Address;
  tokens = {
    Pear: await deploy('Pear'),
    Apple: await deploy('Apple'),
    Seed: await deploy('Seed'),
    Shop: await deploy('Shop', parseEther('1')),
  };
  const bytecode = contracts.Multicall?.runtime ?? '0x';
  await node.setCode({ address: MULTICALL, bytecode });
  owner = await world.createAccount({ type: 'eip155:eoa' }, '1');
  smart = await world.createSmart('0.7', '1');
  for (const { address } of [owner, smart]) {
    await send({ to: tokens.Pear, data: encode('Pear', 'mint', address, 100_000n) });
  }
  await send({ to: tokens.Apple, data: encode('Apple', 'mint', owner.address, 4711n) });
  await send({ to: tokens.Apple, data: encode('Apple', 'mint', smart.address, 12n) });
  await send({ to: tokens.Seed, data: encode('Seed', 'mint', owner.address, 3n, 50n) });
  site = await world.visit(owner);
  smartSite = await world.visit(smart);
});

/** Sends a request, approves or rejects it, and returns the dialog's text. */
async function review(
  request: () => Promise<unknown>,
  isApproved = true,
): Promise<string> {
  const { tollkeeper } = world;
  tollkeeper.decide = isApproved ? 'approve' : 'reject';
  const answer = request();
  await (isApproved ? answer : expect(answer).rejects.toThrow('refused'));
  return tollkeeper.reviews.at(-1)?.text ?? '';
}

const send = async (fields: object): Promise<unknown> =>
  site.snap('eth_sendTransaction', [{ from: owner.address, ...fields }]);

const sends = (what: string): string => `${textOf('changes.send')}: ${what}`;

const receives = (what: string): string => `${textOf('changes.receive')}: ${what}`;

describe('a transaction', () => {
  it('is simulated if it sends ether', async () => {
    const text = await review(async () =>
      send({ to: FRIEND, value: '0x2386f26fc10000' }),
    );
    // The title shows the only change.
    expect(text).toMatch(/^Send 0\.01 ETH\n/u);
    expect(text).not.toContain(textOf('changes.title'));
    expect(await world.node.getBalance({ address: FRIEND })).toBe(parseEther('0.01'));
  });

  it("is simulated if it sends tokens, with the contract's decimals", async () => {
    const data = encode('Pear', 'transfer', FRIEND, 2_550n);
    const text = await review(async () => send({ to: tokens.Pear, data }));
    expect(text).toContain(sends('25.5 PEAR'));
    expect(text).toContain(textOf('token.unverified'));
  });

  it.each<['Apple' | 'Seed', string, unknown[], string]>([
    ['Apple', 'transferFrom', [FRIEND, 4711n], 'NFT #4711'],
    ['Seed', 'safeTransferFrom', [FRIEND, 3n, 20n, '0x'], '20 × NFT #3'],
    ['Seed', 'safeBatchTransferFrom', [FRIEND, [3n], [7n], '0x'], '7 × NFT #3'],
  ])(
    'is simulated if it sends an NFT of %s with %s',
    async (name, method, ...[args, text]) => {
      const data = encode(name, method, owner.address, ...args);
      expect(await review(async () => send({ to: tokens[name], data }))).toContain(
        sends(text),
      );
    },
  );

  it('is simulated if it grants an allowance', async () => {
    const data = encode('Pear', 'approve', tokens.Shop, 5_000n);
    const text = await review(async () => send({ to: tokens.Pear, data }));
    expect(text).toContain(`${textOf('changes.approve')}: 50 PEAR`);
    expect(text).toContain(`${textOf('changes.balance')}: `);
    const all = encode('Apple', 'setApprovalForAll', tokens.Shop, true);
    const shown = await review(
      async () => send({ to: tokens.Apple, data: all }),
      false,
    );
    expect(shown).toContain(
      `${textOf('changes.approve')}: ${textOf('changes.allNfts')}`,
    );
  });

  it('is simulated if a contract pays the sender in return', async () => {
    const data = encode('Shop', 'sell', tokens.Pear, 5_000n);
    const before = await world.node.getBalance({ address: tokens.Shop });
    const text = await review(async () => send({ to: tokens.Shop, data }));
    expect(text).toContain(receives('0.07 ETH'));
    expect(text).toContain(sends('50 PEAR'));
    const after = await world.node.getBalance({ address: tokens.Shop });
    expect(before - after).toBe(parseEther('0.07'));
  });

  it('has its failure reported only once if the site sets the gas limit', async () => {
    const data = encode('Shop', 'close');
    const fields = { to: tokens.Shop, data, gas: '0x186a0' };
    const text = await review(async () => send(fields), false);
    expect(text.split('sold out')).toHaveLength(2);
    expect(text).toContain(textOf('changes.failing'));
  });

  it('is not simulated if the balance is too low', async () => {
    const fields = { to: FRIEND, value: '0x8ac7230489e80000' };
    const text = await review(async () => send(fields), false);
    expect(text).toContain(`${textOf('changes.title')}: ${textOf('changes.unknown')}`);
  });
});

describe('a batch', () => {
  const calls = (): object[] => [
    { to: tokens.Pear, data: encode('Pear', 'approve', tokens.Shop, 10_000n) },
    { to: tokens.Shop, data: encode('Shop', 'sell', tokens.Pear, 10_000n) },
  ];

  const sendFrom = async ({ address }: DemoAccount, dapp: SnapSite) =>
    sendCalls(dapp, { from: address, calls: calls() });

  it('is simulated in order for an ordinary account', async () => {
    const text = await review(async () => sendFrom(owner, site), false);
    expect(text).toContain(receives('0.07 ETH'));
    expect(text).toContain(sends('100 PEAR'));
  });

  it("is simulated together with an undeployed smart account's deployment", async () => {
    expect(await world.node.getCode({ address: smart.address })).toBeUndefined();
    const text = await review(async () => sendFrom(smart, smartSite));
    expect(text).toContain(receives('0.07 ETH'));
    expect(text).toContain(sends('100 PEAR'));
    await waitFor(async () => world.node.getCode({ address: smart.address }));
  });

  it('is simulated for a deployed smart account', async () => {
    const text = await review(async () => sendFrom(smart, smartSite), false);
    expect(text).toContain(receives('0.07 ETH'));
  });
});

describe('a user operation', () => {
  it('is simulated if it sends an NFT', async () => {
    const data = encode('Apple', 'transferFrom', smart.address, FRIEND, 12n);
    const intents = [{ to: tokens.Apple, value: '0x0', data }];
    const request = async (): Promise<unknown> =>
      smartSite.snap('eth_sendUserOperation', intents);
    expect(await review(request)).toContain(sends('NFT #12'));
  });

  it('is simulated if it fails', async () => {
    const data = encode('Shop', 'close');
    const intents = [{ to: tokens.Shop, value: '0x0', data }];
    const request = async (): Promise<unknown> =>
      smartSite.snap('eth_sendUserOperation', intents);
    const text = await review(request, false);
    expect(text.split('sold out')).toHaveLength(2);
    expect(text).toContain(textOf('changes.failing'));
  });
});
