// Having something signed, after the checks of the keyring and before those of a route.
import type { KeyringAccount } from '@metamask/keyring-api';
import type { JSXElement } from '@metamask/snaps-sdk/jsx';
import type { Json } from '@metamask/utils';
import { privateKeyToAccount } from 'viem/accounts';
import type { PrivateKeyAccount } from 'viem/accounts';

import { UserRejectedError } from '../../src/errors';
import { approveUnseen, toConfirmation } from '../../src/methods';
import type { MethodServices } from '../../src/methods';
import { keyOfIndex } from './entropy';
import { createAccount, createTestApp } from './test-app';
import type { Edges, TestApp } from './test-app';
import { drawPage, translate } from './view';

/** What is asked to be signed. */
export type Asked = {
  account: string;
  method: string;
  params: Json;
  scope?: bigint;
  /** As for MetaMask; by default as for a dapp. */
  mayHoldSecrets?: boolean;
};

/** Where things are signed. */
export type SignBench = {
  app: TestApp;
  edges: Edges;
  /** The key of the ordinary account of index 0, as another implementation has it. */
  owner: PrivateKeyAccount;
  sign: (asked: Asked) => Promise<Json>;
  create: (options?: Record<string, Json>) => Promise<KeyringAccount>;
  /** What the user was asked, and whether the user agrees. */
  consents: { asked: JSXElement[]; isGiven: boolean };
};

/** Set up a snap whose user agrees to everything. */
export function createSignBench(): SignBench {
  const app = createTestApp();
  const { keyring, methodServices } = app.services;
  const consents: SignBench['consents'] = { asked: [], isGiven: true };
  const requireConsent: MethodServices['requireConsent'] = async (asking) => {
    const { draw } = toConfirmation(asking).takePicture();
    consents.asked.push(drawPage(draw(translate)));
    await Promise.resolve();
    if (!consents.isGiven) throw new UserRejectedError();
    return approveUnseen(asking);
  };
  return {
    app,
    edges: app.edges,
    owner: privateKeyToAccount(keyOfIndex(0)),
    consents,
    create: (options = {}) => createAccount(app, options),
    sign: ({ mayHoldSecrets = false, scope, ...asked }) =>
      keyring.submitRequest(
        { origin: 'https://dapp.example', ...asked, scope },
        {
          ...methodServices,
          requireConsent,
          mayHoldSecrets,
          confirmsItself: !mayHoldSecrets,
          isFromDapp: !mayHoldSecrets,
        },
      ),
  };
}
