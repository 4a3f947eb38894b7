// EIP-7702 delegations: the companion page creates and revokes them, another of the user's accounts
// can pay for a revocation, and sites can request a signed revocation. viem recovers the signers.
import type { Json } from '@metamask/utils';
import {
  parseTransaction,
  recoverTransactionAddress,
  serializeTransaction,
  zeroAddress,
  decodeFunctionData,
  numberToHex,
  parseAbi,
  recoverTypedDataAddress,
} from 'viem';
import type { Hex, TransactionSerializableEIP7702 } from 'viem';
import {
  entryPoint08Abi,
  entryPoint08Address,
  getUserOperationTypedData,
} from 'viem/account-abstraction';
import { recoverAuthorizationAddress } from 'viem/utils';

import { toShortHex } from '../../src/ui/format';
import { dataOf } from '../fixtures/trust/call';
import { callersOf } from '../support/callers';
import { sendCallsParam } from '../support/calls-bench';
import {
  ACCOUNT_08,
  delegatedTo,
  FOREIGN,
  simulateDelegations,
} from '../support/delegations';
import { refuses } from '../support/fake-node';
import type { NodeAnswers } from '../support/fake-node';
import { storeActivity } from '../support/given';
import { openHome } from '../support/home-bench';
import type { HomeBench } from '../support/home-bench';
import { expectRefusal, refusalOf } from '../support/refusal';
import { createSendBench } from '../support/send-bench';
import {
  COMPANION,
  createAccount,
  refuse,
  DAPP,
  whileDialogOpen,
  OTHER_SITE,
} from '../support/test-app';
import { AUTHORIZATION } from '../support/transactions';
import {
  namesOf,
  textOf,
  textsOf,
  warningsOf,
  severitiesOf,
  writeView,
} from '../support/view';

const DELEGATE = 'tollkeeper_delegate';

const REVOKE = 'tollkeeper_revokeDelegation';

const SMART = { type: 'eip155:erc4337', entryPoint: '0.8' };

type Bench = Awaited<ReturnType<typeof setup>>;

type Refusal = [code: number, message: RegExp];

async function setup() {
  const bench = await createSendBench();
  const { app, edges, address, pool } = bench;
  const { rpc } = callersOf(app);
  const codes = simulateDelegations(edges.wallet);
  await rpc(COMPANION, 'eth_requestAccounts');
  edges.dialogs.shown.length = 0;
  return {
    ...bench,
    codes,
    /** Sends a request as the companion page, and returns the transaction's hash. */
    ask: async (method: string, fields: Record<string, Json> = {}) => {
      const params = [{ account: address, chainId: '0x1', ...fields }];
      const { hash } = (await rpc(COMPANION, method, params)) as { hash: Hex };
      return hash;
    },
    sent: (hash: Hex) =>
      parseTransaction(pool.get(hash) ?? '0x') as TransactionSerializableEIP7702,
  };
}

/** Expects a transaction from an account to itself with one authorization, both signed by it. */
async function expectDelegation(
  transaction: TransactionSerializableEIP7702,
  { address, delegate, nonce }: { address: string; delegate: Hex; nonce: number },
): Promise<void> {
  const { authorizationList = [], ...fields } = transaction;
  expect(fields).toMatchObject({ chainId: 1, nonce, to: address.toLowerCase() });
  expect([fields.value ?? 0n, fields.data ?? '0x']).toStrictEqual([0n, '0x']);
  expect(authorizationList).toMatchObject([
    { address: delegate.toLowerCase(), chainId: 1, nonce: nonce + 1 },
  ]);
  expect(BigInt(authorizationList[0]?.s ?? -1)).toBeLessThanOrEqual(
    0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0n,
  );
  const account = address.toLowerCase();
  expect(await recoverSigners(transaction)).toStrictEqual({
    sender: account,
    authority: account,
  });
}

async function recoverSigners(transaction: TransactionSerializableEIP7702) {
  const [authorization] = transaction.authorizationList ?? [];
  if (!authorization) throw new Error('There is no authorization.');
  const serializedTransaction = serializeTransaction(transaction) as never;
  const sender = await recoverTransactionAddress({ serializedTransaction });
  const authority = await recoverAuthorizationAddress({ authorization });
  return { sender: sender.toLowerCase(), authority: authority.toLowerCase() };
}

const UNKNOWN_DELEGATE_LABEL = `${textOf('field.delegatesNow')} (${textOf('delegation.foreign')})`;

