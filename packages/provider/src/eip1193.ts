// EIP-1193: requests to a provider, its errors, and its events. Node's EventEmitter is not
// available in pages.

export type RequestArguments = {
  readonly method: string;
  readonly params?: readonly unknown[] | object | undefined;
};

export type Ask = (args: RequestArguments) => Promise<unknown>;

export type Listener = (...values: never[]) => void;

/** The events of EIP-1193 and the arguments of their listeners. */
export type ProviderEvents = {
  accountsChanged: (accounts: `0x${string}`[]) => void;
  chainChanged: (chainId: string) => void;
  connect: (info: { chainId: string }) => void;
  disconnect: (error: ProviderRpcError) => void;
  message: (message: { type: string; data: unknown }) => void;
};

/** The wallet's own EIP-1193 provider, which Tollkeeper's builds on. */
export type Eip1193 = {
  request: Ask;
  on?: (event: string, listener: Listener) => unknown;
  removeListener?: (event: string, listener: Listener) => unknown;
};

export type Emit = (event: string, value: unknown) => void;

export type Emitter = {
  add: (event: string, listener: Listener, isOnce: boolean) => void;
  /** Removes a listener; if it was added more than once, only its latest entry. */
  removeListener: (event: string, listener: Listener) => void;
  removeAllListeners: (event?: string) => void;
  emit: Emit;
  hasListeners: (event: string) => boolean;
};

type Entry = { listener: Listener; isOnce: boolean };

/** Codes of the provider's own errors; all others come from the wallet or the snap. */
export const codes = {
  unsupported: 4200,
  disconnected: 4900,
  invalidRequest: -32600,
  unknownMethod: -32601,
  invalidParams: -32602,
  internal: -32603,
} as const;

/** An error of the provider, the wallet or the snap (EIP-1193). */
export class ProviderRpcError extends Error {
  override readonly name = 'ProviderRpcError';

  readonly code: number;

  declare readonly data?: unknown;

  constructor(code: number, message: string, data?: unknown) {
    super(message);
    this.code = code;
    if (data !== undefined) this.data = data;
  }

  /** Includes the message, which JSON would otherwise omit. */
  toJSON(): { code: number; message: string; data?: unknown } {
    const { code, message, data } = this;
    return { code, message, ...(data !== undefined && { data }) };
  }

  /** The message, under the name that viem and ox use. */
  get details(): string {
    return this.message;
  }
}

/** Converts any thrown value to an error: wallets throw errors, plain objects and strings. */
export function toProviderError(thrown: unknown): ProviderRpcError {
  if (thrown instanceof ProviderRpcError) return thrown;
  const error: unknown =
    typeof thrown === 'string' ? { message: thrown } : Object(thrown);
  const { code, message, data } = error as Record<string, unknown>;
  return new ProviderRpcError(
    Number.isInteger(code) ? (code as number) : codes.internal,
    typeof message === 'string' && message !== '' ? message : 'The wallet failed.',
    data,
  );
}

/** A throwing listener does not affect the others. */
export function createEmitter(): Emitter {
  const entries = new Map<string, Entry[]>();
  const of = (event: string): Entry[] => entries.get(event) ?? [];
  const remove = (event: string, isWanted: (entry: Entry) => boolean): void => {
    const all = of(event);
    const index = all.findLastIndex(isWanted);
    if (index >= 0) entries.set(event, all.toSpliced(index, 1));
  };
  return {
    add: (event, listener, isOnce) =>
      void entries.set(event, [...of(event), { listener, isOnce }]),
    removeListener: (event, listener) =>
      remove(event, (entry) => entry.listener === listener),
    removeAllListeners: (event) => {
      if (event === undefined) entries.clear();
      else entries.delete(event);
    },
    hasListeners: (event) => of(event).length > 0,
    emit: (event, value) => {
      for (const entry of of(event)) {
        if (entry.isOnce) remove(event, (each) => each === entry);
        try {
          (entry.listener as (each: unknown) => void)(value);
        } catch (error) {
          // Reports it as an uncaught error, so the listener's author sees it.
          setTimeout(() => {
            throw error;
          });
        }
      }
    },
  };
}

/** Generates random bytes in hex without `0x`, for unique ids. */
export function randomHex(length: number): string {
  const bytes = crypto.getRandomValues(new Uint8Array(length));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
