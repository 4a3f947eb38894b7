import { entryPoints } from '../../../src/eth/entry-point';
import { callersOf } from '../../support/callers';
import type { Callers } from '../../support/callers';
import { errorOf } from '../../support/error-of';
import { serving } from '../../support/fake-fetch';
import { createFakeNode } from '../../support/fake-node';
import { refusalOf } from '../../support/refusal';
import { COMPANION, createAccount, createTestApp, DAPP } from '../../support/test-app';
import type { TestApp } from '../../support/test-app';

const KEY = 'k3y-of-the-user-0123456789abcdef';

const row = {
  chainId: 'eip155:1',
  rpcUrl: `https://node.example/${KEY}`,
  apiKey: KEY,
  bundlerUrl: 'https://bundler.example',
  bundlerApiKey: KEY,
};

const shown = {
  chainId: 'eip155:1',
  rpcUrl: 'https://node.example/[redacted]',
  apiKey: '[redacted]',
  bundlerUrl: 'https://bundler.example',
  bundlerApiKey: '[redacted]',
};

/** A network with the servers of the row. */
function setup(): Callers & { app: TestApp } {
  const app = createTestApp();
  const { network } = app.edges;
  network.serve(
    'https://node.example',
    serving(createFakeNode({ eth_chainId: '0x1' })),
  );
  const bundler = createFakeNode({
    eth_chainId: '0x1',
    eth_supportedEntryPoints: [entryPoints['0.6'].entryPoint],
  });
  network.serve('https://bundler.example', serving(bundler));
  return { ...callersOf(app), app };
}

describe('the companion', () => {
  it.each([row, [row]])(
    'sets a chain and lists it, redacted (case %#)',
    async (params) => {
      const { rpc } = setup();
      expect(await rpc(COMPANION, 'tollkeeper_setChain', params)).toStrictEqual(shown);
      expect(await rpc(COMPANION, 'tollkeeper_getChains')).toStrictEqual([shown]);
    },
  );

  it('is told what is wrong with a chain, without the keys in it', async () => {
    const { rpc, app } = setup();
    const params = { ...row, gasBaseUrl: `http://gas.example/${KEY}` };
    const { code, message } = await refusalOf(
      rpc(COMPANION, 'tollkeeper_setChain', params),
    );
    expect(code).toBe(-32602);
    expect(message).not.toContain(KEY);
    expect(app.edges.lines.join('')).not.toContain(KEY);
    expect(await rpc(COMPANION, 'tollkeeper_getChains')).toStrictEqual([]);
  });

  it('is told that a server is not what it is to be configured as', async () => {
    const { rpc, app } = setup();
    const node = createFakeNode({ eth_chainId: '0x5' });
    app.edges.network.serve('https://node.example', serving(node));
    expect(await refusalOf(rpc(COMPANION, 'tollkeeper_setChain', row))).toStrictEqual({
      code: -32602,
      message:
        'tollkeeper_setChain: params.rpcUrl is the address of eip155:5, not of eip155:1. Nothing was saved.',
    });
    expect(await rpc(COMPANION, 'tollkeeper_getChains')).toStrictEqual([]);
  });

  it('leaves no socket open to an address that was refused', async () => {
    const { rpc, app } = setup();
    const { sockets } = app.edges;
    sockets.behaviour.onSend = ({ receive }, { id }) =>
      void Promise.resolve().then(() => receive({ id, result: '0x5' }));
    const params = { chainId: 1, wsUrl: 'wss://node.example' };
    const error = await errorOf(() => rpc(COMPANION, 'tollkeeper_setChain', params));
    expect(error).toMatchObject({ code: -32602, data: { field: 'wsUrl' } });
    expect(sockets.opened.map(({ isClosed }) => isClosed)).toStrictEqual([true]);
  });

  it('needs a grant to see an account, as every site does', async () => {
    const { rpc, app } = setup();
    const { address } = await createAccount(app);
    expect(await rpc(COMPANION, 'eth_accounts')).toStrictEqual([]);
    const signing = rpc(COMPANION, 'personal_sign', ['0x', address]);
    expect(await refusalOf(signing)).toHaveProperty('code', 4100);
  });
});

describe('what a site asks', () => {
  it('leaves nothing in the log but who asked for what', async () => {
    const { rpc, app } = setup();
    const secretMessage = `0x${'5e'.repeat(40)}`;
    await refusalOf(
      rpc(DAPP, 'personal_sign', [secretMessage, `0x${'00'.repeat(20)}`]),
    );
    await refusalOf(rpc(DAPP, 'personal_sign', [{ [KEY]: KEY }]));
    const lines = app.edges.lines.map((line) => JSON.parse(line) as object);
    expect(lines.map((line) => Object.keys(line).sort())).toStrictEqual([
      ['code', 'event', 'level', 'method', 'ms', 'origin'],
      ['code', 'event', 'level', 'method', 'ms', 'origin'],
    ]);
    expect(JSON.stringify(lines)).not.toMatch(/5e5e|k3y/u);
  });

  it('is answered although requests before it were malformed', async () => {
    const { rpc } = setup();
    const odd = [undefined, null, 7, 'text', [], {}, [null], [[]], [{}], { params: 7 }];
    for (const params of odd) {
      for (const method of [
        'personal_sign',
        'eth_signTransaction',
        'eth_getTransactionReceipt',
      ]) {
        expect(await refusalOf(rpc(DAPP, method, params))).toHaveProperty(
          'code',
          -32602,
        );
      }
    }
    expect(await rpc(DAPP, 'eth_accounts')).toStrictEqual([]);
  });

  it('is answered from what was stored before the snap was stopped', async () => {
    const { rpc, app } = setup();
    const { address } = await createAccount(app);
    await rpc(DAPP, 'eth_requestAccounts');
    await rpc(COMPANION, 'tollkeeper_setChain', row);
    const restarted = callersOf(createTestApp(app.edges));
    expect(await restarted.rpc(DAPP, 'eth_accounts')).toStrictEqual([address]);
    expect(await restarted.rpc(COMPANION, 'tollkeeper_getChains')).toStrictEqual([
      shown,
    ]);
  });

  it('fails as a whole, with nothing lost, while the storage fails', async () => {
    const { rpc, app } = setup();
    const { address } = await createAccount(app);
    await rpc(DAPP, 'eth_requestAccounts');
    const restarted = callersOf(createTestApp(app.edges));
    const { backend } = app.edges;
    const { load } = backend;
    backend.load = () => Promise.reject(new Error('locked'));
    expect(await refusalOf(restarted.rpc(DAPP, 'eth_accounts'))).toStrictEqual({
      code: -32603,
      message: 'Tollkeeper met an internal error.',
    });
    backend.load = load;
    expect(await restarted.rpc(DAPP, 'eth_accounts')).toStrictEqual([address]);
  });
});
