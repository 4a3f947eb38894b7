// Where a flow can be disturbed: each call of the snap to the platform and to a server, by
// what it is and the how manieth of that.
import type { SnapCall } from '../wallet/engine';

/** What answers a call. */
export type Side = 'platform' | 'network';

/** One call of a flow. */
export type Point = { side: Side; call: string; nth: number };

/** Name a call of the snap to the platform, as the table does. */
export function nameOf({ method, params }: SnapCall): string {
  const fields = (Array.isArray(params) ? {} : (params ?? {})) as Record<
    string,
    unknown
  >;
  if (method === 'snap_getState' || method === 'snap_setState') {
    return `${method} (${fields.encrypted === false ? 'open' : 'encrypted'})`;
  }
  if (method === 'snap_manageAccounts') {
    return `${method} (${String(fields.method).replace('notify:', '')})`;
  }
  return method;
}

/** Name a request to a server, as the table does: its JSON-RPC methods, or its path. */
export function nameOfRequest(url: string, body: unknown): string {
  if (typeof body !== 'string') return new URL(url).pathname.split('/').at(-1) ?? '';
  const calls = [JSON.parse(body) as { method: string } | { method: string }[]].flat();
  return [...new Set(calls.map(({ method }) => method))].join(', ');
}

/** Counts calls by name. */
export type Counter = { add: (side: Side, call: string) => Point; points: Point[] };

/** Create a counter that has counted nothing. */
export function createCounter(): Counter {
  const points: Point[] = [];
  return {
    points,
    add: (side, call) => {
      const before = points.filter((each) => each.side === side && each.call === call);
      const point = { side, call, nth: before.length + 1 };
      points.push(point);
      return point;
    },
  };
}

/** Calls that change nothing, whatever they answer. */
const READING =
  /^(?:snap_get|eth_(?!send)|suggestedGasFees|snap_manageAccounts \(accountUpdated)/u;

/** Tell whether a call changes something outside of the snap. */
export function hasEffect({ call }: Point): boolean {
  return !READING.test(call);
}
