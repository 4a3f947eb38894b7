// The core. Only the core holds keys and entropy, shows signing requests, creates approvals, and
// signs. It imports nothing from the rest of Tollkeeper.
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

/** A decision that the user made outside of our dialogs: in MetaMask, or on the companion or home
 * page. It is valid for one approval. */
export class UserDecision {
  /** Makes the type nominal. */
  protected readonly isDecided = true;
}

/** What the user decided: to sign a request that MetaMask or the companion page showed, or to
 * export a key on the home page. */
export type Purpose = 'signing' | 'export';

/** The core, as the rest of Tollkeeper sees it. */
export type Core = Pick<Keys, 'addressOf'> & {
  hasKey: Keys['has'];
  /** Imports a private key and returns its address. The key is stored with the account that uses
   * it. */
  importKey: (privateKey: Hex) => Hex;
  /** Shows tasks until the user has seen every page, acknowledged every danger, and approved a
   * snapshot. Returns undefined if the user refused or closed the dialog. */
  requestApproval: (showing: Showing) => Promise<Answer | undefined>;
  /** Approves tasks that the user decided on elsewhere. Throws `UserRejectedError` if the decision
   * is missing, was used before, or is for another purpose. */
  acceptDecided: (
    tasks: readonly SigningTask[],
    decided: UserDecision | undefined,
  ) => Approval;
  /** Returns an approval's tasks, as they were shown. */
  tasksOf: (approval: Approval) => readonly HeldTask[];
  /** Signs a message or typed data, once. */
  signBytes: (approval: Approval, index?: number) => Promise<Hex>;
  /** Signs a user operation, once. Omits the deployment if the task left it open and the
   * account has been deployed since. */
  signOperation: (
    approval: Approval,
    index?: number,
    closing?: { isDeployed?: boolean | undefined },
  ) => Promise<UserOperation>;
  /** Signs a transaction, once. Fills in the nonce if the task left it open, and the authorizations
   * and signatures of the approval's other tasks. */
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
  /** Returns a private key, once. */
  exportKey: (approval: Approval) => Promise<Hex>;
};

/** The core, as the entry points see it. They pass on the user's actions. */
export type CoreEntry = Pick<Dialogs, 'input' | 'press' | 'refuse'> & {
  /** Records that MetaMask or the companion page asks to sign, or that the user pressed a button on
   * the home page. */
  admit: (purpose: Purpose) => UserDecision;
};

export type CoreParts = DialogParts & {
  getEntropy: GetEntropy;
  /** Storage of the encrypted document. */
  stored: Backend;
  findAccount: (id: string) => Promise<AccountRef | undefined>;
};

/** Call it once per worker. `backend` loads and saves the encrypted document, with private keys
 * replaced by their addresses. */
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
  const decisions = new WeakMap<UserDecision, Purpose>();
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
      const { task, payload } = take(approval, index, [
        'message',
        'document',
        'entries',
      ]);
      return lend(task.account, (key) => signBytes(payload, task.digest, key));
    },
    signOperation: async (approval, index = 0, { isDeployed } = {}) => {
      const { task, payload } = take(approval, index, ['operation']);
      const { operation: shown } = payload;
      const operation =
        fillOpenField(
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
      const { task, payload } = take(approval, index, ['transaction']);
      const { transaction: shown } = payload;
      if (!isSameAddress(shown.from, task.account.owner)) {
        throw new InternalError(`${shown.from} does not sign with this account.`);
      }
      const whole = complete(withNonce(task, shown, nonce), task, approval);
      return lend(task.account, (key) => signTransaction(whole, key));
    },
    signAuthorization: async (approval, index = 0, { nonce } = {}) => {
      const { task, payload } = take(approval, index, ['authorization']);
      const { authorization: shown } = payload;
      const { authority = task.account.address } = shown;
      const authorization = { ...withNonce(task, shown, nonce), authority };
      const signed = await lend(task.account, (key) =>
        signAuthorization(authorization, key),
      );
      noteSigned(approval, { authority, authorization: Object.freeze(signed) });
      return signed;
    },
    exportKey: async (approval) => {
      const { task } = take(approval, 0, ['key']);
      return lend(task.account, bytesToHex);
    },
  };
  return {
    core: Object.freeze(core),
    entry: Object.freeze({
      ...events,
      admit: (purpose) => {
        const decided = new UserDecision();
        Object.freeze(decided);
        decisions.set(decided, purpose);
        return decided;
      },
    }),
    backend: vault.backend,
  };
}

type PayloadOf<Kind extends SigningPayload['kind']> = Extract<
  SigningPayload,
  { kind: Kind }
>;

/** Throws `InternalError` if the task is of a different kind. */
function take<Kind extends SigningPayload['kind']>(
  approval: Approval,
  index: number,
  kinds: readonly Kind[],
): { task: HeldTask; payload: PayloadOf<Kind> } {
  const task = takeTask(approval, index);
  const { payload } = task;
  if (kinds.some((kind) => kind === payload.kind)) {
    return { task, payload: payload as PayloadOf<Kind> };
  }
  throw new InternalError(`Task ${index} is a ${payload.kind}.`);
}

/** Throws `InternalError` if the task did not leave the field open. */
function fillOpenField<Closed>(
  { open = [] }: HeldTask,
  field: OpenField,
  closed: Closed | false | undefined,
): Closed | undefined {
  if (closed === false || closed === undefined) return undefined;
  if (open.includes(field)) return closed;
  throw new InternalError(`The task does not leave its ${field} open.`);
}

function withNonce<Shown extends { nonce: bigint }>(
  task: HeldTask,
  shown: Shown,
  nonce: bigint | undefined,
): Shown {
  const numbered = nonce !== undefined && { ...shown, nonce: BigInt(nonce) };
  return fillOpenField(task, 'nonce', numbered) ?? shown;
}

/** Completes a transaction with the results of the approval's other tasks: our authorizations, and
 * the signatures of operations in its data. */
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

/** Replaces the placeholder signature of an operation, which must occur exactly once. */
function putSignature(data: Hex, outcome: Outcome): Hex {
  if (!('signature' in outcome)) return data;
  const { placeholder, signature } = outcome;
  const parts = data.split(placeholder.slice(2));
  if (parts.length !== 2 || placeholder.length !== signature.length) {
    throw new InternalError('The signature does not fit into the transaction.');
  }
  return parts.join(signature.slice(2)) as Hex;
}
