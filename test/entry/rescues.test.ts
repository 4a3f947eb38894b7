// tollkeeper_revokeDelegation with a payer: another account of the user pays to revoke the
// delegation of one without coins (EIP-7702). viem recovers the signers.
import type { Json } from '@metamask/utils';
import {
  decodeFunctionData,
  encodeFunctionData,
  erc20Abi,
  numberToHex,
  parseAbi,
  parseTransaction,
  recoverTransactionAddress,
  recoverTypedDataAddress,
  zeroAddress,
} from 'viem';
import type { Hex, TransactionSerializableEIP7702 } from 'viem';
import {
  entryPoint08Abi,
  entryPoint08Address,
  getUserOperationTypedData,
} from 'viem/account-abstraction';
import { recoverAuthorizationAddress } from 'viem/utils';

import { toShortHex } from '../../src/ui/format';
import { callersOf } from '../support/callers';
import {
  ACCOUNT_08,
  delegatedTo,
  FOREIGN,
  giveDelegations,
} from '../support/delegations';
import { refuses } from '../support/fake-node';
import { openHome } from '../support/home-bench';
import type { HomeBench } from '../support/home-bench';
import { refusalOf } from '../support/refusal';
import { createSendBench } from '../support/send-bench';
import { approve, COMPANION, createAccount, refuse } from '../support/test-app';
import {
  namesOf,
  severitiesOf,
  textOf,
  textsOf,
  warningsOf,
  writeView,
} from '../support/view';

const REVOKE = 'tollkeeper_revokeDelegation';

const nfts = parseAbi([
  'function safeTransferFrom(address from, address to, uint256 id)',
  'function safeTransferFrom(address from, address to, uint256 id, uint256 amount, bytes data)',
]);

/** Nonce of the account that is rescued; the payer's is 5. */
const NONCE = 12;

type Account = { id: string; address: string };

type Bench = Awaited<ReturnType<typeof setup>>;

async function setup() {
  const bench = await createSendBench();
  const { app, edges } = bench;
  const codes = giveDelegations(edges.wallet);
  const [payer] = (await app.services.keyring.listAccounts()) as unknown as [Account];
  const victim = await createAccount(app);
  codes.set(victim.address, delegatedTo(FOREIGN));
  const nonces = new Map<string, Hex>([[victim.address, '0xc']]);
  const balances = new Map<string, Hex>([[victim.address, '0x0']]);
  Object.assign(edges.wallet.answers, {
    eth_getTransactionCount: ([address]: Json[]) =>
      nonces.get(address as string) ?? '0x5',
    eth_getBalance: ([address]: Json[]) =>
      balances.get(address as string) ?? '0xde0b6b3a7640000',
  });
  const { rpc } = callersOf(app);
  await rpc(COMPANION, 'wallet_requestPermissions', [{ eth_accounts: {} }]);
  edges.dialogs.shown.length = 0;
  return {
    ...bench,
    codes,
    /** The account that is rescued, and the one that pays. */
    victim,
    payer,
    /** The nonces and balances of accounts. */
    nonces,
    balances,
    rescue: async (fields = {}) => {
      const params = { account: victim.address, payer: payer.address, ...fields };
      const { hash } = (await rpc(COMPANION, REVOKE, [
        { chainId: '0x1', ...params },
      ])) as { hash: Hex };
      return hash;
    },
  };
}

/** Expects the payer's transaction, with the one authorization of the rescued account. */
async function expectRescue({ pool, victim, payer }: Bench): Promise<void> {
  const [raw, ...others] = pool.values();
  expect(others).toStrictEqual([]);
  const serializedTransaction = raw as never;
  const transaction = parseTransaction(
    serializedTransaction,
  ) as TransactionSerializableEIP7702;
  const { authorizationList = [], ...fields } = transaction;
  expect(fields).toMatchObject({ chainId: 1, nonce: 5, to: victim.address });
  expect([fields.value ?? 0n, fields.data ?? '0x']).toStrictEqual([0n, '0x']);
  expect(authorizationList).toMatchObject([
    { address: zeroAddress, chainId: 1, nonce: NONCE },
  ]);
  const [authorization] = authorizationList;
  if (!authorization) throw new Error('There is no authorization.');
  const signer = await recoverAuthorizationAddress({ authorization });
  expect(signer.toLowerCase()).toBe(victim.address);
  const sender = await recoverTransactionAddress({ serializedTransaction });
  expect(sender.toLowerCase()).toBe(payer.address);
}

