// The core: it alone has keys and entropy, shows what is signed, makes approvals, and signs. It imports
// nothing of Tollkeeper but itself. Callers ask it, and cannot do what it does.
import { bytesToHex } from '@metamask/utils';

import {
  approve,
  holdTasks,
  noteSigned,
  outcomesOf,
  takeTask,
  tasksOf,
} from './approval';
import type { Approval, HeldTask, Outcome } from './approval';
import { isOwnAuthorization } from './authorization';
import { createDialogs } from './dialog';
import type { Answer, DialogParts, Dialogs, Showing } from './dialog';
import { hashPayload } from './digest';
import type { BytesPayload } from './digest';
import { InternalError, UserRejectedError } from './errors';
import { isSameAddress } from './hex';
import type { Hex } from './hex';
import { createKeys } from './keys';
import type { GetEntropy, Keys } from './keys';
import type {
  AccountRef,
  Authorization,
  OpenField,
  SigningPayload,
  SigningTask,
  Transaction,
  UserOperation,
} from './payload';
import { signAuthorization, signBytes, signTransaction } from './sign';
import type { SignedTransaction } from './sign';
import { createVault } from './vault';
import type { Backend } from './vault';

/** What MetaMask, or the user on the home page, has decided outside of our dialogs: one approval. */
export class Decided {
  /** No other type fits. */
  protected readonly isDecided = true;
}

/** What a decision is for: what MetaMask has shown is signed, a key is exported on the home page. */
export type Purpose = 'signing' | 'export';

/** What the rest of Tollkeeper can ask. */
export type Core = Pick<Keys, 'addressOf'> & {
  /** Returns whether the key of an account can be had from where it says. */
  hasKey: Keys['has'];
  /** Takes a private key in, which is stored with the account that names it; returns its address. */
  importKey: (privateKey: Hex) => Hex;
  /** Shows tasks until every page was seen, every danger acknowledged, and one snapshot approved.
   * @returns Undefined if the user refused or closed the dialog. */
  requestApproval: (showing: Showing) => Promise<Answer | undefined>;
  /** Approves what has been decided elsewhere; throws `UserRejectedError` without a decision, or if it
   * was used. */
  acceptDecided: (
    tasks: readonly SigningTask[],
    decided: Decided | undefined,
  ) => Approval;
  /** The tasks of an approval, as they were shown. */
  tasksOf: (approval: Approval) => readonly HeldTask[];
  /** Signs a message or typed data, once. */
  signBytes: (approval: Approval, index?: number) => Promise<Hex>;
  /** Signs a user operation, once; where its task left the deployment open, without it if the account
   * has been deployed since. */
  signOperation: (
    approval: Approval,
    index?: number,
    closing?: { isDeployed?: boolean | undefined },
  ) => Promise<UserOperation>;
  /** Signs a transaction, once, with the nonce that its task left open, and with what other tasks of the
   * approval have signed for it. */
  signTransaction: (
    approval: Approval,
    index?: number,
    closing?: { nonce?: bigint | undefined },
  ) => Promise<SignedTransaction>;
  /** Signs an authorization, once. */
  signAuthorization: (
    approval: Approval,
    index?: number,
    closing?: { nonce?: bigint | undefined },
  ) => Promise<Authorization>;
  /** Gives a private key out, once. */
  exportKey: (approval: Approval, index?: number) => Promise<Hex>;
};

/** What the entry points have beside: what the platform says of its user. */
export type CoreEntry = Pick<Dialogs, 'input' | 'press' | 'refuse'> & {
  /** Notes that MetaMask asks to sign, or that its user has pressed a button of the home page. */
  admit: (purpose: Purpose) => Decided;
};

export type CoreParts = DialogParts & {
  getEntropy: GetEntropy;
  /** Where the encrypted document is. */
  stored: Backend;
  /** Finds an account as it is now. */
  findAccount: (id: string) => Promise<AccountRef | undefined>;
};

