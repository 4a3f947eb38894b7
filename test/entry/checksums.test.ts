// Addresses with the checksum of their chain (EIP-1191), as sites on Rootstock write them, in all
// request fields. viem computes the checksums.
import type { Json } from '@metamask/utils';
import { getAddress, parseTransaction } from 'viem';
import type { Hex, TypedDataDefinition } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';

import { withPlainChecksums } from '../../src/eth/checksum';
import { signIn } from '../fixtures/trust/messages';
import { callersOf } from '../support/callers';
import { createCallsBench } from '../support/calls-bench';
import { keyOfIndex } from '../support/entropy';
import { expectRefusal, refusalOf } from '../support/refusal';
import { createSendBench } from '../support/send-bench';
import { createAccount, createTestApp, DAPP } from '../support/test-app';
import { mailOf } from '../support/typed-data';
import { textOf, warningsOf } from '../support/view';

const owner = privateKeyToAccount(keyOfIndex(0));

/** Addresses from bug reports, with the checksums of chains 30 and 31. */
const TO_30 = '0xE700691Da7B9851F2F35f8b8182C69C53ccad9DB';
const TO_31 = '0xdf682cb153e8af3e13e90E9aCD79A39DDe98eBd8';

const checksum = (chainId: number, address = owner.address): Hex =>
  getAddress(address, chainId);

const plain = (address: string): Hex => getAddress(address);

async function setup(chainId: number) {
  const app = createTestApp();
  app.edges.wallet.answers.eth_chainId = `0x${chainId.toString(16)}`;
  const { id } = await createAccount(app);
  await app.services.grants.set(DAPP, [id]);
  const { rpc, submit } = callersOf(app);
  return {
    app,
    call: async (method: string, params: Json) => rpc(DAPP, method, params),
    submit: async (method: string, params: Json, scope: string) =>
      submit({ account: id, method, params, scope }),
  };
}

const transactionOf = (fields: Record<string, Json>): Record<string, Json> => ({
  from: owner.address,
  type: '0x1',
  nonce: '0x0',
  gas: '0x5208',
  gasPrice: '0x1',
  ...fields,
});

it("viem computes the reported addresses' checksums", () => {
  expect([getAddress(TO_30, 30), getAddress(TO_31, 31)]).toStrictEqual([TO_30, TO_31]);
});

describe('a transaction', () => {
  it.each<[number, number, Record<string, Json>]>([
    [30, 30, {}],
    [31, 31, {}],
    // The transaction's own chain counts, whatever the site's chain is.
    [1, 30, { chainId: '0x1e' }],
    [1, 31, { chainID: 31 }],
    [31, 30, { chainId: 'eip155:30' }],
  ])(
    "is accepted on the site's chain %d with the checksums of its own chain %d: %j",
    async (site, chainId, fields) => {
      const { call } = await setup(site);
      const transaction = transactionOf({
        from: checksum(chainId),
        to: checksum(chainId, TO_30),
        accessList: [{ address: checksum(chainId, TO_31), storageKeys: [] }],
        chainId,
        ...fields,
      });
      const signed = await call('eth_signTransaction', [transaction]);
      const same = transactionOf({
        to: plain(TO_30),
        accessList: [{ address: plain(TO_31), storageKeys: [] }],
        chainId,
      });
      expect(signed).toStrictEqual(await call('eth_signTransaction', [same]));
    },
  );

  it.each<[string, number, Record<string, Json>, string]>([
    ["chain 30's checksum on chain 1", 1, { to: TO_30 }, '[0].to'],
    ["chain 30's checksum on chain 31", 31, { to: TO_30 }, '[0].to'],
    ["chain 31's checksum on chain 30", 30, { to: TO_31 }, '[0].to'],
    ['a wrong checksum', 30, { to: TO_30.replace('0xE', '0xe') }, '[0].to'],
    ["another chain's checksum in the sender", 1, { from: checksum(30) }, '[0].from'],
    [
      "another chain's checksum in the access list",
      31,
      { accessList: [{ address: TO_30, storageKeys: [] }] },
      '[0].accessList[0].address',
    ],
    [
      "another chain's checksum in an authorization",
      1,
      {
        type: '0x4',
        to: plain(TO_30),
        authorizationList: [
          {
            chainId: '0x0',
            address: TO_30,
            nonce: '0x0',
            yParity: '0x0',
            r: '0x1',
            s: '0x1',
          },
        ],
      },
      '[0].authorizationList[0].address',
    ],
  ])('is rejected with %s', async (_which, ...[chainId, fields, path]) => {
    const { app, call } = await setup(chainId);
    const transaction = transactionOf({ chainId, ...fields });
    expect(await refusalOf(call('eth_signTransaction', [transaction]))).toMatchObject({
      code: -32602,
      message: expect.stringMatching(
        `params${path.replaceAll(/[[\]]/gu, '\\$&')} must be a.*EIP-55 checksum, or EIP-1191 on chains 30 and 31`,
      ) as string,
    });
    expect(app.edges.dialogs.shown).toStrictEqual([]);
  });

  it('is stored with EIP-55 checksums after it is sent', async () => {
    const { app, call, pool, edges, restart } = await createSendBench();
    edges.wallet.answers.eth_chainId = '0x1e';
    const to = TO_30;
    await call('eth_sendTransaction', [{ from: checksum(30), to, value: '0x1' }]);
    expect([...pool.values()].map((raw) => parseTransaction(raw).to)).toStrictEqual([
      to.toLowerCase(),
    ]);
    restart();
    expect(await app.services.ledger.list()).toMatchObject([{ to: plain(to) }]);
  });
});

