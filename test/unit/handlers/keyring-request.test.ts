import type { KeyringAccount } from '@metamask/keyring-api';
import type { Json } from '@metamask/utils';
import { stringToHex } from 'viem';

import { submission } from '../../../dev/wallet/keyring-requests';
import { refusalOf } from '../../support/refusal';
import { setupSubmitBench } from '../../support/submit-bench';
import { COMPANION, createAccount } from '../../support/test-app';
import { mailOf, signMail } from '../../support/typed-data';

const SUBMIT = 'keyring_submitRequest';
const IMPORTED = '1f'.repeat(32);

describe("MetaMask's requests", () => {
  it('sign a message without a dialog: MetaMask showed one', async () => {
    const { submit, eoa, owner, app } = await setupSubmitBench();
    const params = [stringToHex('hello'), eoa.address];
    expect(await submit('personal_sign', params)).toStrictEqual({
      pending: false,
      result: await owner.signMessage({ message: 'hello' }),
    });
    expect(app.edges.dialogs.shown).toStrictEqual([]);
  });

  // The scope is made of the domain's chainId as it stands there.
  it.each<[Json | undefined, string, bigint | undefined]>([
    [undefined, '', undefined],
    [1, 'eip155:1', 1n],
    ['1', 'eip155:1', 1n],
    ['0xaa36a7', 'eip155:0xaa36a7', 11_155_111n],
    [0, 'eip155:0', 0n],
  ])('sign typed data whose chainId is %j', async (chainId, scope, expected) => {
    const { submit, eoa, owner } = await setupSubmitBench();
    const params = [eoa.address, mailOf(chainId)];
    expect(await submit('eth_signTypedData_v4', params, scope)).toStrictEqual({
      pending: false,
      result: await signMail(owner, expected),
    });
  });

  it('sign a creation, which omits `to`, without touching the network', async () => {
    const { submit, eoa, app } = await setupSubmitBench();
    const transaction = {
      type: '0x2',
      from: eoa.address,
      chainId: '0x1',
      nonce: '0x0',
      value: '0x0',
      data: '0x6080',
      gasLimit: '0x186a0',
      maxFeePerGas: '0x2',
      maxPriorityFeePerGas: '0x1',
      accessList: [],
    };
    const answer = await submit('eth_signTransaction', [transaction], 'eip155:1');
    const { result } = answer as { result: object };
    expect(Object.keys(result).sort()).toStrictEqual(['r', 's', 'v']);
    expect(app.edges.wallet.calls).toStrictEqual([]);
  });

  it('are refused like those of others where they are wrong', async () => {
    const { submit, app } = await setupSubmitBench();
    const other = await createAccount(app);
    const signing = submit('personal_sign', ['0x', other.address]);
    expect(await refusalOf(signing)).toHaveProperty('code', -32602);
  });
});

describe("the companion's requests", () => {
  it('manage accounts', async () => {
    const { keyring, eoa } = await setupSubmitBench();
    const made = await keyring(COMPANION, 'keyring_createAccount', { options: {} });
    expect(await keyring(COMPANION, 'keyring_listAccounts')).toStrictEqual([eoa, made]);
    const { id } = made as KeyringAccount;
    expect(await keyring(COMPANION, 'keyring_deleteAccount', { id })).toBeNull();
    expect(await keyring(COMPANION, 'keyring_listAccounts')).toStrictEqual([eoa]);
  });

  it('never get anything signed this way', async () => {
    const { keyring, eoa } = await setupSubmitBench();
    const params = [stringToHex('hello'), eoa.address];
    const request = submission({ account: eoa.id, method: 'personal_sign', params });
    expect(await refusalOf(keyring(COMPANION, SUBMIT, request.params))).toStrictEqual({
      code: 4100,
      message: 'keyring_submitRequest is not open to this origin.',
    });
  });
});

describe('a key that was imported', () => {
  it('leaves by no answer, event, error or log line', async () => {
    const { keyring, app } = await setupSubmitBench();
    const options = { privateKey: IMPORTED };
    const calls = [
      keyring(COMPANION, 'keyring_createAccount', { options }),
      keyring(COMPANION, 'keyring_createAccount', { options }),
      keyring(COMPANION, 'keyring_createAccount', {
        options: { ...options, index: 1 },
      }),
      keyring(COMPANION, 'keyring_createAccount', {
        options: { privateKey: `${IMPORTED}00` },
      }),
      keyring(COMPANION, 'keyring_listAccounts'),
    ];
    const outcomes = await Promise.allSettled(calls);
    expect(outcomes.map(({ status }) => status).sort()).toStrictEqual([
      'fulfilled',
      'fulfilled',
      'rejected',
      'rejected',
      'rejected',
    ]);
    const told = outcomes.map((outcome) =>
      outcome.status === 'fulfilled' ? outcome.value : String(outcome.reason),
    );
    const { events, lines, publicBackend } = app.edges;
    const all = JSON.stringify([told, events.emitted, lines, publicBackend.document]);
    expect(all).not.toContain(IMPORTED);
  });
});
