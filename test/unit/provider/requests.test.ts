// What reaches the snap and the wallet, and what comes back of what they throw.
import { createProvider, ProviderRpcError } from '../../../src/provider';
import type { Provider } from '../../../src/provider';
import { errorOf } from '../../support/error-of';
import { createFakeWallet } from '../../support/fake-wallet';
import type { FakeWallet } from '../../support/fake-wallet';

function setup(): FakeWallet & { provider: Provider } {
  const wallet = createFakeWallet();
  return { ...wallet, provider: createProvider({ ethereum: wallet.ethereum }) };
}

const transaction = { from: '0xa', to: '0xb' };

describe('the chain that the wallet has chosen for the site', () => {
  it.each([
    ['a transaction', 'eth_sendTransaction', [transaction]],
    ['a look-up', 'eth_getTransactionReceipt', ['0x1']],
    ['a user operation', 'eth_prepareUserOperation', [{ to: '0xb' }]],
    ['a method without params', 'eth_supportedEntryPoints', undefined],
  ])('is named to the snap with %s', async (_name, method, params) => {
    const { provider, askedSnap, snapAnswers } = setup();
    snapAnswers[method] = () => 'answer';
    expect(await provider.request({ method, params })).toBe('answer');
    const wanted = { scope: 'eip155:31337', params: params ?? [] };
    expect(askedSnap).toStrictEqual([{ method, params: wanted }]);
  });

  it.each([
    ['a transaction that names its own', 'eth_sendTransaction', [{ chainId: '0x1' }]],
    ['one that spells it chainID', 'eth_sendTransaction', [{ chainID: '0x1' }]],
    ['params that say it outright', 'eth_signUserOperation', { scope: 'eip155:1' }],
    ['a message', 'personal_sign', ['0x1234', '0xa']],
  ])('is not named with %s', async (_name, method, params) => {
    const { provider, askedSnap, snapAnswers } = setup();
    snapAnswers[method] = () => 'answer';
    await provider.request({ method, params });
    expect(askedSnap).toStrictEqual([{ method, params }]);
  });

  it('is the one of the moment', async () => {
    const { provider, askedSnap, snapAnswers, answers } = setup();
    snapAnswers.eth_sendTransaction = () => '0x1';
    const request = { method: 'eth_sendTransaction', params: [transaction] };
    await provider.request(request);
    answers.eth_chainId = () => '0xaa36a7';
    await provider.request(request);
    expect(askedSnap.map(({ params }) => (params as { scope: string }).scope)).toEqual([
      'eip155:31337',
      'eip155:11155111',
    ]);
  });
});

it('has the keyring asked by its own way', async () => {
  const { provider, asked, snapAnswers } = setup();
  snapAnswers.keyring_listAccounts = () => [];
  await provider.request({ method: 'keyring_listAccounts' });
  expect(asked.at(-1)?.method).toBe('wallet_invokeKeyring');
});

it('lets the wallet answer what is its own, as it was asked', async () => {
  const { provider, asked, answers } = setup();
  answers.eth_getBalance = () => '0x5';
  const request = { method: 'eth_getBalance', params: ['0xa', 'latest'] };
  expect(await provider.request(request)).toBe('0x5');
  expect(asked).toStrictEqual([request]);
});

describe('errors', () => {
  it.each([
    ['an error', Object.assign(new Error('No.'), { code: 4001, data: { a: 1 } })],
    ['a plain object', { code: 4001, message: 'No.', data: { a: 1 } }],
  ])('keep the code and the data of %s', async (_name, thrown) => {
    const { provider, snapAnswers } = setup();
    snapAnswers.personal_sign = () => {
      throw thrown as Error;
    };
    const error = await errorOf(async () =>
      provider.request({ method: 'personal_sign', params: [] }),
    );
    expect(error).toBeInstanceOf(ProviderRpcError);
    expect(error).toMatchObject({ code: 4001, message: 'No.', data: { a: 1 } });
  });

  it.each<[string, unknown, string]>([
    ['a text', 'Something broke.', 'Something broke.'],
    ['an error without a code', new Error('Broken.'), 'Broken.'],
    ['a code that is none', { code: '4001', message: 'No.' }, 'No.'],
    ['an empty text', '', 'The wallet failed.'],
    ['nothing', undefined, 'The wallet failed.'],
    ['null', null, 'The wallet failed.'],
    ['a number', 7, 'The wallet failed.'],
  ])('are made of %s', async (_name, thrown, message) => {
    const { provider, answers } = setup();
    answers.eth_blockNumber = () => {
      throw thrown as Error;
    };
    const error = await errorOf(async () =>
      provider.request({ method: 'eth_blockNumber' }),
    );
    expect(error).toMatchObject({ name: 'ProviderRpcError', code: -32603, message });
    expect(Object.hasOwn(error, 'data')).toBe(false);
  });

  it.each([
    ['nothing', undefined],
    ['no method', {}],
    ['an empty method', { method: '' }],
    ['a method that is no text', { method: 5 }],
  ])('are told of %s asked', async (_name, args) => {
    const { provider, asked } = setup();
    expect(
      await errorOf(async () => provider.request(args as { method: string })),
    ).toMatchObject({
      code: -32600,
      message: 'A request is an object with a method: { method, params? }.',
    });
    expect(asked).toStrictEqual([]);
  });

  it('say that there is no MetaMask', async () => {
    const provider = createProvider();
    expect(
      await errorOf(async () => provider.request({ method: 'eth_accounts' })),
    ).toMatchObject({ code: 4900 });
    expect(await provider.status()).toStrictEqual({ state: 'no-metamask' });
  });
});
