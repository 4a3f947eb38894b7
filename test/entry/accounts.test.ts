// Account management by MetaMask and the companion page: creation options, the resulting accounts
// and keys, and the fields that can be updated.
import {
  EthEoaAccountStruct,
  EthErc4337AccountStruct,
  type KeyringAccount,
} from '@metamask/keyring-api';
import { assert } from '@metamask/superstruct';
import type { Json } from '@metamask/utils';
import {
  concatHex,
  encodeAbiParameters,
  encodeFunctionData,
  getContractAddress,
  pad,
  parseAbi,
  parseAbiParameters,
  recoverMessageAddress,
  toHex,
  type Hex,
} from 'viem';
import { privateKeyToAddress } from 'viem/accounts';

import { fetchBytecode } from '../../dev/stack/contracts';
import {
  entryPoints,
  entryPointVersions,
  type EntryPointVersion,
} from '../../src/core/entry-points';
import type { ChainRow } from '../../src/state/chain-row';
import { callersOf } from '../support/callers';
import { entropyOf, keyOfIndex, ownerKeyOfIndex } from '../support/entropy';
import { createGate, settle } from '../support/gate';
import { storeChains } from '../support/given';
import { createKeyringBench } from '../support/keyring-bench';
import { IMPORTED_KEY, lower } from '../support/records';
import { expectRefusal, refusalOf } from '../support/refusal';

type Options = Record<string, Json>;

function setup() {
  const bench = createKeyringBench();
  return Object.assign(bench, {
    sign: async ({ id, address }: KeyringAccount) => {
      const params = ['0x12', address];
      const request = { account: id, method: 'personal_sign', params };
      const answer = await callersOf(bench.app).submit(request);
      return (answer as { result: Hex }).result;
    },
  });
}

const smart = (options: Options = {}): Options => ({
  type: 'eip155:erc4337',
  ...options,
});

const addressOf = (key: Hex): Hex => lower(privateKeyToAddress(key));

const canonical = (version: EntryPointVersion): Hex =>
  lower(entryPoints[version].factory);

const indexOf = ({ options }: KeyringAccount): unknown => options.index;

/** Offset and length of the proxy's creation code in the factory's code, in hex digits. */
const proxyCode = {
  '0.6': { start: 2_850, length: 3_970 },
  '0.7': { start: 2_826, length: 2_094 },
  '0.8': { start: 3_578, length: 1_360 },
  '0.9': { start: 3_496, length: 1_360 },
};

/** Predicts the canonical factory's account address with viem and the contract artifacts. */
async function predict(version: EntryPointVersion, owner: Hex, salt = 0n) {
  const { start, length } = proxyCode[version];
  const code = await fetchBytecode(version, 'SimpleAccountFactory');
  const { factory: from } = entryPoints[version];
  const implementation = getContractAddress({ from, nonce: 1n });
  const abi = parseAbi(['function initialize(address owner)']);
  const initialize = encodeFunctionData({ abi, args: [owner] });
  const constructor = encodeAbiParameters(parseAbiParameters('address, bytes'), [
    implementation,
    initialize,
  ]);
  const bytecode = concatHex([`0x${code.slice(start, start + length)}`, constructor]);
  const padded = pad(toHex(salt), { size: 32 });
  return lower(getContractAddress({ opcode: 'CREATE2', from, salt: padded, bytecode }));
}

