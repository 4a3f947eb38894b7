// Messages and typed data that contain a user operation or its hash are shown as dangers, and those
// that contain an EIP-7702 authorization are refused. This covers every origin, derived and
// imported keys, dialogs and insights. viem builds the disguised content.
import type { OnSignatureHandler } from '@metamask/snaps-sdk';
import type { JSXElement } from '@metamask/snaps-sdk/jsx';
import type { Json } from '@metamask/utils';
import {
  concatHex,
  domainSeparator,
  encodeAbiParameters,
  hashStruct,
  keccak256,
  stringToHex,
  toHex,
  toRlp,
} from 'viem';
import type { Hex } from 'viem';
import {
  getUserOperationHash,
  getUserOperationTypedData,
} from 'viem/account-abstraction';
import type { UserOperation } from 'viem/account-abstraction';

import { entryPoints, entryPointVersions } from '../../src/core/entry-points';
import type { EntryPointVersion } from '../../src/core/entry-points';
import { callersOf } from '../support/callers';
import { createOperationBench } from '../support/operation-bench';
import type { OperationBench } from '../support/operation-bench';
import { operationOf, toViemOperation } from '../support/operations';
import { IMPORTED_KEY } from '../support/records';
import { expectRefusal } from '../support/refusal';
import {
  approve,
  COMPANION,
  createAccount,
  createTestApp,
  DAPP,
  refuse,
} from '../support/test-app';
import { noticesOf, textOf } from '../support/view';

const STRANGER: Hex = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8';

const INTENT = { to: STRANGER, value: '0x1', data: '0x' };

type Signature = Parameters<OnSignatureHandler>[0]['signature'];

/** Requests a signature on one route, and returns the dangers that the user sees. */
type Route = (method: string, data: Json) => Promise<string[]>;

type Bench = Awaited<ReturnType<typeof setup>>;

const dangersOf = (content: unknown): string[] =>
  noticesOf(content).flatMap(({ severity, text }) =>
    severity === 'danger' ? [text] : [],
  );

const toParams = (method: string, data: Json, address: string): Json =>
  /_v[34]$/u.test(method) ? [address, data] : [data, address];

async function setup(version: EntryPointVersion = '0.7') {
  const bench = await createOperationBench({ version });
  const { app, edges } = bench;
  const { rpc, submit } = callersOf(app);
  const [derived, imported] = [
    await createAccount(app),
    await createAccount(app, { privateKey: IMPORTED_KEY }),
  ];
  await rpc(DAPP, 'wallet_requestPermissions', [{ eth_accounts: {} }]);
  await rpc(COMPANION, 'tollkeeper_setSettings', [{ secondConfirmation: true }]);
  const dangersIn = async (run: () => Promise<unknown>): Promise<string[]> => {
    const before = edges.dialogs.shown.length;
    await run();
    expect(edges.dialogs.shown).toHaveLength(before + 1);
    return dangersOf(edges.dialogs.shown.at(-1));
  };
  const routes: Record<'dapp' | 'imported' | 'metamask' | 'insight', Route> = {
    dapp: async (method, data) =>
      dangersIn(async () => rpc(DAPP, method, toParams(method, data, derived.address))),
    imported: async (method, data) =>
      dangersIn(async () =>
        rpc(DAPP, method, toParams(method, data, imported.address)),
      ),
    metamask: async (method, data) =>
      dangersIn(async () => {
        const params = toParams(method, data, derived.address);
        return submit({ account: derived.id, method, params });
      }),
    insight: async (method, data) => {
      const signature = {
        from: derived.address,
        data,
        signatureMethod: method.replace('_v1', ''),
      } as unknown as Signature;
      const insight = (await app.entry.onSignature({
        signature,
        signatureOrigin: DAPP,
      })) as { content: JSXElement; severity?: string } | null;
      const dangers = dangersOf(insight?.content);
      expect(insight?.severity).toBe(dangers.length > 0 ? 'critical' : undefined);
      return dangers;
    },
  };
  const ask: Route = async (method, data) => {
    const dangers = await routes.dapp(method, data);
    for (const route of Object.values(routes).slice(1)) {
      expect(await route(method, data)).toStrictEqual(dangers);
    }
    return dangers;
  };
  return {
    ...bench,
    routes,
    /** Requests a signature on every route, and returns the dangers, which must be equal. */
    ask,
  };
}

