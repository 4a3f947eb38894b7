// wallet_signAuthorization (EIP-7702): sites have revocations signed, and nothing else. Who signed is
// recovered with viem.
import type { Json } from '@metamask/utils';
import { zeroAddress } from 'viem';
import type { Hex } from 'viem';
import { recoverAuthorizationAddress } from 'viem/utils';

import { callersOf } from '../support/callers';
import {
  ACCOUNT_08,
  delegatedTo,
  FOREIGN,
  giveDelegations,
} from '../support/delegations';
import { refusalOf } from '../support/refusal';
import { createSendBench } from '../support/send-bench';
import { COMPANION, createAccount, DAPP, refuse } from '../support/test-app';
import { textOf, textsOf, warningsOf } from '../support/view';

const METHOD = 'wallet_signAuthorization';

type Signed = Record<'chainId' | 'address' | 'nonce' | 'yParity' | 'r' | 's', Hex>;

/** An account that delegates, whose nonce is 5. */
async function setup() {
  const bench = await createSendBench();
  const codes = giveDelegations(bench.edges.wallet);
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

it('signs a revocation for the current nonce, once the user has seen it', async () => {
  const { ask, edges, address } = await setup();
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
  expect(texts[texts.indexOf(textOf('field.delegatesNow')) + 1]).toBe(FOREIGN);
  expect(texts[texts.indexOf(textOf('field.authorizationNonce')) + 1]).toBe('5');
});

it('takes the account and the nonce', async () => {
  const { call, address, edges } = await setup();
  const params = { account: address, address: zeroAddress, nonce: 5 };
  const signed = (await call(METHOD, [{ ...params, chainId: 1 }])) as Signed;
  expect((await recover(signed)).toLowerCase()).toBe(address.toLowerCase());
  expect(warningsOf(edges.dialogs.shown[0])).toHaveLength(1);
});

it.each(['0x4', '0x6'] as const)('warns that the nonce is not %s', async (nonce) => {
  const { ask, edges } = await setup();
  expect(await ask({ nonce })).toHaveProperty('nonce', nonce);
  const values = { nonce: String(Number(nonce)), current: '5' };
  expect(warningsOf(edges.dialogs.shown[0])).toContain(
    textOf('authorization.void', values),
  );
});

it('signs nothing that the user refuses', async () => {
  const { ask, edges } = await setup();
  edges.dialogs.answer = refuse;
  expect(await refusalOf(ask())).toHaveProperty('code', 4001);
});

describe('an authorization is refused', () => {
  it.each<[why: string, fields: Record<string, Json>, expected: RegExp]>([
    ['for another contract', { address: FOREIGN }, /^4200 .*not offered: anyone with/u],
    ['for one that is offered', { address: ACCOUNT_08 }, /^4200 .*not offered/u],
    ['with another field', { contractAddress: FOREIGN }, /^-32602 .*not expected/u],
    ['for every chain', { chainId: '0x0' }, /^-32602 .*chainId/u],
    ['for a nonce that none has', { nonce: '0xffffffffffffffff' }, /^-32602 .*nonce/u],
    ['for the account of others', { account: FOREIGN }, /^4100 .*not granted/u],
  ])('%s', async (_why, fields, expected) => {
    const { ask, edges } = await setup();
    const { code, message } = await refusalOf(ask(fields));
    expect(`${String(code)} ${message}`).toMatch(expected);
    expect(edges.dialogs.shown).toStrictEqual([]);
  });

  it('to a site without a grant, and of a smart account', async () => {
    const { app, edges } = await setup();
    const { rpc } = callersOf(app);
    const params = [{ address: zeroAddress, chainId: '0x1' }];
    const asked = rpc('https://other.example', METHOD, params);
    expect(await refusalOf(asked)).toHaveProperty('code', 4100);
    expect(edges.dialogs.shown).toStrictEqual([]);
    const smart = await createAccount(app, {
      type: 'eip155:erc4337',
      entryPoint: '0.8',
    });
    await rpc(DAPP, 'wallet_requestPermissions', [{ eth_accounts: {} }]);
    const named = [{ ...params[0], account: smart.address }];
    expect(await refusalOf(rpc(DAPP, METHOD, named))).toHaveProperty('code', 4200);
    expect(await refusalOf(rpc(COMPANION, METHOD, []))).toHaveProperty('code', -32602);
  });
});
