// Whether what was sent was included.
import type { Hex } from 'viem';

import type { Sent } from '../../inclusion/find-inclusion';
import { describeInclusion, follow } from '../../inclusion/follow';
import type { Check } from './check';

/** Follow what was sent until it is included. */
export function checkInclusion(kind: Sent['kind']): Check {
  return async ({ result, given: { chainId } }, tools) => {
    const sent = toSent(kind, result, chainId ?? '0x1');
    const inclusion = await follow(sent, tools);
    const text = `Receipt: ${describeInclusion(inclusion)}`;
    return inclusion.state === 'pending'
      ? { text }
      : { isRight: inclusion.state === 'included', text };
  };
}

function toSent(kind: Sent['kind'], result: unknown, chainId: Hex): Sent {
  return kind === 'calls'
    ? { kind, id: (result as { id: string }).id }
    : { kind, hash: result as Hex, chainId };
}