const hashDangers = (account: string) => [
  textOf('disguise.operationHash', { account }),
];

const ownOperationDangers = (account: string) => [
  textOf('disguise.ownOperation', { account }),
];

function hashOf(
  { version, address }: OperationBench,
  changes: Partial<UserOperation<'0.7'>> = {},
): Hex {
  return getUserOperationHash({
    chainId: 1,
    entryPointAddress: entryPoints[version].entryPoint,
    entryPointVersion: version,
    userOperation: { ...toViemOperation(address), ...changes } as never,
  });
}

describe('the hash of a user operation', () => {
  it.each(['eth_patchUserOperation', 'eth_signUserOperation'])(
    'causes a danger warning after %s, naming the account',
    async (method) => {
      const bench = await setup();
      const { call, address, ask } = bench;
      await call(method, [operationOf(address)]);
      const dangers = await ask('personal_sign', hashOf(bench));
      expect(dangers).toStrictEqual(hashDangers(address));
    },
  );

  it.each(entryPointVersions)(
    'causes a danger warning once an operation for EntryPoint %s has been estimated',
    async (version) => {
      const bench = await setup(version);
      const { call, address, ask } = bench;
      const limits = (await call('eth_estimateUserOperationGas', [
        operationOf(address, { signature: `0x${'ff'.repeat(65)}` }),
      ])) as Record<string, Hex>;
      const hash = hashOf(bench, {
        callGasLimit: BigInt(limits.callGasLimit ?? 0),
        verificationGasLimit: BigInt(limits.verificationGasLimit ?? 0),
        preVerificationGas: BigInt(limits.preVerificationGas ?? 0),
      });
      expect(await ask('personal_sign', hash)).toStrictEqual(hashDangers(address));
    },
  );

  it('causes a danger warning while the operation is pending', async () => {
    const { call, address, ask } = await setup();
    const hash = await call('eth_sendUserOperation', [INTENT]);
    expect(await ask('personal_sign', hash)).toStrictEqual(hashDangers(address));
  });

  it('is a danger after the operation was refused', async () => {
    const bench = await setup();
    const { call, address, ask, edges } = bench;
    edges.dialogs.answer = refuse;
    const sending = call('eth_sendUserOperation', [operationOf(address)]);
    await expect(sending).rejects.toThrow('The user refused the request.');
    edges.dialogs.answer = approve;
    expect(await ask('personal_sign', hashOf(bench))).toStrictEqual(
      hashDangers(address),
    );
  });

  it('is a danger after the worker restarts', async () => {
    const bench = await setup();
    const { call, address, edges } = bench;
    await call('eth_patchUserOperation', [operationOf(address)]);
    const { rpc } = callersOf(createTestApp(edges));
    const [, eoa] = (await rpc(DAPP, 'eth_accounts')) as string[];
    await rpc(DAPP, 'personal_sign', [hashOf(bench), eoa]);
    expect(dangersOf(edges.dialogs.shown.at(-1))).toStrictEqual(hashDangers(address));
  });

  it('is a danger as text and within typed data', async () => {
    const bench = await setup();
    const { call, address, ask } = bench;
    await call('eth_patchUserOperation', [operationOf(address)]);
    const hash = hashOf(bench);
    const expected = hashDangers(address);
    expect(await ask('personal_sign', stringToHex(hash))).toStrictEqual(expected);
    const upper = `0x${hash.slice(2).toUpperCase()}`;
    for (const each of [hash, upper]) {
      const login = documentOf('Login', [{ name: 'nonce', type: 'bytes32' }], {
        nonce: each,
      });
      expect(await ask('eth_signTypedData_v4', login)).toStrictEqual(expected);
      expect(await ask('eth_signTypedData_v3', login)).toStrictEqual(expected);
      const entries = [{ type: 'bytes32', name: 'nonce', value: each }];
      expect(await ask('eth_signTypedData_v1', entries)).toStrictEqual(expected);
    }
  });

  it('causes a danger warning as the salt of a domain', async () => {
    const bench = await setup();
    const { call, address, ask } = bench;
    await call('eth_patchUserOperation', [operationOf(address)]);
    const document = { ...LOGIN, domain: { ...LOGIN.domain, salt: hashOf(bench) } };
    for (const method of ['eth_signTypedData_v3', 'eth_signTypedData_v4']) {
      expect(await ask(method, document)).toStrictEqual(hashDangers(address));
    }
  });

  it('is still a danger, as an unknown hash, after 100 newer operations', async () => {
    const bench = await setup();
    const { address, ask, app } = bench;
    const { store } = app.services;
    await bench.call('eth_patchUserOperation', [operationOf(address)]);
    const others = Array.from({ length: 100 }, (_, index) => ({
      sender: address,
      hash: toHex(index, { size: 32 }),
    }));
    await store.update((state) => ({ ...state, preparedOperations: others }));
    const expected = [textOf('message.hash')];
    expect(await ask('personal_sign', hashOf(bench))).toStrictEqual(expected);
    await bench.call('eth_patchUserOperation', [
      operationOf(address, { nonce: '0x9' }),
    ]);
    expect((await store.read()).preparedOperations).toHaveLength(100);
  });

  it('does not make an estimate fail if it cannot be stored', async () => {
    const { call, address, edges } = await setup();
    edges.backend.failNextSave = new Error('disk full');
    const estimating = call('eth_estimateUserOperationGas', [operationOf(address)]);
    expect(await estimating).toHaveProperty('callGasLimit');
  });
});