describe('personal_sign', () => {
  const message = '0x1234';
  const signature = owner.signMessage({ message: { raw: message } });

  it.each([30, 31])("accepts the checksum of the site's chain: %d", async (chainId) => {
    const { call } = await setup(chainId);
    const address = checksum(chainId);
    expect(await call('personal_sign', [message, address])).toBe(await signature);
    expect(await call('personal_sign', [address, message])).toBe(await signature);
  });

  it("accepts the checksum of the scope's chain, in an envelope and from MetaMask", async () => {
    const { call, submit } = await setup(1);
    const params = [message, checksum(30)];
    const envelope = { account: checksum(30), scope: 'eip155:30', params };
    expect(await call('personal_sign', envelope)).toBe(await signature);
    const { result } = (await submit('personal_sign', params, 'eip155:30')) as never;
    expect(result).toBe(await signature);
  });

  it.each([
    [1, 30],
    [30, 31],
    [31, 30],
  ])('on chain %d, rejects the checksum of chain %d', async (site, chainId) => {
    const { call } = await setup(site);
    const refusal = await refusalOf(
      call('personal_sign', [message, checksum(chainId)]),
    );
    expect(refusal).toMatchObject({ code: -32602 });
  });

  it('does not change a message that is an address', async () => {
    const { call } = await setup(30);
    const signed = await call('personal_sign', [TO_30, checksum(30)]);
    expect(signed).toBe(await owner.signMessage({ message: { raw: TO_30 } }));
  });

  it.each([
    [30, 30, []],
    [31, 31, []],
    [1, 30, ['siwe.malformed']],
    [31, 30, ['siwe.malformed']],
  ])(
    'reads a sign-in for chain %d with the checksum of chain %d: %j',
    async (chain, other, keys) => {
      const { app, call } = await setup(chain);
      const text = signIn({
        chainId: chain,
        address: owner.address,
        domain: 'dapp.example',
        uri: 'https://dapp.example',
        issuedAt: new Date(1_700_000_000_000),
      }).replace(owner.address, checksum(other));
      await call('personal_sign', [text, owner.address]);
      expect(warningsOf(app.edges.dialogs.shown.at(-1))).toStrictEqual(
        keys.map((key) => textOf(key as 'siwe.malformed')),
      );
    },
  );
});

