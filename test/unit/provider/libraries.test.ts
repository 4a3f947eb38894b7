// The provider in the hands of libraries, by their own types.
import { Provider as OxProvider } from 'ox';

import { createProvider } from '../../../src/provider';
import { createFakeWallet } from '../../support/fake-wallet';
import { findTypeErrors } from '../../support/type-check';

const head = `
  import { createProvider } from 'tollkeeper-snap/provider';
  const provider = createProvider();
`;

it('passes for what viem, wagmi and ox call a provider', () => {
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

it('types what each event carries, and answers as unknown', () => {
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
    wrongAnswer: `${head}
      void provider.request({ method: 'eth_chainId' }).then((id) => id.length);`,
  };
  expect(findTypeErrors(programs).sort()).toStrictEqual([
    expect.stringMatching(/^wrongAnswer\.ts:\d+: .*unknown/u),
    expect.stringMatching(/^wrongEvent\.ts:\d+: .*accountChanged/u),
    expect.stringMatching(/^wrongListener\.ts:\d+: .*not assignable/u),
  ]);
});

it('is asked by ox', async () => {
  const wallet = createFakeWallet();
  wallet.snapAnswers.eth_accounts = () => ['0xa'];
  const provider = OxProvider.from(createProvider({ ethereum: wallet.ethereum }));
  expect(await provider.request({ method: 'eth_accounts' })).toStrictEqual(['0xa']);
});
