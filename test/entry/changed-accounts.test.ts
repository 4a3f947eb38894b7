// Accounts whose owner or code was changed elsewhere, or that someone else deploys.
import type { Json } from '@metamask/utils';
import { pad } from 'viem';

import type { Takeover } from '../../src/accounts/kinds/control';
import type { EntryPointVersion } from '../../src/core/entry-points';
import { answerAsContract } from '../support/account-contract';
import type { ContractAnswers } from '../support/account-contract';
import { callersOf } from '../support/callers';
import { createCallsBench } from '../support/calls-bench';
import {
  ACCOUNT_08,
  delegatedTo,
  FOREIGN,
  simulateDelegations,
} from '../support/delegations';
import { refuses } from '../support/fake-node';
import type { NodeAnswers } from '../support/fake-node';
import { storeGrant } from '../support/given';
import { openHome } from '../support/home-bench';
import { answerContractCalls, createOperationBench } from '../support/operation-bench';
import { operationOf } from '../support/operations';
import { payingPaymaster } from '../support/paymaster-answers';
import { expectRefusal, refusalOf } from '../support/refusal';
import {
  createAccount,
  createTestApp,
  DAPP,
  whileDialogOpen,
} from '../support/test-app';
import { TO } from '../support/transactions';
import { mailOf } from '../support/typed-data';
import { textOf, textsOf } from '../support/view';

const SEND = 'eth_sendUserOperation';

const intent = { to: TO, value: '0x1', data: '0xa9' };

const reverts = refuses({ code: 3, message: 'execution reverted' });

type Bench = Awaited<ReturnType<typeof setup>>;

async function setup(version: EntryPointVersion = '0.7') {
  const bench = await createOperationBench({ version });
  const { answers } = bench.edges.wallet;
  const [account] = await bench.app.services.keyring.listAccounts();
  const others = answers.eth_call;
  return {
    ...bench,
    change: (changes: ContractAnswers) => {
      answers.eth_call = answerAsContract(account as never, others, changes);
    },
    submit: async (method: string, params: Json) =>
      callersOf(bench.app).submit({
        account: bench.id,
        method,
        params,
        scope: 'eip155:1',
      }),
  };
}

const invalid = (address: string, reason: string): object => ({
  code: -32002,
  message:
    `Tollkeeper's signatures for the account ${address} are no longer valid on eip155:1: ` +
    `${reason}. Nothing was signed.`,
});

const OWNER = 'its owner was changed';
const CODE = 'its contract was changed';

const changes: [string, ContractAnswers, string, 'owner' | 'code'][] = [
  ['a different owner', { 'owner()': pad(TO) }, OWNER, 'owner'],
  ['no owner', { 'owner()': pad('0x0') }, OWNER, 'owner'],
  ['a contract without an owner', { 'owner()': reverts }, CODE, 'code'],
  ['a contract that answers nothing', { 'owner()': '0x' }, CODE, 'code'],
  ['an upgrade to another EntryPoint', { 'entryPoint()': pad(TO) }, CODE, 'code'],
];

const requests: [string, (bench: Bench) => Promise<unknown>][] = [
  [SEND, async ({ call }) => call(SEND, [intent])],
  [
    'eth_sendTransaction',
    async ({ call, address: from }) =>
      call('eth_sendTransaction', [{ from, ...intent }]),
  ],
  [
    'wallet_sendCalls',
    async ({ call, address: from }) =>
      call('wallet_sendCalls', [
        {
          version: '2.0.0',
          from,
          chainId: '0x1',
          atomicRequired: true,
          calls: [intent],
        },
      ]),
  ],
  [
    'eth_signUserOperation',
    async ({ call, address }) => call('eth_signUserOperation', [operationOf(address)]),
  ],
  [
    "MetaMask's eth_prepareUserOperation",
    async ({ submit }) => submit('eth_prepareUserOperation', [intent]),
  ],
];

describe('a SimpleAccount whose owner or code was changed elsewhere', () => {
  it.each(changes)(
    'sends nothing with %s, and shows no dialog',
    async (_change, ...row) => {
      const [answers, reason] = row;
      const bench = await setup();
      bench.change(answers);
      const sending = bench.call(SEND, [intent]);
      expect(await refusalOf(sending)).toStrictEqual(invalid(bench.address, reason));
      expect([bench.shown(), bench.sent()]).toStrictEqual([[], []]);
    },
  );

  it.each(requests)('refuses %s without a dialog', async (_method, request) => {
    const bench = await setup();
    bench.change({ 'owner()': pad(TO) });
    expect(await refusalOf(request(bench))).toStrictEqual(
      invalid(bench.address, OWNER),
    );
    expect([bench.shown(), bench.sent()]).toStrictEqual([[], []]);
  });

  it.each(requests.slice(0, 4))(
    'signs nothing for %s if it changes during the dialog',
    async (_method, request) => {
      const bench = await setup();
      whileDialogOpen(bench.edges, () => bench.change({ 'owner()': pad(TO) }));
      expect(await refusalOf(request(bench))).toStrictEqual(
        invalid(bench.address, OWNER),
      );
      expect(bench.shown()).toHaveLength(1);
      expect(bench.sent()).toStrictEqual([]);
      const state = await bench.app.services.store.read();
      expect(state.signedOperations).toStrictEqual([]);
    },
  );

  it('sends if the node returns neither the owner nor the EntryPoint', async () => {
    const bench = await setup();
    bench.change({ 'owner()': refuses('too busy'), 'entryPoint()': '0x1234' });
    await bench.call(SEND, [intent]);
    expect(bench.sent()).toHaveLength(1);
  });

  it.each(changes)('has a notice about %s', async (_change, answers, ...[, key]) => {
    const bench = await setup();
    const home = await openHome(bench.app, 'accounts');
    await home.click(`home.accounts.show:${bench.id}`);
    expect(home.notices()).toStrictEqual([]);
    bench.change(answers);
    await home.click('home.frame.refresh');
    const text = textOf(`takeover.${key}`, { chain: 'Ethereum' });
    expect(home.notices()).toStrictEqual([text]);
  });
});

