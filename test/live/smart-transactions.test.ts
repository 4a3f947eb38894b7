// viem's wallet actions from a smart account, unmodified, on a real node and bundler.
import {
  createWalletClient,
  decodeEventLog,
  getContractAddress,
  numberToHex,
  parseAbi,
} from 'viem';
import { entryPoint08Abi } from 'viem/account-abstraction';
import { foundry } from 'viem/chains';

import { createRecipient, setupSmartWorld } from '../support/smart-world';
import { createSnapTransport } from '../support/snap-transport';

/** Creates a contract that answers 42 to whatever it is called with. */
const CREATION = {
  abi: parseAbi(['function answer() returns (uint256)']),
  bytecode: '0x600a600c600039600a6000f3602a60005260206000f3',
} as const;

const DEPLOYER = '0x4e59b44847b379578588920cA78FbF26c0B4956C';

const world = setupSmartWorld();

describe.each(['0.6', '0.7', '0.8', '0.9'] as const)('EntryPoint %s', (version) => {
  it('sends, creates and calls a contract, from the deployment on', async () => {
    // A byte that is never run: one code is created only once on a chain.
    const bytecode = `${CREATION.bytecode}0${version.slice(-1)}` as const;
    const { node } = world;
    const account = await world.createSmart(version, '1');
    const { address } = account;
    const site = await world.visit(account);
    const client = createWalletClient({
      account: address,
      chain: foundry,
      transport: createSnapTransport(site),
    });
    const to = createRecipient();
    const sent = await client.sendTransaction({ to, value: 5n });
    expect(await node.getBalance({ address: to })).toBe(5n);
    const created = await client.deployContract({ ...CREATION, bytecode });
    const contract = getContractAddress({
      opcode: 'CREATE2',
      from: DEPLOYER,
      salt: numberToHex(0, { size: 32 }),
      bytecode,
    });
    expect(await node.getCode({ address: contract })).toBe('0x602a60005260206000f3');
    const called = await client.writeContract({
      address: contract,
      abi: CREATION.abi,
      functionName: 'answer',
    });
    for (const hash of [sent, created, called]) {
      const { logs } = await node.getTransactionReceipt({ hash });
      const events = logs.flatMap((log) => {
        try {
          return [decodeEventLog({ abi: entryPoint08Abi, ...log })];
        } catch {
          return [];
        }
      });
      expect(events).toContainEqual(
        expect.objectContaining({
          eventName: 'UserOperationEvent',
          args: expect.objectContaining({ success: true }) as unknown,
        }),
      );
    }
  });
});