const COIN = '0x1111111111111111111111111111111111111111';
const ART = '0x2222222222222222222222222222222222222222';
const assets = [
  { token: COIN },
  { token: ART, id: '0x7' },
  { token: ART, id: '0x3', amount: '0x4' },
];

// The account has 700 coins, and its next operation the nonce 9.
async function setupAssets(coins = 700n): Promise<Bench> {
  const bench = await setup();
  const { answers } = bench.edges.wallet;
  const { eth_call: others } = answers;
  answers.eth_call = (params: Json[]) => {
    const [{ to, data }] = params as [{ to: string; data: Hex }];
    const isBalance = to === COIN && data.startsWith('0x70a08231');
    if (isBalance) return numberToHex(coins, { size: 32 });
    if (data.startsWith('0x35567e1a')) return numberToHex(9, { size: 32 });
    return (others as (params: Json[]) => Json)(params);
  };
  return bench;
}

it('revokes the delegation of an account, and another one pays', async () => {
  const bench = await setup();
  const { rescue, edges, victim, payer, app } = bench;
  const hash = await rescue();
  await expectRescue(bench);
  // It is estimated as if the account delegated no more.
  const asked = edges.wallet.calls.find(({ method }) => method === 'eth_estimateGas');
  expect(asked?.params).toMatchObject([
    { authorizationList: [{ r: '0x0', s: '0x0', nonce: '0xc' }] },
    'latest',
    { [victim.address]: { code: '0x' } },
  ]);
  expect(JSON.stringify(asked?.params)).not.toContain('authority');
  expect(edges.dialogs.shown).toHaveLength(1);
  const [dialog] = edges.dialogs.shown;
  expect(warningsOf(dialog)).toStrictEqual([
    textOf('rescue.meaning', { account: victim.address }),
  ]);
  const texts = textsOf(dialog);
  const valueOf = (label: Parameters<typeof textOf>[0]): string | undefined =>
    texts[texts.indexOf(textOf(label)) + 1];
  expect(texts).toContain(textOf('delegation.revoke'));
  expect(valueOf('field.rescued')?.toLowerCase()).toBe(victim.address);
  expect(valueOf('field.delegatesNow')).toBe(FOREIGN);
  expect(valueOf('field.authorizationNonce')).toBe(`${NONCE}`);
  expect(texts).toContain(textOf('field.networkFee'));
  expect(await app.services.ledger.find(hash)).toMatchObject({
    account: payer.id,
    to: victim.address,
    status: 'pending',
  });
  // It uses up no second nonce of the payer.
  expect(await app.services.ledger.find(hash)).not.toHaveProperty('usesNextNonce');
});

it('takes accounts by id, and a payer that delegates itself', async () => {
  const bench = await setup();
  const { rescue, codes, victim, payer } = bench;
  codes.set(payer.address, delegatedTo(ACCOUNT_08));
  await rescue({ account: victim.id, payer: payer.id });
  await expectRescue(bench);
});

it('signs nothing before the user approves', async () => {
  const { rescue, edges, pool } = await setup();
  edges.dialogs.answer = refuse;
  expect(await refusalOf(rescue())).toHaveProperty('code', 4001);
  expect(pool.size).toBe(0);
});

it('signs nothing if the nonce changes while the dialog is open', async () => {
  const { rescue, edges, pool, victim, nonces } = await setup();
  edges.dialogs.answer = async (content) => {
    nonces.set(victim.address, '0xd');
    return Promise.resolve(approve(content));
  };
  expect(await refusalOf(rescue())).toStrictEqual({
    code: -32002,
    message: `The nonce of ${victim.address} changed while the dialog was open. Nothing was signed: try again.`,
  });
  expect(pool.size).toBe(0);
});

it('signs nothing if the grant is revoked while the dialog is open', async () => {
  const { rescue, edges, pool, victim, app } = await setup();
  edges.dialogs.answer = async (content) => {
    await app.services.grants.revoke(COMPANION, victim.id);
    return approve(content);
  };
  expect(await refusalOf(rescue())).toHaveProperty('code', 4100);
  expect(pool.size).toBe(0);
});