it('delegates an account after showing the delegate', async () => {
  const { ask, sent, address, edges, app } = await setup();
  const hash = await ask(DELEGATE);
  await expectDelegation(sent(hash), { address, delegate: ACCOUNT_08, nonce: 5 });
  expect(edges.dialogs.shown).toHaveLength(1);
  const [dialog] = edges.dialogs.shown;
  expect(warningsOf(dialog)).toContain(textOf('delegation.allows'));
  const texts = textsOf(dialog);
  expect(texts).toContain(ACCOUNT_08);
  expect(texts).toContain(
    `${textOf('field.delegate')} (Simple7702Account, EntryPoint 0.8)`,
  );
  expect(texts).toContain('Ethereum');
  expect(texts[texts.indexOf(textOf('field.authorizationNonce')) + 1]).toBe('6');
  expect(await app.services.ledger.find(hash)).toMatchObject({
    status: 'pending',
    origin: COMPANION,
    to: address,
  });
});

it('estimates a delegation with an empty signature, and signs nothing if the user refuses', async () => {
  const { ask, edges, pool } = await setup();
  edges.dialogs.answer = refuse;
  await expectRefusal(ask(DELEGATE), 4001);
  const requests = edges.wallet.calls.filter((call) =>
    JSON.stringify(call.params).includes('authorizationList'),
  );
  expect(requests.map(({ method }) => method)).toStrictEqual(['eth_estimateGas']);
  expect(requests[0]?.params).toMatchObject([
    { authorizationList: [{ r: '0x0', s: '0x0' }] },
    'latest',
    {},
  ]);
  expect(pool.size).toBe(0);
});

it.each([
  ['a known contract', ACCOUNT_08, 'Simple7702Account, EntryPoint 0.8'],
  ['an unknown contract', FOREIGN, textOf('delegation.foreign')],
])('revokes a delegation to %s', async (_what, delegate, name) => {
  const { ask, sent, codes, address, edges } = await setup();
  codes.set(address.toLowerCase(), delegatedTo(delegate));
  const hash = await ask(REVOKE);
  await expectDelegation(sent(hash), { address, delegate: zeroAddress, nonce: 5 });
  const [dialog] = edges.dialogs.shown;
  expect(warningsOf(dialog)).toContain(textOf('delegation.revokes'));
  const texts = textsOf(dialog);
  expect(texts[texts.indexOf(`${textOf('field.delegatesNow')} (${name})`) + 1]).toBe(
    delegate,
  );
});

it('shows an existing delegation, and replaces it', async () => {
  const { ask, sent, codes, address, edges } = await setup();
  codes.set(address.toLowerCase(), delegatedTo(FOREIGN));
  const hash = await ask(DELEGATE);
  await expectDelegation(sent(hash), { address, delegate: ACCOUNT_08, nonce: 5 });
  expect(textsOf(edges.dialogs.shown[0])).toContain(FOREIGN);
});

it('treats a known contract as unknown if its code differs', async () => {
  const { ask, codes, address, edges } = await setup();
  codes.set(address.toLowerCase(), delegatedTo(ACCOUNT_08));
  codes.set(ACCOUNT_08.toLowerCase(), '0x6001');
  await ask(REVOKE);
  expect(textsOf(edges.dialogs.shown[0])).toContain(UNKNOWN_DELEGATE_LABEL);
});

it('signs two concurrent delegations with the right nonces', async () => {
  const { ask, sent, address } = await setup();
  const hashes = await Promise.all([ask(DELEGATE), ask(DELEGATE)]);
  for (const [index, hash] of hashes.entries()) {
    // Each transaction takes two nonces: its own and the one of its authorization.
    const expected = { address, delegate: ACCOUNT_08, nonce: 5 + 2 * index };
    await expectDelegation(sent(hash), expected);
  }
});

it('signs a delegation with a nonce read after the approval', async () => {
  const { ask, sent, address, edges } = await setup();
  whileDialogOpen(edges, () => {
    edges.wallet.answers.eth_getTransactionCount = '0x9';
    edges.clock.time += 20_000;
  });
  const hash = await ask(DELEGATE);
  await expectDelegation(sent(hash), { address, delegate: ACCOUNT_08, nonce: 9 });
});

it('speeds up a delegation with the same authorization', async () => {
  const { app, ask, send, sent, pool, address } = await setup();
  const hash = await ask(DELEGATE);
  const params = [hash, { action: 'speedUp' }];
  const { rpc } = callersOf(app);
  const faster = (await rpc(COMPANION, 'tollkeeper_replaceTransaction', params)) as Hex;
  await expectDelegation(sent(faster), { address, delegate: ACCOUNT_08, nonce: 5 });
  expect(sent(faster).authorizationList).toStrictEqual(sent(hash).authorizationList);
  const next = parseTransaction(pool.get((await send()) as Hex) ?? '0x');
  expect(next.nonce).toBe(7);
});

const NOT_DELEGATED = `Ethereum: ${textOf('accounts.notDelegated')}`;

