// Messages and typed data, as clients ask to have them signed.
import type { Json } from '@metamask/utils';
import { stringToHex, verifyMessage } from 'viem';
import type { Address, Hex } from 'viem';

import { submission } from '../../dev/wallet/keyring-requests';
import { permit, permitSingle } from '../fixtures/trust/shapes';
import { callersOf } from '../support/callers';
import { refusalOf } from '../support/refusal';
import { createAccount, createTestApp, DAPP } from '../support/test-app';
import type { TestApp } from '../support/test-app';
import { textOf, warningsOf, writeView } from '../support/view';

type Bench = {
  app: TestApp;
  address: Address;
  /** Call as a site does that was granted the account. */
  call: (method: string, params: Json) => Promise<Json>;
  /** Have something signed as MetaMask does. */
  submit: (method: string, params: Json) => Promise<Json>;
};

async function setup(): Promise<Bench> {
  const app = createTestApp();
  const { id, address } = await createAccount(app);
  const { rpc, keyring } = callersOf(app);
  await app.services.grants.set(DAPP, [id]);
  return {
    app,
    address: address as Address,
    call: async (method, params) => rpc(DAPP, method, params),
    submit: async (method, params) =>
      keyring(
        'metamask',
        'keyring_submitRequest',
        submission({ account: id, method, params }).params,
      ),
  };
}

describe('personal_sign', () => {
  const message = stringToHex('hello');

  it.each([
    ['""', ''],
    ['a password', 'secret'],
    ['null', null],
  ])('ignores a third param: %s', async (_what, third) => {
    const { call, submit, address } = await setup();
    const signature = (await call('personal_sign', [message, address, third])) as Hex;
    expect(await verifyMessage({ address, message: 'hello', signature })).toBe(true);
    const swapped = await call('personal_sign', [address, message, third]);
    expect(swapped).toBe(signature);
    expect(await submit('personal_sign', [message, address, third])).toStrictEqual({
      pending: false,
      result: signature,
    });
  });

  it.each<[Json, string]>([
    [7, '[2] must be a string.'],
    [{}, '[2] must be a string.'],
    [[''], '[2] must be a string.'],
    [false, '[2] must be a string.'],
  ])('refuses another third param: %j', async (third, reason) => {
    const { call, address } = await setup();
    const signing = call('personal_sign', [message, address, third]);
    expect(await refusalOf(signing)).toStrictEqual({
      code: -32602,
      message: `personal_sign: params${reason}`,
    });
  });

  it('refuses a fourth param', async () => {
    const { call, address } = await setup();
    const signing = call('personal_sign', [message, address, '', '']);
    expect(await refusalOf(signing)).toStrictEqual({
      code: -32602,
      message: 'personal_sign: params[3] is not expected here.',
    });
  });
});

describe('eth_signTypedData', () => {
  const entries = [{ type: 'string', name: 'Message', value: 'Hi, Alice!' }];

  it('is eth_signTypedData_v1 for dapps', async () => {
    const { app, call, address } = await setup();
    const signature = await call('eth_signTypedData', [entries, address]);
    const [view] = app.edges.dialogs.shown.slice(-1);
    expect(writeView(view)).toContain('Hi, Alice!');
    expect(await call('eth_signTypedData_v1', [entries, address])).toBe(signature);
    expect(await call('eth_signTypedData', [address, JSON.stringify(entries)])).toBe(
      signature,
    );
  });

  it('is none of the methods that an account has in MetaMask', async () => {
    const { app, submit, address } = await setup();
    const [account] = await app.services.keyring.listAccounts();
    expect(account?.methods).not.toContain('eth_signTypedData');
    expect(
      await refusalOf(submit('eth_signTypedData', [address, entries])),
    ).toStrictEqual({
      code: 4200,
      message: 'eth_signTypedData is not a signing method.',
    });
  });

  it('takes no document, which is for version 4', async () => {
    const { call, address } = await setup();
    const document = { types: {}, primaryType: 'A', domain: {}, message: {} };
    const signing = call('eth_signTypedData', [address, document]);
    expect(await refusalOf(signing)).toMatchObject({ code: -32602 });
  });
});

describe('typed data that let somebody take tokens', () => {
  const unlimited = textOf('typed.unlimited');

  const noEnd = textOf('typed.noDeadline');

  const write = (power: number): string => String(2n ** BigInt(power) - 1n);

  it.each<[string, Json, string[]]>([
    ['2^128 of a permit', permit({ value: String(2n ** 128n) }), [unlimited]],
    ['2^128 - 1 of a permit', permit({ value: write(128) }), []],
    ['2^96 - 1 of a permit', permit({ value: write(96) }), [unlimited]],
    ["Permit2's largest amount", permitSingle({ amount: write(160) }), [unlimited]],
    ["Permit2's latest time", permitSingle({ expiration: write(48) }), [noEnd]],
  ])('say of %s whether it has a limit', async (_what, document, expected) => {
    const { app, call, address } = await setup();
    await call('eth_signTypedData_v4', [address, document]);
    const warnings = warningsOf(app.edges.dialogs.shown.at(-1));
    const limits = warnings.filter((each) => [unlimited, noEnd].includes(each));
    expect(limits).toStrictEqual(expected);
  });
});