describe('assets that move with the rescue', () => {
  it('are moved by an operation of the account, which the payer carries', async () => {
    const { rescue, pool, victim, payer, edges } = await setupAssets();
    await rescue({ assets });
    const [serializedTransaction] = [...pool.values()] as [never];
    const transaction = parseTransaction(
      serializedTransaction,
    ) as TransactionSerializableEIP7702;
    const { to, data = '0x', authorizationList = [], value = 0n } = transaction;
    expect([to, value]).toStrictEqual([entryPoint08Address.toLowerCase(), 0n]);
    expect(authorizationList).toMatchObject([
      { address: ACCOUNT_08.toLowerCase(), chainId: 1, nonce: NONCE },
    ]);
    const [authorization] = authorizationList;
    if (!authorization) throw new Error('There is no authorization.');
    const signers = [
      await recoverAuthorizationAddress({ authorization }),
      await recoverTransactionAddress({ serializedTransaction }),
    ];
    expect(signers.map((each) => each.toLowerCase())).toStrictEqual([
      victim.address,
      payer.address,
    ]);
    const { args } = decodeFunctionData({ abi: entryPoint08Abi, data });
    const [[operation], beneficiary] = args as unknown as [
      [
        Record<
          'sender' | 'accountGasLimits' | 'gasFees' | 'callData' | 'signature',
          Hex
        > &
          Record<'nonce' | 'preVerificationGas', bigint>,
      ],
      Hex,
    ];
    expect(beneficiary.toLowerCase()).toBe(payer.address);
    expect(operation).toMatchObject({ nonce: 9n, gasFees: `0x${'00'.repeat(32)}` });
    const userOperation = {
      ...operation,
      verificationGasLimit: BigInt(operation.accountGasLimits.slice(0, 34)),
      callGasLimit: BigInt(`0x${operation.accountGasLimits.slice(34)}`),
      maxFeePerGas: 0n,
      maxPriorityFeePerGas: 0n,
    };
    const document = getUserOperationTypedData({
      chainId: 1,
      entryPointAddress: entryPoint08Address,
      userOperation,
    });
    const { signature } = operation;
    const signer = await recoverTypedDataAddress({ ...document, signature });
    expect(signer.toLowerCase()).toBe(victim.address);
    const { args: batch } = decodeFunctionData({
      abi: parseAbi([
        'function executeBatch((address to, uint256 value, bytes data)[] calls)',
      ]),
      data: operation.callData,
    });
    expect(batch[0].map((call) => [call.to, call.value, call.data])).toStrictEqual([
      [
        COIN,
        0n,
        encodeFunctionData({
          abi: erc20Abi,
          functionName: 'transfer',
          args: [payer.address as Hex, 700n],
        }),
      ],
      [
        ART,
        0n,
        encodeFunctionData({
          abi: nfts,
          functionName: 'safeTransferFrom',
          args: [victim.address as Hex, payer.address as Hex, 7n],
        }),
      ],
      [
        ART,
        0n,
        encodeFunctionData({
          abi: nfts,
          functionName: 'safeTransferFrom',
          args: [victim.address as Hex, payer.address as Hex, 3n, 4n, '0x'],
        }),
      ],
    ]);
    // It is estimated as the EntryPoint moves them, once the account runs its code.
    const asked = edges.wallet.calls.find(({ method }) => method === 'eth_estimateGas');
    expect(asked?.params).toMatchObject([
      { from: entryPoint08Address, to: victim.address },
      'latest',
      { [victim.address]: { code: delegatedTo(ACCOUNT_08) } },
    ]);
    // The dialog shows every call.
    const [dialog] = edges.dialogs.shown;
    expect(warningsOf(dialog)).toContain(
      textOf('rescue.replaces', { account: victim.address }),
    );
    expect(severitiesOf(dialog)).not.toContain('danger');
    const shown = writeView(dialog);
    for (const each of [textOf('rescue.move'), FOREIGN, ACCOUNT_08, COIN, ART, '700']) {
      expect(shown.toLowerCase()).toContain(each.toLowerCase());
    }
  });

  it.each<[why: string, ask: (bench: Bench) => Promise<unknown>, expected: RegExp]>([
    [
      'no payer',
      async ({ app, victim }) =>
        callersOf(app).rpc(COMPANION, REVOKE, [
          { account: victim.address, chainId: '0x1', assets },
        ]),
      /^-32602 .*\[0\]\.assets needs payer/u,
    ],
    [
      'a payer with code',
      async ({ rescue, codes, payer }) => {
        codes.set(payer.address, delegatedTo(ACCOUNT_08));
        return rescue({ assets });
      },
      /^-32602 .* delegates to a contract.*Choose another payer/u,
    ],
    [
      'no contract that can be used',
      async ({ rescue, codes }) => {
        codes.delete(ACCOUNT_08.toLowerCase());
        return rescue({ assets });
      },
      /^-32002 .*leave assets out\.$/u,
    ],
    [
      'no assets in the list',
      async ({ rescue }) => rescue({ assets: [] }),
      /^-32602 .*assets/u,
    ],
    [
      'too many',
      async ({ rescue }) => rescue({ assets: Array(21).fill({ token: COIN }) }),
      /^-32602 .*assets/u,
    ],
    [
      'transfers that fail',
      async ({ rescue, edges }) => {
        edges.wallet.answers.eth_estimateGas = refuses({
          code: 3,
          message: 'execution reverted: paused',
        });
        return rescue({ assets });
      },
      /paused/u,
    ],
  ])('are refused with %s', async (_why, ask, expected) => {
    const bench = await setupAssets();
    const { code, message } = await refusalOf(ask(bench));
    expect(`${String(code)} ${message}`).toMatch(expected);
    expect(bench.edges.dialogs.shown).toStrictEqual([]);
    expect(bench.pool.size).toBe(0);
  });

  it('are refused if the account has none', async () => {
    const { rescue } = await setupAssets(0n);
    const { message } = await refusalOf(rescue({ assets }));
    expect(message).toContain(`has no tokens of ${COIN} to move`);
  });
});

