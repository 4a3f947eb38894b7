// The network of typed data: the hashed domain decides it, not the site.
import type { Json } from '@metamask/utils';
import { getAddress } from 'viem';
import { createSiweMessage } from 'viem/siwe';

import { serveNetworks } from '../support/fake-node';
import { createSendBench } from '../support/send-bench';
import { createTestApp, DAPP } from '../support/test-app';
import { elementsOf, textOf, textsOf, warningsOf } from '../support/view';

const EVERY_CHAIN = textOf('typed.everyChain');

const types = {
  EIP712Domain: [
    { name: 'name', type: 'string' },
    { name: 'verifyingContract', type: 'address' },
  ],
  Vote: [{ name: 'choice', type: 'uint8' }],
};

const contract = '0xCcCCccccCCCCcCCCCCCcCcCccCcCCCcCcccccccC';

const document = {
  types,
  primaryType: 'Vote',
  domain: { name: 'Votes', verifyingContract: contract },
  message: { choice: 1 },
};

const forChain = (chainId: number | string, isHashed = true): object => ({
  ...document,
  types: {
    ...types,
    EIP712Domain: isHashed
      ? [...types.EIP712Domain, { name: 'chainId', type: 'uint256' }]
      : types.EIP712Domain,
  },
  domain: { ...document.domain, chainId },
});

const entries = [{ type: 'string', name: 'Message', value: 'Hi' }];

/** Signs for a site, and returns the dialog's network and whether it warns about every chain. */
async function sign(method: string, data: object, scope: string | undefined) {
  const { edges, address, call } = await createSendBench();
  edges.wallet.answers.eth_getCode = '0x60';
  const params = [address, data];
  await call(method, (scope === undefined ? params : { scope, params }) as never);
  const content = edges.dialogs.shown.at(-1);
  const rows = elementsOf(content);
  const row = rows.find(({ props }) => props.label === textOf('field.chain'));
  // The dialog names a known network beside the account.
  const account = rows.flatMap(({ props }) =>
    String(props.label).startsWith(`${textOf('field.account')} (`) ? [props.label] : [],
  )[0];
  const named = /\((?<network>.*)\)$/u.exec(String(account))?.groups?.network;
  const network = named ?? textsOf(row?.props.children)[0];
  return { network, isWarned: warningsOf(content).includes(EVERY_CHAIN) };
}

const every = { network: textOf('chain.every'), isWarned: true };

describe('the network of typed data', () => {
  it.each(['eth_signTypedData_v3', 'eth_signTypedData_v4'])(
    'is unknown if only the site chose one (%s)',
    async (method) => {
      for (const scope of [undefined, 'eip155:1', 'eip155:137', '0x89']) {
        expect(await sign(method, document, scope)).toStrictEqual(every);
      }
    },
  );

  it('is unknown if the domain has a chain ID but does not hash it', async () => {
    expect(await sign('eth_signTypedData_v4', forChain(137, false), undefined)).toEqual(
      every,
    );
  });

  it('is unknown if the chain ID is zero, which means any', async () => {
    expect(await sign('eth_signTypedData_v4', forChain(0), 'eip155:1')).toEqual(every);
  });

  it('is always unknown in version 1, which has no domain', async () => {
    for (const scope of [undefined, 'eip155:137']) {
      expect(await sign('eth_signTypedData_v1', entries, scope)).toStrictEqual(every);
    }
  });

  it.each([undefined, 'eip155:1'])('is the hashed one (scope %s)', async (scope) => {
    expect(await sign('eth_signTypedData_v4', forChain('0x1'), scope)).toStrictEqual({
      network: 'Ethereum',
      isWarned: false,
    });
  });
});

describe('a network that is not configured', () => {
  const signIn = createSiweMessage({
    address: contract,
    chainId: 137,
    domain: 'dapp.example',
    nonce: 'k13wuyv6db6cz',
    uri: DAPP,
    version: '1',
    issuedAt: new Date(1_700_000_000_000),
  });
  const requests: [string, (address: string) => Json][] = [
    ['eth_signTypedData_v4', (address) => [address, forChain(137)] as Json],
    [
      'personal_sign',
      (address) => [signIn.replace(contract, getAddress(address)), address],
    ],
    [
      'wallet_connect',
      () => [
        {
          capabilities: {
            signInWithEthereum: { nonce: 'k13wuyv6db6cz', chainId: '0x89' },
          },
        },
      ],
    ],
  ];
  const keys = ['typed.foreignChain', 'siwe.otherChain'] as const;

  /** Sends a request, and returns whether its dialog warns about another network. */
  async function isForeign(
    [method, toParams]: (typeof requests)[number],
    scope: string | undefined,
    networks: readonly number[],
  ): Promise<boolean> {
    const { edges, address, call } = await createSendBench();
    const answers = { ...edges.wallet.answers, eth_getCode: '0x60' };
    serveNetworks(
      edges.wallet,
      Object.fromEntries(networks.map((id) => [id, answers])),
    );
    const params = toParams(address);
    await call(method, scope === undefined ? params : { scope, params });
    const warnings = warningsOf(edges.dialogs.shown.at(-1));
    return keys.some((key) => warnings.includes(textOf(key, { chain: 'Polygon' })));
  }

  it.each(requests)(
    'causes a warning unless the site chose it and MetaMask has it (%s)',
    async (...request) => {
      expect(await isForeign(request, 'eip155:137', [1, 137])).toBe(false);
      expect(await isForeign(request, undefined, [1, 137])).toBe(true);
      expect(await isForeign(request, 'eip155:137', [1])).toBe(true);
    },
  );
});

describe("the warning in MetaMask's own confirmation", () => {
  async function findWarnings(
    signatureMethod: string,
    data: unknown,
  ): Promise<string[]> {
    const { entry, edges } = createTestApp();
    edges.wallet.answers.eth_getCode = '0x60';
    const from = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266';
    const signature = { from, data, signatureMethod } as never;
    const signatureOrigin = 'https://dapp.example';
    const insight = await entry.onSignature({ signature, signatureOrigin });
    return warningsOf((insight as { content: unknown }).content);
  }

  it.each<[string, unknown]>([
    ['eth_signTypedData', entries],
    ['eth_signTypedData_v3', document],
    ['eth_signTypedData_v4', document],
  ])('is shown if %s names no chain', async (method, data) => {
    expect(await findWarnings(method, data)).toContain(EVERY_CHAIN);
  });

  it('is not shown if a chain is hashed', async () => {
    expect(await findWarnings('eth_signTypedData_v4', forChain(1))).toStrictEqual([]);
  });
});
