// What a dialog warns of, from what is found out before it is drawn; and that it is drawn
// whatever cannot be found out.
import { jest } from '@jest/globals';
import type { Json } from '@metamask/utils';
import { stringToHex } from 'viem';

import { signIn } from '../../fixtures/trust/messages';
import { pass } from '../../support/fake-clock';
import { createSignBench } from '../../support/sign-bench';
import type { SignBench } from '../../support/sign-bench';
import { TO } from '../../support/transactions';
import { mailOf } from '../../support/typed-data';
import { textOf, warningsOf } from '../../support/view';

/** The ends of USDC. */
const USDC = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48';
const NO_USDC = '0xa0b8bad0000000000000000000000000000ceb48';

const lookAlike = textOf('warning.lookAlike', { address: NO_USDC, known: USDC });

type Bench = SignBench & {
  address: string;
  ask: (method: string, params: Json) => Promise<Json>;
};

async function setup(): Promise<Bench> {
  const bench = createSignBench();
  const { id, address } = await bench.create();
  return {
    ...bench,
    address,
    ask: (method, params) => bench.sign({ account: id, method, params }),
  };
}

/** The mail, to an address. */
const mailTo = (wallet: string): Json => {
  const mail = mailOf(1) as { message: Record<string, Json> };
  return { ...mail, message: { ...mail.message, to: { name: 'Bob', wallet } } };
};

describe('a dialog', () => {
  it('warns of a look-alike in a message', async () => {
    const { ask, address, consents } = await setup();
    const text = `Send it to ${NO_USDC}, please.`;
    await ask('personal_sign', [stringToHex(text), address]);
    expect(warningsOf(consents.asked)).toStrictEqual([lookAlike]);
  });

  it('warns of a look-alike in typed data', async () => {
    const { ask, address, consents } = await setup();
    await ask('eth_signTypedData_v4', [address, mailTo(NO_USDC)]);
    expect(warningsOf(consents.asked)).toStrictEqual([lookAlike]);
  });

  it('warns of a look-alike in typed data of version 1', async () => {
    const { ask, address, consents } = await setup();
    const entries = [{ type: 'address', name: 'to', value: NO_USDC }];
    await ask('eth_signTypedData_v1', [entries, address]);
    expect(warningsOf(consents.asked)).toContain(lookAlike);
  });

  it('warns of a look-alike that a transaction is for', async () => {
    const { ask, address, consents } = await setup();
    await ask('eth_signTransaction', [{ from: address, to: NO_USDC, value: '0x1' }]);
    expect(warningsOf(consents.asked)).toStrictEqual([lookAlike]);
  });

  it("warns of an address that resembles the account's own", async () => {
    const { ask, address, consents } = await setup();
    const double = `${address.slice(0, 6)}${'0'.repeat(32)}${address.slice(-4)}`;
    await ask('eth_signTransaction', [{ from: address, to: double, value: '0x1' }]);
    expect(warningsOf(consents.asked)).toStrictEqual([
      textOf('warning.lookAlike', { address: double, known: address }),
    ]);
  });

  it('names three look-alikes of many', async () => {
    const { ask, address, consents } = await setup();
    const doubles = [1, 2, 3, 4].map((digit) => NO_USDC.replace('bad', `bad${digit}`));
    const text = doubles.map((each) => each.slice(0, 38) + 'eb48').join(' ');
    await ask('personal_sign', [stringToHex(text), address]);
    expect(warningsOf(consents.asked)).toHaveLength(3);
  });

  it("warns of another site's sign-in", async () => {
    const { ask, address, consents, owner } = await setup();
    const changes = {
      address: owner.address,
      domain: 'bank.example',
      issuedAt: new Date(1_700_000_000_000),
    };
    await ask('personal_sign', [stringToHex(signIn(changes)), address]);
    expect(warningsOf(consents.asked)).toStrictEqual([
      textOf('siwe.otherDomain', {
        domain: 'bank.example',
        origin: 'https://dapp.example',
      }),
    ]);
  });

  it('warns of a sign-in on a chain that nobody serves', async () => {
    const { ask, address, consents, owner } = await setup();
    const changes = {
      address: owner.address,
      domain: 'dapp.example',
      uri: 'https://dapp.example',
      chainId: 137,
    };
    await ask('personal_sign', [stringToHex(signIn(changes)), address]);
    expect(warningsOf(consents.asked)).toStrictEqual([
      textOf('siwe.otherChain', { chain: 'Polygon (eip155:137)' }),
    ]);
  });
});

describe('a dialog that cannot find something out', () => {
  afterEach(() => void jest.useRealTimers());

  it.each([
    ['whether there is code', 'eth_getCode'],
    ['which chain it is', 'eth_chainId'],
  ])(
    'is shown after two seconds if the node does not say %s',
    async (_what, method) => {
      const { ask, address, consents, edges } = await setup();
      const hangs = new Promise<never>(() => undefined);
      edges.wallet.answers[method] = (() => hangs) as never;
      jest.useFakeTimers();
      const signing = ask('eth_signTypedData_v4', [address, mailTo(TO)]);
      await pass(1_999);
      expect(consents.asked).toHaveLength(0);
      await pass(1);
      expect(consents.asked).toHaveLength(1);
      expect(warningsOf(consents.asked)).toStrictEqual([]);
      await pass(100);
      expect(await signing).toMatch(/^0x/u);
    },
  );
});
