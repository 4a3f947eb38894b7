// tollkeeper_delegate and tollkeeper_revokeDelegation (EIP-7702): signed authorizations, dialogs
// and refusals. viem recovers the signer of an authorization.
import type { Json } from '@metamask/utils';
import {
  parseTransaction,
  recoverTransactionAddress,
  serializeTransaction,
  zeroAddress,
} from 'viem';
import type { Hex, TransactionSerializableEIP7702 } from 'viem';
import { recoverAuthorizationAddress } from 'viem/utils';

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
import { AUTHORIZATION } from '../support/transactions';
import { namesOf, textOf, textsOf, warningsOf } from '../support/view';

const DELEGATE = 'tollkeeper_delegate';

const REVOKE = 'tollkeeper_revokeDelegation';

type Bench = Awaited<ReturnType<typeof setup>>;

async function setup() {
  const bench = await createSendBench();
  const { app, edges, address, pool } = bench;
  const { rpc } = callersOf(app);
  const codes = giveDelegations(edges.wallet);
  await rpc(COMPANION, 'eth_requestAccounts');
  edges.dialogs.shown.length = 0;
  return {
    ...bench,
    codes,
    /** Asks as the companion page does. */
    ask: async (method: string, fields: Record<string, Json> = {}) => {
      const params = [{ account: address, chainId: '0x1', ...fields }];
      const { hash } = (await rpc(COMPANION, method, params)) as { hash: Hex };
      return hash;
    },
    /** Reads what the node was sent. */
    sent: (hash: Hex) =>
      parseTransaction(pool.get(hash) ?? '0x') as TransactionSerializableEIP7702,
  };
}

/** Expects a transaction of an account to itself, with one authorization that it signed. */
async function expectDelegation(
  transaction: TransactionSerializableEIP7702,
  { address, delegate, nonce }: { address: string; delegate: Hex; nonce: number },
): Promise<void> {
  const { authorizationList = [], ...fields } = transaction;
  expect(fields).toMatchObject({ chainId: 1, nonce, to: address.toLowerCase() });
  expect([fields.value ?? 0n, fields.data ?? '0x']).toStrictEqual([0n, '0x']);
  const [authorization, ...others] = authorizationList;
  expect(others).toStrictEqual([]);
  expect(authorization).toMatchObject({
    address: delegate.toLowerCase(),
    chainId: 1,
    nonce: nonce + 1,
  });
  if (!authorization) throw new Error('There is no authorization.');
  expect(BigInt(authorization.s)).toBeLessThanOrEqual(
    0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0n,
  );
  const signer = await recoverAuthorizationAddress({ authorization });
  expect(signer.toLowerCase()).toBe(address.toLowerCase());
  const serializedTransaction = serializeTransaction(transaction) as never;
  const sender = await recoverTransactionAddress({ serializedTransaction });
  expect(sender.toLowerCase()).toBe(address.toLowerCase());
}

it('delegates an account, once the user has seen to whom', async () => {
  const { ask, sent, address, edges, app } = await setup();
  const hash = await ask(DELEGATE);
  await expectDelegation(sent(hash), { address, delegate: ACCOUNT_08, nonce: 5 });
  expect(edges.dialogs.shown).toHaveLength(1);
  const [dialog] = edges.dialogs.shown;
  expect(warningsOf(dialog)).toContain(textOf('delegation.allows'));
  const texts = textsOf(dialog);
  expect(texts).toContain(ACCOUNT_08);
  expect(texts).toContain('Simple7702Account, EntryPoint 0.8');
  expect(texts).toContain('Ethereum');
  expect(texts[texts.indexOf(textOf('field.authorizationNonce')) + 1]).toBe('6');
  expect(await app.services.ledger.find(hash)).toMatchObject({
    status: 'pending',
    origin: COMPANION,
    to: address,
  });
});