type Field = { name: string; type: string };

function documentOf(
  primaryType: string,
  fields: Field[],
  message: Record<string, Json>,
) {
  const domain = { name: 'App', version: '1', chainId: 1 };
  return { types: { [primaryType]: fields }, primaryType, domain, message };
}

const LOGIN = documentOf('Login', [{ name: 'text', type: 'string' }], { text: 'Hi' });

function domainOf(fields: Field[], domain: Record<string, Json>): Record<string, Json> {
  return { ...LOGIN, domain, types: { ...LOGIN.types, EIP712Domain: fields } };
}

function listOf(fields: Field[], message: Record<string, Json>): Record<string, Json> {
  const items = [{ name: 'items', type: 'Inner[]' }];
  const document = documentOf('Batch', items, { items: [message] });
  return { ...document, types: { ...document.types, Inner: fields } };
}

const OPERATION_FIELDS: Field[] = [
  { name: 'sender', type: 'address' },
  { name: 'nonce', type: 'uint256' },
  { name: 'callData', type: 'bytes' },
];

describe('a user operation', () => {
  const typedOf = (address: string) =>
    getUserOperationTypedData({
      chainId: 1,
      entryPointAddress: entryPoints['0.8'].entryPoint,
      userOperation: toViemOperation(address),
    });

  it('causes a danger warning as typed data for EntryPoint 0.8', async () => {
    const { address, ask } = await setup('0.8');
    const typed = typedOf(address);
    const document = JSON.parse(
      JSON.stringify(typed, (_name, value: unknown) =>
        typeof value === 'bigint' ? value.toString() : value,
      ),
    ) as Json;
    for (const method of ['eth_signTypedData_v4', 'eth_signTypedData_v3']) {
      expect(await ask(method, document)).toStrictEqual([
        ...ownOperationDangers(address),
        textOf('alert.unread', { function: 'execute(address,uint256,bytes)' }),
      ]);
    }
  });

  it('causes a danger warning in other shapes of typed data', async () => {
    const { address, ask } = await setup();
    const message = { sender: address, nonce: '1', callData: '0x' };
    const own = ownOperationDangers(address);
    for (const document of [
      documentOf('UserOperation', OPERATION_FIELDS, message),
      documentOf('Login', OPERATION_FIELDS, message),
      listOf(OPERATION_FIELDS, message),
      domainOf(OPERATION_FIELDS, message),
    ]) {
      expect(await ask('eth_signTypedData_v4', document)).toStrictEqual(own);
    }
    const entries = OPERATION_FIELDS.map(({ name, type }) => ({
      name,
      type,
      value: message[name as keyof typeof message],
    }));
    expect(await ask('eth_signTypedData_v1', entries)).toStrictEqual(own);
  });

  it("is a danger for a stranger's account, too", async () => {
    const { ask } = await setup();
    const message = { sender: STRANGER, nonce: '1', callData: '0x' };
    const expected = [textOf('disguise.operation')];
    const { entryPoint: verifyingContract } = entryPoints['0.7'];
    for (const document of [
      documentOf('UserOperation', OPERATION_FIELDS, message),
      { ...LOGIN, domain: { name: 'ERC4337', version: '1', chainId: 1 } },
      { ...LOGIN, domain: { name: 'App', verifyingContract } },
    ]) {
      expect(await ask('eth_signTypedData_v4', document)).toStrictEqual(expected);
    }
  });

  it('is a danger as JSON in a message', async () => {
    const { address, ask } = await setup();
    const json = JSON.stringify(operationOf(address));
    const own = ownOperationDangers(address);
    for (const text of [json, `Please confirm: ${json} Thank you.`, `[${json}]`]) {
      expect(await ask('personal_sign', stringToHex(text))).toStrictEqual(own);
    }
    const others = JSON.stringify(operationOf(STRANGER));
    expect(await ask('personal_sign', stringToHex(others))).toStrictEqual([
      textOf('disguise.operation'),
    ]);
  });

  it('is a danger as the bytes that EntryPoint 0.6 hashes', async () => {
    const bench = await setup('0.6');
    const { address, ask, call } = bench;
    const { entryPoint } = entryPoints['0.6'];
    const operation = toViemOperation(address);
    const packed = encodeAbiParameters(
      [
        'address',
        'uint256',
        'bytes32',
        'bytes32',
        ...Array<string>(5).fill('uint256'),
        'bytes32',
      ].map((type) => ({ type })),
      [
        address,
        operation.nonce,
        keccak256('0x'),
        keccak256(operation.callData),
        operation.callGasLimit,
        operation.verificationGasLimit,
        operation.preVerificationGas,
        operation.maxFeePerGas,
        operation.maxPriorityFeePerGas,
        keccak256('0x'),
      ],
    );
    const withDomain = encodeAbiParameters(
      [{ type: 'bytes32' }, { type: 'address' }, { type: 'uint256' }],
      [keccak256(packed), entryPoint, 1n],
    );
    expect(keccak256(withDomain)).toBe(hashOf(bench));
    expect(await ask('personal_sign', packed)).toStrictEqual(
      ownOperationDangers(address),
    );
    expect(await ask('personal_sign', withDomain)).toStrictEqual([
      textOf('disguise.operation'),
    ]);
    await call('eth_patchUserOperation', [operationOf(address)]);
    expect(await ask('personal_sign', withDomain)).toStrictEqual(
      ownOperationDangers(address),
    );
  });

  it('is a danger as the bytes that later EntryPoints hash, once it was prepared', async () => {
    const bench = await setup('0.8');
    const { address, ask, call } = bench;
    const typed = typedOf(address);
    const preimage = concatHex([
      '0x1901',
      domainSeparator({ domain: typed.domain ?? {} }),
      hashStruct({ ...typed, data: typed.message }),
    ]);
    expect(keccak256(preimage)).toBe(hashOf(bench));
    await call('eth_patchUserOperation', [operationOf(address)]);
    expect(await ask('personal_sign', preimage)).toStrictEqual(
      ownOperationDangers(address),
    );
    const text = stringToHex(preimage);
    expect(await ask('personal_sign', text)).toStrictEqual(
      ownOperationDangers(address),
    );
  });
});

