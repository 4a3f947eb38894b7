// Transactions of an ordinary account, filled in, signed and sent for sites and for MetaMask. viem
// and an in-memory node judge the results.
import type { Json } from '@metamask/utils';
import {
  fromRlp,
  parseTransaction,
  recoverTransactionAddress,
  serializeTransaction,
  stringToHex,
} from 'viem';
import type { Hex, TransactionSerializable } from 'viem';

import { gasAnswer } from '../fixtures/client/gas-answer';
import { callOf } from '../fixtures/trust/call';
import { answering, serving } from '../support/fake-fetch';
import { calledMethods, createFakeNode } from '../support/fake-node';
import { NODE_FEE_ANSWERS } from '../support/fees';
import { configOf } from '../support/forks';
import { storeChains } from '../support/given';
import { expectRefusal, refusalOf } from '../support/refusal';
import { createSendBench } from '../support/send-bench';
import { setupSubmitBench } from '../support/submit-bench';
import { COMPANION, DAPP } from '../support/test-app';
import { BLOB_HASH, subsetsOf, TO, transactions } from '../support/transactions';
import { toViem } from '../support/viem-transaction';
import { textOf, warningsOf, writeView } from '../support/view';
import { without } from '../support/without';

type Fields = Record<string, Json>;

type Filled = { v: Hex; r: Hex; s: Hex; tx?: Fields; raw?: Hex };

async function setup() {
  const bench = await setupSubmitBench();
  const { eoa, rpc, submit, app } = bench;
  await rpc(DAPP, 'eth_requestAccounts');
  app.edges.dialogs.shown.length = 0;
  app.edges.wallet.calls.length = 0;
  app.edges.wallet.answers.eth_sendRawTransaction = `0x${'11'.repeat(32)}`;
  const from = eoa.address;
  return {
    ...bench,
    call: async (method: string, fields: Fields, scope?: string) => {
      const params = [{ from, ...fields }];
      return rpc(DAPP, method, scope === undefined ? params : { scope, params });
    },
    sign: async (fields: Fields) => {
      const answer = await submit('eth_signTransaction', [{ from, ...fields }]);
      return (answer as unknown as { result: Filled }).result;
    },
  };
}

function serialize(transaction: TransactionSerializable, { v, r, s }: Filled): Hex {
  const isLegacy = transaction.type === 'legacy';
  const parity = isLegacy ? { v: BigInt(v) } : { yParity: Number(v), v: BigInt(v) };
  return serializeTransaction(transaction, { r, s, ...parity });
}

describe('a complete transaction', () => {
  it.each(Object.entries(transactions))(
    'is signed as in viem, and for MetaMask without requests or a dialog: %s',
    async (_type, fields) => {
      const { call, sign, owner, app } = await setup();
      const signature = await sign(fields);
      const { v, r, s } = signature;
      expect(v).toMatch(fields.type === '0x0' ? /^0x2[56]$/u : /^0x[01]$/u);
      expect(r + s).toMatch(/^0x[0-9a-f]{64}0x[0-7][0-9a-f]{63}$/u);
      const raw = await owner.signTransaction(toViem(fields));
      expect(serialize(toViem(fields), signature)).toBe(raw);
      const { wallet, dialogs } = app.edges;
      expect([wallet.calls, dialogs.shown]).toStrictEqual([[], []]);
      expect(await call('eth_signTransaction', fields)).toStrictEqual(signature);
      expect(dialogs.shown).toHaveLength(1);
    },
  );

  it('is signed for a chain without a node', async () => {
    const { call, owner } = await setup();
    const fields = { ...transactions.legacy, chainId: '0x89' };
    const signature = (await call('eth_signTransaction', fields)) as Filled;
    const raw = await owner.signTransaction(toViem(fields));
    expect(serialize(toViem(fields), signature)).toBe(raw);
  });
});

