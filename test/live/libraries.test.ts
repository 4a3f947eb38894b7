// Runs unmodified libraries with the built provider on a real chain, both with the snap in
// MetaMask's packages and with the wallet for tests. docs/reference/clients.md has the results as a
// table.
import { resolve } from 'node:path';

import {
  defineChain,
  getAddress,
  parseAbi,
  parseEther,
  recoverMessageAddress,
  recoverTypedDataAddress,
} from 'viem';
import type { Chain } from 'viem';
import { createSiweMessage } from 'viem/siwe';

import type { DemoAccount } from '../../dev/demo/world';
import { type Client, listOperations, type Operation } from '../../dev/docs/clients';
import { approveWith, refuseAll } from '../../dev/wallet/user';
import type * as providerModule from '../../packages/provider/src';
import type { Provider } from '../../packages/provider/src';
import type * as testingModule from '../../packages/testing/src';
import type * as viemModule from '../../packages/viem/src';
import { connectEthers } from '../fixtures/libraries/ethers';
import type { Document, Library, WalletDapp } from '../fixtures/libraries/library';
import { createPermissionless } from '../fixtures/libraries/permissionless';
import { connectViem } from '../fixtures/libraries/viem';
import { createWagmi } from '../fixtures/libraries/wagmi';
import { connectWeb3 } from '../fixtures/libraries/web3';
import { startAnvil, type TestChain } from '../fixtures/wallet/anvil';
import { errorOf } from '../support/error-of';
import { createNode, createRecipient, setupWalletWorld } from '../support/smart-world';

const DEPOSITS = parseAbi([
  'function depositTo(address account) payable',
  'function balanceOf(address account) view returns (uint256)',
]);

/** Creation code of a contract whose code is one byte. */
const ONE_BYTE = '0x600160005360016000f3';

const world = setupWalletWorld();

const page = globalThis as unknown as { window?: EventTarget };

const document: Document = {
  domain: { name: 'Toll', chainId: 31337 },
  types: {
    Receipt: [{ name: 'paidTo', type: 'string' }],
  },
  primaryType: 'Receipt',
  message: { paidTo: 'the keeper' },
};

type Host = {
  account: Pick<DemoAccount, 'address'>;
  smart: Pick<DemoAccount, 'address'>;
  /** Visits a site and grants it this account. */
  visit: (origin: string, owner: Pick<DemoAccount, 'address'>) => Provider;
  /** Refuses all dialogs during `run`. */
  refusing: <Result>(run: () => Promise<Result>) => Promise<Result>;
  lastText: () => string | undefined;
};

const hosts = {} as Record<'the snap' | 'the wallet for tests', Host>;
let otherChain: TestChain;
let other: Chain;
let announce: (typeof providerModule)['announce'];
let createProvider: (typeof providerModule)['createProvider'];
let createTollkeeper: (typeof testingModule)['createTollkeeper'];
let toTollkeeperSmartAccount: (typeof viemModule)['toTollkeeperSmartAccount'];

function visit(origin: string, { id }: DemoAccount): Provider {
  const { wallet } = world;
  wallet.connect(origin);
  wallet.user.onDialog = approveWith(id);
  return createProvider({ ethereum: wallet.site(origin), snapId: wallet.snapId });
}

async function openSnap(): Promise<Host> {
  const { user } = world.wallet;
  return {
    account: await world.createAccount({ type: 'eip155:eoa' }),
    smart: await world.createSmart('0.7'),
    visit: (origin, owner) => visit(origin, owner as DemoAccount),
    refusing: async (run) => {
      const { onDialog } = user;
      user.onDialog = refuseAll;
      return run().finally(() => (user.onDialog = onDialog));
    },
    lastText: () => user.dialogs.at(-1)?.text,
  };
}

async function openTesting(): Promise<Host> {
  const { chain, bundler } = world.stack;
  const smartAccount = { type: 'eip155:erc4337', entryPoint: '0.7' } as const;
  const wallet = await createTollkeeper({
    accounts: [{}, smartAccount],
    chains: [{ id: 31_337, rpcUrl: chain.url, bundlerUrl: bundler.url }],
  });
  const [account, smart] = wallet.accounts as [DemoAccount, DemoAccount];
  return {
    account,
    smart,
    visit: (origin, { address }) => {
      wallet.decide = { accounts: [address] };
      return wallet.visit(origin);
    },
    refusing: async (run) => {
      const { decide } = wallet;
      wallet.decide = 'reject';
      return run().finally(() => (wallet.decide = decide));
    },
    lastText: () => wallet.reviews.at(-1)?.text,
  };
}

let mining: NodeJS.Timeout;

beforeAll(async () => {
  const built = (name: string) => import(resolve(`dist/${name}/index.js`));
  ({ announce, createProvider } = (await built('provider')) as typeof providerModule);
  ({ createTollkeeper } = (await built('testing')) as typeof testingModule);
  ({ toTollkeeperSmartAccount } = (await built('viem')) as typeof viemModule);
  otherChain = await startAnvil(4242);
  other = defineChain({
    id: 4242,
    name: 'Other',
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    rpcUrls: { default: { http: [otherChain.url] } },
  });
  const otherNode = createNode(otherChain.url);
  Object.assign(hosts, {
    'the snap': await openSnap(),
    'the wallet for tests': await openTesting(),
  });
  for (const { account, smart } of Object.values(hosts)) {
    await otherNode.setBalance({ address: account.address, value: parseEther('1') });
    for (const { address } of [account, smart]) await world.stack.fund(address, '1');
  }
  // ethers counts later blocks as confirmations. The last call fails if the chain has stopped.
  const mine = async () => world.node.mine({ blocks: 1 }).catch(() => undefined);
  mining = setInterval(() => void mine(), 500);
});