describe('a delegation', () => {
  const unusable =
    /^No account contract .*can be used on eip155:1: .*Nothing was signed\.$/u;

  const answering =
    (answers: NodeAnswers) =>
    ({ edges }: Bench) =>
      Object.assign(edges.wallet.answers, answers);

  it.each<[why: string, prepare: (bench: Bench) => void, expected: Refusal]>([
    [
      'if the account contract is not deployed',
      ({ codes }) => codes.delete(ACCOUNT_08.toLowerCase()),
      [-32002, unusable],
    ],
    [
      "if the account contract's code differs",
      ({ codes }) => codes.set(ACCOUNT_08.toLowerCase(), '0x6001'),
      [-32002, unusable],
    ],
    [
      'if the chain does not run the code of delegates',
      answering({ eth_call: refuses('invalid opcode: opcode 0xef not defined') }),
      [-32002, unusable],
    ],
    [
      'if a lying node reports another EntryPoint',
      answering({ eth_call: `0x${'00'.repeat(12)}${'11'.repeat(20)}` }),
      [-32002, unusable],
    ],
    [
      'if the node does not know the transaction type',
      answering({
        eth_estimateGas: refuses({ code: -32602, message: 'no such type' }),
      }),
      [-32602, /no such type/u],
    ],
    [
      'if its estimate reverts',
      answering({ eth_estimateGas: refuses({ code: 3, message: 'reverted' }) }),
      [3, /reverted/u],
    ],
    [
      'if the account already has it',
      ({ codes, address }) => codes.set(address.toLowerCase(), delegatedTo(ACCOUNT_08)),
      [-32602, /already delegates to .* on eip155:1\.$/u],
    ],
  ])('is rejected %s', async (_why, prepare, expected) => {
    const bench = await setup();
    prepare(bench);
    await expectRefusal(bench.ask(DELEGATE), ...expected);
    expect([bench.edges.dialogs.shown, bench.pool.size]).toStrictEqual([[], 0]);
  });

  it.each<[why: string, fields: Record<string, Json>, expected: Refusal]>([
    ['for every chain', { chainId: '0x0' }, [-32602, /chainId/u]],
    ['on a chain without a node', { chainId: '0x5' }, [-32002, /eip155:5/u]],
    ['for an unsupported EntryPoint', { entryPoint: '0.7' }, [-32602, /entryPoint/u]],
    ['with an address', { address: FOREIGN }, [-32602, /address is not expected/u]],
    ['with a nonce', { nonce: '0x7' }, [-32602, /nonce is not expected/u]],
    ['for an account without a grant', { account: FOREIGN }, [4100, /not granted/u]],
  ])('is rejected %s', async (_why, fields, expected) => {
    const { ask, edges, pool } = await setup();
    const unknown = refuses({ code: 4902, message: 'no' });
    edges.wallet.answers.wallet_switchEthereumChain = unknown;
    await expectRefusal(ask(DELEGATE, fields), ...expected);
    expect([edges.dialogs.shown, pool.size]).toStrictEqual([[], 0]);
  });

  it('is rejected for a smart account, and from sites', async () => {
    const { app, ask, call, address } = await setup();
    const smart = await createAccount(app, SMART);
    const { rpc } = callersOf(app);
    await rpc(COMPANION, 'wallet_requestPermissions', [{ eth_accounts: {} }]);
    expect(await refusalOf(ask(DELEGATE, { account: smart.address }))).toStrictEqual({
      code: 4200,
      message: `The account ${smart.address} is of type eip155:erc4337 and does not offer ${DELEGATE}.`,
    });
    for (const method of [DELEGATE, REVOKE]) {
      const request = call(method, [{ account: address, chainId: '0x1' }]);
      const message = `${method} is not open to this origin.`;
      expect(await refusalOf(request)).toStrictEqual({ code: 4100, message });
    }
  });

  it.each([DELEGATE, REVOKE])('is rejected for another scope (%s)', async (method) => {
    const { app, address, codes, edges, pool } = await setup();
    codes.set(address.toLowerCase(), delegatedTo(FOREIGN));
    const params = [{ account: address, chainId: '0x1' }];
    const envelope = { scope: 'eip155:5', params };
    const request = callersOf(app).rpc(COMPANION, method, envelope);
    expect(await refusalOf(request)).toStrictEqual({
      code: -32602,
      message: 'The request is for eip155:5, but its content is for eip155:1.',
    });
    expect([edges.dialogs.shown, pool.size]).toStrictEqual([[], 0]);
  });

  it('is rejected if the envelope names another account', async () => {
    const { app, address } = await setup();
    const other = await createAccount(app);
    const { rpc } = callersOf(app);
    await rpc(COMPANION, 'wallet_requestPermissions', [{ eth_accounts: {} }]);
    const params = [{ account: address, chainId: '0x1' }];
    const request = rpc(COMPANION, DELEGATE, { account: other.address, params });
    expect(await refusalOf(request)).toStrictEqual({
      code: -32602,
      message: `account is ${address}, but the request is for the account ${other.address}.`,
    });
  });
});

it('refuses a revocation for an account without a delegation', async () => {
  const { ask, address, edges } = await setup();
  expect(await refusalOf(ask(REVOKE))).toStrictEqual({
    code: -32602,
    message: `${address} delegates to no contract on eip155:1: there is nothing to revoke.`,
  });
  expect(edges.dialogs.shown).toStrictEqual([]);
});