it('has nothing signed before the user approves', async () => {
  const { ask, edges, pool } = await setup();
  edges.dialogs.answer = refuse;
  expect(await refusalOf(ask(DELEGATE))).toHaveProperty('code', 4001);
  const asked = edges.wallet.calls.filter((call) =>
    JSON.stringify(call.params).includes('authorizationList'),
  );
  expect(asked.map(({ method }) => method)).toStrictEqual(['eth_estimateGas']);
  expect(asked[0]?.params).toMatchObject([
    { authorizationList: [{ r: '0x0', s: '0x0' }] },
    'latest',
    {},
  ]);
  expect(pool.size).toBe(0);
});

it.each([
  ['known', ACCOUNT_08, 'Simple7702Account, EntryPoint 0.8'],
  ['made elsewhere', FOREIGN, textOf('delegation.foreign')],
])('revokes a delegation %s', async (_whose, delegate, name) => {
  const { ask, sent, codes, address, edges } = await setup();
  codes.set(address.toLowerCase(), delegatedTo(delegate));
  const hash = await ask(REVOKE);
  await expectDelegation(sent(hash), { address, delegate: zeroAddress, nonce: 5 });
  const [dialog] = edges.dialogs.shown;
  expect(warningsOf(dialog)).toContain(textOf('delegation.revokes'));
  const texts = textsOf(dialog);
  const at = texts.indexOf(textOf('field.delegatesNow'));
  expect(texts.slice(at).slice(0, 4)).toStrictEqual([
    textOf('field.delegatesNow'),
    delegate,
    textOf('field.contract'),
    name,
  ]);
});

it('delegates an account that delegates to another contract, which it shows', async () => {
  const { ask, sent, codes, address, edges } = await setup();
  codes.set(address.toLowerCase(), delegatedTo(FOREIGN));
  const hash = await ask(DELEGATE);
  await expectDelegation(sent(hash), { address, delegate: ACCOUNT_08, nonce: 5 });
  expect(textsOf(edges.dialogs.shown[0])).toContain(FOREIGN);
});

it('treats a known contract as unknown if its code is different', async () => {
  const { ask, codes, address, edges } = await setup();
  codes.set(address.toLowerCase(), delegatedTo(ACCOUNT_08));
  codes.set(ACCOUNT_08.toLowerCase(), '0x6001');
  await ask(REVOKE);
  expect(textsOf(edges.dialogs.shown[0])).toContain(textOf('delegation.foreign'));
});

it('signs for the nonces that two delegations at once get', async () => {
  const { ask, sent, address } = await setup();
  const hashes = await Promise.all([ask(DELEGATE), ask(DELEGATE)]);
  for (const [index, hash] of hashes.entries()) {
    // The authorization of the first uses nonce 6 up.
    const expected = { address, delegate: ACCOUNT_08, nonce: 5 + 2 * index };
    await expectDelegation(sent(hash), expected);
  }
});

it('signs for the nonce that is settled after the user was asked', async () => {
  const { ask, sent, address, edges } = await setup();
  edges.dialogs.answer = async (content) => {
    edges.wallet.answers.eth_getTransactionCount = '0x9';
    edges.clock.time += 20_000;
    return Promise.resolve(approve(content));
  };
  const hash = await ask(DELEGATE);
  await expectDelegation(sent(hash), { address, delegate: ACCOUNT_08, nonce: 9 });
});