describe('missing fields of a transaction', () => {
  const dynamic = [
    'chainId',
    'nonce',
    'gasLimit',
    'maxFeePerGas',
    'maxPriorityFeePerGas',
  ];
  const priced = ['type', 'chainId', 'nonce', 'gasLimit', 'gasPrice'];

  it.each<[string, Fields, string[]]>([
    ['EIP-1559', transactions['EIP-1559'], ['type', ...dynamic]],
    ['EIP-2930', transactions['EIP-2930'], priced],
    ['legacy', transactions.legacy, priced],
  ])('are filled in, and no others: %s', async (_type, complete, names) => {
    const { sign, owner, eoa } = await setup();
    for (const absent of subsetsOf(names).slice(1)) {
      const given = without(complete, ...absent);
      const { tx = {}, raw = '0x', ...signature } = await sign(given);
      expect(Object.keys(signature).sort()).toStrictEqual(['r', 's', 'v']);
      expect(tx).toMatchObject({ from: eoa.address, ...given });
      for (const name of absent) {
        if (name in tx) expect(tx[name]).toMatch(/^0x(?:0|[1-9a-f][0-9a-f]*)$/u);
      }
      expect(raw).toBe(await owner.signTransaction(toViem(tx)));
      const serializedTransaction = raw as `0x02${string}`;
      const sender = await recoverTransactionAddress({ serializedTransaction });
      expect(sender).toBe(owner.address);
      expect(parseTransaction(raw)).toMatchObject({ r: signature.r, s: signature.s });
    }
  });

  it('are returned by eth_fillTransaction with an empty signature and without a dialog', async () => {
    const { call, eoa, app } = await setup();
    const filled = await call('eth_fillTransaction', { to: TO, value: '0x1' });
    const { raw, tx } = filled as { raw: Hex; tx: Fields };
    expect(tx).toStrictEqual({
      type: '0x2',
      chainId: '0x1',
      nonce: '0x5',
      from: eoa.address,
      to: TO,
      value: '0x1',
      data: '0x',
      gasLimit: '0x5208',
      accessList: [],
      maxFeePerGas: '0x65ec8780',
      maxPriorityFeePerGas: '0x989680',
    });
    const fields = fromRlp(`0x${raw.slice(4)}`) as Hex[];
    expect(fields.slice(-3)).toStrictEqual(['0x', '0x', '0x']);
    expect(fields.slice(0, 2)).toStrictEqual(['0x01', '0x05']);
    const { dialogs, wallet } = app.edges;
    expect(dialogs.shown).toStrictEqual([]);
    expect(calledMethods(wallet).sort()).toStrictEqual([
      'eth_chainId',
      'eth_chainId',
      'eth_config',
      'eth_estimateGas',
      'eth_feeHistory',
      'eth_getBlockByNumber',
      'eth_getBlockByNumber',
      'eth_getTransactionCount',
      'eth_getTransactionCount',
      'eth_maxPriorityFeePerGas',
    ]);
    const signed = await call('eth_signTransaction', tx);
    expect(Object.keys(signed as object).sort()).toStrictEqual(['r', 's', 'v']);
    expect(writeView(dialogs.shown)).toContain('1.71 gwei');
    const legacy = await call('eth_fillTransaction', { to: TO, gasPrice: '0x7' });
    const { raw: priced } = legacy as { raw: Hex };
    expect(fromRlp(priced)).toHaveLength(9);
    expect(parseTransaction(priced)).toMatchObject({ gasPrice: 7n, gas: 21_000n });
  });

  it.each([
    ['low', '0xf4240'],
    ['high', '0x5f5e100'],
  ])("are filled in at the user's fee level: %s", async (feeLevel, expected) => {
    const { call, rpc } = await setup();
    await rpc(COMPANION, 'tollkeeper_setSettings', [{ feeLevel }]);
    expect(await call('eth_fillTransaction', { to: TO })).toHaveProperty(
      'tx.maxPriorityFeePerGas',
      expected,
    );
  });
});

describe('the chain of a transaction', () => {
  const unbound = without(transactions['EIP-1559'], 'chainId');

  it('comes from the request, then the transaction, then MetaMask', async () => {
    const { call, app } = await setup();
    await storeChains(app, { 'eip155:5': { rpcUrl: 'https://node.example' } });
    const chainOf = async (fields: Fields, scope?: string): Promise<unknown> =>
      ((await call('eth_fillTransaction', fields, scope)) as { tx: Fields }).tx.chainId;
    expect(await chainOf(unbound, 'eip155:5')).toBe('0x5');
    expect(await chainOf({ ...unbound, chainId: 5 })).toBe('0x5');
    expect(await chainOf({ ...unbound, chainId: 5 }, 'eip155:5')).toBe('0x5');
    app.edges.wallet.answers.eth_chainId = '0x7';
    expect(await chainOf(unbound)).toBe('0x7');
    const elsewhere = call('eth_signTransaction', { ...unbound, chainId: 1 }, '0x5');
    expect(await refusalOf(elsewhere)).toEqual({
      code: -32602,
      message: 'The request is for eip155:5, but its content is for eip155:1.',
    });
    expect(app.edges.dialogs.shown).toStrictEqual([]);
  });

  it('needs a node if a field must be filled in', async () => {
    const { call, app } = await setup();
    const partial = without(unbound, 'nonce');
    expect(await refusalOf(call('eth_signTransaction', partial, '0x89'))).toStrictEqual(
      {
        code: -32002,
        message:
          'MetaMask does not have the network eip155:137. Add it to MetaMask ' +
          "(wallet_addEthereumChain), or configure a node for it in Tollkeeper's settings.",
      },
    );
    expect(app.edges.dialogs.shown).toStrictEqual([]);
  });
});

