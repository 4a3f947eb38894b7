// The whole development stack: chain and bundler, the service over the chain, and the
// paymaster service.
import { Mutex } from 'async-mutex';
import { createWalletClient, http, parseEther } from 'viem';
import type { Address } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { foundry } from 'viem/chains';

import { startService } from '../service/service';
import { startPaymasterService } from './paymaster-service';
import { startChainStack } from './stack';
import type { ChainStack, ChainStackOptions } from './stack';

/** What a client of the service is configured with. */
export type ServiceAccess = {
  /** `{gas_base_url}`, and `{rpc_url}`, which stands before `/v3/<API_KEY>`. */
  url: string;
  apiKey: string;
  apiKeySecret: string;
};

/** A running stack. */
export type DevStack = ChainStack & {
  service: ServiceAccess;
  /** ERC-7677 over the paymasters of all three versions. */
  paymaster: { url: string };
  /** Send money from the funded account; resolves when it has arrived. */
  fund: (to: Address, ether: string) => Promise<void>;
};

/** What can be chosen about a start. */
export type DevStackOptions = ChainStackOptions & {
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