describe('an ordinary account', () => {
  const methods = [
    'personal_sign',
    'eth_signTransaction',
    'eth_signTypedData_v1',
    'eth_signTypedData_v3',
    'eth_signTypedData_v4',
  ];
  const derived = { entropy: { type: 'custom' } };
  const imported = { entropy: { type: 'private-key' } };

  it.each<[Options, Hex, Options, string]>([
    [{}, keyOfIndex(0), { ...derived, index: 0 }, 'Tollkeeper 1'],
    [{ index: 9 }, keyOfIndex(9), { ...derived, index: 9 }, 'Tollkeeper 10'],
    [
      { index: 2 ** 31 - 1, scopes: ['eip155:0'], type: 'eip155:eoa' },
      keyOfIndex(2 ** 31 - 1),
      { ...derived, index: 2 ** 31 - 1 },
      'Tollkeeper 2147483648',
    ],
    [
      { entropySource: 'second' },
      keyOfIndex(0, 'second'),
      { ...derived, index: 0, entropySource: 'second' },
      'Tollkeeper 1 (…second)',
    ],
    [{ privateKey: IMPORTED_KEY }, IMPORTED_KEY, imported, 'Tollkeeper (imported)'],
    [
      { privateKey: IMPORTED_KEY.slice(2).toUpperCase() },
      IMPORTED_KEY,
      imported,
      'Tollkeeper (imported)',
    ],
  ])(
    'has the key defined by the options %j',
    async (options, key, ...[accountOptions, name]) => {
      const bench = setup();
      const account = await bench.add(options);
      expect(account).toStrictEqual({
        id: account.id,
        type: 'eip155:eoa',
        address: addressOf(key),
        scopes: ['eip155:0'],
        options: accountOptions,
        methods,
      });
      expect(() => assert(account, EthEoaAccountStruct)).not.toThrow();
      const { emitted } = bench.app.edges.events;
      expect(emitted).toStrictEqual([
        ['notify:accountCreated', { account, accountNameSuggestion: name }],
      ]);
      const signature = await bench.sign(account);
      const message = { raw: '0x12' } as const;
      const signer = await recoverMessageAddress({ message, signature });
      expect(lower(signer)).toBe(account.address);
      bench.restart();
      expect(await bench.list()).toStrictEqual([account]);
      const output = JSON.stringify([account, emitted, bench.app.edges.lines]);
      expect(output).not.toContain(key.slice(2));
    },
  );

  it("is announced with the correlation id of MetaMask's request", async () => {
    const bench = setup();
    const correlationId = 'c'.repeat(64);
    await bench.add({ metamask: { correlationId, added: 'later' } });
    expect(bench.app.edges.events.emitted[0]?.[1]).toHaveProperty(
      'metamask.correlationId',
      correlationId,
    );
  });

  it('gets the lowest free index of its entropy source', async () => {
    const { add, remove } = setup();
    const first = await add();
    await add({ index: 2 });
    await add(smart({ index: 1 }));
    await add({ privateKey: keyOfIndex(3) });
    expect(indexOf(await add())).toBe(1);
    expect(indexOf(await add())).toBe(4);
    expect(indexOf(await add({ entropySource: 'second' }))).toBe(0);
    expect(indexOf(await add({ entropySource: 'primary' }))).toBe(5);
    await remove(first);
    expect(indexOf(await add())).toBe(0);
  });

  it('is created once if two requests ask for its index', async () => {
    const { add, list } = setup();
    const [one, other] = await Promise.all([add({ index: 5 }), add({ index: 5 })]);
    expect(one).toStrictEqual(other);
    expect(await list()).toStrictEqual([one]);
  });

  it('gets a unique index if 50 are created at once', async () => {
    const { add, metamask, listBothSides } = setup();
    const made = await Promise.all(Array.from({ length: 50 }, () => add()));
    const indices = made.map((each) => Number(indexOf(each)));
    expect(indices.sort((one, other) => one - other)).toStrictEqual(
      Array.from({ length: 50 }, (_, index) => index),
    );
    const { metamask: held, snap } = await listBothSides();
    expect(snap).toStrictEqual(held);
    expect(metamask.asked).toHaveLength(50);
  });

  it('reserves its index until the user declines the account', async () => {
    const { add, metamask, list } = setup();
    const { opened, open } = createGate();
    let asked = 0;
    metamask.decide = async () => opened.then(() => (asked += 1) !== 2);
    const calls = [add(), add(), add()];
    await settle();
    open();
    const states = (await Promise.allSettled(calls)).map(({ status }) => status);
    expect(states).toStrictEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect((await list()).map(indexOf)).toStrictEqual([0, 2]);
    expect(indexOf(await add())).toBe(1);
  });

  it('skips up to 100 indices whose addresses MetaMask already holds', async () => {
    const { add, metamask, listBothSides } = setup();
    const hold = (index: number): unknown =>
      metamask.elsewhere.add(addressOf(keyOfIndex(index)));
    hold(0);
    const both = await Promise.all([add(), add()]);
    expect(both.map(indexOf).sort()).toStrictEqual([1, 2]);
    for (let index = 3; index < 101; index += 1) hold(index);
    expect(indexOf(await add())).toBe(101);
    hold(102);
    expect(await refusalOf(add())).toStrictEqual({
      code: -32002,
      message: 'No free index was found in 100 attempts; specify one.',
    });
    const { metamask: held, snap } = await listBothSides();
    expect(snap).toStrictEqual(held);
  });

  const byKey = { privateKey: keyOfIndex(0) };

  it.each<[string, Options, Options, string]>([
    [
      'imported twice',
      { privateKey: IMPORTED_KEY },
      { privateKey: IMPORTED_KEY.slice(2) },
      'Tollkeeper (imported)',
    ],
    ['imported after its derivation', { index: 0 }, byKey, 'Tollkeeper 1'],
    ['derived after its import', byKey, { index: 0 }, 'Tollkeeper (imported)'],
  ])(
    'is not %s, and the error names the existing account',
    async (_case, one, ...[other, name]) => {
      const { add, list } = setup();
      const account = await add(one);
      expect(await refusalOf(add(other))).toStrictEqual({
        code: -32602,
        message: `An account with the address ${account.address} already exists: ${name} (${account.id}).`,
      });
      expect(await list()).toStrictEqual([account]);
    },
  );
});

