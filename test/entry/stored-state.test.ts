// The stored documents as a new worker finds them: those of a version that it does not know
// are refused and left alone, whatever entry point reads them.
import type { Json } from '@metamask/utils';

import { callersOf } from '../support/callers';
import { refusalOf } from '../support/refusal';
import { COMPANION, createAccount, createTestApp, DAPP } from '../support/test-app';
import type { Edges } from '../support/test-app';

type Stored = Record<string, Json>;

/** What a worker leaves behind that has created an account and granted it to a site. */
async function setup(): Promise<{ edges: Edges; stored: Stored; address: string }> {
  const app = createTestApp();
  const { address } = await createAccount(app);
  await callersOf(app).rpc(DAPP, 'eth_requestAccounts');
  return { edges: app.edges, stored: app.edges.backend.document as Stored, address };
}

it('writes documents of version 1, and reads them again', async () => {
  const { edges, stored, address } = await setup();
  expect(stored.version).toBe(1);
  const { rpc } = callersOf(createTestApp(edges));
  expect(await rpc(DAPP, 'eth_accounts')).toStrictEqual([address]);
});

it.each([
  [2, 'was written by a newer version of Tollkeeper (2, this one knows 1)'],
  [6, 'was written by a newer version of Tollkeeper (6, this one knows 1)'],
  [0, 'has no version'],
  [null, 'has no version'],
  ['1', 'has no version'],
])('refuses a document of version %j and leaves it as it is', async (version, why) => {
  const { edges, stored } = await setup();
  const document = { ...stored, version };
  edges.backend.document = document;
  const { rpc, keyring } = callersOf(createTestApp(edges));
  for (const call of [
    rpc(DAPP, 'eth_accounts'),
    rpc(DAPP, 'eth_requestAccounts'),
    keyring('metamask', 'keyring_listAccounts'),
    keyring(COMPANION, 'keyring_createAccount', { options: {} }),
  ]) {
    const { code, message } = await refusalOf(call);
    expect(code).toBe(-32002);
    expect(message).toContain(`The stored encrypted state ${why}`);
  }
  expect(edges.backend.document).toStrictEqual(document);
});

it('never overwrites a document that is not valid', async () => {
  const { edges, stored } = await setup();
  for (const document of [
    { ...stored, grants: 7 },
    { version: 1, chains: {} },
    { ...stored, keys: [] },
  ]) {
    edges.backend.document = document;
    const { saves } = edges.backend;
    const { keyring } = callersOf(createTestApp(edges));
    const creation = keyring(COMPANION, 'keyring_createAccount', { options: {} });
    expect(await refusalOf(creation)).toHaveProperty('code', -32002);
    expect(edges.backend.document).toStrictEqual(document);
    expect(edges.backend.saves).toBe(saves);
  }
});
