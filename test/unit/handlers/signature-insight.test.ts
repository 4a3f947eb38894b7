import type { OnSignatureHandler } from '@metamask/snaps-sdk';
import type { JSXElement } from '@metamask/snaps-sdk/jsx';
import { stringToHex } from 'viem';

import { handleSignature } from '../../../src/handlers/signature-insight';
import { createTestApp } from '../../support/test-app';
import type { Edges } from '../../support/test-app';
import { mailOf } from '../../support/typed-data';
import { textOf, warningsOf } from '../../support/view';

const FROM = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266';
const SPENDER = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8';

type Signature = Parameters<OnSignatureHandler>[0]['signature'];

type Told = { content: JSXElement; severity?: string } | null;

const message = (text: string): Signature => ({
  from: FROM,
  data: stringToHex(text),
  signatureMethod: 'personal_sign',
});

const typed = (data: unknown): Signature => ({
  from: FROM,
  data: data as Record<string, unknown>,
  signatureMethod: 'eth_signTypedData_v4',
});

const siwe = (domain: string): string =>
  `${domain} wants you to sign in with your Ethereum account:\n` +
  `0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266\n\nSign in.\n\nURI: https://${domain}\n` +
  'Version: 1\nChain ID: 1\nNonce: abcdefgh\nIssued At: 2023-11-14T22:13:20.000Z';

const permit = {
  types: {
    EIP712Domain: [
      { name: 'name', type: 'string' },
      { name: 'version', type: 'string' },
      { name: 'chainId', type: 'uint256' },
      { name: 'verifyingContract', type: 'address' },
    ],
    Permit: [
      { name: 'owner', type: 'address' },
      { name: 'spender', type: 'address' },
      { name: 'value', type: 'uint256' },
      { name: 'nonce', type: 'uint256' },
      { name: 'deadline', type: 'uint256' },
    ],
  },
  primaryType: 'Permit',
  domain: {
    name: 'USD Coin',
    version: '2',
    chainId: 1,
    verifyingContract: '0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48',
  },
  message: {
    owner: FROM,
    spender: SPENDER,
    value: String(2n ** 256n - 1n),
    nonce: '0',
    deadline: '1700000600',
  },
};

function setup(): {
  edges: Edges;
  tell: (signature: Signature, signatureOrigin?: string) => Promise<Told>;
} {
  const { services, edges } = createTestApp();
  const tell = async (
    signature: Signature,
    signatureOrigin = 'https://dapp.example',
  ): Promise<Told> =>
    (await handleSignature({ signature, signatureOrigin }, services)) as Told;
  return { edges, tell };
}

describe('the insight of a signature', () => {
  it('names what a permit allows, and that it has no limit', async () => {
    const { tell } = setup();
    const told = await tell(typed(permit));
    expect(warningsOf(told?.content)).toStrictEqual(
      expect.arrayContaining([textOf('typed.unlimited')]),
    );
    expect(warningsOf(told?.content).length).toBeGreaterThan(1);
  });

  it('is critical where a sign-in is for another site than the one that asks', async () => {
    const { tell } = setup();
    expect(await tell(message(siwe('dapp.example')))).toBeNull();
    const told = await tell(message(siwe('bank.example')));
    expect(told).toHaveProperty('severity', 'critical');
    expect(warningsOf(told?.content)).toHaveLength(1);
  });

  it('is not critical where a permit has no limit', async () => {
    const { tell } = setup();
    const told = await tell(typed(permit));
    expect(warningsOf(told?.content)).toStrictEqual([
      textOf('typed.unlimited'),
      textOf('shape.permit'),
    ]);
    expect(told).not.toHaveProperty('severity');
  });

  it('only names what an ordinary permit allows', async () => {
    const { tell } = setup();
    const message = { ...permit.message, value: '250000000' };
    const told = await tell(typed({ ...permit, message }));
    expect(warningsOf(told?.content)).toStrictEqual([textOf('shape.permit')]);
    expect(told).not.toHaveProperty('severity');
  });

  it('is critical where data name an address made to be taken for another', async () => {
    const { tell } = setup();
    const spender = '0xa0b8bad0000000000000000000000000000ceb48';
    const message = { ...permit.message, value: '1', spender };
    const told = await tell(typed({ ...permit, message }));
    const known = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48';
    expect(warningsOf(told?.content)).toContain(
      textOf('warning.lookAlike', { address: spender, known }),
    );
    expect(told).toHaveProperty('severity', 'critical');
  });

  it('has no site to compare with where the wallet itself asks', async () => {
    const { services } = createTestApp();
    const signature = message(siwe('bank.example'));
    expect(await handleSignature({ signature }, services)).toBeNull();
  });

  it.each<[string, Signature]>([
    ['a plain message', message('hello')],
    ['plain typed data', typed(mailOf(1))],
    ['typed data that are none', typed({ types: 7 })],
    ['a message that is none', { ...message('x'), data: '0x0' } as Signature],
  ])('is silent beside %s', async (_what, signature) => {
    const { tell } = setup();
    expect(await tell(signature)).toBeNull();
  });

  it('needs nothing that is stored', async () => {
    const { tell, edges } = setup();
    edges.backend.document = { version: 99 };
    expect(await tell(typed(permit))).not.toBeNull();
  });
});
