// Every way by which requests reach the snap.
import type { Route } from '../route';
import { cron, lifecycle, socket } from './background';
import { companion } from './companion';
import { dapp } from './dapp';
import { insight } from './insight';
import { metamask } from './metamask';
import { userInput } from './user-input';

/** The routes; their shares add up to a hundred. */
export const routes: readonly Route[] = [
  ...[dapp, companion, metamask, userInput, insight, cron, socket, lifecycle],
];
