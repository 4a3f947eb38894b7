// The embedded development stack: a chain with the ERC-4337 contracts on it, and a
// bundler. One call starts it on free ports of the loopback interface, and nothing of it
// outlives `stop` or this process.
import { Mutex } from 'async-mutex';
import { type Address, createWalletClient, http, parseEther } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { foundry } from 'viem/chains';

import { startBundler } from '../bundler/bundler';
import { startService } from '../service/service';
import {
  bundleSender,
  deriveBundlerAddress,
  type DevelopmentAccount,
  funded,
  paymasterSigner,
} from './accounts';
import { type Contracts, planContracts } from './contracts';
import { deployContracts } from './deploy';
import { startPaymasterService } from './paymaster';
import {
  type Anvil,
  type Bundler06,
  chainId,
  type Child,
  startAnvil,
  startBundler06,
  orDied,
} from './processes';

/** A running chain with its bundler. */
export type ChainStack = {
  chainId: typeof chainId;
  /** HTTP and WebSocket address of the node. */
  chain: { url: string; wsUrl: string };
  /** The bundler for EntryPoint 0.6 to 0.9; its address ends in `/rpc`. */
  bundler: { url: string };
  /** Where the contracts are: the same on every start. */
  contracts: Contracts;
  /** An account with 10,000 ETH that has sent nothing yet. */
  funded: DevelopmentAccount;
  /** Signs what the verifying paymasters accept. */
  paymasterSigner: DevelopmentAccount;
  /** Resolves with what happened if a part ends without `stop`; never rejects. */
  died: Promise<Error>;
  /** Stops everything; resolves when no process is left. Idempotent, never rejects. */
  stop: () => Promise<void>;
};

/** What can be chosen about a start. */
export type ChainStackOptions = {
  /** Ports to listen on; any free one where absent. */
  ports?: { chain?: number; bundler?: number };
  /** Time for the whole start, in ms; 60 seconds where absent. */
  timeout?: number;
};

/**
 * Start a chain with contracts and bundler. This process stays alive until `stop`.
 *
 * @throws {Error} If a wanted port is taken, a part does not start, or the time is up;
 * whatever had been started is stopped by then.
 * @example
 * const stack = await startChainStack();
 * try {
 *   await fetch(stack.chain.url, …);
 * } finally {
 *   await stack.stop();
 * }
 */