describe('eth_sendTransaction', () => {
  it('sends the signed transaction once', async () => {
    const { send, pool, address, edges } = await createSendBench();
    const raw = pool.get((await send()) as Hex) as `0x02${string}`;
    expect(parseTransaction(raw)).toMatchObject({
      chainId: 1,
      nonce: 5,
      to: TO,
      value: 1n,
      gas: 21_000n,
      maxFeePerGas: 1_710_000_000n,
    });
    const sender = await recoverTransactionAddress({ serializedTransaction: raw });
    expect(sender.toLowerCase()).toBe(address);
    const sent = calledMethods(edges.wallet).filter((name) => name.includes('send'));
    expect(sent).toHaveLength(1);
    expect(writeView(edges.dialogs.shown)).toContain(
      textOf('nonce.open', { nonce: '5' }),
    );
  });

  it.each([{ type: '0x3' }, {}])('rejects blob transactions (%j)', async (type) => {
    const { send } = await createSendBench();
    const blobs = { blobVersionedHashes: [BLOB_HASH], maxFeePerBlobGas: '0x1' };
    const sending = send({ ...type, ...blobs });
    await expectRefusal(sending, -32602, 'can be signed, but not sent');
  });
});

describe('a transaction', () => {
  it.each<[Json, string]>([
    [[], '[0] is missing: it must be an object.'],
    [[transactions.legacy], '[0].from is missing: it must be a 20-byte address'],
    [[transactions.legacy, '0x'], '[1] is not expected here.'],
  ])('is rejected if it is malformed (case %#)', async (params, reason) => {
    const { submit } = await setup();
    const signing = submit('eth_signTransaction', params);
    await expectRefusal(signing, -32602, `eth_signTransaction: params${reason}`);
  });

  it('is signed only for its sender', async () => {
    const { submit, call, eoa, app } = await setup();
    const fields = { ...transactions.legacy, from: TO };
    expect(await refusalOf(submit('eth_signTransaction', [fields]))).toStrictEqual({
      code: -32602,
      message: `from is ${TO}, but the request is for the account ${eoa.address}.`,
    });
    await expectRefusal(call('eth_signTransaction', fields), 4100);
    expect(app.edges.dialogs.shown).toStrictEqual([]);
  });

  const OTHER = TO.replace('79', '80');
  const { data: TRANSFER } = callOf(TO, 'transfer(address,uint256)', OTHER, 0n);
  const NOTE = stringToHex('thanks');
  const noContract = textOf('alert.noContract', { address: TO });
  const filled = { type: '0x0', nonce: '0x5', gas: '0xc350', gasPrice: '0x3b9aca00' };
  const FAKE_USDC = '0xa0b8bad0000000000000000000000000000ceb48';
  const USDC = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48';

  it.each<[Fields, Json | undefined, string[]]>([
    [{ data: TRANSFER }, '0x', [noContract]],
    [{ data: TRANSFER, ...filled }, '0x', [noContract]],
    [{ data: TRANSFER }, '0x6080', []],
    [{ data: TRANSFER }, `0xef0100${TO.slice(2)}`, []],
    [{ data: TRANSFER }, undefined, [textOf('alert.codeUnknown', { address: TO })]],
    [{ value: '0x1' }, '0x', []],
    [{ value: '0x1', data: NOTE }, '0x', []],
    [{ value: '0x1', data: NOTE }, '0x6080', [textOf('alert.unknownEffect')]],
    [{ to: null, data: '0x60806040' }, '0x', []],
    [{ to: `0x${'2'.padStart(40, '0')}`, data: TRANSFER }, '0x', []],
    [
      { to: FAKE_USDC, value: '0x1' },
      '0x',
      [textOf('warning.lookAlike', { address: FAKE_USDC, known: USDC })],
    ],
  ])(
    'causes the right warnings (fields %j, code %j): %j',
    async (fields, ...[code, warnings]) => {
      const { call, app } = await setup();
      const { dialogs, wallet } = app.edges;
      if (code !== undefined) wallet.answers.eth_getCode = code;
      for (const method of ['eth_signTransaction', 'eth_sendTransaction']) {
        await call(method, { to: TO, ...fields });
        expect(warningsOf(dialogs.shown.at(-1))).toStrictEqual(warnings);
      }
      const needsCode = fields.data !== undefined && fields.to === undefined;
      expect(calledMethods(wallet).includes('eth_getCode')).toBe(needsCode);
    },
  );

  it('causes a warning about a look-alike of its sender, and about data sent to its sender', async () => {
    const { call, eoa, app } = await setup();
    const { address } = eoa;
    const lookAlike = `${address.slice(0, 6)}${'0'.repeat(32)}${address.slice(-4)}`;
    await call('eth_signTransaction', { to: lookAlike, value: '0x1' });
    await call('eth_signTransaction', { to: address, data: TRANSFER });
    app.edges.wallet.answers.eth_getCode = '0x';
    await call('eth_signTransaction', { to: address, data: TRANSFER });
    expect(app.edges.dialogs.shown.map(warningsOf)).toStrictEqual([
      [textOf('warning.lookAlike', { address: lookAlike, known: address })],
      [textOf('alert.ownCall')],
      [textOf('alert.ownData')],
    ]);
  });
});

