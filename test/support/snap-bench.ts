// The built snap in the simulated wallet of snaps-jest, and those who call it.
import type { KeyringAccount } from '@metamask/keyring-api';
import { installSnap } from '@metamask/snaps-jest';
import type { SnapInterface } from '@metamask/snaps-jest';
import type { JSXElement } from '@metamask/snaps-sdk/jsx';
import type { Json } from '@metamask/utils';

import { buttonOf } from './view';

/** Origin of the companion page. */
export const COMPANION = 'http://localhost:8000';

/** Origin of a website. */
export const DAPP = 'https://dapp.example';

/** What a caller gets: a result, or the code, message and data of an error. */
export type Answer = { result: unknown } | { error: unknown };

type Simulated = Awaited<ReturnType<typeof installSnap>>;

/** Params of a call. */
type Params = NonNullable<Parameters<Simulated['request']>[0]['params']>;

/** An installed snap. */
export type SnapBench = {
  snap: Simulated;
  /** Call by wallet_invokeSnap; the dapp does, unless another origin is named. */
  rpc: (method: string, params?: Params, origin?: string) => Promise<Answer>;
  /** Call as {@link SnapBench.rpc} does, and approve the dialog that it shows. */
  confirm: (
    method: string,
    params?: Params,
  ) => Promise<{ answer: Answer; content: JSXElement }>;
  create: (options?: Record<string, Json>) => Promise<KeyringAccount>;
};

/** Installs the snap in a MetaMask that takes every account. */
export async function installBench(): Promise<SnapBench> {
  const snap = await installSnap();
  snap.mockJsonRpc(({ method }) =>
    method === 'snap_manageAccounts' ? null : undefined,
  );
  return {
    snap,
    rpc: async (method, params, origin = DAPP) =>
      toAnswer(await snap.request({ origin, method, ...given(params) })),
    confirm: async (method, params) => {
      const asking = snap.request({ origin: DAPP, method, ...given(params) });
      const dialog = await asking.getInterface();
      await press(dialog, 'approve');
      return { answer: toAnswer(await asking), content: dialog.content };
    },
    create: async (options = {}) => {
      const answer = toAnswer(
        await snap.onKeyringRequest({
          origin: 'metamask',
          method: 'keyring_createAccount',
          params: { options },
        }),
      );
      if ('result' in answer) return answer.result as KeyringAccount;
      throw new Error('The account was not created.', { cause: answer.error });
    },
  };
}

/** Presses a button, as the one that approves once the dangers that are shown are acknowledged. */
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

/** Gets a result; fails if there was an error. */
export function resultIn(answer: Answer): unknown {
  if ('result' in answer) return answer.result;
  throw new Error('The call was refused.', { cause: answer.error });
}

function given(params: Params | undefined): { params?: Params } {
  return params === undefined ? {} : { params };
}

/** Takes what the snap answered: copied, since what comes from the simulation is of another
 * realm's classes. */
function toAnswer({ response }: { response: unknown }): Answer {
  return JSON.parse(JSON.stringify(response)) as Answer;
}
