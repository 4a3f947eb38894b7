// The snap's outer edges: everything that the app uses of the platform and of the machine.
// Tests replace these, and nothing else.
import type { Json } from '@metamask/utils';

import { printLine } from '../log';
import { isLocked } from './answered';
import { backgroundEvents, wakes } from './background-events';
import type { Alarm, Wakes } from './background-events';
import { systemClock } from './clock';
import type { Clock } from './clock';
import { answerDialog, showDialog } from './dialogs';
import { getEntropy } from './entropy';
import { readFile } from './files';
import { interfaces } from './interfaces';
import type { Interfaces } from './interfaces';
import { emitKeyringEvent } from './keyring-events';
import { notify } from './notifications';
import { fetchLocale } from './preferences';
import { createSockets } from './sockets';
import type { Sockets } from './sockets';
import { createStateBackend } from './state-backend';
import { requestWallet } from './wallet-provider';

/** What the app uses of the platform and of the machine. */
export type Edges = Clock & {
  fetch: typeof globalThis.fetch;
  /** Creates access to the wallet's sockets; called once a worker. */
  createSockets: () => Sockets;
  createStateBackend: typeof createStateBackend;
  requestWallet: typeof requestWallet;
  getEntropy: typeof getEntropy;
  emitKeyringEvent: typeof emitKeyringEvent;
  interfaces: Interfaces;
  showDialog: (id: string) => Promise<Json>;
  answerDialog: (id: string, value: Json) => Promise<void>;
  readFile: (path: string) => Promise<string | null>;
  fetchLocale: () => Promise<string>;
  notify: (message: string) => Promise<void>;
  isLocked: () => Promise<boolean>;
  alarm: Alarm;
  wakes: Wakes;
  /** Writes a line of the log. */
  print: (line: string) => void;
};

/** The edges of a snap that runs in MetaMask. */
export const platformEdges: Edges = {
  ...systemClock,
  fetch: async (...args) => fetch(...args),
  createSockets,
  createStateBackend,
  requestWallet,
  getEntropy,
  emitKeyringEvent,
  interfaces,
  showDialog,
  answerDialog,
  readFile,
  fetchLocale,
  notify,
  isLocked,
  alarm: backgroundEvents,
  wakes,
  print: printLine,
};
