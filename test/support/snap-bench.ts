// The built snap in the simulated wallet of snaps-jest, and those who call it.
import type { KeyringAccount } from '@metamask/keyring-api';
import { installSnap } from '@metamask/snaps-jest';
import type { SnapInterface } from '@metamask/snaps-jest';
import type { Json } from '@metamask/utils';

import { submission } from '../../dev/wallet/keyring-requests';
import type { Submission } from '../../dev/wallet/keyring-requests';
import { buttonOf } from './view';

/** Origin of the companion page. */
export const COMPANION = 'http://localhost:8000';

/** Origin of a website. */
export const DAPP = 'https://dapp.example';

/** What a caller gets: a result, or the code, message and data of an error. */
export type Answer = { result: unknown } | { error: unknown };

type Simulated = Awaited<ReturnType<typeof installSnap>>;

/** Params of a call. */
export type Params = NonNullable<Parameters<Simulated['request']>[0]['params']>;

/** How a user answers a dialog: by the names of what to click on, in order. */
export type Clicks = readonly string[];

/** An installed snap. */
export type SnapBench = Awaited<ReturnType<typeof installBench>>;

/** What the wallet begins with: what is stored. */
export type BenchOptions = {
  state?: object;
  unencryptedState?: object;
};

/** Install the snap; MetaMask takes every account at first. */
export async function installBench(options: BenchOptions = {}) {
  const snap = await installSnap({ options: options as Record<string, Json> });
  /** What MetaMask does about a change of an account: takes it, or throws; it may wait. */
  const metamask: { take: () => null | Promise<null> } = { take: () => null };
  snap.mockJsonRpc(({ method }) =>
    method === 'snap_manageAccounts' ? metamask.take() : undefined,
  );
  /** Call by the Account Management API. */
  const keyring = async (method: string, params?: Params, origin = 'metamask') =>
    toAnswer(await snap.onKeyringRequest({ origin, method, ...given(params) }));
  return {
    snap,
    metamask,
    keyring,
    /** Call by wallet_invokeSnap; the dapp does, unless another origin is named. */
    rpc: async (method: string, params?: Params, origin = DAPP) =>
      toAnswer(await snap.request({ origin, method, ...given(params) })),
    /** Call as `rpc` does, and answer the dialog that it shows. */
    confirm: async (
      { method, params }: { method: string; params?: Params },
      clicks: Clicks,
    ) => {
      const asking = snap.request({ origin: DAPP, method, ...given(params) });
      const dialog = await asking.getInterface();
      for (const name of clicks) await press(dialog, name);
      return { answer: toAnswer(await asking), content: dialog.content };
    },
    /** Call tollkeeper_* as the companion page, and approve the dialog; gives the result. */
    manage: async (method: string, params: Params) => {
      const asking = snap.request({ origin: COMPANION, method, params });
      const dialog = await asking.getInterface();
      await press(dialog, 'approve');
      return resultIn(toAnswer(await asking));
    },
    /** Have something signed as MetaMask does. */
    submit: async (asked: Submission) =>
      keyring('keyring_submitRequest', submission(asked).params as Params),
    create: async (options: Record<string, Json> = {}) => {
      const answer = await keyring('keyring_createAccount', { options });
      if ('result' in answer) return answer.result as KeyringAccount;
      throw new Error('The account was not created.', { cause: answer.error });
    },
  };
}

/** Press a button, as the one that approves once the dangers that are shown are acknowledged. */
export async function press(
  dialog: Pick<SnapInterface, 'clickElement' | 'content' | 'waitForUpdate'>,
  name: string,
): Promise<void> {
  const acknowledging = buttonOf(dialog.content, 'acknowledge');
  if (name !== 'approve' || acknowledging === 'acknowledge') {
    return dialog.clickElement(buttonOf(dialog.content, name));
  }
  // The interface that was opened keeps its first content.
  const updating = dialog.waitForUpdate();
  await dialog.clickElement(acknowledging);
  return press(await updating, name);
}

/** Get code and message of an error; fails if there was none. */
export function refusalIn(answer: Answer): { code: unknown; message: unknown } {
  if ('result' in answer) throw new Error('The call was not refused.');
  const { code, message } = answer.error as { code: unknown; message: unknown };
  return { code, message };
}

/** Get a result; fails if there was an error. */
export function resultIn(answer: Answer): unknown {
  if ('result' in answer) return answer.result;
  throw new Error('The call was refused.', { cause: answer.error });
}

function given(params: Params | undefined): { params?: Params } {
  return params === undefined ? {} : { params };
}

/** Take what the snap answered: copied, since what comes from the simulation is of another
 * realm's classes. */
export function toAnswer({ response }: { response: unknown }): Answer {
  return JSON.parse(JSON.stringify(response)) as Answer;
}