/** Expects a danger in the insight, and on every other route a refusal without a dialog. */
async function expectRefused({ routes, edges }: Bench, method: string, data: Json) {
  const { insight, ...others } = routes;
  const before = edges.dialogs.shown.length;
  for (const route of Object.values(others)) {
    await expectRefusal(
      route(method, data),
      -32602,
      `authorization in disguise that would let the code at ${STRANGER}`,
    );
  }
  expect(edges.dialogs.shown).toHaveLength(before);
  expect(await insight(method, data)).toStrictEqual([
    textOf('disguise.authorization', { address: STRANGER }),
  ]);
}

describe('an EIP-7702 authorization', () => {
  const preimage = (chainId: number, address: Hex, nonce: number): Hex => {
    const quantity = (value: number): Hex => (value === 0 ? '0x' : toHex(value));
    return concatHex(['0x05', toRlp([quantity(chainId), address, quantity(nonce)])]);
  };

  it.each([
    [1, 0],
    [0, 7],
    [59_144, 2 ** 40],
  ])('is rejected as bytes for chain %i and nonce %i', async (chainId, nonce) => {
    const bench = await setup();
    const bytes = preimage(chainId, STRANGER, nonce);
    await expectRefused(bench, 'personal_sign', bytes);
    await expectRefused(bench, 'personal_sign', stringToHex(bytes));
    const document = documentOf('Login', [{ name: 'data', type: 'bytes' }], {
      data: bytes,
    });
    await expectRefused(bench, 'eth_signTypedData_v4', document);
    const hash = keccak256(bytes);
    expect(await bench.ask('personal_sign', hash)).toStrictEqual([
      textOf('message.hash'),
    ]);
  });

  it.each([
    ['address', '1'],
    // Chain 0 means every chain.
    ['address', '0'],
    ['contractAddress', '1'],
    ['delegate', '1'],
    ['implementation', '1'],
  ])('is rejected as typed data with %s for chain %s', async (name, chainId) => {
    const bench = await setup();
    const fields = [
      { name: 'chainId', type: 'uint256' },
      { name, type: 'address' },
      { name: 'nonce', type: 'uint64' },
    ];
    const message = { chainId, [name]: STRANGER, nonce: '0' };
    const alone = documentOf('Authorization', fields, message);
    await expectRefused(bench, 'eth_signTypedData_v4', alone);
    await expectRefused(bench, 'eth_signTypedData_v3', alone);
    await expectRefused(bench, 'eth_signTypedData_v4', listOf(fields, message));
    await expectRefused(bench, 'eth_signTypedData_v4', domainOf(fields, message));
    const entries = fields.map((field) => ({
      ...field,
      value: message[field.name] ?? '',
    }));
    await expectRefused(bench, 'eth_signTypedData_v1', entries);
    const json = stringToHex(JSON.stringify(message));
    await expectRefused(bench, 'personal_sign', json);
  });

  it('is rejected even if only MetaMask would confirm the request', async () => {
    const bench = await setup();
    const { rpc } = callersOf(bench.app);
    await rpc(COMPANION, 'tollkeeper_setSettings', [{ secondConfirmation: false }]);
    const bytes = preimage(1, STRANGER, 0);
    await expectRefusal(bench.routes.metamask('personal_sign', bytes), -32602);
  });
});

