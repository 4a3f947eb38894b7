// EIP-1193 as types: what dapps and libraries ask of a provider.
// Errors as EIP-1193 wants them. What comes from a wallet can be anything: an error, a plain
// object, a text.

/** Codes that are given here; all others come from the wallet or from the snap. */
export const codes = {
  unsupported: 4200,
  disconnected: 4900,
  invalidRequest: -32600,
  unknownMethod: -32601,
  internal: -32603,
} as const;

/** An error of a provider (EIP-1193): `code` and `data` are those of EIP-1474. */
export class ProviderRpcError extends Error {
  override readonly name = 'ProviderRpcError';

  readonly code: number;

  declare readonly data?: unknown;

  constructor(code: number, message: string, data?: unknown) {
    super(message);
    this.code = code;
    if (data !== undefined) this.data = data;
  }

  /** The message, where viem and ox have it. */
  get details(): string {
    return this.message;
  }
}

/** Make an error of whatever was thrown. */
export function toProviderError(thrown: unknown): ProviderRpcError {
  if (thrown instanceof ProviderRpcError) return thrown;
  const { code, message, data } = readError(thrown);
  return new ProviderRpcError(
    Number.isInteger(code) ? (code as number) : codes.internal,
    typeof message === 'string' && message !== '' ? message : 'The wallet failed.',
    data,
  );
}

function readError(thrown: unknown): {
  code?: unknown;
  message?: unknown;
  data?: unknown;
} {
  if (typeof thrown === 'string') return { message: thrown };
  return typeof thrown === 'object' && thrown !== null ? thrown : {};
}

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
