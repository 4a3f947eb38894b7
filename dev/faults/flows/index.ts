// Every flow, the most important first.
import type { Flow } from '../sweep';
import { create, exportKey, exportKeystore, importKey, remove } from './accounts';
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

/** Those of smart accounts, which need a bundler. */
export const operationFlows = [sendUserOperation, sendCalls] as unknown as Flow[];
