// What a route is: one of the ways by which requests reach the snap.
import type { JSXElement } from '@metamask/snaps-sdk/jsx';
import type { HandlerType } from '@metamask/snaps-utils';
import type { Json } from '@metamask/utils';

import type { Random } from './random';

/** An account of the scene. */
export type SceneAccount = { id: string; address: string; type: string };

/** What a case is made from, beside chance: what there is in the wallet now. */
export type Stage = {
  accounts: readonly SceneAccount[];
  /** Where the servers are. */
  url: string;
  /** The site that may manage accounts. */
  companion: string;
  /** The home page that is open. */
  page: { id: string; content: () => JSXElement };
  /** Id of a socket that the snap has, if it has one. */
  socketId: string | undefined;
};

/** A request as a caller makes it, well formed or not. */
export type FuzzRequest = {
  handler: `${HandlerType}`;
  origin: string;
  request: { method: string; params?: Json } & Record<string, Json>;
  /** Whether the worker is stopped before, as MetaMask does with an idle one. */
  isFresh?: boolean;
};

/** A way to the snap. */
export type Route = {
  name: string;
  /** How many of a hundred cases take it. */
  share: number;
  make: (random: Random, stage: Stage) => FuzzRequest;
};
