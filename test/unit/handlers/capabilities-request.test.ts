import { callersOf } from '../../support/callers';
import { createCallsBench } from '../../support/calls-bench';
import type { CallsBench } from '../../support/calls-bench';
import { refusalOf } from '../../support/refusal';
import { DAPP } from '../../support/test-app';

const METHOD = 'wallet_getCapabilities';

const separate = {
  atomic: { status: 'unsupported' },
  paymasterService: { supported: false },
};

const together = {
  atomic: { status: 'supported' },
  paymasterService: { supported: true },
};

/** Chain 1 has a bundler, and the wallet's node; chain 10 has a node. */
async function setup(): Promise<CallsBench> {
  const bench = await createCallsBench();
  await bench.app.services.store.update((state) => ({
    ...state,
    chains: { ...state.chains, 'eip155:10': { rpcUrl: 'https://node.example' } },
  }));
  return bench;
}

describe('wallet_getCapabilities', () => {
  it('tells the chains of an ordinary account', async () => {
    const { call, address } = await setup();
    expect(await call(METHOD, [address])).toStrictEqual({
      '0x1': separate,
      '0xa': separate,
    });
  });

  it('tells the chains of a smart account that have a bundler', async () => {
    const { call, smart, app } = await setup();
    expect(await call(METHOD, [smart.address])).toStrictEqual({ '0x1': together });
    await app.services.store.update((state) => ({ ...state, chains: {} }));
    expect(await call(METHOD, [smart.address])).toStrictEqual({});
  });

  it('leaves out the chains that a smart account does not serve', async () => {
    const { call, smart, app } = await setup();
    const row = { rpcUrl: 'https://node.example', bundlerUrl: 'https://b.example' };
    await app.services.store.update((state) => ({
      ...state,
      chains: { ...state.chains, 'eip155:10': row },
    }));
    expect(await call(METHOD, [smart.address])).toStrictEqual({ '0x1': together });
  });

  it('tells of the chains that are asked for, and of no others', async () => {
    const { call, address } = await setup();
    expect(await call(METHOD, [address, ['0xa', '0x5']])).toStrictEqual({
      '0xa': separate,
    });
    const outright = { account: address, scope: 'eip155:1', params: [] };
    expect(await call(METHOD, outright)).toStrictEqual({ '0x1': separate });
  });

  it('takes the only account if none is named', async () => {
    const { call, app, smart } = await setup();
    const { code } = await refusalOf(call(METHOD, []));
    expect(code).toBe(-32602);
    await app.services.grants.set(DAPP, [smart.id]);
    expect(await call(METHOD, [null, ['0x1']])).toStrictEqual({ '0x1': together });
  });

  it.each(['https://other.example', 'http://localhost:8000'])(
    'tells %s nothing of an account that it was not granted',
    async (origin) => {
      const { app, address } = await setup();
      const asking = callersOf(app).rpc(origin, METHOD, [address]);
      expect(await refusalOf(asking)).toHaveProperty('code', 4100);
    },
  );

  it.each([[['x']], [[null, 'x']], [[null, null, 1]]])('refuses %j', async (params) => {
    const { call } = await setup();
    expect(await refusalOf(call(METHOD, params))).toHaveProperty('code', -32602);
  });
});