describe('a rescue is refused', () => {
  type Case = [why: string, ask: (bench: Bench) => Promise<unknown>, expected: RegExp];

  it.each<Case>([
    [
      'where the account does not delegate, as on chains without EIP-7702',
      async ({ codes, victim, rescue }) => {
        codes.delete(victim.address);
        return rescue();
      },
      /^-32602 .* delegates to no contract on eip155:1: there is nothing to revoke\.$/u,
    ],
    [
      'where the account is to pay for itself',
      async ({ rescue, victim }) => rescue({ payer: victim.address }),
      /^-32602 payer is the account itself\./u,
    ],
    [
      'where the payer has no coins',
      async ({ rescue, payer, balances }) => {
        balances.set(payer.address, '0x0');
        return rescue();
      },
      /^-32002 .* has no coins on eip155:1 to pay with\. Nothing was signed/u,
    ],
    [
      'where the payer is not of the user',
      async ({ rescue }) => rescue({ payer: FOREIGN }),
      /^4100 .*not granted/u,
    ],
    [
      'where the account was not granted',
      async ({ rescue, app, victim }) => {
        await app.services.grants.revoke(COMPANION, victim.id);
        return rescue();
      },
      /^4100 .*not granted/u,
    ],
    [
      'where the payer is a smart account',
      async ({ rescue, app }) => {
        const smart = await createAccount(app, {
          type: 'eip155:erc4337',
          entryPoint: '0.8',
        });
        const { rpc } = callersOf(app);
        await rpc(COMPANION, 'wallet_requestPermissions', [{ eth_accounts: {} }]);
        app.edges.dialogs.shown.length = 0;
        return rescue({ payer: smart.address });
      },
      /^4200 .*does not offer/u,
    ],
    [
      'where the account of the envelope is another',
      async ({ app, victim, payer }) => {
        const params = [
          { account: victim.address, payer: payer.address, chainId: '0x1' },
        ];
        const envelope = { account: victim.address, params };
        return callersOf(app).rpc(COMPANION, REVOKE, envelope);
      },
      /^-32602 payer is .*, but the request is for the account/u,
    ],
    [
      'to sites',
      async ({ call, victim, payer }) =>
        call(REVOKE, [
          { account: victim.address, payer: payer.address, chainId: '0x1' },
        ]),
      /^4100 .*is not open to this origin\.$/u,
    ],
  ])('%s', async (_why, ask, expected) => {
    const bench = await setup();
    const { code, message } = await refusalOf(ask(bench));
    expect(`${String(code)} ${message}`).toMatch(expected);
    expect(bench.edges.dialogs.shown).toStrictEqual([]);
    expect(bench.pool.size).toBe(0);
  });
});