it("lists the user's operation first among the dangers of a very long message", async () => {
  const { address, routes } = await setup();
  const authorizations = Array.from({ length: 4_000 }, (_, index) => ({
    chainId: 1,
    address: keccak256(toHex(index)).slice(0, 42),
    nonce: index,
  }));
  const contents = [operationOf(STRANGER), operationOf(address), ...authorizations];
  const json = stringToHex(JSON.stringify(contents));
  const dangers = await routes.insight('personal_sign', json);
  expect(dangers).toHaveLength(4);
  expect(dangers.slice(0, 1)).toStrictEqual(ownOperationDangers(address));
});

describe('an ordinary message', () => {
  it.each([
    'Welcome to the site! 32 letters.',
    '{"text":"Hello","nonce":7}',
    '{"broken',
    '['.repeat(5_000),
    `{"a":${'[1,'.repeat(500)}2${']'.repeat(500)}}`,
    '0x05',
    '0x05c0',
    `0x05${'ff'.repeat(40)}`,
    `0x${'00'.repeat(96)}`,
    `0x${'11'.repeat(320)}`,
  ])('is not a danger (case %#)', async (text) => {
    const { routes } = await setup();
    const message = text.startsWith('0x') ? text : stringToHex(text);
    expect(await routes.dapp('personal_sign', message)).toStrictEqual([]);
    expect(await routes.insight('personal_sign', message)).toStrictEqual([]);
  });

  it('is not a danger if it is a sign-in with an address, a chain and a nonce', async () => {
    const { address, ask } = await setup();
    const login = { address, chainId: 1, nonce: '12345678' };
    expect(
      await ask('personal_sign', stringToHex(JSON.stringify(login))),
    ).toStrictEqual([]);
  });
});
