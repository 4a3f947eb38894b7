// Calls that go where no contract is.
import type { Json } from '@metamask/utils';

import { callOf } from '../../fixtures/trust/call';
import { createSignBench } from '../../support/sign-bench';
import type { SignBench } from '../../support/sign-bench';
import { TO } from '../../support/transactions';
import { textOf, warningsOf } from '../../support/view';

const TRANSFER = callOf(
  TO,
  'transfer(address,uint256)',
  TO.replace('79', '80'),
  1n,
).data;

const said = textOf('alert.noContract', { address: TO });

type Bench = SignBench & {
  address: string;
  ask: (fields: Record<string, Json>, method?: string) => Promise<string[]>;
};

/** A node on which there is no contract. */
async function setup(): Promise<Bench> {
  const bench = createSignBench();
  const { id, address } = await bench.create();
  bench.edges.wallet.answers.eth_getCode = '0x';
  bench.edges.wallet.answers.eth_sendRawTransaction = `0x${'11'.repeat(32)}`;
  return {
    ...bench,
    address,
    ask: async (fields, method = 'eth_signTransaction') => {
      const params = [{ from: address, to: TO, ...fields }];
      await bench.sign({ account: id, method, params });
      return warningsOf(bench.consents.asked);
    },
  };
}

describe('a call that goes where no contract is', () => {
  it.each(['eth_signTransaction', 'eth_sendTransaction'])(
    'is warned of in %s',
    async (method) => {
      const { ask } = await setup();
      expect(await ask({ data: TRANSFER }, method)).toStrictEqual([said]);
    },
  );

  it('is warned of though all is given', async () => {
    const { ask } = await setup();
    const given = { type: '0x0', nonce: '0x1', gas: '0xc350', gasPrice: '0x3b9aca00' };
    expect(await ask({ data: TRANSFER, ...given })).toStrictEqual([said]);
  });

  it.each(['0x6080', '0xef010070997970c51812dc3a010c7d01b50e0d17dc79c8'])(
    'is not warned of where there is code: %s',
    async (code) => {
      const { ask, edges } = await setup();
      edges.wallet.answers.eth_getCode = code;
      expect(await ask({ data: TRANSFER })).toStrictEqual([]);
    },
  );

  it('is not warned of where nobody can be asked', async () => {
    const { ask, edges } = await setup();
    delete edges.wallet.answers.eth_getCode;
    expect(await ask({ data: TRANSFER })).toStrictEqual([]);
  });

  it.each<[string, Record<string, Json>]>([
    ['a payment', { value: '0x1' }],
    ['a note', { value: '0x1', data: '0x7468616e6b73' }],
    ['a contract to be', { to: null, data: '0x60806040' }],
    ['what nodes do themselves', { to: `0x${'2'.padStart(40, '0')}`, data: TRANSFER }],
  ])('is not looked for in %s', async (_what, fields) => {
    const { ask, edges } = await setup();
    expect(await ask(fields)).toStrictEqual([]);
    const asked = edges.wallet.calls.map(({ method }) => method);
    expect(asked).not.toContain('eth_getCode');
  });

  it('is not looked for in data for the account itself', async () => {
    const { ask, address, edges } = await setup();
    expect(await ask({ to: address, data: TRANSFER })).toStrictEqual([
      textOf('alert.ownData'),
    ]);
    const asked = edges.wallet.calls.map(({ method }) => method);
    expect(asked).not.toContain('eth_getCode');
  });
});
