import type { KeyringAccount } from '@metamask/keyring-api';
import { UserInputEventType, SnapError } from '@metamask/snaps-sdk';
import type { Json } from '@metamask/utils';
import { stringToHex, verifyMessage } from 'viem';
import type { Hex } from 'viem';

import {
  keyringRpc,
  REQUEST_ID,
  submission,
} from '../../../dev/wallet/keyring-requests';
import {
  onKeyringRequest,
  onRpcRequest,
  onStart,
  onUserInput,
} from '../../../src/index';
import { errorOf } from '../../support/error-of';
import { createFakeNode } from '../../support/fake-node';
import { createFakePlatform, paramsOf, toSaved } from '../../support/platform';
import type { FakePlatform, PlatformCall } from '../../support/platform';

/** What the user clicks on. */
type ClickingUser = { clicks: string };

/** Have a platform's dialogs answered: by approving, until something else is said. */
function answerByClicks(
  platform: FakePlatform,
  onUserInput: (input: unknown) => Promise<unknown>,
): ClickingUser {
  const user: ClickingUser = { clicks: 'approve:1' };
  let drawn = 0;
  platform.answers.snap_createInterface = () => {
    drawn += 1;
    return Promise.resolve(`dialog-${drawn}`);
  };
  platform.answers.snap_dialog = ({ id }) =>
    new Promise((resolve) => {
      platform.answers.snap_resolveInterface = ({ value = null }) => {
        resolve(value);
        return Promise.resolve(null);
      };
      const event = { type: UserInputEventType.ButtonClickEvent, name: user.clicks };
      void onUserInput({ id, event, context: null });
    });
  return user;
}

const DAPP = 'https://dapp.example';
const COMPANION = 'http://localhost:8000';

// The snap builds its services once, so these tests share one platform and one story.
const platform: FakePlatform = createFakePlatform();
Object.assign(process.env, {
  TOLLKEEPER_COMPANION_ORIGIN: COMPANION,
  TOLLKEEPER_DEVELOPMENT: 'true',
});
const wallet = createFakeNode({ eth_chainId: '0x1' });
Object.assign(globalThis, { snap: platform, ethereum: wallet });

const dialogs = answerByClicks(platform, (click) => onUserInput(click as never));

const filled: { values: Record<string, Json> } = { values: {} };
platform.answers.snap_getInterfaceState = () => Promise.resolve(filled.values);

const rpc = async (
  method: string,
  params: Json[] = [],
  origin = DAPP,
): Promise<unknown> =>
  onRpcRequest({ origin, request: { jsonrpc: '2.0', id: 1, method, params } });

const keyring = async (method: string, params?: Json): Promise<unknown> =>
  onKeyringRequest({
    origin: 'metamask',
    request: keyringRpc(method, params),
  } as Parameters<typeof onKeyringRequest>[0]);

async function createAccount(): Promise<KeyringAccount> {
  return (await keyring('keyring_createAccount', { options: {} })) as KeyringAccount;
}

/** Start the client, and get what the platform was asked for because of it. */
async function startClient(locked: boolean): Promise<PlatformCall[]> {
  const before = platform.asked.length;
  platform.answers.snap_getClientStatus = () => Promise.resolve({ locked });
  expect(await onStart({ origin: 'metamask' })).toBeNull();
  return platform.asked.slice(before);
}

afterAll(() => {
  Object.assign(globalThis, { snap: undefined, ethereum: undefined });
  delete process.env.TOLLKEEPER_COMPANION_ORIGIN;
  delete process.env.TOLLKEEPER_DEVELOPMENT;
});

