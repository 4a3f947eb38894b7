import type { Json } from '@metamask/utils';
import { parseTransaction, serializeTransaction } from 'viem';
import type { Hex, TransactionSerializable } from 'viem';

import { refusalOf } from '../../support/refusal';
import { createSignBench } from '../../support/sign-bench';
import type { SignBench } from '../../support/sign-bench';
import { TO, transactions } from '../../support/transactions';
import { toViem } from '../../support/viem-transaction';
import { writeView } from '../../support/view';

const OTHER = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8';
const ROOT = 'eth_signTransaction: params';

type Fields = Record<string, Json>;

type Bench = SignBench & {
  address: string;
  signParams: (params: Json, scope?: bigint) => Promise<Json>;
  signTransaction: (fields: Fields, scope?: bigint) => Promise<Json>;
  /** As MetaMask has it signed, which warns of costs itself. */
  signForMetaMask: (fields: Fields) => Promise<Json>;
};

async function setup(): Promise<Bench> {
  const bench = createSignBench();
  const { id, address } = await bench.create();
  const signParams: Bench['signParams'] = (params, scope) =>
    bench.sign({
      account: id,
      method: 'eth_signTransaction',
      params,
      ...(scope === undefined ? {} : { scope }),
    });
  return {
    ...bench,
    address,
    signParams,
    signTransaction: (fields, scope) =>
      signParams([{ from: address, ...fields }], scope),
    signForMetaMask: (fields) =>
      bench.sign({
        account: id,
        method: 'eth_signTransaction',
        params: [{ from: address, ...fields }],
        mayHoldSecrets: true,
      }),
  };
}

/** Put a signature into a transaction, by another implementation. */
function serialize(transaction: TransactionSerializable, signature: Json): Hex {
  const { v, r, s } = signature as Record<'v' | 'r' | 's', Hex>;
  const isLegacy = transaction.type === 'legacy';
  const parity = isLegacy ? { v: BigInt(v) } : { yParity: Number(v), v: BigInt(v) };
  return serializeTransaction(transaction, { r, s, ...parity });
}

const types = Object.entries(transactions);

describe('eth_signTransaction of a complete transaction', () => {
  it.each(types)('signs %s as another implementation does', async (_type, fields) => {
    const { signForMetaMask, owner, edges } = await setup();
    const signature = await signForMetaMask(fields);
    expect(Object.keys(signature as object).sort()).toStrictEqual(['r', 's', 'v']);
    const transaction = toViem(fields);
    const raw = await owner.signTransaction(transaction);
    expect(serialize(transaction, signature)).toBe(raw);
    expect(edges.wallet.calls).toStrictEqual([]);
  });

  it.each(types)(
    'answers %s with minimal v and 32 bytes of r and s',
    async (_type, fields) => {
      const { signTransaction } = await setup();
      expect(await signTransaction(fields)).toStrictEqual({
        v: expect.stringMatching(
          fields.type === '0x0' ? /^0x2[56]$/u : /^0x[01]$/u,
        ) as string,
        r: expect.stringMatching(/^0x[0-9a-f]{64}$/u) as string,
        s: expect.stringMatching(/^0x[0-7][0-9a-f]{63}$/u) as string,
      });
    },
  );

  it('signs for a chain of which nothing is known', async () => {
    const { signTransaction, owner } = await setup();
    const fields = { ...transactions.legacy, chainId: '0x89' };
    const signature = await signTransaction(fields, 137n);
    const raw = await owner.signTransaction(toViem(fields));
    expect(serialize(toViem(fields), signature)).toBe(raw);
    expect(parseTransaction(raw)).toHaveProperty('chainId', 137);
  });

  it.each([{}, { to: null }, { to: '' }])('signs a creation: %j', async (recipient) => {
    const { signTransaction, owner } = await setup();
    const { to, ...others } = transactions['EIP-1559'];
    expect(to).toBe(TO);
    const fields = { ...others, data: '0x6080', ...recipient };
    const signature = await signTransaction(fields);
    const creation = toViem({ ...fields, to: null });
    expect(serialize(creation, signature)).toBe(await owner.signTransaction(creation));
  });

  it('asks the user, and shows who asks, what is sent and what it costs at most', async () => {
    const { signTransaction, address, consents } = await setup();
    await signTransaction(transactions.legacy);
    const view = writeView(consents.asked);
    const cost = '0.01042 ETH';
    for (const part of [
      'https://dapp.example',
      address,
      'eip155:1',
      TO,
      '0.01 ETH',
      cost,
    ]) {
      expect(view).toContain(part);
    }
  });

  it('signs nothing if the user refuses', async () => {
    const { signTransaction, consents } = await setup();
    consents.isGiven = false;
    expect(await refusalOf(signTransaction(transactions.legacy))).toStrictEqual({
      code: 4001,
      message: 'The user refused the request.',
    });
  });
});