describe('a smart account', () => {
  const FACTORY = '0x00000000000000000000000000000000000000ab';
  const CONTRACT = '0x00000000000000000000000000000000000000cd';
  const word = (address: string): Hex => pad(address as Hex, { size: 32 });

  const cases = entryPointVersions.flatMap((version): [Options, Hex, bigint][] => [
    [{ entryPoint: version }, ownerKeyOfIndex(0, version), 0n],
    [
      { entryPoint: version, index: 7, entropySource: 'second', salt: '42' },
      ownerKeyOfIndex(7, version, 'second'),
      42n,
    ],
    [
      { entryPoint: version, privateKey: IMPORTED_KEY, salt: toHex(2n ** 256n - 1n) },
      IMPORTED_KEY,
      2n ** 256n - 1n,
    ],
  ]);

  it.each(cases)(
    'has the address that its factory computes for the options %j',
    async (options, key, salt) => {
      const bench = setup();
      const scopes = ['eip155:5', 'eip155:6'];
      const account = await bench.add(smart({ scopes, ...options }));
      const version = options.entryPoint as EntryPointVersion;
      const owner = addressOf(key);
      const { index = 0, entropySource } = options;
      const keyOptions = options.privateKey
        ? { entropy: { type: 'private-key' } }
        : {
            entropy: { type: 'custom' },
            index,
            ...(entropySource === undefined ? {} : { entropySource }),
          };
      expect(account).toStrictEqual({
        id: account.id,
        type: 'eip155:erc4337',
        address: await predict(version, owner, salt),
        scopes,
        options: {
          ...keyOptions,
          owner,
          entryPoint: version,
          factory: canonical(version),
          salt: toHex(salt),
        },
        methods: [
          'eth_prepareUserOperation',
          'eth_patchUserOperation',
          'eth_signUserOperation',
        ],
      });
      expect(() => assert(account, EthErc4337AccountStruct)).not.toThrow();
      const output = JSON.stringify([account, bench.app.edges.events.emitted]);
      expect(output).not.toContain(key.slice(2));
      expect(output).toContain(
        `Tollkeeper Smart ${options.privateKey ? '(imported)' : Number(index) + 1}`,
      );
    },
  );

  it("gets the next index, and serves the wallet's network by default", async () => {
    const { add } = setup();
    await add();
    expect(await add(smart())).toMatchObject({
      scopes: ['eip155:1'],
      options: { index: 0, salt: '0x0' },
    });
    expect(indexOf(await add(smart()))).toBe(1);
    expect(indexOf(await add(smart({ entropySource: 'second' })))).toBe(0);
  });

  it.each<[string, ChainRow, Options, EntryPointVersion, Hex?]>([
    ['the factory in the options', {}, { entryPoint: '0.6', factory: FACTORY }, '0.6'],
    ["the chain's factory", { entryPoint: '0.7', factory: FACTORY }, {}, '0.7'],
    ["the chain's EntryPoint", { entryPoint: '0.8' }, { factory: FACTORY }, '0.8'],
    [
      "the canonical factory if the chain's is for another EntryPoint",
      { entryPoint: '0.7', factory: FACTORY },
      { entryPoint: '0.6' },
      '0.6',
      canonical('0.6'),
    ],
    [
      'the canonical factory if the options name it',
      {},
      { entryPoint: '0.7', factory: entryPoints['0.7'].factory },
      '0.7',
      canonical('0.7'),
    ],
  ])('uses %s', async (...[, row, options, version, factory = FACTORY]) => {
    const bench = setup();
    const isCustom = factory === FACTORY;
    await storeChains(bench.app, { 'eip155:1': row });
    const { wallet } = bench.app.edges;
    if (isCustom) wallet.answers.eth_call = word(CONTRACT);
    const account = await bench.add(smart(options));
    expect(account.options).toMatchObject({ entryPoint: version, factory });
    const owner = addressOf(ownerKeyOfIndex(0, version));
    expect(account.address).toBe(isCustom ? CONTRACT : await predict(version, owner));
    const data = encodeFunctionData({
      abi: parseAbi(['function getAddress(address, uint256)']),
      args: [owner, 0n],
    });
    const [request] = wallet.calls.filter(({ method }) => method === 'eth_call');
    expect(request?.params[0]).toStrictEqual({ to: factory, data });
  });

  it('is not created if its factory has no code or returns an existing address', async () => {
    const bench = setup();
    const { answers } = bench.app.edges.wallet;
    const options = smart({ entryPoint: '0.6', factory: FACTORY });
    answers.eth_call = '0x';
    expect(await refusalOf(bench.add(options))).toStrictEqual({
      code: -32602,
      message: `options.factory: ${FACTORY} is not an account factory on eip155:1.`,
    });
    const eoa = await bench.add();
    answers.eth_call = word(eoa.address);
    expect((await refusalOf(bench.add({ ...options, index: 0 }))).message).toBe(
      `An account with the address ${eoa.address} already exists: Tollkeeper 1 (${eoa.id}).`,
    );
    answers.eth_call = word(CONTRACT);
    const first = await bench.add(options);
    const again = bench.add({ ...options, index: 1 });
    await expect(again).rejects.toThrow(first.id);
    expect(await bench.list()).toStrictEqual([eoa, first]);
  });

  // MetaMask and users' grants store these ids, so they must never change.
  it('keeps the id of the first release, as an ordinary account does', async () => {
    const bench = setup();
    const keys = [
      '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80',
      '0x59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d',
    ] as const;
    const [address, owner] = keys.map(addressOf);
    const eoa = await bench.add({ privateKey: keys[0] });
    expect(eoa.id).toBe('6404510c-e9ff-48e2-b0aa-1a47c6af07d9');
    await bench.remove(eoa);
    bench.app.edges.wallet.answers.eth_call = word(address ?? '');
    const contracts = { entryPoint: '0.6', factory: owner ?? '' };
    const account = await bench.add(smart({ ...contracts, privateKey: keys[1] }));
    expect(account).toMatchObject({
      id: '9c190a38-8a7c-4f84-a390-53cd8b5f758b',
      address,
      options: { owner, factory: owner, salt: '0x0' },
    });
  });
});

