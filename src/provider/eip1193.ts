// EIP-1193 as types: what dapps and libraries ask of a provider.
import type { ProviderRpcError } from './errors';

/** What is asked of a provider. */
export type RequestArguments = {
  readonly method: string;
  readonly params?: readonly unknown[] | object | undefined;
};

/** Asks, and answers what was answered. */
export type Ask = (args: RequestArguments) => Promise<unknown>;

/** Takes what an event carries. */
export type Listener = (...values: never[]) => void;

/** The events of EIP-1193, and what each carries. */
export type ProviderEvents = {
  accountsChanged: (accounts: `0x${string}`[]) => void;
  chainChanged: (chainId: string) => void;
  connect: (info: { chainId: string }) => void;
  disconnect: (error: ProviderRpcError) => void;
  message: (message: { type: string; data: unknown }) => void;
};

/** A provider as a wallet has it: MetaMask's, which this one stands on. */
export type Eip1193 = {
  request: Ask;
  on?: (event: string, listener: Listener) => unknown;
  removeListener?: (event: string, listener: Listener) => unknown;
};