it('signs no transaction with an authorization for a different chain', async () => {
  const { send, edges, pool } = await setup();
  const authorizationList = [{ ...AUTHORIZATION, chainId: '0x5' }];
  const message = / is for eip155:5, but the transaction is for eip155:1\.$/u;
  await expectRefusal(send({ authorizationList }), -32602, message);
  expect([edges.dialogs.shown, pool.size]).toStrictEqual([[], 0]);
  await send({ authorizationList: [{ ...AUTHORIZATION, chainId: '0x1' }] });
  expect(pool.size).toBe(1);
});

async function openAccount(
  { app }: Bench | RescueBench,
  id?: string,
): Promise<HomeBench> {
  const home = await openHome(app, 'accounts');
  const [first] = await app.services.keyring.listAccounts();
  await home.click(`home.accounts.show:${id ?? first?.id ?? ''}`);
  return home;
}

describe('the account page', () => {
  it('shows that the account does not delegate, and creates a delegation', async () => {
    const bench = await setup();
    const { address, pool, edges, sent } = bench;
    const home = await openAccount(bench);
    expect(home.texts()).toContain(NOT_DELEGATED);
    await home.click('home.accounts.delegate:eip155:1');
    expect(home.notices()).toStrictEqual([textOf('delegation.sent')]);
    const [hash = '0x'] = pool.keys();
    await expectDelegation(sent(hash), { address, delegate: ACCOUNT_08, nonce: 5 });
    expect(textsOf(edges.dialogs.shown.at(-1))).toContain('Tollkeeper');
  });

  it.each([
    ['a known contract', ACCOUNT_08, 'Ethereum: Simple7702Account'],
    ['an unknown contract', FOREIGN, `Ethereum: ${textOf('delegation.foreign')}`],
  ])('shows a delegation to %s, and revokes it', async (_what, delegate, line) => {
    const bench = await setup();
    const { address, codes, pool, sent } = bench;
    codes.set(address.toLowerCase(), delegatedTo(delegate));
    const home = await openAccount(bench);
    expect(home.texts()).toEqual(expect.arrayContaining([line, delegate]));
    await home.click('home.accounts.revokeDelegation:eip155:1');
    const [hash = '0x'] = pool.keys();
    await expectDelegation(sent(hash), { address, delegate: zeroAddress, nonce: 5 });
  });

  it('shows the reason if nothing is signed', async () => {
    const bench = await setup();
    const home = await openAccount(bench);
    bench.codes.clear();
    await home.click('home.accounts.delegate:eip155:1');
    expect(home.notices()[0]).toContain('can be used on eip155:1');
    bench.edges.dialogs.answer = refuse;
    bench.codes.set(bench.address.toLowerCase(), delegatedTo(FOREIGN));
    await home.click('home.frame.refresh');
    await home.click('home.accounts.revokeDelegation:eip155:1');
    expect(home.notices()).toStrictEqual([
      textOf('home.refused'),
      textOf('delegation.unknown'),
    ]);
    expect(bench.pool.size).toBe(0);
  });

  it('offers no delegation or revocation if no node answers', async () => {
    const bench = await setup();
    bench.edges.wallet.answers.eth_getCode = refuses('no');
    const home = await openAccount(bench);
    const names = namesOf(home.page(), 'Button').join('\n');
    expect(names).not.toMatch(/accounts\.(?:delegate|revokeDelegation)/u);
  });
});

/** The rescued account's nonce; the payer's is 5. */
const VICTIM_NONCE = 12;

type Account = { id: string; address: string };

type RescueBench = Awaited<ReturnType<typeof setupRescue>>;

type RescueCase = [
  why: string,
  ask: (bench: RescueBench) => Promise<unknown>,
  expected: Refusal,
];

/** Sets up an account with an unknown delegate and no funds, and another account that can pay. */
async function setupRescue() {
  const bench = await createSendBench();
  const { app, edges } = bench;
  const codes = simulateDelegations(edges.wallet);
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
  const request = { chainId: '0x1', account: victim.address, payer: payer.address };
  return {
    ...bench,
    codes,
    victim,
    payer,
    nonces,
    balances,
    params: [request],
    rescue: async (fields = {}) => {
      const params = [{ ...request, ...fields }];
      const { hash } = (await rpc(COMPANION, REVOKE, params)) as { hash: Hex };
      return hash;
    },
  };
}

/** Expects one transaction from the payer, with an authorization by the rescued account. */
async function expectRescue({ pool, victim, payer }: RescueBench): Promise<void> {
  const [raw, ...others] = pool.values();
  expect(others).toStrictEqual([]);
  const transaction = parseTransaction(raw as Hex) as TransactionSerializableEIP7702;
  const { authorizationList, ...fields } = transaction;
  expect(fields).toMatchObject({ chainId: 1, nonce: 5, to: victim.address });
  expect([fields.value ?? 0n, fields.data ?? '0x']).toStrictEqual([0n, '0x']);
  expect(authorizationList).toMatchObject([
    { address: zeroAddress, chainId: 1, nonce: VICTIM_NONCE },
  ]);
  expect(await recoverSigners(transaction)).toStrictEqual({
    sender: payer.address,
    authority: victim.address,
  });
}

