// The most important flows come first.
import type { Flow } from '../sweep';
import * as accounts from './accounts';
import * as delegation from './delegation';
import * as sending from './sending';
import * as site from './site';

/** Every test run tries these flows with every fault. */
export const mainFlows = [
  sending.send,
  accounts.create,
  accounts.remove,
  site.approve,
] as unknown as Flow[];

export const otherFlows = [
  site.signMessage,
  site.signDocument,
  accounts.importKey,
  accounts.exportKey,
  accounts.exportKeystore,
  site.reject,
  site.follow,
  site.grant,
  site.revoke,
  site.setChain,
  site.openHome,
] as unknown as Flow[];

/** Flows that need a bundler or the contracts of accounts. */
export const operationFlows = [
  sending.sendCalls,
  delegation.delegate,
  delegation.revokeDelegation,
  delegation.sendFirstBatch,
  site.signUndeployed,
  accounts.createRefused,
] as unknown as Flow[];
