// What the wallet calls by itself: background events, what our sockets tell, its starts.
import type { Json } from '@metamask/utils';

import { POLL } from '../../../src/activity/tracker';
import { HOME } from '../../../src/handlers/home-page';
import { makeJunk, makeName, makeText } from '../junk';
import { mutate } from '../mutate';
import type { FuzzRequest, Route } from '../route';

/** Background events. */
export const cron: Route = {
  name: 'cron',
  share: 4,
  make: (random, { page }) => {
    const method = random.pick([POLL, HOME, HOME, makeName(random), `${HOME}x`]);
    const params = random.chance(0.4) ? [page.id] : mutate([page.id], random);
    const isLegal = typeof params === 'object' && params !== null;
    return {
      handler: 'onCronjob',
      origin: 'metamask',
      request: isLegal ? { method, params } : { method },
    };
  },
};

/** What our sockets tell, and sockets that are none of ours. */
export const socket: Route = {
  name: 'socket',
  share: 4,
  make: (random, { socketId = 'none', url }) => {
    const id = random.chance(0.8) ? socketId : makeText(random);
    const head = { id, origin: random.chance(0.8) ? url : makeText(random) };
    const answer = { jsonrpc: '2.0', id: 1, result: '0x1' };
    const news = {
      ...{ jsonrpc: '2.0', method: 'eth_subscription' },
      params: { subscription: '0x1', result: { number: '0x1', baseFeePerGas: '0x1' } },
    };
    const json = mutate(random.pick<Json>([answer, [answer, answer], news]), random);
    const message = random.chance(0.8) ? JSON.stringify(json) : makeText(random);
    const bytes = Array.from(
      { length: random.below(20) },
      () => random.below(300) - 20,
    );
    const data = random.chance(0.8)
      ? { type: 'text', message }
      : { type: 'binary', message: bytes };
    const close = {
      code: random.below(5_000),
      reason: makeText(random),
      wasClean: null,
    };
    const event = random.pick<Json>([
      { type: 'message', ...head, data },
      { type: 'message', ...head, data },
      { type: 'message', ...head, data },
      { type: 'open', ...head },
      { type: 'close', ...head, ...close },
    ]);
    return {
      handler: 'onWebSocketEvent',
      origin: 'metamask',
      request: { method: '', params: { event } },
    };
  },
};

const LIFECYCLE = [
  ...([
    'onStart',
    'onStart',
    'onActive',
    'onInactive',
    'onInstall',
    'onUpdate',
  ] as const),
  'onHomePage' as const,
];

/** Starts, installations, updates, and the opening of our page. */
export const lifecycle: Route = {
  name: 'lifecycle',
  share: 3,
  make: (random): FuzzRequest => ({
    handler: random.pick(LIFECYCLE),
    origin: 'metamask',
    request: { method: '', ...(random.chance(0.5) && { params: [makeJunk(random)] }) },
    isFresh: random.chance(0.1),
  }),
};