const TOKEN = '0x1111111111111111111111111111111111111111';
const NFT = '0x2222222222222222222222222222222222222222';
const assets = [
  { token: TOKEN },
  { token: NFT, id: '0x7' },
  { token: NFT, id: '0x3', amount: '0x4' },
];

/** Sets up a rescued account with 700 base units of the token, whose next operation has nonce 9. */
async function setupAssets(balance = 700n): Promise<RescueBench> {
  const bench = await setupRescue();
  const { answers } = bench.edges.wallet;
  const { eth_call: others } = answers;
  answers.eth_call = (params: Json[]) => {
    const [{ to, data }] = params as [{ to: string; data: Hex }];
    const isBalanceOf = to === TOKEN && data.startsWith('0x70a08231');
    if (isBalanceOf) return numberToHex(balance, { size: 32 });
    if (data.startsWith('0x35567e1a')) return numberToHex(9, { size: 32 });
    return (others as (params: Json[]) => Json)(params);
  };
  return bench;
}

it("revokes an account's delegation at another account's expense", async () => {
  const bench = await setupRescue();
  const { rescue, edges, victim, payer, app } = bench;
  const hash = await rescue();
  await expectRescue(bench);
  // The estimate assumes that the account no longer delegates.
  const estimate = edges.wallet.calls.find(
    ({ method }) => method === 'eth_estimateGas',
  );
  expect(estimate?.params).toMatchObject([
    { authorizationList: [{ r: '0x0', s: '0x0', nonce: '0xc' }] },
    'latest',
    { [victim.address]: { code: '0x' } },
  ]);
  expect(JSON.stringify(estimate?.params)).not.toContain('authority');
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
  expect(texts[texts.indexOf(UNKNOWN_DELEGATE_LABEL) + 1]).toBe(FOREIGN);
  expect(valueOf('field.authorizationNonce')).toBe(`${VICTIM_NONCE}`);
  expect(texts).toContain(textOf('field.networkFee'));
  expect(await app.services.ledger.find(hash)).toMatchObject({
    account: payer.id,
    to: victim.address,
    status: 'pending',
  });
  // The payer signs no authorization, so it uses one nonce.
  expect(await app.services.ledger.find(hash)).not.toHaveProperty('usesNextNonce');
});

describe('another transaction during a rescue', () => {
  it.each([
    { what: "does not take the authorization's nonce", nonce: VICTIM_NONCE + 1 },
    { what: 'may name that nonce', fields: { nonce: '0xc' }, nonce: VICTIM_NONCE },
    {
      what: 'takes that nonce if the rescue is in doubt',
      doubt: 'untold',
      nonce: VICTIM_NONCE,
    },
  ] as const)('$what', async ({ nonce, ...given }) => {
    const { fields, doubt } = { fields: {}, doubt: undefined, ...given };
    const { rescue, app, victim, pool, balances, edges } = await setupRescue();
    const { rpc } = callersOf(app);
    const sent = await app.services.ledger.find(await rescue());
    if (sent && doubt) await storeActivity(app, [{ ...sent, doubt }]);
    balances.set(victim.address, '0xde0b6b3a7640000');
    const transaction = { from: victim.address, to: TOKEN, gas: '0x186a0', ...fields };
    await rpc(COMPANION, 'eth_sendTransaction', [transaction]);
    const warnings = warningsOf(edges.dialogs.shown.at(-1));
    expect(warnings.includes(textOf('delegation.isBusy'))).toBe(doubt === undefined);
    const [, raw = '0x'] = pool.values();
    expect(parseTransaction(raw)).toMatchObject({ nonce });
  });
});

it('accepts account IDs, and a payer that also delegates', async () => {
  const bench = await setupRescue();
  const { rescue, codes, victim, payer } = bench;
  codes.set(payer.address, delegatedTo(ACCOUNT_08));
  await rescue({ account: victim.id, payer: payer.id });
  await expectRescue(bench);
});

it('signs no rescue if the user refuses', async () => {
  const { rescue, edges, pool } = await setupRescue();
  edges.dialogs.answer = refuse;
  await expectRefusal(rescue(), 4001);
  expect(pool.size).toBe(0);
});

it('signs no rescue if the nonce changes while the dialog is open', async () => {
  const { rescue, edges, pool, victim, nonces } = await setupRescue();
  whileDialogOpen(edges, () => nonces.set(victim.address, '0xd'));
  expect(await refusalOf(rescue())).toStrictEqual({
    code: -32002,
    message: `The nonce of ${victim.address} changed while the dialog was open. Nothing was signed: try again.`,
  });
  expect(pool.size).toBe(0);
});

