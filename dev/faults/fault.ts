// The points at which a fault can occur: the snap's calls to the platform and to servers.
import type { SnapCall } from '../wallet/engine';

type Side = 'platform' | 'network';

export type Point = { side: Side; call: string; nth: number };

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

/** Calls that change nothing outside of the snap. */
const WITHOUT_EFFECT =
  /^(?:snap_get|eth_(?!send)|suggestedGasFees|snap_manageAccounts \(accountUpdated)/u;

export function hasEffect({ call }: Point): boolean {
  return !WITHOUT_EFFECT.test(call);
}

export type Step = 'perform' | 'fail' | 'hang' | 'stop' | 'cutOff';

export type Fault = {
  name: string;
  sides: readonly Side[];
  /** Steps that run before the call. If one throws, the call fails with its error. */
  steps: readonly Step[];
  /** Whether to skip calls without effects, for which another fault has the same result. */
  needsEffect?: true;
};

export type Disturbance = { point: Point; fault: Fault };

const sides = ['platform', 'network'] as const;
const needsEffect = true;

export const faults: readonly Fault[] = [
  { name: 'fails', sides, steps: ['fail'] },
  {
    name: 'succeeds, but its answer is lost',
    sides,
    needsEffect,
    steps: ['perform', 'fail'],
  },
  {
    name: 'fails, and so does every later call',
    sides: ['network'],
    steps: ['cutOff', 'fail'],
  },
  { name: 'is never answered', sides: ['platform'], steps: ['hang'] },
  {
    name: 'succeeds, but is never answered',
    sides: ['network'],
    steps: ['perform', 'hang'],
  },
  { name: 'is made twice', sides, steps: ['perform'] },
  { name: 'is prevented, as the worker stops', sides, steps: ['stop', 'hang'] },
  {
    name: 'is the last before the worker stops',
    sides,
    needsEffect,
    steps: ['perform', 'stop', 'hang'],
  },
];
