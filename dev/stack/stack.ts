// The development stack: a chain with the ERC-4337 contracts, a bundler, the gas service and the
// paymaster service. No process outlives `stop` or this process.
import { setTimeout as sleep } from 'node:timers/promises';

import { Mutex } from 'async-mutex';
import { type Address, createWalletClient, http, parseEther } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { foundry } from 'viem/chains';

import { startService } from '../../packages/service/src/service';
import { startBundler } from '../bundler/bundler';
import {
  deriveBundlers,
  type DevelopmentAccount,
  funded,
  paymasterSigner,
} from './accounts';
import { type Contracts, planContracts } from './contracts';
import { deployContracts } from './deploy';
import { startPaymasterService } from './paymaster';
import {
  chainId,
  type Child,
  orDied,
  serveBundler06,
  startAnvil,
  startBundler06,
} from './processes';

export type DevStack = {
  chainId: typeof chainId;
  chain: { url: string; wsUrl: string };
  /** The URL ends with `/rpc`. */
  bundler: { url: string };
  /** `url` is the base URL of the gas API and of JSON-RPC (`/v3/<API_KEY>`). */
  service: { url: string; apiKey: string; apiKeySecret: string };
  paymaster: { url: string };
  /** The addresses are the same on every start. */
  contracts: Contracts;
  /** An account with 10,000 ETH that has not sent anything. */
  funded: DevelopmentAccount;
  /** Sends ether from the funded account. Resolves when a block includes the transaction. */
  fund: (to: Address, ether: string) => Promise<void>;
  /** Resolves with the cause if a process ends before `stop` is called. Never rejects. */
  died: Promise<Error>;
  /** Stops everything. Resolves when all processes have ended. Idempotent. Never rejects. */
  stop: () => Promise<void>;
};

type DevStackOptions = {
  /** By default, any free ports. */
  ports?: { chain?: number; bundler?: number; service?: number; paymaster?: number };
};

const START_MS = 60_000;

// These values are not secret, because only this machine can reach the service.
const credentials = { apiKey: 'development-key', apiKeySecret: 'development-secret' };

/** Starts the stack. If a requested port is taken, a part fails to start, or the time limit is
 * exceeded, stops all parts and throws. */
export async function startDevStack(options: DevStackOptions = {}): Promise<DevStack> {
  const { ports = {} } = options;
  const deadline = Date.now() + START_MS;
  const parts: { stop: () => Promise<void> }[] = [];
  const stop = async (): Promise<void> => {
    await Promise.all(parts.map((part) => part.stop()));
  };
  try {
    const anvil = startAnvil(ports.chain);
    const bundler06 = startBundler06();
    parts.push(anvil.child, bundler06);
    const died = Promise.race([anvil.child.died, bundler06.died]);
    const step = <T>(what: string, work: Promise<T>, { tail }: Child): Promise<T> =>
      within(orDied(work, { died }), deadline, () => {
        const output = `Last output there:\n${tail().trim() || '(none)'}`;
        return `The start took longer than ${START_MS} ms; it was ${what}. ${output}`;
      });
    const [port, plan] = await Promise.all([
      step('waiting for the chain (anvil)', anvil.port, anvil.child),
      step('preparing the contracts', planContracts(), anvil.child),
    ]);
    const url = `http://127.0.0.1:${port}`;
    await step('creating the contracts', deployContracts(url, plan), anvil.child);
    const [account06, account] = deriveBundlers();
    const port06 = await step(
      'waiting for the bundler',
      serveBundler06(bundler06, {
        network: url,
        entryPoint: plan.contracts['0.6'].entryPoint,
        beneficiary: account06.address,
      }),
      bundler06,
    );
    const { contracts } = plan;
    const bundler = await startBundler({
      port: ports.bundler ?? 0,
      chainUrl: url,
      contracts,
      account,
      url06: `http://127.0.0.1:${port06}/rpc`,
    });
    parts.push(bundler);
    const chain = { url, wsUrl: `ws://127.0.0.1:${port}` };
    const service = await startService({
      ...credentials,
      networks: [{ chainId, nodes: [chain] }],
      port: ports.service,
    });
    parts.push(service);
    const paymaster = await startPaymasterService({
      chainUrl: url,
      contracts,
      signer: privateKeyToAccount(paymasterSigner.privateKey),
      port: ports.paymaster ?? 0,
    });
    parts.push(paymaster);
    return {
      chainId,
      chain,
      bundler: { url: bundler.url },
      service: { url: service.url, ...credentials },
      paymaster: { url: paymaster.url },
      contracts,
      funded,
      fund: createFaucet(url),
      died,
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

function createFaucet(url: string): DevStack['fund'] {
  const wallet = createWalletClient({
    account: privateKeyToAccount(funded.privateKey),
    chain: foundry,
    transport: http(url),
  });
  // Concurrent transactions would use the same nonce.
  const queue = new Mutex();
  return async (to, ether) => {
    await queue.runExclusive(async () =>
      wallet.sendTransactionSync({ to, value: parseEther(ether) }),
    );
  };
}

/** Waits for work. At the deadline, throws an error with the text of `explain`. Does not cancel the
 * work. */
export async function within<T>(
  work: Promise<T>,
  deadline: number,
  explain: () => string,
): Promise<T> {
  const timer = new AbortController();
  const leftMs = Math.max(0, deadline - Date.now());
  const timeUp = sleep(leftMs, undefined, { signal: timer.signal }).then(() => {
    throw new Error(explain());
  });
  return Promise.race([work, timeUp]).finally(() => timer.abort());
}
