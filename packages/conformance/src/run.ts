// Runs the cases one after another: those before a site is connected, those that need an account,
// those that take it away.
import { eip1193 } from './eip1193';
import { eip2255 } from './eip2255';
import { eip5792 } from './eip5792';
import { eip6963 } from './eip6963';
import { NotApplicable, show, skip, until } from './expect';
import type {
  Cases,
  ConformanceOptions,
  ConformanceProvider,
  Context,
  EventName,
  Result,
  Standard,
} from './types';

const BATCH_MS = 30_000;
const EVENT_MS = 3_000;

const EVENTS = ['accountsChanged', 'chainChanged', 'connect', 'disconnect'] as const;

const order: readonly (readonly [Standard, Cases])[] = [
  ['EIP-6963', eip6963],
  ['EIP-1193', eip1193.fresh],
  ['EIP-2255', eip2255.fresh],
  ['EIP-1193', eip1193.connected],
  ['EIP-2255', eip2255.connected],
  ['EIP-5792', eip5792],
  ['EIP-2255', eip2255.last],
  ['EIP-1193', eip1193.last],
];

const standards: readonly Standard[] = ['EIP-1193', 'EIP-6963', 'EIP-2255', 'EIP-5792'];

/**
 * Runs every case against a provider to which no account is connected yet. It never rejects: what
 * goes wrong is a result.
 *
 * @returns Results by standard, in the order in which they ran.
 * @example
 * ```ts
 * const results = await runConformance(window.ethereum, {
 *   chainId: 1,
 *   user: { approve: (what) => alert(`Approve ${what}`), reject: (what) => alert(`Refuse ${what}`) },
 * });
 * console.log(formatTable({ 'My wallet': results }));
 * ```
 */
export async function runConformance(
  provider: ConformanceProvider,
  options: ConformanceOptions,
): Promise<Result[]> {
  const context = createContext(provider, options);
  const results: Result[] = [];
  for (const [standard, cases] of order) {
    for (const [id, { run, ...info }] of Object.entries(cases)) {
      const result = { id, ...info, standard };
      try {
        await run(context);
        results.push({ ...result, outcome: 'pass' });
      } catch (error) {
        const outcome = error instanceof NotApplicable ? 'not applicable' : 'fail';
        results.push({ ...result, outcome, reason: show(error) });
      }
    }
  }
  return standards.flatMap((standard) =>
    results.filter((result) => result.standard === standard),
  );
}

function createContext(
  provider: ConformanceProvider,
  options: ConformanceOptions,
): Context {
  const heard = new Map<EventName, unknown[]>(EVENTS.map((event) => [event, []]));
  for (const [event, values] of heard) {
    provider.on?.(event, (value: unknown) => values.push(value));
  }
  let accounts: readonly string[] = [];
  const { timeoutMs = BATCH_MS } = options;
  const events: Context['events'] = (event) => heard.get(event) ?? [];
  return {
    announce: typeof window === 'undefined' ? undefined : window,
    ...options,
    timeoutMs,
    provider,
    ask: async (method, params) => {
      try {
        return await provider.request({
          method,
          ...(params !== undefined && { params }),
        });
      } catch (error) {
        const { code } = Object(error) as { code?: unknown };
        if (code !== 4200 && code !== -32601) throw error;
        return skip(`The provider does not offer ${method} (${code}).`);
      }
    },
    events,
    hear: async (event, count) => {
      const values = events(event);
      const isHeard = (): boolean => values.length >= count;
      await until(isHeard, `${event} did not come`, Math.min(timeoutMs, EVENT_MS));
      return values;
    },
    account: () => accounts[0] ?? skip('No account is connected.'),
    setAccounts: (connected) => {
      accounts = connected;
    },
  };
}
