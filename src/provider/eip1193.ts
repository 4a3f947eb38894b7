// EIP-1193 as types: what dapps and libraries ask of a provider.

/** What is asked of a provider. */
export type RequestArguments = {
  readonly method: string;
  readonly params?: readonly unknown[] | object | undefined;
};

/** Asks, and answers what was answered. */
export type Ask = (args: RequestArguments) => Promise<unknown>;

/** Takes what an event carries. */
export type Listener = (...values: never[]) => void;

/** A provider as a wallet has it: MetaMask's, which this one stands on. */
export type Eip1193 = {
  request: Ask;
  on?: (event: string, listener: Listener) => unknown;
  removeListener?: (event: string, listener: Listener) => unknown;
};