describe('a Safe whose owners or modules were changed elsewhere', () => {
  async function setupSafe(changed: ContractAnswers) {
    const app = createTestApp();
    const options = { type: 'eip155:erc4337', implementation: 'safe' };
    const account = await createAccount(app, options);
    await storeGrant(app, DAPP, account);
    const { answers } = app.edges.wallet;
    const { address } = account;
    Object.assign(answers, {
      eth_getCode: '0x6080',
      eth_call: answerAsContract(account, answerContractCalls(), changed),
    });
    const { rpc } = callersOf(app);
    return { app, account, address, rpc };
  }

  it.each<[string, ContractAnswers, string, Takeover]>([
    ['owner', { 'isOwner(address)': pad('0x0') }, OWNER, 'owner'],
    [
      'threshold',
      { 'getThreshold()': pad('0x2') },
      'it needs more than one signature now',
      'threshold',
    ],
    ['module', { 'isModuleEnabled(address)': pad('0x0') }, CODE, 'code'],
    ['fallback handler', { 'SUPPORTED_ENTRYPOINT()': '0x' }, CODE, 'code'],
    ['code', { 'isOwner(address)': reverts }, CODE, 'code'],
  ])('signs nothing with another %s, and its page shows why', async (_part, ...row) => {
    const [changed, reason, key] = row;
    const { app, account, address, rpc } = await setupSafe(changed);
    for (const [method, params] of [
      ['personal_sign', ['hello', address]],
      ['eth_signTypedData_v4', [address, mailOf(1)]],
      ['eth_signUserOperation', [operationOf(address)]],
    ] as const) {
      const signing = rpc(DAPP, method, params);
      expect(await refusalOf(signing)).toStrictEqual(invalid(address, reason));
    }
    expect(app.edges.dialogs.shown).toStrictEqual([]);
    const home = await openHome(app, 'accounts');
    await home.click(`home.accounts.show:${account.id}`);
    const text = textOf(`takeover.${key}`, { chain: 'Ethereum' });
    expect(home.notices()).toStrictEqual([text]);
  });
});

describe('an ordinary account whose delegation was changed elsewhere', () => {
  it.each([FOREIGN, undefined])(
    'sends no user operation if the delegate becomes %s while the dialog is open',
    async (delegate) => {
      const bench = await createCallsBench('0.8');
      const codes = simulateDelegations(bench.edges.wallet);
      const address = bench.address.toLowerCase();
      codes.set(address, delegatedTo(ACCOUNT_08));
      bench.bundler.answers.eth_supportedEntryPoints = [
        '0x4337084D9E255Ff0702461CF8895CE9E3b5Ff108',
      ];
      whileDialogOpen(bench.edges, () =>
        delegate ? codes.set(address, delegatedTo(delegate)) : codes.delete(address),
      );
      const asking = bench.call(SEND, { account: bench.address, params: [intent] });
      expect(await refusalOf(asking)).toStrictEqual(invalid(address, CODE));
      expect(bench.operations.size).toBe(0);
    },
  );
});

describe('an account that someone else deploys while the dialog is open', () => {
  const paymasters = { paymaster: payingPaymaster() };

  async function setupUndeployed(
    version: EntryPointVersion,
    options: { paymaster?: NodeAnswers } = {},
  ) {
    const bench = await createOperationBench({
      version,
      node: { eth_getCode: '0x' },
      ...options,
    });
    whileDialogOpen(bench.edges, () => {
      bench.edges.wallet.answers.eth_getCode = '0x6080';
    });
    return bench;
  }

  it.each(['0.6', '0.7', '0.8'] as const)(
    'sends the approved operation without the deployment, as the dialog announces (%s)',
    async (version) => {
      const bench = await setupUndeployed(version);
      const { sent, estimated, shown } = bench;
      const hash = await bench.call(SEND, [intent]);
      expect(textsOf(shown())).toContain(textOf('deploys.unless'));
      const [{ initCode, ...others } = {}] = sent();
      expect(initCode).toBe('0x');
      const [{ callData, nonce, sender } = {}] = estimated();
      expect(others).toMatchObject({ callData, nonce, sender });
      expect(await bench.app.services.ledger.list()).toMatchObject([{ hash }]);
    },
  );

  it("sends a site's initCode unchanged if the account was deployed before", async () => {
    const bench = await setup();
    const params = [{ callData: '0x', initCode: `${TO}12` }];
    await bench.call(SEND, params);
    expect(textsOf(bench.shown())).not.toContain(textOf('deploys.unless'));
    expect(bench.sent()).toMatchObject([{ initCode: `${TO}12` }]);
  });

  it('signs nothing if a paymaster also pays for the deployment', async () => {
    const { call, sent, shown } = await setupUndeployed('0.7', paymasters);
    await expectRefusal(call(SEND, [intent]), -32002, /already deployed.*try again/u);
    expect(sent()).toStrictEqual([]);
    expect(textsOf(shown())).not.toContain(textOf('deploys.unless'));
  });

  it('sends the deployment for EntryPoint 0.9, which ignores it', async () => {
    const { call, sent } = await setupUndeployed('0.9', {
      paymaster: payingPaymaster('0.9'),
    });
    await call(SEND, [intent]);
    expect(sent()[0]?.initCode).not.toBe('0x');
  });
});
