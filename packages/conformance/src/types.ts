// Options, cases and results.

export type EventName = 'accountsChanged' | 'chainChanged' | 'connect' | 'disconnect';

/** The provider under test, as EIP-1193 defines it. */
export type ConformanceProvider = {
  request: (args: { method: string; params?: unknown }) => Promise<unknown>;
  on?(event: EventName, listener: (value: never) => void): unknown;
  removeListener?(event: EventName, listener: (value: never) => void): unknown;
};

/** Steers the user. Each hook is called before the request that asks the user. */
export type UserHooks = {
  /** The user will approve. `what` says what, for a person who sits at the wallet. */
  approve: (what: string) => unknown;
  reject: (what: string) => unknown;
  /** Takes the wallet away from the page. Without it, `disconnect` is not tested. */
  disconnect?: () => unknown;
};

export type Call = { to?: string; data?: string; value?: string };

export type ConformanceOptions = {
  /** The chain that the wallet has selected. */
  chainId: number;
  user: UserHooks;
  /** Where the wallet announces itself. Default: `window`, if there is one. */
  announce?: EventTarget | undefined;
  /** Another chain that the wallet knows. Without it, `chainChanged` is not tested. */
  otherChainId?: number | undefined;
  /** A call that emits a log. Without it, the logs of receipts are not tested. */
  loggingCall?: Call | undefined;
  /** Opens the provider anew, as a page that was closed and opened again. */
  reopen?: (() => ConformanceProvider) | undefined;
  /** A provider of the same kind that reaches no chain, for 4900. */
  unreachable?: ConformanceProvider | undefined;
  /** How long a batch may take, and an event if that is less than 3 s. Default: 30 s. */
  timeoutMs?: number | undefined;
};

export type Standard = 'EIP-1193' | 'EIP-6963' | 'EIP-2255' | 'EIP-5792';

export type Outcome = 'pass' | 'fail' | 'not applicable';

/** A case. It passes unless it throws. */
export type Case = {
  section: string;
  checks: string;
  run: (context: Context) => Promise<void> | void;
};

/** Cases by their ids, in the order in which they run. */
export type Cases = Readonly<Record<string, Case>>;

export type Result = Omit<Case, 'run'> & {
  id: string;
  standard: Standard;
  outcome: Outcome;
  /** Why it failed or was not run. */
  reason?: string;
};

export type Context = ConformanceOptions & {
  timeoutMs: number;
  provider: ConformanceProvider;
  ask: (method: string, params?: unknown) => Promise<unknown>;
  /** The events of one name so far. */
  events: (event: EventName) => unknown[];
  /** Waits until there are so many events of one name. */
  hear: (event: EventName, count: number) => Promise<unknown[]>;
  /** The connected accounts; a case that needs one does not apply if there is none. */
  account: () => string;
  setAccounts: (accounts: readonly string[]) => void;
};