afterAll(() => {
  clearInterval(mining);
  otherChain?.stop();
});

const libraries: Record<Client, () => Library> = {
  viem: () => connectViem,
  '@wagmi/core': () => createWagmi(world.stack.chain.url, other),
  ethers: () => connectEthers,
  web3: () => connectWeb3,
  permissionless: () => createPermissionless(toTollkeeperSmartAccount),
};

const cases = (Object.keys(libraries) as Client[]).flatMap((name) =>
  (['the snap', 'the wallet for tests'] as const).map((host) => [name, host] as const),
);

describe.each(cases)('%s on %s', (name, hostName) => {
  let connected: Awaited<ReturnType<Library>>;
  let host: Host;
  let owner: Host['account'];
  let stopAnnouncing: () => void;

  beforeAll(async () => {
    page.window = new EventTarget();
    host = hosts[hostName];
    owner = name === 'permissionless' ? host.smart : host.account;
    const provider = host.visit(`https://${name.replace(/\W/gu, '')}.example`, owner);
    stopAnnouncing = announce(provider);
    connected = await libraries[name]()({ provider });
  });

  afterAll(() => {
    stopAnnouncing?.();
    delete page.window;
  });

  const dapp = (): Required<Awaited<ReturnType<Library>>['dapp']> & WalletDapp =>
    connected.dapp as never;

  const checks: Record<Operation, () => void | Promise<void>> = {
    connect: () => {
      const { address, chainId } = connected;
      expect(getAddress(address)).toBe(getAddress(owner.address));
      expect(chainId).toBe(31337);
    },
    signMessage: async () => {
      const message = `The toll of ${name} is paid. ✓`;
      const signature = await dapp().signMessage(message);
      expect(await recoverMessageAddress({ message, signature })).toBe(
        getAddress(owner.address),
      );
    },
    signIn: async () => {
      const domain = `${name.replace(/\W/gu, '')}.example`;
      const message = createSiweMessage({
        address: getAddress(owner.address),
        chainId: 31337,
        domain,
        nonce: '32891756',
        uri: `https://${domain}`,
        version: '1',
      });
      const signature = await dapp().signMessage(message);
      expect(await recoverMessageAddress({ message, signature })).toBe(
        getAddress(owner.address),
      );
      expect(host.lastText()).toMatch(/^Sign in to \S+\nRequest from/u);
    },
    signTypedData: async () => {
      const signature = await dapp().signTypedData(document);
      expect(await recoverTypedDataAddress({ ...document, signature })).toBe(
        getAddress(owner.address),
      );
    },
    send: async () => {
      const to = createRecipient();
      const { send, waitForReceipt } = dapp();
      const hash = await send({ to, value: 5n });
      const { isSuccess, block } = await waitForReceipt(hash);
      expect(isSuccess).toBe(true);
      expect((await world.node.getTransactionReceipt({ hash })).blockNumber).toBe(
        block,
      );
      expect(await world.node.getBalance({ address: to })).toBe(5n);
    },
    sendLegacy: async () => {
      const { send, waitForReceipt } = dapp();
      const gasPrice = 3_000_000_000n;
      const hash = await send({ to: createRecipient(), value: 1n, gasPrice });
      await waitForReceipt(hash);
      const sent = await world.node.getTransaction({ hash });
      expect(sent).toMatchObject({ type: 'legacy', gasPrice });
    },
    deploy: async () => {
      const hash = await dapp().deploy(ONE_BYTE);
      await dapp().waitForReceipt(hash);
      const { contractAddress } = await world.node.getTransactionReceipt({ hash });
      const code = await world.node.getCode({ address: contractAddress ?? '0x' });
      expect(code).toBe('0x01');
    },
    write: async () => {
      const address = world.stack.contracts['0.7'].entryPoint;
      const call = {
        address,
        abi: DEPOSITS,
        args: [createRecipient()] as [`0x${string}`],
      };
      const hash = await dapp().write({ ...call, functionName: 'depositTo' }, 9n);
      await dapp().waitForReceipt(hash);
      expect(await dapp().read({ ...call, functionName: 'balanceOf' })).toBe(9n);
    },
    sendBatch: async () => {
      const payments = [1n, 2n].map((value) => ({ to: createRecipient(), value }));
      expect(await dapp().sendBatch(payments)).toHaveProperty('isSuccess', true);
      for (const { to, value } of payments) {
        expect(await world.node.getBalance({ address: to })).toBe(value);
      }
    },
    getCapabilities: async () => {
      expect(await dapp().isAtomic()).toBe('unsupported');
    },
    // Leaves the site on the other network.
    useNetwork: async () => {
      const hash = await dapp().sendOn(other, { to: createRecipient(), value: 1n });
      const otherNode = createNode(otherChain.url);
      const { status } = await otherNode.waitForTransactionReceipt({ hash });
      expect(status).toBe('success');
    },
    refuse: async () => {
      const { signMessage, send } = connected.dapp;
      const error = await host.refusing(async () =>
        errorOf(async () =>
          signMessage ? signMessage('No.') : send({ to: createRecipient(), value: 1n }),
        ),
      );
      expect(connected.dapp.codeOf(error)).toBe(4001);
    },
  };

  it.each(listOperations(name))('supports %s', async (operation) =>
    checks[operation](),
  );
});
