import type { KeyringAccount } from '@metamask/keyring-api';

import {
  COMPANION,
  DAPP,
  installBench,
  refusalIn,
  resultIn,
} from '../support/snap-bench';
import { namesOf, textOf, writeView } from '../support/view';

const KEY = '1f'.repeat(32);

describe('accounts', () => {
  it('are created, listed, found and deleted', async () => {
    const { create, keyring } = await installBench();
    const eoa = await create();
    const smart = await create({ type: 'eip155:erc4337' });
    expect(eoa.options).toMatchObject({ index: 0 });
    expect(resultIn(await keyring('keyring_listAccounts'))).toStrictEqual([eoa, smart]);
    const { id } = eoa;
    expect(resultIn(await keyring('keyring_getAccount', { id }))).toStrictEqual(eoa);
    expect(resultIn(await keyring('keyring_deleteAccount', { id }))).toBeNull();
    expect(resultIn(await keyring('keyring_listAccounts'))).toStrictEqual([smart]);
  });

  it('are the same again for the same index', async () => {
    const { create, keyring } = await installBench();
    const { id, address } = await create();
    await keyring('keyring_deleteAccount', { id });
    expect(await create()).toMatchObject({ id, address });
  });

  it('are ten different ones when ten are asked for at once', async () => {
    const { create } = await installBench();
    const accounts = await Promise.all(Array.from({ length: 10 }, () => create()));
    expect(new Set(accounts.map(({ address }) => address)).size).toBe(10);
    const indices = accounts.map(({ options }) => options.index as number);
    expect(indices.sort()).toStrictEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  });

  it('leave nothing if MetaMask does not take one', async () => {
    const { metamask, keyring } = await installBench();
    metamask.take = () => {
      throw new Error('User denied account creation');
    };
    const answer = await keyring('keyring_createAccount', { options: {} });
    expect(refusalIn(answer)).toStrictEqual({
      code: 4001,
      message: 'The user declined it in MetaMask.',
    });
    expect(resultIn(await keyring('keyring_listAccounts'))).toStrictEqual([]);
  });

  it('never show a key that was imported', async () => {
    const { keyring, create } = await installBench();
    const account = await create({ privateKey: KEY });
    const again = await keyring('keyring_createAccount', {
      options: { privateKey: KEY },
    });
    const answers = [
      account,
      again,
      await keyring('keyring_listAccounts'),
      await keyring('keyring_createAccount', { options: { privateKey: `${KEY}00` } }),
    ];
    expect(JSON.stringify(answers)).not.toContain(KEY);
    expect(refusalIn(again)).toStrictEqual({
      code: -32602,
      message: `An account with the address ${account.address} exists already: Tollkeeper (imported) (${account.id}).`,
    });
  });

  it('are managed by the companion, and by no other site', async () => {
    const { keyring } = await installBench();
    const options = { options: {} };
    const made = await keyring('keyring_createAccount', options, COMPANION);
    expect(resultIn(made)).toHaveProperty('type', 'eip155:eoa');
    const refused = await keyring('keyring_createAccount', options, DAPP);
    expect(refusalIn(refused)).toStrictEqual({
      code: 4100,
      message: 'keyring_createAccount is not open to this origin.',
    });
  });
});

describe('connecting a site', () => {
  const connect = { method: 'eth_requestAccounts' };

  it('grants the account that was chosen of two', async () => {
    const { create, confirm, rpc } = await installBench();
    const accounts: KeyringAccount[] = [await create(), await create()];
    const [, second] = accounts;
    expect(resultIn(await rpc('eth_accounts'))).toStrictEqual([]);
    const { answer, content } = await confirm(connect, [String(second?.id), 'approve']);
    expect(resultIn(answer)).toStrictEqual([second?.address]);
    expect(resultIn(await rpc('eth_accounts'))).toStrictEqual([second?.address]);
    expect(
      resultIn(await rpc('eth_accounts', [], 'https://other.example')),
    ).toStrictEqual([]);
    expect(writeView(content)).toContain(DAPP);
    expect(writeView(content)).toContain(textOf('connect.choose'));
    expect(namesOf(content, 'Checkbox')).toStrictEqual(accounts.map(({ id }) => id));
  });

  it('grants nothing if the user refuses', async () => {
    const { create, confirm, rpc } = await installBench();
    await create();
    const { answer } = await confirm(connect, ['refuse']);
    expect(refusalIn(answer)).toStrictEqual({
      code: 4001,
      message: 'The user refused the request.',
    });
    expect(resultIn(await rpc('eth_accounts'))).toStrictEqual([]);
  });

  it('grants nothing if nothing was chosen', async () => {
    const { create, confirm } = await installBench();
    await create();
    await create();
    const { answer } = await confirm(connect, ['approve']);
    expect(refusalIn(answer)).toStrictEqual({
      code: 4001,
      message: 'The user chose no account.',
    });
  });

  it('leads to the first account where there is none', async () => {
    const { rpc, confirm } = await installBench();
    const { answer, content } = await confirm(connect, ['approve']);
    expect(resultIn(answer)).toHaveLength(1);
    expect(writeView(content)).toContain(textOf('connect.first'));
    expect(resultIn(await rpc('eth_accounts'))).toStrictEqual(resultIn(answer));
  });
});