describe('eth_signTransaction refuses', () => {
  it('a transaction whose from is another account', async () => {
    const { signTransaction, address, consents } = await setup();
    const signing = signTransaction({ ...transactions.legacy, from: OTHER });
    expect(await refusalOf(signing)).toStrictEqual({
      code: -32602,
      message: `from is ${OTHER}, but the request is for the account ${address}.`,
    });
    expect(consents.asked).toHaveLength(0);
  });

  it('a transaction for another chain than the scope, and names both', async () => {
    const { signTransaction, consents } = await setup();
    expect(await refusalOf(signTransaction(transactions.legacy, 5n))).toStrictEqual({
      code: -32602,
      message: 'The request is for eip155:5, but its content is for eip155:1.',
    });
    expect(consents.asked).toHaveLength(0);
  });

  const forms = '(hex with 0x, decimal string, or safe integer).';

  it.each<[Fields, string]>([
    [{ nonce: 'x' }, `[0].nonce must be a quantity below 2^64 - 1 ${forms}`],
    [{ gasLimit: -1 }, `[0].gasLimit must be a quantity below 2^64 ${forms}`],
    [
      { value: `0x1${'0'.repeat(64)}` },
      `[0].value must be a quantity below 2^256 ${forms}`,
    ],
    [
      { to: '0x12' },
      '[0].to must be a 20-byte address, or null, "" or "0x" (contract creation).',
    ],
    [
      { type: '0x5' },
      '[0].type 0x5 cannot be signed; it must be one of 0x0, 0x1, 0x2, 0x3, 0x4.',
    ],
    [{ colour: 'red' }, '[0].colour is not expected here.'],
    [
      { maxFeePerGas: '0x1' },
      '[0]: type 0x0 takes no maxFeePerGas; types that do: 0x2, 0x3, 0x4.',
    ],
    [
      { to: null },
      '[0]: a contract creation (no "to") needs data; without code it burns its value.',
    ],
  ])('the malformed transaction %j by name', async (fields, reason) => {
    const { signTransaction } = await setup();
    const signing = signTransaction({ ...transactions.legacy, ...fields });
    expect(await refusalOf(signing)).toStrictEqual({
      code: -32602,
      message: `${ROOT}${reason}`,
    });
  });

  it.each<[Json, string]>([
    [[], '[0] is missing: it must be an object.'],
    [
      [transactions.legacy],
      '[0].from is missing: it must be a 20-byte address in hex (in mixed case: with its EIP-55 checksum).',
    ],
    [[transactions.legacy, '0x'], '[1] is not expected here.'],
    [['0x'], '[0] must be an object.'],
    [transactions.legacy, ' must be an array.'],
  ])('params that are not one transaction (case %#)', async (params, reason) => {
    const { signParams } = await setup();
    expect(await refusalOf(signParams(params))).toStrictEqual({
      code: -32602,
      message: `${ROOT}${reason}`,
    });
  });
});