it('signs no rescue if the grant is revoked while the dialog is open', async () => {
  const { rescue, edges, pool, victim, app } = await setupRescue();
  whileDialogOpen(edges, async () => app.services.grants.revoke(COMPANION, victim.id));
  await expectRefusal(rescue(), 4100);
  expect(pool.size).toBe(0);
});

describe('assets in a rescue', () => {
  it("are moved by the account's user operation in the payer's transaction", async () => {
    const { rescue, pool, victim, payer, edges } = await setupAssets();
    await rescue({ assets });
    const [raw = '0x'] = pool.values();
    const transaction = parseTransaction(raw) as TransactionSerializableEIP7702;
    const { to, data = '0x', authorizationList, value = 0n } = transaction;
    expect([to, value]).toStrictEqual([entryPoint08Address.toLowerCase(), 0n]);
    expect(authorizationList).toMatchObject([
      { address: ACCOUNT_08.toLowerCase(), chainId: 1, nonce: VICTIM_NONCE },
    ]);
    expect(await recoverSigners(transaction)).toStrictEqual({
      sender: payer.address,
      authority: victim.address,
    });
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
      [TOKEN, 0n, dataOf('transfer(address,uint256)', payer.address, 700n)],
      [
        NFT,
        0n,
        dataOf(
          'safeTransferFrom(address,address,uint256)',
          victim.address,
          payer.address,
          7n,
        ),
      ],
      [
        NFT,
        0n,
        dataOf(
          'safeTransferFrom(address,address,uint256,uint256,bytes)',
          victim.address,
          payer.address,
          3n,
          4n,
          '0x',
        ),
      ],
    ]);
    // The transfers are estimated as a call from the EntryPoint to the delegating account.
    const estimate = edges.wallet.calls.find(
      ({ method }) => method === 'eth_estimateGas',
    );
    expect(estimate?.params).toMatchObject([
      { from: entryPoint08Address, to: victim.address },
      'latest',
      { [victim.address]: { code: delegatedTo(ACCOUNT_08) } },
    ]);
    const [dialog] = edges.dialogs.shown;
    expect(warningsOf(dialog)).toContain(
      textOf('rescue.replaces', { account: victim.address }),
    );
    expect(severitiesOf(dialog)).not.toContain('danger');
    const shown = writeView(dialog);
    for (const each of [
      textOf('rescue.move'),
      FOREIGN,
      ACCOUNT_08,
      TOKEN,
      NFT,
      '700',
    ]) {
      expect(shown.toLowerCase()).toContain(each.toLowerCase());
    }
  });

  it.each<RescueCase>([
    [
      'no payer',
      async ({ app, victim }) =>
        callersOf(app).rpc(COMPANION, REVOKE, [
          { account: victim.address, chainId: '0x1', assets },
        ]),
      [-32602, /\[0\]\.assets needs payer/u],
    ],
    [
      'a payer that delegates',
      async ({ rescue, codes, payer }) => {
        codes.set(payer.address, delegatedTo(ACCOUNT_08));
        return rescue({ assets });
      },
      [-32602, / delegates to a contract.*Choose another payer/u],
    ],
    [
      'no usable account contract',
      async ({ rescue, codes }) => {
        codes.delete(ACCOUNT_08.toLowerCase());
        return rescue({ assets });
      },
      [-32002, /leave assets out\.$/u],
    ],
    [
      'an empty list',
      async ({ rescue }) => rescue({ assets: [] }),
      [-32602, /assets/u],
    ],
    [
      'more than 20 entries',
      async ({ rescue }) => rescue({ assets: Array(21).fill({ token: TOKEN }) }),
      [-32602, /assets/u],
    ],
    [
      'transfers that revert',
      async ({ rescue, edges }) => {
        const fault = { code: 3, message: 'execution reverted: paused' };
        edges.wallet.answers.eth_estimateGas = refuses(fault);
        return rescue({ assets });
      },
      [3, /paused/u],
    ],
  ])('are rejected with %s', async (_why, ask, expected) => {
    const bench = await setupAssets();
    await expectRefusal(ask(bench), ...expected);
    expect([bench.edges.dialogs.shown, bench.pool.size]).toStrictEqual([[], 0]);
  });

  it('are rejected if the account holds none of a token', async () => {
    const { rescue } = await setupAssets(0n);
    const reason = `has no tokens of ${TOKEN} to move`;
    await expect(rescue({ assets })).rejects.toThrow(reason);
  });
});