describe('options of keyring_createAccount', () => {
  const DIGITS = 'ab'.repeat(32);
  const ORDER = 'fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141';
  const badKey = '.privateKey must be a 32-byte private key in hex, in the range of';
  const excludes =
    ': privateKey cannot be combined with index or entropySource, which derive a key.';
  const badIndex = '.index must be an integer from 0 to 2147483647.';
  const onlySmart = 'is for accounts of type eip155:erc4337.';
  const allChains = ': an account of type eip155:eoa serves all chains: scopes must be';
  const realChains = ': a smart account needs specific chains in scopes.';

  it.each<[Options, string]>([
    ...[
      '00'.repeat(32),
      ORDER,
      'ff'.repeat(32),
      'ab'.repeat(31),
      'ab'.repeat(33),
      `${DIGITS}a`,
      `${'ab'.repeat(31)}ag`,
      `0x0x${DIGITS}`,
      ` ${DIGITS}`,
      '',
      [DIGITS],
      7,
    ].map((privateKey): [Options, string] => [{ privateKey }, badKey]),
    [{ type: 'eip155:other' }, '.type must be one of "eip155:eoa", "eip155:erc4337".'],
    [{ index: -1 }, badIndex],
    [{ index: 2 ** 31 }, badIndex],
    [{ index: 0.5 }, badIndex],
    [{ index: '0' }, badIndex],
    [
      { entropySource: 'a'.repeat(257) },
      '.entropySource must be a string of at most 256',
    ],
    [{ scopes: [] }, '.scopes must be an array of 1 to 1000 entries.'],
    [{ scopes: ['1'] }, '.scopes[0] must be a CAIP-2 chain id such as "eip155:1".'],
    [{ scopes: 'eip155:0' }, '.scopes must be an array.'],
    [
      smart({ entryPoint: '0.5' }),
      '.entryPoint must be one of "0.6", "0.7", "0.8", "0.9".',
    ],
    [smart({ factory: '0x12' }), '.factory must be a 20-byte address in hex'],
    [smart({ salt: '-1' }), '.salt must be a quantity below 2^256'],
    [
      { metamask: {} },
      '.metamask.correlationId is missing: it must be a string of at most 64',
    ],
    [
      { metamask: { correlationId: 'c'.repeat(65) } },
      '.metamask.correlationId must be a string of at most 64 characters.',
    ],
    [{ colour: 'red' }, '.colour is not expected here.'],
    [{ privateKey: DIGITS, index: 0 }, excludes],
    [{ privateKey: DIGITS, entropySource: 'second' }, excludes],
    [{ entryPoint: '0.6' }, `: entryPoint ${onlySmart}`],
    [{ factory: `0x${'11'.repeat(20)}` }, `: factory ${onlySmart}`],
    [{ type: 'eip155:eoa', salt: '0x0' }, `: salt ${onlySmart}`],
    [{ scopes: ['eip155:1'] }, allChains],
    [{ scopes: ['eip155:0', 'eip155:1'] }, allChains],
    [smart({ scopes: ['eip155:0'] }), realChains],
    [smart({ scopes: ['eip155:1', 'eip155:0'] }), realChains],
    [
      smart({ factory: `0x${'11'.repeat(20)}` }),
      'options.factory needs options.entryPoint: the version of the EntryPoint that it uses.',
    ],
  ])('are rejected by name without their value: %j', async (options, reason) => {
    const bench = setup();
    const { code, message } = await refusalOf(bench.add(options));
    expect(code).toBe(-32602);
    const root = reason.startsWith('options') ? '' : 'keyring_createAccount: options';
    expect(message.startsWith(`${root}${reason}`)).toBe(true);
    const { lines, events } = bench.app.edges;
    expect(JSON.stringify([message, lines])).not.toMatch(/[0-9a-f]{60}/iu);
    expect(events.emitted).toStrictEqual([]);
  });

  it('accept the largest valid private key', async () => {
    const privateKey = `0x${ORDER.slice(0, -1)}0` as const;
    expect((await setup().add({ privateKey })).address).toBe(addressOf(privateKey));
  });
});

