// The data that the companion page manages: grants, settings and the activity.
import type { KeyringAccount } from '@metamask/keyring-api';

import { callersOf } from '../support/callers';
import { storeGrant } from '../support/given';
import { expectRefusal, refusalOf } from '../support/refusal';
import { createSendBench, RECIPIENT } from '../support/send-bench';
import { listActivity } from '../support/sent-transactions';
import { SETTINGS } from '../support/stored-accounts';
import {
  COMPANION,
  createAccount,
  createTestApp,
  DAPP,
  OTHER_SITE,
} from '../support/test-app';

const ID = '9c190a38-8a7c-4f84-a390-53cd8b5f758b';

async function setup() {
  const app = createTestApp();
  const eoa = await createAccount(app);
  const scopes = ['eip155:1', 'eip155:5'];
  const smart = await createAccount(app, { type: 'eip155:erc4337', scopes });
  const { rpc } = callersOf(app);
  const setSettings = async (settings: object) =>
    rpc(COMPANION, 'tollkeeper_setSettings', [settings]);
  return { rpc, app, setSettings, eoa, smart };
}

it('gives the companion page an account only with a grant, like any site', async () => {
  const { rpc, eoa } = await setup();
  expect(await rpc(COMPANION, 'eth_accounts')).toStrictEqual([]);
  const signing = rpc(COMPANION, 'personal_sign', ['0x', eoa.address]);
  await expectRefusal(signing, 4100);
});

describe('grants', () => {
  const toRow = ({ id, address }: KeyringAccount): unknown => ({ id, address });

  it('are listed by site in the order of granting, and are revoked individually or per site', async () => {
    const { app, rpc, eoa, smart } = await setup();
    const third = await createAccount(app);
    const accounts = [smart, eoa, third];
    const granted = accounts.map(toRow);
    expect(await app.services.grants.listAll()).toStrictEqual([]);
    for (const origin of [DAPP, OTHER_SITE, '__proto__']) {
      await storeGrant(app, origin, ...accounts);
    }
    expect(await app.services.grants.listAll()).toStrictEqual([
      { origin: DAPP, accounts: granted },
      { origin: OTHER_SITE, accounts: granted },
      { origin: '__proto__', accounts: granted },
    ]);
    await app.services.grants.revoke(DAPP, eoa.id);
    expect(await rpc(DAPP, 'eth_accounts')).toStrictEqual([
      smart.address,
      third.address,
    ]);
    await app.services.grants.revoke(OTHER_SITE);
    for (const { id } of accounts) {
      await app.services.grants.revoke('__proto__', id);
    }
    const left = [{ origin: DAPP, accounts: [smart, third].map(toRow) }];
    expect(await app.services.grants.listAll()).toStrictEqual(left);
    expect(
      Object.keys((app.edges.backend.document as { grants: object }).grants),
    ).toStrictEqual([DAPP]);
  });

  it('are unchanged if there is nothing to revoke', async () => {
    const { app, eoa } = await setup();
    await storeGrant(app, DAPP, eoa);
    const before = app.edges.backend.document;
    for (const origin of [OTHER_SITE, '__proto__', 'constructor']) {
      await app.services.grants.revoke(origin);
      await app.services.grants.revoke(origin, eoa.id);
    }
    expect(app.edges.backend.document).toBe(before);
    await app.services.grants.revoke(DAPP, ID);
    expect(app.edges.backend.document).toStrictEqual(before);
  });
});

it('uses default settings until others are chosen', async () => {
  const { setSettings } = await setup();
  expect(await setSettings({})).toStrictEqual(SETTINGS);
});

describe('the activity', () => {
  it('is listed newest first, and only its start time is stored unencrypted', async () => {
    const { send, mine, poll, edges, address, app } = await createSendBench();
    const list = async () => listActivity(app);
    const [account] = await app.services.keyring.listAccounts();
    const first = (await send()) as string;
    expect(edges.publicBackend.document).toHaveProperty(
      'pendingSince',
      edges.clock.time,
    );
    expect(JSON.stringify(edges.publicBackend.document)).not.toMatch(
      new RegExp(`${first}|${address}`, 'u'),
    );
    edges.clock.time += 1;
    const second = await send({ value: '0x2' });
    const sentAt = edges.clock.time;
    mine(first);
    await app.services.keyring.deleteAccount(account?.id ?? '');
    await poll(3_000);
    const common = {
      chain: 'eip155:1',
      account: account?.id,
      from: address,
      to: RECIPIENT,
      fees: { maxFeePerGas: '0x65ec8780', maxPriorityFeePerGas: '0x989680' },
      origin: DAPP,
    };
    const inclusion = {
      blockNumber: '0x10',
      blockHash: `0x${'cd'.repeat(32)}`,
      gasUsed: '0x5208',
      effectiveGasPrice: '0x3b9aca00',
      cost: '0x1319718a5000',
      success: true,
    };
    expect(await list()).toMatchObject([
      {
        ...common,
        hash: second,
        nonce: '0x6',
        value: '0x2',
        sentAt,
        status: 'pending',
      },
      {
        ...common,
        hash: first,
        nonce: '0x5',
        value: '0x1',
        sentAt: sentAt - 1,
        status: 'included',
        isFinal: false,
        settledAt: sentAt + 3_000,
        inclusion,
      },
    ]);
    mine(second);
    edges.wallet.answers.eth_getBlockByNumber = {
      number: inclusion.blockNumber,
      hash: inclusion.blockHash,
      timestamp: '0x1',
    };
    await poll(3_000);
    await poll(3_000);
    expect(edges.publicBackend.document).toHaveProperty('pendingSince', null);
  });
});

describe('malformed settings', () => {
  it.each<[object, string]>([
    [
      { approvalMode: 'never' },
      '.approvalMode must be one of "synchronous", "asynchronous".',
    ],
    [{ feeLevel: 'urgent' }, '.feeLevel must be one of "low", "medium", "high".'],
  ])('are named in the error, and nothing changes: %j', async (settings, reason) => {
    const { setSettings, app } = await setup();
    const before = app.edges.backend.document;
    const { emitted } = app.edges.events;
    const events = emitted.length;
    expect(await refusalOf(setSettings(settings))).toStrictEqual({
      code: -32602,
      message: `tollkeeper_setSettings: params${reason}`,
    });
    expect(app.edges.backend.document).toBe(before);
    expect(emitted).toHaveLength(events);
  });
});