describe('a rescue', () => {
  it.each<RescueCase>([
    [
      'if the account does not delegate, as on chains without EIP-7702',
      async ({ codes, victim, rescue }) => {
        codes.delete(victim.address);
        return rescue();
      },
      [-32602, / delegates to no contract on eip155:1: there is nothing to revoke\.$/u],
    ],
    [
      'if the payer is the account itself',
      async ({ rescue, victim }) => rescue({ payer: victim.address }),
      [-32602, /^payer is the account itself\./u],
    ],
    [
      'if the payer has no native currency',
      async ({ rescue, payer, balances }) => {
        balances.set(payer.address, '0x0');
        return rescue();
      },
      [-32002, / has no native currency on eip155:1 to pay with\. Nothing was signed/u],
    ],
    [
      'if the payer has no grant',
      async ({ rescue }) => rescue({ payer: FOREIGN }),
      [4100, /not granted/u],
    ],
    [
      "if the account's grant was revoked",
      async ({ rescue, app, victim }) => {
        await app.services.grants.revoke(COMPANION, victim.id);
        return rescue();
      },
      [4100, /not granted/u],
    ],
    [
      'if the payer is a smart account',
      async ({ rescue, app }) => {
        const smart = await createAccount(app, SMART);
        const { rpc } = callersOf(app);
        await rpc(COMPANION, 'wallet_requestPermissions', [{ eth_accounts: {} }]);
        app.edges.dialogs.shown.length = 0;
        return rescue({ payer: smart.address });
      },
      [4200, /does not offer/u],
    ],
    [
      'if the envelope does not name the payer',
      async ({ app, victim, params }) => {
        const envelope = { account: victim.address, params };
        return callersOf(app).rpc(COMPANION, REVOKE, envelope);
      },
      [-32602, /^payer is .*, but the request is for the account/u],
    ],
    [
      'from a site',
      async ({ call, params }) => call(REVOKE, params),
      [4100, /is not open to this origin\.$/u],
    ],
  ])('is rejected %s', async (_why, ask, expected) => {
    const bench = await setupRescue();
    await expectRefusal(ask(bench), ...expected);
    expect([bench.edges.dialogs.shown, bench.pool.size]).toStrictEqual([[], 0]);
  });
});

