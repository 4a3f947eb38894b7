import type { Json } from '@metamask/utils';

import { refusalOf } from '../../support/refusal';
import { createSignBench } from '../../support/sign-bench';
import type { SignBench } from '../../support/sign-bench';
import { mailOf, signMail } from '../../support/typed-data';
import { textOf, warningsOf, writeView } from '../../support/view';

const OTHER = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8';

type Bench = SignBench & {
  address: string;
  signMailOf: (chainId?: Json, scope?: bigint) => Promise<Json>;
  signParams: (params: Json) => Promise<Json>;
};

async function setup(): Promise<Bench> {
  const bench = createSignBench();
  const { id, address } = await bench.create();
  const asked = { account: id, method: 'eth_signTypedData_v4' };
  return {
    ...bench,
    address,
    signParams: (params) => bench.sign({ ...asked, params }),
    signMailOf: (chainId, scope) =>
      bench.sign({
        ...asked,
        params: [address, mailOf(chainId)],
        ...(scope === undefined ? {} : { scope }),
      }),
  };
}

describe('eth_signTypedData_v4', () => {
  it.each([[1], ['1'], ['0x1']])(
    'signs as EIP-712 says, the chain of the domain written as %j',
    async (chainId) => {
      const { signMailOf, owner } = await setup();
      expect(await signMailOf(chainId)).toBe(await signMail(owner, 1n));
      expect(await signMailOf(chainId, 1n)).toBe(await signMail(owner, 1n));
    },
  );

  it.each([undefined, 5n])('signs a document for no chain (case %#)', async (scope) => {
    const { signMailOf, owner } = await setup();
    expect(await signMailOf(undefined, scope)).toBe(await signMail(owner));
  });

  it('signs a document for chain 0, which some write for any', async () => {
    const { signMailOf, owner } = await setup();
    expect(await signMailOf(0, 1n)).toBe(await signMail(owner, 0n));
  });

  it('signs a document that comes as JSON text', async () => {
    const { signParams, owner, address } = await setup();
    const text = JSON.stringify(mailOf(1));
    expect(await signParams([address, text])).toBe(await signMail(owner, 1n));
  });

  it('signs a document that stands before the address', async () => {
    const { signParams, owner, address } = await setup();
    const signature = await signMail(owner, 1n);
    expect(await signParams([mailOf(1), address])).toBe(signature);
    expect(await signParams([JSON.stringify(mailOf(1)), address])).toBe(signature);
  });

  it("signs for another chain than the snap's own network, and says so", async () => {
    const { signMailOf, owner, consents } = await setup();
    expect(await signMailOf(137)).toBe(await signMail(owner, 137n));
    expect(warningsOf(consents.asked)).toStrictEqual([
      textOf('typed.foreignChain', { chain: 'Polygon (eip155:137)' }),
    ]);
  });

  it('warns if there is no contract at the address', async () => {
    const { signMailOf, consents, edges } = await setup();
    edges.wallet.answers.eth_getCode = '0x';
    await signMailOf(1);
    expect(warningsOf(consents.asked)).toStrictEqual([
      textOf('typed.noCode', {
        address: '0xCcCCccccCCCCcCCCCCCcCcCccCcCCCcCcccccccC',
      }),
    ]);
  });

  it.each([[5], ['5'], ['0x5']])(
    'refuses a domain of another chain (%j) than the scope, and names both',
    async (chainId) => {
      const { signMailOf, consents } = await setup();
      expect(await refusalOf(signMailOf(chainId, 1n))).toStrictEqual({
        code: -32602,
        message: 'The request is for eip155:1, but its content is for eip155:5.',
      });
      expect(consents.asked).toHaveLength(0);
    },
  );

  it('asks the user, and shows who asks, for which account and chain, and what', async () => {
    const { signMailOf, address, consents } = await setup();
    await signMailOf(1);
    const view = writeView(consents.asked);
    for (const part of [
      'https://dapp.example',
      address,
      'Ethereum (eip155:1)',
      'Ether Mail: Mail',
      '0xCcCCccccCCCCcCCCCCCcCcCccCcCCCcCcccccccC',
      'Hello, Bob!',
    ]) {
      expect(view).toContain(part);
    }
  });

  it('signs nothing if the user refuses', async () => {
    const { signMailOf, consents } = await setup();
    consents.isGiven = false;
    expect(await refusalOf(signMailOf(1))).toHaveProperty('code', 4001);
  });

  it('refuses the address of another account', async () => {
    const { signParams, address } = await setup();
    expect(await refusalOf(signParams([OTHER, mailOf()]))).toStrictEqual({
      code: -32602,
      message: `The address is ${OTHER}, but the request is for the account ${address}.`,
    });
  });

  const ROOT = 'eth_signTypedData_v4: params';

  it.each<[Json, string]>([
    [[OTHER], `${ROOT}[1] is missing: it must be an object.`],
    [[OTHER, 'no JSON'], `${ROOT}[1] must be an object, or the JSON text of one.`],
    [[OTHER, '7'], `${ROOT}[1] must be an object, or the JSON text of one.`],
    [[OTHER, 7], `${ROOT}[1] must be an object.`],
    [[OTHER, {}], `${ROOT}[1].types is missing: it must be an object.`],
    [
      [OTHER, { ...mailOf(), primaryType: 'Letter' }],
      `${ROOT}[1].primaryType is not declared in ${ROOT}[1].types.`,
    ],
    [[OTHER, mailOf('mainnet')], `${ROOT}[1].domain.chainId must be of type uint256.`],
    [[OTHER, mailOf(-1)], `${ROOT}[1].domain.chainId must be of type uint256.`],
    [
      ['0x12', mailOf()],
      `${ROOT}[0] must be a 20-byte address in hex (in mixed case: with its EIP-55 checksum).`,
    ],
    [
      [mailOf(), '0x12'],
      `${ROOT}[1] must be a 20-byte address in hex (in mixed case: with its EIP-55 checksum).`,
    ],
    [[OTHER, OTHER], `${ROOT}[1] must be an object, or the JSON text of one.`],
    [[{}, OTHER], `${ROOT}[0].types is missing: it must be an object.`],
    [{}, `${ROOT} must be an array.`],
  ])('refuses malformed params by name (case %#)', async (params, message) => {
    const { signParams } = await setup();
    expect(await refusalOf(signParams(params))).toStrictEqual({
      code: -32602,
      message,
    });
  });

  it('refuses a message that does not fit its types, before it asks', async () => {
    const { signParams, address, consents } = await setup();
    const message = { from: { name: 'Cow', wallet: 'nobody' }, to: {}, contents: '' };
    expect(
      await refusalOf(signParams([address, { ...mailOf(), message }])),
    ).toStrictEqual({
      code: -32602,
      message: `${ROOT}[1].message.from.wallet must be of type address.`,
    });
    expect(consents.asked).toHaveLength(0);
  });
});
