// Every flow, the most important first.
import type { Flow } from '../sweep';
import {
  create,
  createRefused,
  exportKey,
  exportKeystore,
  importKey,
  remove,
} from './accounts';
import { delegate, revokeDelegation, sendFirstBatch } from './delegation';
import { send, sendCalls, sendUserOperation } from './sending';
import {
  approve,
  follow,
  grant,
  openHome,
  reject,
  revoke,
  setChain,
  signDocument,
  signMessage,
  signUndeployed,
} from './site';

/** Those that every run of the tests disturbs wholly. */
export const mainFlows = [send, create, remove, approve] as unknown as Flow[];

export const otherFlows = [
  signMessage,
  signDocument,
  importKey,
  exportKey,
  exportKeystore,
  reject,
  follow,
  grant,
  revoke,
  setChain,
  openHome,
] as unknown as Flow[];

/** Those of accounts with contracts, which need a bundler or the contracts. */
export const operationFlows = [
  sendUserOperation,
  sendCalls,
  delegate,
  revokeDelegation,
  sendFirstBatch,
  signUndeployed,
  createRefused,
] as unknown as Flow[];