describe("a wallet's entropy", () => {
  // The salt is the derivation path. Changing it would lose all accounts.
  it('is requested once per key, with the derivation path as the salt', async () => {
    const bench = setup();
    await bench.add({ index: 3 });
    await bench.add(smart({ index: 4, entryPoint: '0.8', entropySource: 'second' }));
    expect(bench.app.edges.entropy.asked).toStrictEqual([
      { salt: 'tollkeeper/v1/3', source: undefined },
      { salt: 'tollkeeper/v1/erc4337/0.8/4', source: 'second' },
    ]);
  });

  const notFound = 'Entropy source with ID "gone" not found.';
  const noSource = {
    code: -32602,
    message: 'The wallet has no entropy source with that id.',
  };
  const failed = {
    code: -32002,
    message: 'MetaMask could not execute snap_getEntropy; try again.',
  };

  // MetaMask throws an Error; the platform throws a plain object.
  it.each<[unknown, object]>([
    [new Error(notFound), noSource],
    [{ code: -32603, message: notFound, data: {} }, noSource],
    [new Error('The wallet is locked.'), failed],
    [{ code: -32603 }, failed],
    [{ message: 7 }, failed],
    [notFound, failed],
    [null, failed],
  ])('causes a refusal if MetaMask throws %j', async (thrown, refusal) => {
    const bench = setup();
    bench.app.edges.entropy.getEntropy = () => {
      throw thrown as Error;
    };
    const creating = bench.add({ index: 0, entropySource: 'gone' });
    expect(await refusalOf(creating)).toStrictEqual(refusal);
  });

  it.each(['00', 'ff'])(
    'causes an opaque internal error if it is an invalid key: 0x%s…',
    async (byte) => {
      const bench = setup();
      bench.app.edges.entropy.getEntropy = async () =>
        Promise.resolve(`0x${byte.repeat(32)}` as const);
      expect(await refusalOf(bench.add({ index: 3 }))).toStrictEqual({
        code: -32603,
        message: 'An internal error occurred in Tollkeeper.',
      });
      expect(await bench.list()).toStrictEqual([]);
    },
  );

  it.each<[string, Options]>([
    ['an ordinary account', {}],
    ['a smart account', smart()],
  ])(
    'is cached until a restart, and then rejected if it has changed: %s',
    async (_which, options) => {
      const bench = setup();
      const account = await bench.add(options);
      const exportKey = async (): Promise<Json> =>
        bench.call('keyring_exportAccount', { id: account.id });
      const key = await exportKey();
      const { entropy } = bench.app.edges;
      entropy.getEntropy = async (salt) => Promise.resolve(entropyOf(salt, 'second'));
      // The worker has cached the key.
      expect(await exportKey()).toStrictEqual(key);
      bench.restart();
      await expectRefusal(exportKey(), -32002);
      await expectRefusal(exportKey(), -32002);
    },
  );
});