describe('the page of an account with an unknown delegate', () => {
  const FORM = 'home.accounts.rescue:eip155:1';

  it('suggests another payer first if the account has no funds, and lets it pay', async () => {
    const bench = await setupRescue();
    const home = await openAccount(bench, bench.victim.id);
    expect(home.notices()).toStrictEqual([
      textOf('delegation.unknown'),
      textOf('rescue.hint'),
    ]);
    const texts = home.texts();
    expect(texts.indexOf(textOf('rescue.title'))).toBeLessThan(
      texts.indexOf(textOf('delegation.revoke')),
    );
    await home.submit(FORM, { payer: bench.payer.id });
    expect(home.notices()).toContain(textOf('delegation.sent'));
    expect(home.notices()).toContain(textOf('rescue.pending'));
    await expectRescue(bench);
    await home.click('home.frame.tab:activity');
    expect(home.texts()).toContain(textOf('activity.did.rescue'));
  });

  it('moves tokens too, and drops the warning once the account has the new delegate', async () => {
    const bench = await setupAssets();
    const { codes, victim, mine, pool, poll } = bench;
    const home = await openAccount(bench, bench.victim.id);
    const { id: payer } = bench.payer;
    await home.submit(FORM, { payer, tokens: '0x12' });
    expect(home.notices()).toContain(textOf('rescue.badAssets'));
    expect(pool.size).toBe(0);
    await home.submit(FORM, { payer, tokens: TOKEN, nfts: `${NFT}:7` });
    expect(home.notices()).toContain(textOf('rescue.pending'));
    const [[hash, raw]] = [...pool] as [[Hex, string]];
    expect(raw).toContain(NFT.slice(2));
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

  it("does not mistake the payer's own delegating batch for a rescue", async () => {
    const bench = await setupRescue();
    const { call, victim, payer, pool } = bench;
    const calls = [victim.address, FOREIGN].map((to) => ({ to, value: '0x1' }));
    const batch = sendCallsParam(payer.address, { atomicRequired: true, calls });
    await call('wallet_sendCalls', [batch]);
    const [raw = ''] = pool.values();
    expect([raw.slice(0, 4), raw.includes(victim.address.slice(2))]).toStrictEqual([
      '0x04',
      true,
    ]);
    const home = await openAccount(bench, bench.victim.id);
    expect(home.notices()).toContain(textOf('rescue.hint'));
  });

  it('suggests another payer as the second choice if the account can pay', async () => {
    const bench = await setupRescue();
    bench.balances.delete(bench.victim.address);
    const home = await openAccount(bench, bench.victim.id);
    const texts = home.texts();
    expect(texts.indexOf(textOf('rescue.title'))).toBeGreaterThan(
      texts.indexOf(textOf('delegation.revoke')),
    );
    expect(home.notices()).toStrictEqual([textOf('delegation.unknown')]);
  });

  it('offers another attempt if the account still delegates after a successful receipt', async () => {
    const bench = await setupRescue();
    const { codes, victim, mine, pool, poll } = bench;
    const home = await openAccount(bench, bench.victim.id);
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
    expect(home.texts()).toContain(NOT_DELEGATED);
    expect(home.notices()).toStrictEqual([]);
  });
});

const METHOD = 'wallet_signAuthorization';

type Signed = Record<'chainId' | 'address' | 'nonce' | 'yParity' | 'r' | 's', Hex>;

/** Sets up a delegating account whose nonce is 5. */
async function setupAuthorization() {
  const bench = await createSendBench();
  const codes = simulateDelegations(bench.edges.wallet);
  codes.set(bench.address.toLowerCase(), delegatedTo(FOREIGN));
  bench.edges.dialogs.shown.length = 0;
  return {
    ...bench,
    ask: async (fields = {}) =>
      (await bench.call(METHOD, [
        { address: zeroAddress, chainId: '0x1', ...fields },
      ])) as Signed,
  };
}

async function recover({ chainId, nonce, yParity, r, s }: Signed): Promise<string> {
  return recoverAuthorizationAddress({
    authorization: {
      address: zeroAddress,
      chainId: Number(chainId),
      nonce: Number(nonce),
      yParity: Number(yParity),
      r,
      s,
    },
  });
}

it('signs a revocation for the current nonce after showing it', async () => {
  const { ask, edges, address } = await setupAuthorization();
  const signed = await ask();
  expect(signed).toMatchObject({ chainId: '0x1', address: zeroAddress, nonce: '0x5' });
  expect([signed.r, signed.s]).toStrictEqual([
    expect.stringMatching(/^0x[\da-f]{64}$/u),
    expect.stringMatching(/^0x[\da-f]{64}$/u),
  ]);
  expect((await recover(signed)).toLowerCase()).toBe(address.toLowerCase());
  const [dialog] = edges.dialogs.shown;
  expect(warningsOf(dialog)).toStrictEqual([textOf('authorization.meaning')]);
  const texts = textsOf(dialog);
  expect(texts[texts.indexOf(UNKNOWN_DELEGATE_LABEL) + 1]).toBe(FOREIGN);
  expect(texts[texts.indexOf(textOf('field.authorizationNonce')) + 1]).toBe('5');
});

it('signs a revocation for a given account and nonce', async () => {
  const { call, address, edges } = await setupAuthorization();
  const params = { account: address, address: zeroAddress, nonce: 5 };
  const signed = (await call(METHOD, [{ ...params, chainId: 1 }])) as Signed;
  expect((await recover(signed)).toLowerCase()).toBe(address.toLowerCase());
  expect(warningsOf(edges.dialogs.shown[0])).toHaveLength(1);
});

it.each(['0x4', '0x6'] as const)('warns of the wrong nonce %s', async (nonce) => {
  const { ask, edges } = await setupAuthorization();
  expect(await ask({ nonce })).toHaveProperty('nonce', nonce);
  const values = { nonce: String(Number(nonce)), current: '5' };
  expect(warningsOf(edges.dialogs.shown[0])).toContain(
    textOf('authorization.void', values),
  );
});

it('signs no revocation if the user refuses', async () => {
  const { ask, edges } = await setupAuthorization();
  edges.dialogs.answer = refuse;
  await expectRefusal(ask(), 4001);
});

describe('an authorization', () => {
  it.each<[why: string, fields: Record<string, Json>, expected: Refusal]>([
    [
      'to an unknown contract',
      { address: FOREIGN },
      [4200, /not offered: anyone with/u],
    ],
    ['to the account contract', { address: ACCOUNT_08 }, [4200, /not offered/u]],
    ['with an unknown field', { contractAddress: FOREIGN }, [-32602, /not expected/u]],
    ['for every chain', { chainId: '0x0' }, [-32602, /chainId/u]],
    ['with too high a nonce', { nonce: '0xffffffffffffffff' }, [-32602, /nonce/u]],
    ['for an account without a grant', { account: FOREIGN }, [4100, /not granted/u]],
  ])('is rejected %s', async (_why, fields, expected) => {
    const { ask, edges } = await setupAuthorization();
    await expectRefusal(ask(fields), ...expected);
    expect(edges.dialogs.shown).toStrictEqual([]);
  });

  it('is rejected from a site without a grant, for a smart account, and without params', async () => {
    const { app, edges } = await setupAuthorization();
    const { rpc } = callersOf(app);
    const params = [{ address: zeroAddress, chainId: '0x1' }];
    await expectRefusal(rpc(OTHER_SITE, METHOD, params), 4100);
    expect(edges.dialogs.shown).toStrictEqual([]);
    const smart = await createAccount(app, SMART);
    await rpc(DAPP, 'wallet_requestPermissions', [{ eth_accounts: {} }]);
    const forSmart = [{ ...params[0], account: smart.address }];
    await expectRefusal(rpc(DAPP, METHOD, forSmart), 4200);
    await expectRefusal(rpc(COMPANION, METHOD, []), -32602);
  });
});