it('speeds one up with the same authorization', async () => {
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

describe('a delegation is refused', () => {
  const unusable =
    /^No account contract .*can be used on eip155:1: .*Nothing was signed\.$/u;

  type Case = [
    why: string,
    prepare: (bench: Bench) => void,
    expected: { code: number; message: RegExp },
  ];

  it.each<Case>([
    [
      'where the contract is not deployed',
      ({ codes }) => codes.delete(ACCOUNT_08.toLowerCase()),
      { code: -32002, message: unusable },
    ],
    [
      'where its code is another',
      ({ codes }) => codes.set(ACCOUNT_08.toLowerCase(), '0x6001'),
      { code: -32002, message: unusable },
    ],
    [
      'where the chain runs no code of a delegated account',
      ({ edges }) => {
        const fault = {
          code: -32000,
          message: 'invalid opcode: opcode 0xef not defined',
        };
        edges.wallet.answers.eth_call = refuses(fault);
      },
      { code: -32002, message: unusable },
    ],
    [
      'where a lying node answers for another EntryPoint',
      ({ edges }) => {
        edges.wallet.answers.eth_call = `0x${'00'.repeat(12)}${'11'.repeat(20)}`;
      },
      { code: -32002, message: unusable },
    ],
    [
      'where the node takes no such transaction',
      ({ edges }) => {
        const fault = { code: -32602, message: 'transaction type not supported' };
        edges.wallet.answers.eth_estimateGas = refuses(fault);
      },
      { code: -32602, message: /transaction type not supported/u },
    ],
    [
      'where it fails',
      ({ edges }) => {
        const fault = { code: 3, message: 'execution reverted' };
        edges.wallet.answers.eth_estimateGas = refuses(fault);
      },
      { code: 3, message: /execution reverted/u },
    ],
    [
      'where it is there',
      ({ codes, address }) => codes.set(address.toLowerCase(), delegatedTo(ACCOUNT_08)),
      { code: -32602, message: /delegates to .* on eip155:1 already\.$/u },
    ],
  ])('%s', async (_why, prepare, { code, message }) => {
    const bench = await setup();
    prepare(bench);
    const refusal = await refusalOf(bench.ask(DELEGATE));
    expect(refusal.code).toBe(code);
    expect(refusal.message).toMatch(message);
    expect(bench.edges.dialogs.shown).toStrictEqual([]);
    expect(bench.pool.size).toBe(0);
  });

  it.each<[why: string, fields: Record<string, Json>, expected: RegExp]>([
    ['on every chain', { chainId: '0x0' }, /^-32602 .*chainId/u],
    ['on a chain without a node', { chainId: '0x5' }, /^-32002 .*eip155:5/u],
    ['for an EntryPoint without one', { entryPoint: '0.7' }, /^-32602 .*entryPoint/u],
    [
      'for another contract',
      { address: FOREIGN },
      /^-32602 .*address is not expected/u,
    ],
    ['with a nonce of its own', { nonce: '0x7' }, /^-32602 .*nonce is not expected/u],
    ['for the account of others', { account: FOREIGN }, /^4100 .*not granted/u],
  ])('%s', async (_why, fields, expected) => {
    const { ask, edges, pool } = await setup();
    edges.wallet.answers.wallet_switchEthereumChain = refuses({
      code: 4902,
      message: 'no',
    });
    const { code, message } = await refusalOf(ask(DELEGATE, fields));
    expect(`${String(code)} ${message}`).toMatch(expected);
    expect(edges.dialogs.shown).toStrictEqual([]);
    expect(pool.size).toBe(0);
  });

  it('to a smart account, and to sites', async () => {
    const { app, ask, call, address } = await setup();
    const smart = await createAccount(app, {
      type: 'eip155:erc4337',
      entryPoint: '0.8',
    });
    const { rpc } = callersOf(app);
    await rpc(COMPANION, 'wallet_requestPermissions', [{ eth_accounts: {} }]);
    expect(await refusalOf(ask(DELEGATE, { account: smart.address }))).toStrictEqual({
      code: 4200,
      message: `The account ${smart.address} is of type eip155:erc4337 and does not offer ${DELEGATE}.`,
    });
    for (const method of [DELEGATE, REVOKE]) {
      expect(
        await refusalOf(call(method, [{ account: address, chainId: '0x1' }])),
      ).toStrictEqual({ code: 4100, message: `${method} is not open to this origin.` });
    }
  });

  it.each([DELEGATE, REVOKE])(
    'where the scope is another chain: %s',
    async (method) => {
      const { app, address, codes, edges, pool } = await setup();
      codes.set(address.toLowerCase(), delegatedTo(FOREIGN));
      const params = [{ account: address, chainId: '0x1' }];
      const asked = callersOf(app).rpc(COMPANION, method, {
        scope: 'eip155:5',
        params,
      });
      expect(await refusalOf(asked)).toStrictEqual({
        code: -32602,
        message: 'The request is for eip155:5, but its content is for eip155:1.',
      });
      expect([edges.dialogs.shown, pool.size]).toStrictEqual([[], 0]);
    },
  );

  it('where the account of the envelope is another', async () => {
    const { app, address } = await setup();
    const other = await createAccount(app);
    const { rpc } = callersOf(app);
    await rpc(COMPANION, 'wallet_requestPermissions', [{ eth_accounts: {} }]);
    const params = [{ account: address, chainId: '0x1' }];
    const asked = rpc(COMPANION, DELEGATE, { account: other.address, params });
    expect(await refusalOf(asked)).toStrictEqual({
      code: -32602,
      message: `account is ${address}, but the request is for the account ${other.address}.`,
    });
  });
});

it('has nothing to revoke of an account that does not delegate', async () => {
  const { ask, address, edges } = await setup();
  expect(await refusalOf(ask(REVOKE))).toStrictEqual({
    code: -32602,
    message: `${address} delegates to no contract on eip155:1: there is nothing to revoke.`,
  });
  expect(edges.dialogs.shown).toStrictEqual([]);
});

it('signs no transaction with an authorization for another chain', async () => {
  const { send, edges, pool } = await setup();
  const authorizationList = [{ ...AUTHORIZATION, chainId: '0x5' }];
  const { code, message } = await refusalOf(send({ authorizationList }));
  expect(code).toBe(-32602);
  expect(message).toMatch(/ is for eip155:5, but the transaction is for eip155:1\.$/u);
  expect(edges.dialogs.shown).toStrictEqual([]);
  expect(pool.size).toBe(0);
  await send({ authorizationList: [{ ...AUTHORIZATION, chainId: '0x1' }] });
  expect(pool.size).toBe(1);
});

describe('the page of an account', () => {
  async function openAccount(bench: Bench): Promise<HomeBench> {
    const home = await openHome(bench.app);
    await home.click('home.frame.tab:accounts');
    const [account] = await bench.app.services.keyring.listAccounts();
    await home.click(`home.accounts.show:${account?.id ?? ''}`);
    return home;
  }

  it('shows that an account does not delegate, and delegates it', async () => {
    const bench = await setup();
    const { address, pool, edges, sent } = bench;
    const home = await openAccount(bench);
    expect(home.texts()).toContain(textOf('accounts.notDelegated'));
    await home.click('home.accounts.delegate:eip155:1');
    expect(home.notices()).toStrictEqual([textOf('delegation.sent')]);
    const [hash = '0x'] = pool.keys();
    await expectDelegation(sent(hash), { address, delegate: ACCOUNT_08, nonce: 5 });
    expect(textsOf(edges.dialogs.shown.at(-1))).toContain('Tollkeeper');
  });

  it.each([
    [ACCOUNT_08, 'Simple7702Account, EntryPoint 0.8'],
    [FOREIGN, textOf('delegation.foreign')],
  ])('shows that one delegates to %s, and revokes it', async (delegate, name) => {
    const bench = await setup();
    const { address, codes, pool, sent } = bench;
    codes.set(address.toLowerCase(), delegatedTo(delegate));
    const home = await openAccount(bench);
    expect(home.texts()).toEqual(expect.arrayContaining([delegate, name]));
    await home.click('home.accounts.revokeDelegation:eip155:1');
    const [hash = '0x'] = pool.keys();
    await expectDelegation(sent(hash), { address, delegate: zeroAddress, nonce: 5 });
  });

  it('says why nothing was done', async () => {
    const bench = await setup();
    const home = await openAccount(bench);
    bench.codes.clear();
    await home.click('home.accounts.delegate:eip155:1');
    expect(home.notices()[0]).toContain('can be used on eip155:1');
    bench.edges.dialogs.answer = refuse;
    bench.codes.set(bench.address.toLowerCase(), delegatedTo(FOREIGN));
    await home.click('home.frame.refresh');
    await home.click('home.accounts.revokeDelegation:eip155:1');
    expect(home.notices()).toStrictEqual([textOf('home.refused')]);
    expect(bench.pool.size).toBe(0);
  });

  it('offers nothing if no node answers', async () => {
    const bench = await setup();
    bench.edges.wallet.answers.eth_getCode = refuses({ code: -32000, message: 'no' });
    const home = await openAccount(bench);
    const names = namesOf(home.page(), 'Button').join('\n');
    expect(names).not.toMatch(/accounts\.(?:delegate|revokeDelegation)/u);
  });
});
