// The connector with wagmi 2 and 3.
import { jest } from '@jest/globals';
import type * as Wagmi from '@wagmi/core';
import type { Config, CreateConnectorFn, Storage } from '@wagmi/core';
import { mainnet, sepolia } from 'viem/chains';

import type * as Connector from '../../../packages/wagmi/src';
import { waitFor } from '../../fixtures/stack/requests';
import { createFakeWallet } from '../../support/fake-wallet';
import type { FakeWallet } from '../../support/fake-wallet';

const global = globalThis as unknown as { window?: EventTarget };

const ACCOUNT = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045';
const OTHER = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';

const DIALOG_METHODS = ['eth_requestAccounts', 'wallet_requestPermissions'];

afterEach(() => {
  delete global.window;
});

describe.each([
  ['2', '@wagmi/core-2'],
  ['3', '@wagmi/core'],
])('wagmi %s', (_version, name) => {
  let wagmi: typeof Wagmi;
  let tollkeeper: typeof Connector.tollkeeper;
  let createStorage: () => Storage;
  let wallet: FakeWallet;
  let accounts: string[];

  beforeAll(async () => {
    await jest.isolateModulesAsync(async () => {
      jest.doMock('@wagmi/core', () => jest.requireActual(name));
      wagmi = await import('@wagmi/core');
      ({ tollkeeper } = await import('../../../packages/wagmi/src'));
    });
  });

  beforeEach(() => {
    const page = new EventTarget();
    global.window = page;
    wallet = createWallet();
    const stored = new Map<string, string>();
    createStorage = () =>
      wagmi.createStorage({
        storage: {
          getItem: (key) => stored.get(key) ?? null,
          setItem: (key, value) => void stored.set(key, value),
          removeItem: (key) => void stored.delete(key),
        },
      });
  });

  function createWallet(): FakeWallet {
    const fake = createFakeWallet();
    accounts = [];
    let chainId = '0x1';
    const grant = (): string[] => (accounts = [ACCOUNT]);
    Object.assign(fake.answers, {
      eth_chainId: () => chainId,
      wallet_switchEthereumChain: ([chain]: [{ chainId: string }]) => {
        if (!fake.asked.some(({ method }) => method === 'wallet_addEthereumChain')) {
          throw Object.assign(new Error('Unrecognized chain.'), { code: 4902 });
        }
        ({ chainId } = chain);
        fake.emit('chainChanged', chainId);
      },
      wallet_addEthereumChain: ([chain]: [{ chainId: string }]) => {
        ({ chainId } = chain);
        fake.emit('chainChanged', chainId);
        return null;
      },
    });
    Object.assign(fake.snapAnswers, {
      eth_accounts: () => accounts,
      eth_requestAccounts: grant,
      wallet_requestPermissions: () => [
        { parentCapability: 'eth_accounts', caveats: [{ value: grant() }] },
      ],
      wallet_revokePermissions: () => {
        accounts = [];
        return null;
      },
    });
    return fake;
  }

  // Creates a configuration, as a page does when it loads.
  function load(connectors: CreateConnectorFn[]): Config {
    return wagmi.createConfig({
      chains: [mainnet, sepolia],
      connectors,
      storage: createStorage(),
      transports: { [mainnet.id]: wagmi.http(), [sepolia.id]: wagmi.http() },
    });
  }

  const visit = (): Config => load([tollkeeper({ ethereum: wallet.ethereum })]);

  async function connect(): Promise<Config> {
    const config = visit();
    const [connector] = config.connectors;
    if (!connector) throw new Error('There is no connector.');
    await wagmi.connect(config, { connector });
    return config;
  }

  const announce = (info: object): void => {
    const detail = { info, provider: wallet.ethereum };
    const event = new Event('eip6963:announceProvider');
    global.window?.dispatchEvent(Object.assign(event, { detail }));
  };

  const announceFlask = (): void => announce({ rdns: 'io.metamask.flask' });

  const askedUser = (): boolean =>
    wallet.askedSnap.some(({ method }) => DIALOG_METHODS.includes(method));

  it('connects', async () => {
    const config = await connect();
    expect(wagmi.getAccount(config)).toMatchObject({
      address: ACCOUNT,
      chainId: 1,
      status: 'connected',
      connector: { id: 'io.tollkeeper.snap', name: 'Tollkeeper' },
    });
  });

  it('throws the documented error without MetaMask', async () => {
    const config = load([tollkeeper()]);
    const [connector] = config.connectors;
    if (!connector) throw new Error('There is no connector.');
    await expect(wagmi.connect(config, { connector })).rejects.toMatchObject({
      code: 4900,
      message: 'MetaMask was not found in this browser.',
    });
  });

  it('lists the connector once, even if the provider is announced as well', () => {
    const info = { uuid: '1', name: 'Other', icon: 'data:image/svg+xml,' };
    global.window?.addEventListener('eip6963:requestProvider', () =>
      announce({ ...info, rdns: 'io.tollkeeper.snap' }),
    );
    const names = visit().connectors.map((each) => each.name);
    expect(names).toStrictEqual(['Tollkeeper']);
  });

  it('reconnects after a reload, without asking the user', async () => {
    await connect();
    wallet.askedSnap.length = 0;
    const config = visit();
    await wagmi.reconnect(config);
    expect(wagmi.getAccount(config)).toMatchObject({
      address: ACCOUNT,
      status: 'connected',
    });
    expect(askedUser()).toBe(false);
  });

  it('reconnects when MetaMask announces itself after wagmi has given up', async () => {
    await connect();
    wallet.askedSnap.length = 0;
    const config = load([tollkeeper()]);
    await wagmi.reconnect(config);
    expect(wagmi.getAccount(config).status).toBe('disconnected');
    global.window?.addEventListener('eip6963:requestProvider', announceFlask);
    announceFlask();
    await waitFor(() => wagmi.getAccount(config).status === 'connected');
    expect(wagmi.getAccount(config).address).toBe(ACCOUNT);
    expect(askedUser()).toBe(false);
  });

  it('stays disconnected after a reload if the user disconnected', async () => {
    await wagmi.disconnect(await connect());
    expect(accounts).toStrictEqual([]);
    const config = visit();
    await wagmi.reconnect(config);
    expect(wagmi.getAccount(config).status).toBe('disconnected');
  });

  it('adds a network that MetaMask lacks, and switches to it', async () => {
    const config = await connect();
    await wagmi.switchChain(config, { chainId: sepolia.id });
    expect(wagmi.getAccount(config).chainId).toBe(sepolia.id);
    expect(wallet.asked).toContainEqual({
      method: 'wallet_addEthereumChain',
      params: [expect.objectContaining({ chainId: '0xaa36a7', chainName: 'Sepolia' })],
    });
  });

  it('follows changes of accounts, chain and connection', async () => {
    const config = await connect();
    const [connection] = config.state.connections.values();
    accounts = [OTHER, ACCOUNT];
    await connection?.connector.getAccounts();
    expect(wagmi.getAccount(config).address).toBe(OTHER);
    wallet.emit('chainChanged', '0xaa36a7');
    expect(wagmi.getAccount(config).chainId).toBe(sepolia.id);
    wallet.emit('disconnect', { code: 4900, message: 'Gone.' });
    await waitFor(() => wagmi.getAccount(config).status === 'disconnected');
  });
});
