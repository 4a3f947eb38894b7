// Every flow, the most important first.
import type { Flow } from '../flow';
import { create, exportKey, importKey, remove } from './accounts';
import { sendCalls } from './calls';
import { exportKeystore } from './keystore';
import { sendUserOperation } from './operations';
import { approve, reject } from './requests';
import { send } from './send';
import { follow, grant, openHome, revoke, setChain } from './settings';
import { signDocument, signMessage } from './signing';

/** Those that every run of the tests disturbs wholly. */
export const mainFlows = [send, create, remove, approve] as unknown as Flow[];

/** The others. */
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
