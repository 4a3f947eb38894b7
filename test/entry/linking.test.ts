// What a site learns of accounts that it was not granted: nothing, from whatever it asks.
import type { KeyringAccount } from '@metamask/keyring-api';
import type { Json } from '@metamask/utils';
import { privateKeyToAccount } from 'viem/accounts';

import type { SmartRecord } from '../../src/state/account-record';
import { callersOf } from '../support/callers';
import { ownerKeyOfIndex } from '../support/entropy';
import { errorOf } from '../support/error-of';
import { createOperationBench } from '../support/operation-bench';
import { operationOf } from '../support/operations';
import { IMPORTED_KEY } from '../support/records';
import { createAccount } from '../support/test-app';
import type { TestApp } from '../support/test-app';

/** An account of another user. */
const STRANGER = privateKeyToAccount(`0x${'5e'.repeat(32)}`).address.toLowerCase();

const INTENT = { to: `0x${'35'.repeat(20)}`, value: '0x1', data: '0x' };

type Question = [method: string, params: Json];

/** What a site can ask without naming an account. */
const questions: Question[] = [
  ['eth_accounts', []],
  ['eth_requestAccounts', []],
  ['wallet_getPermissions', []],
  ['wallet_getCapabilities', []],
  ['eth_chainId', []],
  ['eth_supportedEntryPoints', []],
  ['eth_prepareUserOperation', [INTENT]],
  ['eth_estimateUserOperationGas', [INTENT]],
  ['eth_sendUserOperation', [INTENT]],
  ['personal_sign', ['0x01']],
  ['keyring_listAccounts', []],
  ['tollkeeper_getActivity', []],
];

/** Creates an account while the node has no factory to check its address with. */
async function create(
  app: TestApp,
  options: Record<string, Json> = {},
): Promise<KeyringAccount & { options: { owner?: string } }> {
  const { answers } = app.edges.wallet;
  const { eth_call } = answers;
  answers.eth_call = '0x';
  const account = await createAccount(app, options);
  Object.assign(answers, { eth_call });
  return account;
}

/** What a site can ask about an account. */
const questionsAbout = (address: string): Question[] => [
  ['personal_sign', ['0x01', address]],
  ['eth_signTypedData_v1', [[], address]],
  ['eth_signTransaction', [{ from: address, to: STRANGER }]],
  ['eth_sendTransaction', [{ from: address, to: STRANGER }]],
  ['wallet_getCapabilities', [address]],
  ['eth_signUserOperation', [operationOf(address)]],
  ['eth_patchUserOperation', [operationOf(address)]],
  ['eth_estimateUserOperationGas', [operationOf(address)]],
  ['eth_prepareUserOperation', { account: address, params: [INTENT] }],
];

/** Gets all that a site learns of a refusal. */
async function refusalTo(ask: () => Promise<unknown>): Promise<string> {
  const { code, message, data } = (await errorOf(ask)) as Error & {
    code: number;
    data: unknown;
  };
  return JSON.stringify({ code, message, data });
}

it('reveals no other account to a site that has a smart account', async () => {
  const bench = await createOperationBench();
  const { app, call, address, owner } = bench;
  const others = [
    await create(app),
    await create(app, { type: 'eip155:erc4337', entryPoint: '0.8', index: 0 }),
    await create(app, { privateKey: IMPORTED_KEY }),
  ];
  app.edges.wallet.answers.eth_getCode = '0x';
  const answers: unknown[] = [];
  for (const [method, params] of questions) {
    answers.push(await call(method, params).catch((error: unknown) => error));
  }
  const { initCode } = answers[6] as { initCode: string };
  const own = privateKeyToAccount(ownerKeyOfIndex(0, '0.7')).address.toLowerCase();
  expect(owner).toBe(own);
  expect(initCode).toContain(own.slice(2));
  const output = JSON.stringify([answers, bench.sent()]).toLowerCase();
  expect(output).toContain(address);
  for (const account of others) {
    const { owner: othersOwner = account.address } = account.options;
    for (const secret of [account.address, othersOwner, account.id]) {
      expect(output).not.toContain(secret.replace('0x', ''));
    }
  }
});

it('answers about accounts of the user that were not granted as about those of others', async () => {
  const { app, call } = await createOperationBench();
  const smart = { type: 'eip155:erc4337', entryPoint: '0.8' };
  const { address, id, options } = await create(app, smart);
  const eoa = await create(app);
  const learn = async (named: string): Promise<unknown[]> => {
    const learnt = [];
    for (const [method, params] of questionsAbout(named)) {
      const refusal = await refusalTo(() => call(method, params));
      learnt.push(refusal.replaceAll(named, 'it'));
    }
    return learnt;
  };
  const stranger = await learn(STRANGER);
  for (const named of [address, eoa.address, options.owner ?? '']) {
    expect(await learn(named)).toStrictEqual(stranger);
  }
  const byId = { account: id, params: [INTENT] };
  const unknownId = { ...byId, account: '9c190a38-8a7c-4f84-a390-53cd8b5f758b' };
  expect(await refusalTo(() => call('eth_prepareUserOperation', byId))).toBe(
    await refusalTo(() => call('eth_prepareUserOperation', unknownId)),
  );
});

it('does not reveal the smart account to a site that has an ordinary one', async () => {
  const { app } = await createOperationBench();
  const { rpc } = callersOf(app);
  const [smart] = await app.services.repository.list();
  const eoa = await create(app);
  const { dialogs } = app.edges;
  const approve = dialogs.answer;
  dialogs.answer = async (content, id) => {
    const answer = (await approve(content, id)) as { values: Record<string, Json> };
    return { ...answer, values: { [eoa.id]: true } };
  };
  const site = 'https://other.example';
  const granted = await rpc(site, 'wallet_requestPermissions', [{ eth_accounts: {} }]);
  dialogs.answer = approve;
  const answers: unknown[] = [granted];
  for (const [method, params] of questions) {
    answers.push(await rpc(site, method, params).catch((error: unknown) => error));
  }
  const output = JSON.stringify(answers).toLowerCase();
  expect(output).toContain(eoa.address);
  const { id, address, owner } = smart as SmartRecord;
  for (const secret of [id, address, owner]) {
    expect(output).not.toContain(secret.replace('0x', ''));
  }
});
