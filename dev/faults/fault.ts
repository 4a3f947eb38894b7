// Where a flow can be disturbed: each call of the snap to the platform and to a server, by
// what it is and the how manieth of that.
import type { SnapCall } from '../wallet/engine';

type Side = 'platform' | 'network';

export type Point = { side: Side; call: string; nth: number };

/** Names a call of the snap to the platform, as the table does. */
export function nameOf({ method, params }: SnapCall): string {
  const fields: Record<string, unknown> = { ...params };
  if (method === 'snap_getState' || method === 'snap_setState') {
    return `${method} (${fields.encrypted === false ? 'open' : 'encrypted'})`;
  }
  if (method === 'snap_manageAccounts') {
    return `${method} (${String(fields.method).replace('notify:', '')})`;
  }
  return method;
}

/** Names a request to a server, as the table does: its JSON-RPC methods, or its path. */
export function nameOfRequest(url: string, body: unknown): string {
  if (typeof body !== 'string') return new URL(url).pathname.split('/').at(-1) ?? '';
  const calls = [JSON.parse(body) as { method: string } | { method: string }[]].flat();
  return [...new Set(calls.map(({ method }) => method))].join(', ');
}

export function listTransactions(body: unknown): string[] {
  return typeof body === 'string' && body.includes('"eth_sendRawTransaction')
    ? (body.match(/0x[\da-f]{100,}/gu) ?? [])
    : [];
}

/** Calls that change nothing, whatever they answer. */
const READING =
  /^(?:snap_get|eth_(?!send)|suggestedGasFees|snap_manageAccounts \(accountUpdated)/u;

/** Returns whether a call changes something outside of the snap. */
export function hasEffect({ call }: Point): boolean {
  return !READING.test(call);
}

/** What a fault does with a call. */
type Act = {
  perform: () => Promise<unknown>;
  stop: () => Promise<void>;
  /** Lets every further request to a server fail. */
  cutOff: () => void;
  hang: () => Promise<never>;
};

export type Fault = {
  name: string;
  sides: readonly Side[];
  /** Whether it differs from others only where something is changed. */
  isOfEffects?: true;
  /** Comes before the call; what it throws is what the snap gets. */
  act: (act: Act) => Promise<void>;
};

export type Disturbance = { point: Point; fault: Fault };

const BOTH = ['platform', 'network'] as const;

const fail = async (): Promise<never> => Promise.reject(new Error('Injected failure.'));

export const faults: readonly Fault[] = [
  { name: 'fails', sides: BOTH, act: fail },
  {
    name: 'is done, answer lost',
    sides: BOTH,
    isOfEffects: true,
    act: async ({ perform }) => perform().then(fail),
  },
  {
    name: 'fails, like all after it',
    sides: ['network'],
    act: async ({ cutOff }) => Promise.resolve().then(cutOff).then(fail),
  },
  { name: 'is never answered', sides: ['platform'], act: async ({ hang }) => hang() },
  {
    name: 'is done, never answered',
    sides: ['network'],
    act: async ({ perform, hang }) => perform().then(hang),
  },
  {
    name: 'is done twice',
    sides: BOTH,
    act: async ({ perform }) => void (await perform()),
  },
  {
    name: 'worker stops before',
    sides: BOTH,
    act: async ({ stop, hang }) => stop().then(hang),
  },
  {
    name: 'worker stops after',
    sides: BOTH,
    isOfEffects: true,
    act: async ({ perform, stop, hang }) => perform().then(stop).then(hang),
  },
];