describe('the network requests', () => {
  const NODE = 'https://node.example';
  const GAS = 'https://gas.example';
  const SCOPE = 'eip155:5';
  const SUGGESTED = `GET ${GAS}/networks/5/suggestedGasFees`;
  // The calls read the data fee of an unknown chain, and its operator fee at two gas limits.
  const MEASURING = 'eth_call eth_call eth_call eth_estimateGas eth_getBalance';
  // This request is sent separately, because the dialog does not wait for it.
  const SIMULATING = 'eth_simulateV1';
  // The pending and the latest transaction count.
  const COUNTING = 'eth_getTransactionCount eth_getTransactionCount';
  const SENDING = 'eth_sendRawTransaction';

  /** Lists the network requests of a call, each batch as its sorted methods. */
  async function listRequests(method: string, fields: Fields, knowsFees: boolean) {
    const { call, app } = await setup();
    const { network } = app.edges;
    const node = createFakeNode({
      eth_getTransactionCount: '0x5',
      eth_estimateGas: '0x5208',
      eth_getBalance: '0x8ac7230489e80000',
      ...NODE_FEE_ANSWERS,
      eth_config: configOf('prague'),
      eth_sendRawTransaction: `0x${'11'.repeat(32)}`,
    });
    network.serve(NODE, serving(node));
    network.serve(GAS, answering(gasAnswer));
    await storeChains(app, { [SCOPE]: { rpcUrl: NODE, gasBaseUrl: GAS } });
    const transaction = { to: TO, value: '0x1' };
    if (knowsFees) await call('eth_fillTransaction', transaction, SCOPE);
    const before = network.sent.length;
    await call(method, { ...transaction, ...fields }, SCOPE);
    return network.sent.slice(before).map(({ url, body }) => {
      if (body === undefined) return `GET ${url}`;
      const calls = [JSON.parse(body) as { method: string }].flat();
      return calls
        .map((each) => each.method)
        .sort()
        .join(' ');
    });
  }

  const complete = { type: '0x0', nonce: '0x1', gas: '0x5208', gasPrice: '0x1' };

  it.each<[string, Fields, boolean, string[]]>([
    [
      'eth_fillTransaction',
      {},
      false,
      [
        SUGGESTED,
        `eth_config eth_estimateGas eth_feeHistory ${COUNTING} eth_maxPriorityFeePerGas`,
      ],
    ],
    ['eth_fillTransaction', {}, true, [`eth_estimateGas ${COUNTING}`]],
    ['eth_fillTransaction', complete, false, []],
    ['eth_signTransaction', {}, true, [`${MEASURING} ${COUNTING}`, SIMULATING]],
    [
      'eth_signTransaction',
      { data: '0x4e71d92d' },
      true,
      [
        // The eth_call requests read three fees, and the outcome in two blocks. The
        // eth_getStorageAt requests read the two slots of a proxy.
        'eth_call eth_call eth_call eth_call eth_call eth_estimateGas eth_getBalance ' +
          `eth_getCode eth_getStorageAt eth_getStorageAt ${COUNTING}`,
        SIMULATING,
      ],
    ],
    [
      'eth_sendTransaction',
      {},
      false,
      [
        SUGGESTED,
        'eth_call eth_call eth_call eth_config eth_estimateGas eth_feeHistory ' +
          `eth_getBalance ${COUNTING} eth_maxPriorityFeePerGas`,
        SIMULATING,
        COUNTING,
        SENDING,
      ],
    ],
    [
      'eth_sendTransaction',
      {},
      true,
      [`${MEASURING} ${COUNTING}`, SIMULATING, COUNTING, SENDING],
    ],
  ])(
    'are as few as possible for %s with %j (known fee levels: %j)',
    async (method, fields, ...[knowsFees, expected]) => {
      const requests = await listRequests(method, fields, knowsFees);
      expect(requests.sort()).toStrictEqual(expected.sort());
    },
  );
});