describe('typed data', () => {
  const documentOn = (chainId: number) => ({
    types: {
      EIP712Domain: [{ name: 'chainId', type: 'uint256' }],
      Note: [
        { name: 'text', type: 'string' },
        { name: 'to', type: 'address' },
      ],
    },
    primaryType: 'Note',
    domain: { chainId },
    message: {
      text: checksum(chainId, TO_30),
      to: checksum(chainId, TO_30),
    },
  });

  it.each([30, 31])("is accepted with its chain's checksums: %d", async (chainId) => {
    const { call } = await setup(1);
    const document = documentOn(chainId);
    const message = { ...document.message, to: plain(TO_30) };
    const same: unknown = { ...document, message };
    const signature = await owner.signTypedData(same as TypedDataDefinition);
    for (const given of [document, JSON.stringify(document)]) {
      const params = [checksum(chainId), given];
      expect(await call('eth_signTypedData_v4', params)).toBe(signature);
    }
  });

  it('keeps addresses in strings unchanged in version 1', async () => {
    const { call } = await setup(30);
    const list = [{ type: 'string', name: 'to', value: TO_30 }];
    expect(await call('eth_signTypedData_v1', [checksum(30), list])).toBe(
      await call('eth_signTypedData_v1', [owner.address, list]),
    );
  });

  it("is rejected with another chain's checksum", async () => {
    const { call } = await setup(30);
    const params = [checksum(30), mailOf(1)];
    const refusal = await refusalOf(call('eth_signTypedData_v4', params));
    expect(refusal).toMatchObject({ code: -32602 });
  });
});

describe('calls', () => {
  it("may have their chain's checksums, and are sent without them", async () => {
    const { sendCalls, edges, pool } = await createCallsBench();
    edges.wallet.answers.eth_chainId = '0x1e';
    await sendCalls({
      from: checksum(30),
      chainId: '0x1e',
      calls: [{ to: TO_30, value: '0x1' }],
    });
    const sent = [...pool.values()].map((raw) => parseTransaction(raw));
    expect(sent).toMatchObject([{ to: TO_30.toLowerCase(), chainId: 30 }]);
  });

  it("is rejected with another chain's checksums", async () => {
    const { sendCalls } = await createCallsBench();
    const refusal = await refusalOf(sendCalls({ calls: [{ to: TO_30 }] }));
    expect(refusal).toMatchObject({
      code: -32602,
      message: expect.stringContaining(
        '.calls[0].to must be a 20-byte address',
      ) as string,
    });
  });
});

it.each<[number, Json, boolean]>([
  [30, [checksum(30)], true],
  [1, [checksum(30), ['0x1e']], true],
  [1, [checksum(30), ['0x1']], false],
  [1, [checksum(30)], false],
])(
  'wallet_getCapabilities on chain %d accepts the params %j: %j',
  async (...[site, params, isAccepted]) => {
    const { call } = await setup(site);
    const request = call('wallet_getCapabilities', params);
    await (isAccepted
      ? expect(request).resolves.toStrictEqual(expect.any(Object))
      : expect(refusalOf(request)).resolves.toMatchObject({ code: -32602 }));
  },
);

it("converting checksums changes neither the caller's params nor the paymaster's context", async () => {
  const paymasterService = {
    url: 'https://paymaster.example',
    context: { to: TO_30 },
  };
  const capabilities = { paymasterService };
  const params = [{ chainId: '0x1e', calls: [{ to: TO_30 }], capabilities }];
  const before = structuredClone(params);
  const read = await withPlainChecksums(params, async () => Promise.resolve(1n));
  expect(read).toEqual([{ ...before[0], calls: [{ to: plain(TO_30) }] }]);
  expect(params).toEqual(before);
});

it.each(['eth_signTransaction', 'wallet_sendCalls', 'personal_sign'])(
  'deeply nested params of %s with the checksum of chain 30 are refused as invalid',
  async (method) => {
    const { call } = await setup(30);
    const deep = JSON.parse('['.repeat(100_000) + ']'.repeat(100_000)) as Json;
    for (const to of [plain(TO_30), TO_30]) {
      await expectRefusal(call(method, [{ to, deep }]), -32602);
    }
  },
);
