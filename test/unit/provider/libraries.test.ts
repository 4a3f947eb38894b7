// The provider as libraries use it, checked with their own types.
import { createProvider, ProviderRpcError } from '../../../packages/provider/src';
import type {
  JsonRpcPayload,
  Provider,
  SendAsync,
} from '../../../packages/provider/src';
import { createFakeWallet } from '../../support/fake-wallet';
import type { FakeWallet } from '../../support/fake-wallet';
import { findTypeErrors } from '../../support/type-check';

const head = `
  import { createProvider } from 'tollkeeper-snap/provider';
  const provider = createProvider();
`;

it('the provider fits the types of viem, wagmi and ox', () => {
  const programs = {
    viem: `${head}
      import type { EIP1193Provider } from 'viem';
      export const typed: EIP1193Provider = provider;`,
    wagmi: `${head}
      import { injected } from '@wagmi/core';
      const target = { id: 'tollkeeper', name: 'Tollkeeper', provider };
      export const connector = injected({ target });`,
    ox: `${head}
      import { Provider } from 'ox';
      export const block: Promise<\`0x\${string}\`> =
        Provider.from(provider).request({ method: 'eth_blockNumber' });`,
  };
  expect(findTypeErrors(programs)).toStrictEqual([]);
});

it('the provider types the data of each event and the result of each method', () => {
  const programs = {
    events: `${head}
      provider
        .on('accountsChanged', ([first]) => first?.slice(2))
        .once('connect', ({ chainId }) => BigInt(chainId))
        .addListener('disconnect', ({ code }) => code.toFixed())
        .off('chainChanged', (chainId) => BigInt(chainId))
        .removeAllListeners('message');`,
    wrongEvent: `${head} provider.on('accountChanged', () => undefined);`,
    wrongListener: `${head} provider.on('chainChanged', (id: number) => id);`,
    answers: `${head}
      const { accounts } = await provider.request({ method: 'wallet_connect', params: [{}] });
      export const first: \`0x\${string}\` | undefined = accounts[0]?.address;
      export const own = await provider.request<{ a: 1 }>({ method: 'dapp_own' });
      export const { a } = own;`,
    unknownAnswer: `${head}
      void provider.request({ method: 'dapp_own' }).then((id) => id.length);`,
    wrongAnswer: `${head}
      void provider.request({ method: 'eth_chainId' }).then((id) => id.number);`,
  };
  expect(findTypeErrors(programs).sort()).toStrictEqual([
    expect.stringMatching(/^unknownAnswer\.ts:\d+: .*unknown/u),
    expect.stringMatching(/^wrongAnswer\.ts:\d+: .*number/u),
    expect.stringMatching(/^wrongEvent\.ts:\d+: .*accountChanged/u),
    expect.stringMatching(/^wrongListener\.ts:\d+: .*not assignable/u),
  ]);
});

describe('a provider called as before EIP-1193', () => {
  const error = { code: 4001, message: 'The user refused the request.' };
  const accounts = ['0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266'];

  function setup(): Provider & Pick<FakeWallet, 'asked'> {
    const { ethereum, asked, answers, snapAnswers } = createFakeWallet();
    answers.eth_blockNumber = () => '0x10';
    snapAnswers.eth_accounts = () => accounts;
    snapAnswers.personal_sign = () => {
      throw Object.assign(new Error(error.message), error);
    };
    return { ...createProvider({ ethereum }), asked };
  }

  const call = (id: number | undefined, method: string, params: unknown[] = []) => ({
    ...(id !== undefined && { id }),
    jsonrpc: '2.0',
    method,
    params,
  });

  const answerOf = async (
    send: SendAsync,
    payload: Parameters<SendAsync>[0],
  ): Promise<unknown[]> =>
    new Promise((resolve) => {
      void send(payload, (...values) => resolve(values));
    });

  it.each(['send', 'sendAsync'] as const)(
    'answers a batch and a single call from web3 1.x through %s',
    async (name) => {
      const { asked, ...provider } = setup();
      const batch = [
        call(1, 'eth_accounts'),
        call(2, 'personal_sign', ['0x12', accounts[0]]),
        call(3, 'eth_blockNumber'),
        call(undefined, ''),
      ];
      expect(await answerOf(provider[name], batch)).toStrictEqual([
        null,
        [
          { id: 1, jsonrpc: '2.0', result: accounts },
          { id: 2, jsonrpc: '2.0', error },
          { id: 3, jsonrpc: '2.0', result: '0x10' },
          {
            id: null,
            jsonrpc: '2.0',
            error: expect.objectContaining({ code: -32600 }) as unknown,
          },
        ],
      ]);
      expect(asked).toContainEqual({ method: 'eth_blockNumber', params: [] });
      expect(await answerOf(provider[name], batch[0] as JsonRpcPayload)).toStrictEqual([
        null,
        { id: 1, jsonrpc: '2.0', result: accounts },
      ]);
      const [thrown, response] = await answerOf(
        provider[name],
        batch[1] as JsonRpcPayload,
      );
      expect(thrown).toBeInstanceOf(ProviderRpcError);
      expect(thrown).toMatchObject(error);
      expect(response).toStrictEqual({ id: 2, jsonrpc: '2.0', error });
    },
  );

  it('answers send with a method and its params', async () => {
    const { send } = setup();
    expect(await send('eth_accounts')).toHaveProperty('result', accounts);
    await expect(send('personal_sign', ['0x12'])).rejects.toMatchObject(error);
  });
});