describe('the entry points on the platform', () => {
  it('derive an account, store it encrypted and tell MetaMask', async () => {
    const account = await createAccount();
    expect(paramsOf(platform, 'snap_getEntropy')).toContainEqual({
      version: 1,
      salt: 'tollkeeper/v1/0',
    });
    const { id, address } = account;
    const key = { kind: 'derived', index: 0 };
    const record = { type: 'eip155:eoa', id, address, key };
    const note = { change: 'add', record, session: 0 };
    expect(paramsOf(platform, 'snap_setState')).toStrictEqual([
      toSaved(true, { version: 1, accounts: {}, unsettled: { [id]: note } }),
      toSaved(true, { version: 1, accounts: { [id]: record }, unsettled: {} }),
    ]);
    expect(paramsOf(platform, 'snap_manageAccounts')).toStrictEqual([
      {
        method: 'notify:accountCreated',
        params: { account, accountNameSuggestion: 'Tollkeeper 1' },
      },
    ]);
  });

  it('name the entropy source that was asked for', async () => {
    const options = { entropySource: 'second' };
    await keyring('keyring_createAccount', { options });
    expect(paramsOf(platform, 'snap_getEntropy')).toContainEqual({
      version: 1,
      salt: 'tollkeeper/v1/0',
      source: 'second',
    });
  });

  it('grant an account by a dialog without a type, and sign by another', async () => {
    const [account] = (await keyring('keyring_listAccounts')) as [KeyringAccount];
    filled.values = { [account.id]: true };
    expect(await rpc('eth_requestAccounts')).toStrictEqual([account.address]);
    const params = [stringToHex('hello'), account.address];
    const signature = (await rpc('personal_sign', params)) as Hex;
    const address = account.address as Hex;
    expect(await verifyMessage({ address, message: 'hello', signature })).toBe(true);
    expect(paramsOf(platform, 'snap_dialog')).toStrictEqual([
      { id: 'dialog-1' },
      { id: 'dialog-2' },
    ]);
    expect(paramsOf(platform, 'snap_getFile')).toStrictEqual([
      { path: 'locales/ui/en.json', encoding: 'utf8' },
    ]);
  });

  it('refuse with 4001 when the user clicks so', async () => {
    const [account] = (await keyring('keyring_listAccounts')) as [KeyringAccount];
    dialogs.clicks = 'refuse';
    const error = await errorOf(() => rpc('personal_sign', ['0x', account.address]));
    expect(error).toBeInstanceOf(SnapError);
    expect(error).toMatchObject({
      code: 4001,
      message: 'The user refused the request.',
    });
  });

  it("ask the wallet's own provider where no node is configured", async () => {
    wallet.answers.eth_getTransactionByHash = null;
    const hash = `0x${'ab'.repeat(32)}`;
    expect(await rpc('eth_getTransactionByHash', [hash])).toBeNull();
    expect(wallet.calls).toContainEqual({
      method: 'eth_getTransactionByHash',
      params: [hash],
    });
  });

  it('let the companion of the build in, and no other page', async () => {
    expect(await rpc('tollkeeper_getChains', [], COMPANION)).toStrictEqual([]);
    const error = await errorOf(() => rpc('tollkeeper_getChains'));
    expect(error).toMatchObject({ code: 4100 });
  });

  it('answer whatever the platform throws with a SnapError, and go on', async () => {
    const { snap_getEntropy: getEntropy } = platform.answers;
    platform.answers.snap_getEntropy = () => Promise.reject(new Error('locked'));
    const error = await errorOf(createAccount);
    expect(error).toBeInstanceOf(SnapError);
    expect(error).toMatchObject({
      code: -32002,
      message: 'MetaMask failed snap_getEntropy; try again.',
    });
    Object.assign(platform.answers, { snap_getEntropy: getEntropy });
    expect((await createAccount()).options).toHaveProperty('index', 1);
  });

  it('drop at a start of the client what nobody waits for any more', async () => {
    const [account] = (await keyring('keyring_listAccounts')) as [KeyringAccount];
    const settings = { approvalMode: 'asynchronous' };
    dialogs.clicks = 'approve:1';
    await rpc('tollkeeper_setSettings', [settings], COMPANION);
    const { params = null } = submission({
      account: account.id,
      method: 'personal_sign',
      params: ['0x', account.address],
    });
    expect(await keyring('keyring_submitRequest', params)).toMatchObject({
      pending: true,
      redirect: { url: `${COMPANION}/?request=${REQUEST_ID}` },
    });
    expect(await keyring('keyring_listRequests')).toMatchObject([{ id: REQUEST_ID }]);
    // Locked, nobody is asked to unlock: only the document in the clear is touched.
    expect(await startClient(true)).toStrictEqual([
      { method: 'snap_setState', params: toSaved(false, { session: 1 }) },
      { method: 'snap_getClientStatus' },
    ]);
    expect(await keyring('keyring_listRequests')).toStrictEqual([]);
    expect(await startClient(false)).toStrictEqual([
      { method: 'snap_setState', params: toSaved(false, { session: 2 }) },
      { method: 'snap_getClientStatus' },
      { method: 'snap_setState', params: toSaved(true, { requests: {} }) },
    ]);
  });

  it('leave a clicked button that is none of ours alone', async () => {
    const before = platform.asked.length;
    const type = UserInputEventType.ButtonClickEvent;
    const input: unknown = {
      id: 'dialog',
      event: { type, name: 'other' },
      context: null,
    };
    await onUserInput(input as Parameters<typeof onUserInput>[0]);
    expect(platform.asked).toHaveLength(before);
  });
});