describe('the page of an account', () => {
  async function openVictim({ app, victim }: Bench): Promise<HomeBench> {
    const home = await openHome(app);
    await home.click('home.frame.tab:accounts');
    await home.click(`home.accounts.show:${victim.id}`);
    return home;
  }

  const FORM = 'home.accounts.rescue:eip155:1';

  it('has another account pay, which it suggests first for want of coins', async () => {
    const bench = await setup();
    const home = await openVictim(bench);
    expect(home.notices()).toStrictEqual([textOf('rescue.hint')]);
    const texts = home.texts().join('\n');
    expect(texts.indexOf(textOf('rescue.submit'))).toBeLessThan(
      texts.indexOf(textOf('delegation.revoke')),
    );
    await home.submit(FORM, { payer: bench.payer.id });
    expect(home.notices()).toContain(textOf('delegation.sent'));
    expect(home.notices()).toContain(textOf('rescue.pending'));
    await expectRescue(bench);
    await home.click('home.frame.tab:activity');
    expect(home.texts()).toContain(textOf('activity.did.rescue'));
  });

  it('has tokens move, too, and sees by the new delegate that it worked', async () => {
    const bench = await setupAssets();
    const { codes, victim, mine, pool, poll } = bench;
    const home = await openVictim(bench);
    const { id: payer } = bench.payer;
    await home.submit(FORM, { payer, assets: '0x12' });
    expect(home.notices()).toContain(textOf('rescue.badAssets'));
    expect(pool.size).toBe(0);
    await home.submit(FORM, { payer, assets: `${ART}:7, ${COIN}` });
    expect(home.notices()).toContain(textOf('rescue.pending'));
    const [[hash, raw]] = [...pool] as [[Hex, string]];
    expect(raw).toContain(ART.slice(2));
    mine(hash);
    codes.set(victim.address, delegatedTo(ACCOUNT_08));
    await poll(20_000);
    await home.click('home.accounts.list');
    await home.click(`home.accounts.show:${victim.id}`);
    expect(home.notices()).toStrictEqual([textOf('rescue.hint')]);
    await home.click('home.frame.tab:activity');
    const account = toShortHex(victim.address);
    expect(home.texts()).toContain(textOf('activity.did.operation', { account }));
  });

  it('takes no batch for one that pays it while its own account delegates', async () => {
    const bench = await setup();
    const { call, victim, payer, pool } = bench;
    const calls = [victim.address, FOREIGN].map((to) => ({ to, value: '0x1' }));
    await call('wallet_sendCalls', [
      {
        version: '2.0.0',
        from: payer.address,
        chainId: '0x1',
        atomicRequired: true,
        calls,
      },
    ]);
    const [raw = ''] = pool.values();
    expect([raw.slice(0, 4), raw.includes(victim.address.slice(2))]).toStrictEqual([
      '0x04',
      true,
    ]);
    const home = await openVictim(bench);
    expect(home.notices()).toStrictEqual([textOf('rescue.hint')]);
  });

  it('offers it second where the account can pay itself', async () => {
    const bench = await setup();
    bench.balances.delete(bench.victim.address);
    const home = await openVictim(bench);
    const texts = home.texts().join('\n');
    expect(texts.indexOf(textOf('rescue.submit'))).toBeGreaterThan(
      texts.indexOf(textOf('delegation.revoke')),
    );
    expect(home.notices()).toStrictEqual([]);
  });

  it('believes the chain and not the receipt, and offers another try', async () => {
    const bench = await setup();
    const { codes, victim, mine, pool, poll } = bench;
    const home = await openVictim(bench);
    await home.submit(FORM, { payer: bench.payer.id });
    const [hash = '0x'] = pool.keys();
    mine(hash);
    await poll(20_000);
    await home.click('home.accounts.list');
    await home.click(`home.accounts.show:${victim.id}`);
    expect(home.notices().join()).toContain('but the account still delegates');
    expect(namesOf(home.page(), 'Form')).toContain(FORM);
    codes.delete(victim.address);
    await home.click('home.accounts.list');
    await home.click(`home.accounts.show:${victim.id}`);
    expect(home.texts()).toContain(textOf('accounts.notDelegated'));
    expect(home.notices()).toStrictEqual([]);
  });
});
