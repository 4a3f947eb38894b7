// The embedded development stack: a chain with the ERC-4337 contracts on it, and a
// bundler. One call starts it on free ports of the loopback interface, and nothing of it
// outlives `stop` or this process.
import { privateKeyToAccount } from 'viem/accounts';

import { startBundler } from '../bundler/bundler';
import {
  bundleSender,
  deriveBundlerAddress,
  funded,
  paymasterSigner,
  type DevelopmentAccount,
} from './accounts';
import { chainId, startAnvil, type Anvil } from './anvil';
import { startBundler06, type Bundler06 } from './bundler';
import type { Child } from './child';
import { planContracts, type Contracts } from './contracts';
import { deployContracts } from './deploy';
import { within } from './within';

/** A running chain with its bundler. */
export type ChainStack = {
  chainId: typeof chainId;
  /** HTTP and WebSocket address of the node. */
  chain: { url: string; wsUrl: string };
  /** The bundler for EntryPoint 0.6, 0.7 and 0.8; its address ends in `/rpc`. */
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
 * @param options - Ports and time limit.
 * @returns The stack, ready for use.
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
      ...{ chainId, ...ours, bundler: { url }, funded, paymasterSigner },
      ...{ died, stop },
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
    within(orDied(work, died), deadline, () => {
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

async function orDied<T>(work: Promise<T>, died: Promise<Error>): Promise<T> {
  return Promise.race([
    work,
    died.then((error) => {
      throw error;
    }),
  ]);
}
