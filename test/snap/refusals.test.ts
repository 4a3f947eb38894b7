import { answerChain } from '../support/answer-rpc';
import { useHttpServers } from '../support/http-server';
import {
  COMPANION,
  DAPP,
  installBench,
  refusalIn,
  resultIn,
  toAnswer,
} from '../support/snap-bench';
import type { SnapBench } from '../support/snap-bench';
import { TO } from '../support/transactions';
import { buttonOf } from '../support/view';

const KEY = 'k3y-of-the-user-0123456789abcdef';

const startServer = useHttpServers();

// One snap for all: each of these requests leaves it able to answer the next one.
let bench: SnapBench;

beforeAll(async () => {
  bench = await installBench();
});

afterEach(async () => {
  expect(resultIn(await bench.rpc('eth_accounts'))).toStrictEqual([]);
});

describe('a method that is unknown', () => {
  it.each(['eth_sendBundle', 'wallet_invokeSnap', 'toString', '__proto__'])(
    'is refused with 4200: %s',
    async (method) => {
      const unknown = { code: 4200, message: `The method "${method}" is unknown.` };
      expect(refusalIn(await bench.rpc(method))).toStrictEqual(unknown);
      expect(refusalIn(await bench.keyring(method))).toStrictEqual(unknown);
    },
  );
});

describe('a method that is not for the caller', () => {
  it.each([
    ['tollkeeper_setChain', DAPP],
    ['tollkeeper_getChains', DAPP],
    ['tollkeeper_setChain', 'metamask'],
    ['eth_accounts', 'npm:other-snap'],
    ['eth_accounts', 'metamask'],
  ])('is refused with 4100: %s by %s', async (method, origin) => {
    expect(refusalIn(await bench.rpc(method, [], origin))).toStrictEqual({
      code: 4100,
      message: `${method} is not open to this origin.`,
    });
  });

  it.each([
    ['keyring_submitRequest', COMPANION],
    ['keyring_submitRequest', DAPP],
    ['keyring_listAccounts', DAPP],
    ['keyring_listAccounts', 'https://metamask.io'],
  ])('is refused with 4100: %s by %s, by the other route', async (method, origin) => {
    expect(refusalIn(await bench.keyring(method, undefined, origin))).toStrictEqual({
      code: 4100,
      message: `${method} is not open to this origin.`,
    });
  });
});

describe('a request that is malformed', () => {
  const methods = [
    'personal_sign',
    'eth_signTransaction',
    'eth_signTypedData_v1',
    'eth_signTypedData_v3',
    'eth_signTypedData_v4',
    'eth_prepareUserOperation',
    'eth_patchUserOperation',
    'eth_signUserOperation',
    'eth_getTransactionReceipt',
    'eth_getTransactionByHash',
    'wallet_requestPermissions',
  ];
  const odd = [
    [],
    [null],
    [{}],
    [[]],
    [7, 7],
    ['0x', {}],
    ['0x12', '{'],
    [{ from: TO, to: null }],
    [{ __proto__: null, toString: 1 }],
    { params: 7 },
    { account: [], params: [] },
    { params: [{ nested: { deep: [null, { x: 1 }] } }] },
  ];

  it.each(methods)('is refused, and the next one answered: %s', async (method) => {
    // An origin of its own, since an origin may not ask often.
    const origin = `https://${method.replace('_', '-')}.example`;
    for (const params of odd) {
      const { code, message } = refusalIn(await bench.rpc(method, params, origin));
      expect(code).toBe(-32602);
      expect(message).toMatch(/^\S.*\.$/u);
    }
  });

  it('is refused if its document is no JSON', async () => {
    const answer = await bench.rpc('eth_signTypedData_v4', [TO, '{']);
    expect(refusalIn(answer).code).toBe(-32602);
  });

  it.each([
    'keyring_getAccount',
    'keyring_createAccount',
    'keyring_updateAccount',
    'keyring_deleteAccount',
    'keyring_filterAccountChains',
    'keyring_submitRequest',
  ])('is refused of MetaMask too: %s', async (method) => {
    for (const params of odd) {
      expect(refusalIn(await bench.keyring(method, params))).toHaveProperty(
        'code',
        -32602,
      );
    }
  });

  it('does not stop others that run at the same time', async () => {
    const { id } = await bench.create();
    const calls = odd.flatMap((params) => [
      bench.rpc('personal_sign', params),
      bench.keyring('keyring_getAccount', { id }),
    ]);
    const answers = await Promise.all(calls);
    const found = answers.filter((answer) => 'result' in answer);
    expect(found).toHaveLength(odd.length);
  });
});

describe('tollkeeper_setChain', () => {
  it('answers with the row, its secrets redacted, and lists it likewise', async () => {
    const { rpc, manage } = bench;
    const { url } = await startServer(answerChain(1));
    const row = {
      chainId: '0x1',
      rpcUrl: `${url}/v3/${KEY}`,
      apiKey: KEY,
      apiKeySecret: KEY,
      bundlerUrl: `${url}/?key=${KEY}`,
      bundlerApiKey: KEY,
    };
    const shown = {
      chainId: 'eip155:1',
      rpcUrl: `${url}/v3/[redacted]`,
      apiKey: '[redacted]',
      apiKeySecret: '[redacted]',
      bundlerUrl: `${url}?[redacted]`,
      bundlerApiKey: '[redacted]',
    };
    expect(await manage('tollkeeper_setChain', row)).toStrictEqual(shown);
    const list = await rpc('tollkeeper_getChains', [], COMPANION);
    expect(resultIn(list)).toStrictEqual([shown]);
  });

  it('refuses the address of another chain, and stores nothing', async () => {
    const { rpc, snap } = bench;
    const { url } = await startServer(answerChain(5));
    const row = { chainId: 3, rpcUrl: `${url}/v3/${KEY}`, apiKey: KEY };
    const asking = snap.request({
      origin: COMPANION,
      method: 'tollkeeper_setChain',
      params: row,
    });
    const dialog = await asking.getInterface();
    await dialog.clickElement(buttonOf(dialog.content, 'approve'));
    expect(refusalIn(toAnswer(await asking))).toStrictEqual({
      code: -32602,
      message:
        'tollkeeper_setChain: params.rpcUrl is the address of eip155:5, not of eip155:3. Nothing was saved.',
    });
    const list = await rpc('tollkeeper_getChains', [], COMPANION);
    expect(JSON.stringify(list)).not.toContain('eip155:3');
  });

  it('refuses an address that would send keys in the clear', async () => {
    const { rpc } = bench;
    const row = { chainId: 2, rpcUrl: `http://node.example/${KEY}`, apiKey: KEY };
    const answer = await rpc('tollkeeper_setChain', row, COMPANION);
    expect(refusalIn(answer)).toHaveProperty('code', -32602);
    expect(JSON.stringify(answer)).not.toContain(KEY);
    const list = await rpc('tollkeeper_getChains', [], COMPANION);
    expect(JSON.stringify(list)).not.toContain('eip155:2');
  });
});