it.each<[Options, string[], string[]]>([
  [
    {},
    ['eip155:1', 'eip155:0x1', 'solana:x', 'eip155:137', 'x', 'eip155:01', 'eip155: 1'],
    ['eip155:1', 'eip155:137'],
  ],
  [{}, [`eip155:1${'0'.repeat(20)}`, 'EIP155:1'], []],
  [smart({ scopes: ['eip155:5'] }), ['eip155:1', 'eip155:5', 'eip155:0'], ['eip155:5']],
])(
  'for an account with the options %j, keyring_filterAccountChains reduces %j to %j',
  async (options, chains, served) => {
    const { add, call } = setup();
    const { id } = await add(options);
    expect(await call('keyring_filterAccountChains', { id, chains })).toStrictEqual(
      served,
    );
  },
);

describe('an account update', () => {
  it('changes the chains of a smart account, and notifies MetaMask', async () => {
    const bench = setup();
    const account = await bench.add(smart());
    const scopes = ['eip155:1', 'eip155:5'] as const;
    const changed = { ...account, scopes: [...scopes] };
    await bench.call('keyring_updateAccount', { account: changed });
    expect(bench.unsettledIds()).toStrictEqual([]);
    expect(await bench.list()).toStrictEqual([changed]);
    expect(bench.metamask.accounts.get(account.id)).toStrictEqual(changed);
    await bench.call('keyring_updateAccount', { account: changed });
    expect(await bench.list()).toStrictEqual([changed]);
  });

  const badChain = 'must be a CAIP-2 chain id such as "eip155:1".';

  it.each<[Partial<KeyringAccount>, string]>([
    [{ type: 'eip155:eoa' }, 'type cannot be changed.'],
    [
      { address: '0x70997970c51812dc3a010c7d01b50e0d17dc79c8' },
      'address cannot be changed.',
    ],
    [{ methods: ['eth_sign'] }, 'methods cannot be changed.'],
    [{ methods: [] }, 'methods cannot be changed.'],
    [{ options: {} }, 'options cannot be changed.'],
    [{ options: { exportable: true } }, 'options cannot be changed.'],
    [{ scopes: ['eip155:0'] }, 'scopes cannot be changed to eip155:0.'],
    [
      { scopes: ['eip155:1', 'eip155:0'] },
      'scopes cannot be changed to eip155:1, eip155:0.',
    ],
    [{ scopes: ['solana:mainnet'] }, `scopes[0] ${badChain}`],
    [{ scopes: ['eip155:1', 'eip155:0x5'] }, `scopes[1] ${badChain}`],
  ])('cannot set %j', async (change, reason) => {
    const bench = setup();
    const account = await bench.add(smart({ scopes: ['eip155:1'] }));
    const changed = { ...account, scopes: ['eip155:5'], ...change } as Json;
    const updating = bench.call('keyring_updateAccount', { account: changed });
    expect(await refusalOf(updating)).toStrictEqual({
      code: -32602,
      message: `keyring_updateAccount: params.account.${reason}`,
    });
    expect(await bench.list()).toStrictEqual([account]);
    expect(bench.app.edges.events.emitted).toHaveLength(1);
  });

  it('cannot limit the chains of an ordinary account', async () => {
    const { add, update } = setup();
    const account = await add();
    await update(account, account.scopes);
    await expect(update(account)).rejects.toThrow(
      'scopes cannot be changed to eip155:1.',
    );
  });
});

describe('an unknown account', () => {
  const id = '11111111-1111-4111-8111-111111111111';

  it.each<[string, object]>([
    ['keyring_getAccount', {}],
    ['keyring_exportAccount', {}],
    ['keyring_filterAccountChains', { chains: [] }],
  ])('makes %s explain how to restore accounts', async (method, more) => {
    expect(await refusalOf(setup().call(method, { id, ...more }))).toStrictEqual({
      code: -32001,
      message:
        `There is no account with the id ${id}. After reinstalling Tollkeeper, restore derived ` +
        'accounts on its home page in MetaMask, and import the imported ones again.',
    });
  });

  it('can be deleted, but not updated', async () => {
    const bench = setup();
    const account = await bench.add(smart());
    await bench.remove(account);
    const { length } = bench.app.edges.events.emitted;
    await bench.remove(account);
    await expectRefusal(bench.update(account), -32001);
    expect(bench.app.edges.events.emitted).toHaveLength(length);
  });
});