/** Creates the core; one a worker. `backend` is the encrypted document without keys. */
export function createCore({
  getEntropy,
  stored,
  findAccount,
  ...dialogParts
}: CoreParts): {
  core: Core;
  entry: CoreEntry;
  backend: Backend;
} {
  const vault = createVault(stored);
  const keys = createKeys(getEntropy, vault, findAccount);
  const dialogs = createDialogs(dialogParts);
  const { show, ...events } = dialogs;
  const decisions = new WeakMap<Decided, Purpose>();
  const { lend } = keys;
  const core: Core = {
    addressOf: keys.addressOf,
    hasKey: keys.has,
    importKey: vault.hold,
    requestApproval: show,
    acceptDecided: (tasks, decided) => {
      const held = holdTasks(tasks);
      const purpose = decided && decisions.get(decided);
      const isDecided = held.every(
        ({ payload }) => (payload.kind === 'key') === (purpose === 'export'),
      );
      if (!decided || !purpose || !isDecided) throw new UserRejectedError();
      decisions.delete(decided);
      return approve(held);
    },
    tasksOf,
    signBytes: async (approval, index = 0) => {
      const { task, payload } = take(approval, index, isBytes);
      return lend(task.account, (key) => signBytes(payload, task.digest, key));
    },
    signOperation: async (approval, index = 0, { isDeployed } = {}) => {
      const { task, payload } = take(approval, index, isKind('operation'));
      const { operation: shown } = payload;
      const operation =
        close(
          task,
          'deployment',
          isDeployed && { ...shown, initCode: '0x' as const },
        ) ?? shown;
      const digest =
        operation === shown
          ? task.digest
          : hashPayload({ ...payload, operation }).digest;
      const signature = await lend(task.account, (key) =>
        signBytes(payload, digest, key),
      );
      noteSigned(approval, { placeholder: shown.signature, signature });
      return { ...operation, signature };
    },
    signTransaction: async (approval, index = 0, { nonce } = {}) => {
      const { task, payload } = take(approval, index, isKind('transaction'));
      const { transaction: shown } = payload;
      if (!isSameAddress(shown.from, task.account.owner)) {
        throw new InternalError(`${shown.from} does not sign by this account.`);
      }
      const whole = complete(numbered(task, shown, nonce), task, approval);
      return lend(task.account, (key) => signTransaction(whole, key));
    },
    signAuthorization: async (approval, index = 0, { nonce } = {}) => {
      const { task, payload } = take(approval, index, isKind('authorization'));
      const { authorization: shown } = payload;
      const { authority = task.account.address } = shown;
      const authorization = { ...numbered(task, shown, nonce), authority };
      const signed = await lend(task.account, (key) =>
        signAuthorization(authorization, key),
      );
      noteSigned(approval, { authority, authorization: Object.freeze(signed) });
      return signed;
    },
    exportKey: async (approval, index = 0) => {
      const { task } = take(approval, index, isKind('key'));
      return lend(task.account, bytesToHex);
    },
  };
  return {
    core: Object.freeze(core),
    entry: Object.freeze({
      ...events,
      admit: (purpose) => {
        const decided = new Decided();
        Object.freeze(decided);
        decisions.set(decided, purpose);
        return decided;
      },
    }),
    backend: vault.backend,
  };
}

type Guard<Payload extends SigningPayload> = (
  payload: SigningPayload,
) => payload is Payload;

type PayloadOf<Kind extends SigningPayload['kind']> = Extract<
  SigningPayload,
  { kind: Kind }
>;

type Whole = Exclude<BytesPayload, { kind: 'operation' }>;

const isBytes: Guard<Whole> = (payload): payload is Whole =>
  payload.kind === 'message' ||
  payload.kind === 'document' ||
  payload.kind === 'entries';

const isKind =
  <Kind extends SigningPayload['kind']>(kind: Kind): Guard<PayloadOf<Kind>> =>
  (payload): payload is PayloadOf<Kind> =>
    payload.kind === kind;

function take<Payload extends SigningPayload>(
  approval: Approval,
  index: number,
  is: Guard<Payload>,
): { task: HeldTask; payload: Payload } {
  const task = takeTask(approval, index);
  const { payload } = task;
  if (is(payload)) return { task, payload };
  throw new InternalError(`Task ${index} is a ${payload.kind}.`);
}

/** Fills an open field; throws `InternalError` if the task has not declared it open. */
function close<Closed>(
  { open = [] }: HeldTask,
  field: OpenField,
  closed: Closed | false | undefined,
): Closed | undefined {
  if (closed === false || closed === undefined) return undefined;
  if (open.includes(field)) return closed;
  throw new InternalError(`The task does not leave its ${field} open.`);
}

/** Numbers what is signed, if its task leaves the nonce open. */
function numbered<Shown extends { nonce: bigint }>(
  task: HeldTask,
  shown: Shown,
  nonce: bigint | undefined,
): Shown {
  const wanted = nonce !== undefined && { ...shown, nonce: BigInt(nonce) };
  return close(task, 'nonce', wanted) ?? shown;
}

/** Puts into a transaction what other tasks of its approval have signed for it: the authorizations that
 * are ours, and the signatures of operations in its data. */
function complete(
  transaction: Transaction,
  { account, open = [] }: HeldTask,
  approval: Approval,
): Transaction {
  const outcomes = outcomesOf(approval);
  const data = open.includes('signatures')
    ? outcomes.reduce(putSignature, transaction.data)
    : transaction.data;
  if (transaction.type !== '0x4') return { ...transaction, data };
  const signed = outcomes.flatMap((each) => ('authorization' in each ? [each] : []));
  const findSigned = (own: Authorization): Authorization => {
    const { authority = account.address } = own;
    const nonce = own.authority === undefined ? transaction.nonce + 1n : own.nonce;
    const found = signed.find(
      (each) =>
        isSameAddress(each.authority, authority) &&
        each.authorization.chainId === own.chainId &&
        isSameAddress(each.authorization.address, own.address) &&
        each.authorization.nonce === nonce,
    );
    if (found) return found.authorization;
    throw new InternalError(`The authorization for ${own.address} is not signed.`);
  };
  return {
    ...transaction,
    data,
    authorizationList: transaction.authorizationList.map((each) =>
      isOwnAuthorization(each) ? findSigned(each) : each,
    ),
  };
}

/** Puts the signature of an operation in the place of the one that was shown, which stands there once. */
function putSignature(data: Hex, outcome: Outcome): Hex {
  if (!('signature' in outcome)) return data;
  const { placeholder, signature } = outcome;
  const parts = data.split(placeholder.slice(2));
  if (parts.length !== 2 || placeholder.length !== signature.length) {
    throw new InternalError('The signature has no place in the transaction.');
  }
  return parts.join(signature.slice(2)) as Hex;
}