export async function startChainStack(
  options: ChainStackOptions = {},
): Promise<ChainStack> {
  const timeout = options.timeout ?? 60_000;
  const parts: { stop: () => Promise<void> }[] = [];
  const stop = async (): Promise<void> => {
    await Promise.all(parts.map((part) => part.stop()));
  };
  try {
    const anvil = startAnvil(options.ports?.chain);
    const bundler06 = startBundler06();
    parts.push(anvil.child, bundler06.child);
    const died = Promise.race([anvil.child.died, bundler06.child.died]);
    const { url06, ...ours } = await ready({ anvil, bundler06, died, timeout });
    const bundler = await startBundler({
      port: options.ports?.bundler ?? 0,
      chainUrl: ours.chain.url,
      contracts: ours.contracts,
      account: privateKeyToAccount(bundleSender.privateKey),
      url06,
    });
    parts.push(bundler);
    const { url } = bundler;
    return {
      chainId,
      ...ours,
      bundler: { url },
      funded,
      paymasterSigner,
      died,
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

type Parts = {
  anvil: Anvil;
  bundler06: Bundler06;
  died: Promise<Error>;
  timeout: number;
};

async function ready({
  anvil,
  bundler06,
  died,
  timeout,
}: Parts): Promise<Pick<ChainStack, 'chain' | 'contracts'> & { url06: string }> {
  const deadline = Date.now() + timeout;
  const step = <T>(what: string, work: Promise<T>, { tail }: Child): Promise<T> =>
    within(orDied(work, { died }), deadline, () => {
      const output = `Last output there:\n${tail().trim() || '(none)'}`;
      return `The start took longer than ${timeout} ms; it was ${what}. ${output}`;
    });

  const [port, plan] = await Promise.all([
    step('waiting for the chain (anvil)', anvil.port, anvil.child),
    step('preparing the contracts', planContracts(), anvil.child),
  ]);
  const url = `http://127.0.0.1:${port}`;
  await step('creating the contracts', deployContracts(url, plan), anvil.child);
  const bundlerPort = await step(
    'waiting for the bundler',
    bundler06.listen({
      url,
      entryPoint: plan.contracts['0.6'].entryPoint,
      beneficiary: deriveBundlerAddress(),
    }),
    bundler06.child,
  );
  return {
    chain: { url, wsUrl: `ws://127.0.0.1:${port}` },
    url06: `http://127.0.0.1:${bundlerPort}/rpc`,
    contracts: plan.contracts,
  };
}

// The whole development stack: chain and bundler, the service over the chain, and the
// paymaster service.

/** What a client of the service is configured with. */
type ServiceAccess = {
  /** `{gas_base_url}`, and `{rpc_url}`, which stands before `/v3/<API_KEY>`. */
  url: string;
  apiKey: string;
  apiKeySecret: string;
};

export type DevStack = ChainStack & {
  service: ServiceAccess;
  /** ERC-7677 over the paymasters of all versions. */
  paymaster: { url: string };
  /** Send money from the funded account; resolves when it has arrived. */
  fund: (to: Address, ether: string) => Promise<void>;
};

/** What can be chosen about a start. */
type DevStackOptions = ChainStackOptions & {
  ports?: { service?: number; paymaster?: number };
};

// Not a secret: the service is for this machine alone.
const API_KEY = 'development-key';
const API_KEY_SECRET = 'development-secret';

/** Start everything on loopback; see {@link startChainStack}. */
export async function startDevStack(options: DevStackOptions = {}): Promise<DevStack> {
  const chainStack = await startChainStack(options);
  const credentials = { apiKey: API_KEY, apiKeySecret: API_KEY_SECRET };
  const parts: { stop: () => Promise<void> }[] = [chainStack];
  const stop = async (): Promise<void> => {
    await Promise.all(parts.map(async (part) => part.stop()));
  };
  try {
    const service = await startService({
      ...credentials,
      nodeUrl: chainStack.chain.url,
      // Anvil speaks WebSocket at the same port.
      nodeWsUrl: chainStack.chain.url.replace('http', 'ws'),
      chainId: chainStack.chainId,
      port: options.ports?.service,
    });
    parts.push(service);
    const paymaster = await startPaymasterService({
      chainUrl: chainStack.chain.url,
      contracts: chainStack.contracts,
      signer: privateKeyToAccount(chainStack.paymasterSigner.privateKey),
      port: options.ports?.paymaster ?? 0,
    });
    parts.push(paymaster);
    return {
      ...chainStack,
      service: { url: service.url, ...credentials },
      paymaster: { url: paymaster.url },
      fund: createFaucet(chainStack),
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

function createFaucet({ chain, funded }: ChainStack): DevStack['fund'] {
  const wallet = createWalletClient({
    account: privateKeyToAccount(funded.privateKey),
    chain: foundry,
    transport: http(chain.url),
  });
  // One after another: two at once would take the same nonce.
  const queue = new Mutex();
  return async (to, ether) => {
    await queue.runExclusive(async () =>
      wallet.sendTransactionSync({ to, value: parseEther(ether) }),
    );
  };
}

// Bounds a wait. A development stack that hangs must say which part hangs: the caller
// gives the text, and it is built only when the time is up, with the newest output in it.

/**
 * Wait for `work`, but not longer than until `deadline`.
 *
 * @param work - What to wait for; it is not cancelled when the time is up.
 * @param explain - Builds the message of the error when the time is up.
 * @throws {Error} If the deadline passes first, or whatever `work` rejects with.
 */
export async function within<T>(
  work: Promise<T>,
  deadline: number,
  explain: () => string,
): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const timeUp = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(
      () => reject(new Error(explain())),
      Math.max(0, deadline - Date.now()),
    );
  });
  return Promise.race([work, timeUp]).finally(() => clearTimeout(timer));
}
