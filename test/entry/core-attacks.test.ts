// A hostile feature inside the snap, which has the app's context and every value passed to a
// request's steps. It must be unable to read a key, forge an approval or sign anything that the
// dialog did not show.
import { TypedDataUtils } from '@metamask/eth-sig-util';
import { Box, Button } from '@metamask/snaps-sdk/jsx';
import type { GenericSnapElement, JSXElement } from '@metamask/snaps-sdk/jsx';
import type { Json } from '@metamask/utils';
import {
  hashMessage,
  hashTypedData,
  keccak256,
  recoverAddress,
  serializeTransaction,
  stringToHex,
} from 'viem';
import { getUserOperationHash } from 'viem/account-abstraction';
import { hashAuthorization } from 'viem/utils';

import { defineMethod } from '../../src/context';
import type { AppContext, Approve, RequestContext } from '../../src/context';
import type { Approval, HeldTask } from '../../src/core/approval';
import { implementations } from '../../src/core/authorization';
import type { UserDecision } from '../../src/core/core';
import { entryPoints } from '../../src/core/entry-points';
import type {
  AccountRef,
  Authorization,
  KeyRef,
  SigningTask,
  Transaction,
  UserOperation,
} from '../../src/core/payload';
import type { TransactionSignature } from '../../src/core/sign';
import type { TypedData } from '../../src/core/typed-data';
import type { Hex } from '../../src/eth/hex';
import { methods } from '../../src/pipeline';
import { toAccountRef } from '../../src/state/account-record';
import type { AccountRecord } from '../../src/state/account-record';
import { mail } from '../fixtures/eth/typed-data';
import { callersOf } from '../support/callers';
import { keyOfIndex, ownerKeyOfIndex } from '../support/entropy';
import { failureOf } from '../support/error-of';
import { toViemOperation } from '../support/operations';
import { findKeys, listFunctions, listReachable } from '../support/reachable';
import { IMPORTED_KEY } from '../support/records';
import { SETTINGS, stateOf } from '../support/stored-accounts';
import {
  click,
  createAccount,
  createTestApp,
  DAPP,
  refuse,
  whileDialogOpen,
} from '../support/test-app';

const KEYS = [IMPORTED_KEY, keyOfIndex(0), ownerKeyOfIndex(0, '0.7')];

const TO: Hex = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8';
const ATTACKER: Hex = '0x00000000000000000000000000000000000a77ac';
const CONTRACT = implementations[0]?.address ?? '0x';
const PLACEHOLDER: Hex = `0x${'5a'.repeat(65)}`;

type Hostile = Awaited<ReturnType<typeof setup>>;

async function setup() {
  const app = createTestApp();
  await createAccount(app, { privateKey: IMPORTED_KEY });
  await createAccount(app);
  await createAccount(app, { type: 'eip155:erc4337', entryPoint: '0.7' });
  const context = app.services;
  const records = await context.repository.list();
  const [imported, derived, smart] = records.map(toAccountRef) as [
    AccountRef,
    AccountRef,
    AccountRef,
  ];
  const { core } = context;
  const shown: (readonly HeldTask[])[] = [];
  const draw = (tasks: readonly HeldTask[]) => {
    shown.push(tasks);
    return { pages: 1, dangers: [], draw: drawButton };
  };
  return {
    app,
    context: context satisfies AppContext,
    core,
    records,
    imported,
    derived,
    smart,
    shown,
    draw,
    /** Gets approval for tasks in the attacker's own dialog. */
    getApproval: async (...tasks: readonly SigningTask[]): Promise<Approval> => {
      const takeSnapshot = () => ({ tasks, draw });
      return (await core.requestApproval({ takeSnapshot }))?.approval as Approval;
    },
  };
}

function drawButton({ number }: { number: number }, label = 'Approve'): JSXElement {
  const button = Button({ name: `approve:${number}`, children: label });
  return Box({ children: button as GenericSnapElement });
}

const messageOf = (account: AccountRef) => ({
  account,
  payload: { kind: 'message' as const, bytes: stringToHex('hello') },
});

const documentOf = (account: AccountRef) => ({
  account,
  payload: {
    kind: 'document' as const,
    document: structuredClone(mail) as unknown as TypedData,
  },
});

const transferOf = (account: AccountRef, changes: Partial<Transaction> = {}) => ({
  account,
  payload: {
    kind: 'transaction' as const,
    transaction: {
      type: '0x2',
      chainId: 1n,
      nonce: 8n,
      gasLimit: 100_000n,
      from: account.address,
      to: TO,
      value: 1n,
      data: '0x',
      maxFeePerGas: 2_000_000_000n,
      maxPriorityFeePerGas: 1_000_000_000n,
      accessList: [],
      ...changes,
    } as Transaction,
  },
});

const delegationOf = (account: AccountRef, changes: Partial<Authorization> = {}) => ({
  account,
  payload: {
    kind: 'authorization' as const,
    authorization: {
      chainId: 1n,
      address: CONTRACT,
      nonce: 9n,
      yParity: 0n,
      r: 0n,
      s: 0n,
      ...changes,
    },
  },
});

/** Creates the tasks for a transaction with its account's own authorization, and for that
 * authorization. */
const upgradeOf = (account: AccountRef) => {
  const { authorization } = delegationOf(account).payload;
  const list: Authorization[] = [{ ...authorization }];
  const changes: Partial<Transaction> = { type: '0x4', authorizationList: list };
  return [transferOf(account, changes), delegationOf(account)] as const;
};

const operationOf = (account: AccountRef, changes: Partial<UserOperation> = {}) => ({
  account,
  payload: {
    kind: 'operation' as const,
    operation: {
      ...toViemOperation(account.address),
      paymasterAndData: '0x',
      signature: PLACEHOLDER,
      ...changes,
    } as UserOperation,
    domain: { chainId: 1n, entryPoint: '0.7' as const },
  },
});

const keyOf = (account: AccountRef) => ({ account, payload: { kind: 'key' as const } });

/** viem's hashes of the payloads above. */
const digests = {
  message: hashMessage('hello'),
  document: hashTypedData(mail as never),
  transfer: keccak256(
    serializeTransaction({
      type: 'eip1559',
      chainId: 1,
      nonce: 8,
      gas: 100_000n,
      to: TO,
      value: 1n,
      data: '0x',
      maxFeePerGas: 2_000_000_000n,
      maxPriorityFeePerGas: 1_000_000_000n,
    }),
  ),
  delegation: hashAuthorization({ chainId: 1, address: CONTRACT, nonce: 9 }),
  operationOf: ({ address }: AccountRef) =>
    hashMessage({
      raw: getUserOperationHash({
        userOperation: toViemOperation(address),
        chainId: 1,
        entryPointAddress: entryPoints['0.7'].entryPoint,
        entryPointVersion: '0.7',
      }),
    }),
};

const toBytes65 = ({ r, s, v }: TransactionSignature): Hex =>
  `0x${r.slice(2)}${s.slice(2)}${BigInt(v) === 0n ? '1b' : '1c'}`;

const signatureIn = ({ r, s, yParity }: Authorization): Hex => {
  const [high, low] = [r, s].map((each) => each.toString(16).padStart(64, '0'));
  return `0x${high}${low}${yParity === 0n ? '1b' : '1c'}`;
};

/** Makes calls that must all be refused with the same code. Throws the first refusal, or the first
 * one with a different code. Resolves if any call succeeds. */
async function throwIfAllRefused(calls: readonly (() => unknown)[]): Promise<unknown> {
  const settled = await Promise.allSettled(
    calls.map(async (call) => Promise.resolve(call())),
  );
  const failed = settled.flatMap((each) =>
    each.status === 'rejected' ? [each.reason as Error & { code?: unknown }] : [],
  );
  const [first] = failed;
  if (failed.length < calls.length || !first) return settled;
  const others = failed.filter(({ code }) => code !== first.code);
  throw others[0] ?? first;
}

/** Runs an attack in place of a site's personal_sign. */
async function asStep<Result>(
  { app, records }: Hostile,
  attack: (context: RequestContext, approve: Approve) => Promise<Result>,
): Promise<Result> {
  let result: Result | undefined;
  const read = jest.spyOn(methods.personal_sign, 'read').mockReturnValue({
    listAccounts: async () => Promise.resolve(records.map(({ address }) => address)),
    calls: 0,
    run: async (context, approve) => {
      result = await attack(context, approve);
      return null;
    },
  });
  try {
    await app.services.grants.set(DAPP, [records[0]?.id ?? '']);
    await callersOf(app).rpc(DAPP, 'personal_sign', []);
    return result as Result;
  } finally {
    read.mockRestore();
  }
}

async function changeRecord(
  { context }: Hostile,
  { id }: AccountRef,
  change: (record: AccountRecord) => AccountRecord,
): Promise<AccountRecord> {
  const { accounts } = await context.store.update((state) => {
    const record = state.accounts[id] as AccountRecord;
    return { ...state, accounts: { ...state.accounts, [id]: change(record) } };
  });
  return accounts[id] as AccountRecord;
}

/** Creates a method that records its stack and copies of its arguments, because the core wipes
 * buffers. */
const recorder =
  (seen: unknown[], answer: string) =>
  (...args: unknown[]): string => {
    seen.push(structuredClone(args), new Error('here').stack);
    return answer;
  };

type Theft = [name: string, steal: (hostile: Hostile) => unknown];

/** Thefts return everything that they obtain. */
const thefts: Theft[] = [
  ['searches the whole context', ({ context }) => context],
  [
    'searches the values passed to a step',
    async (hostile) => {
      const { imported, draw } = hostile;
      return asStep(hostile, async (context, approve) => {
        const confirmation = {
          takeSnapshot: () => ({ tasks: [messageOf(imported)], draw: draw as never }),
        };
        const approval = await approve(confirmation);
        const tasks = context.core.tasksOf(approval);
        const signature = await context.core.signBytes(approval);
        return { context, approve, confirmation, approval, tasks, signature };
      });
    },
  ],
  ['reads the stored document', async ({ context }) => context.store.read()],
  [
    'reads damaged records',
    async ({ app, records }) => {
      const [imported] = Object.values(
        (app.edges.backend.document as { accounts: object }).accounts,
      ) as [object];
      const damaged = { accounts: [{ ...imported, scopes: 7 }, ...records.slice(1)] };
      app.edges.backend.document = stateOf(damaged as never) as Json;
      const { repository, store } = createTestApp(app.edges).services;
      return [
        await store.read(),
        await store.listSetAside(),
        await repository.listDamaged(),
      ];
    },
  ],
  [
    'reads the error of an invalid document',
    async ({ app }) => {
      Object.assign(app.edges.backend.document as object, {
        settings: { ...SETTINGS, prices: 7 },
      });
      const { store } = createTestApp(app.edges).services;
      return [await failureOf(() => store.read()), await store.listSetAside()];
    },
  ],
  [
    'refers to the key in other parts of the state',
    async ({ app, context, imported }) => {
      const { id, owner } = imported;
      const params = { held: owner, accounts: { own: { held: owner } } };
      const request = { id, account: id, origin: DAPP, scope: '', session: 0 };
      await context.store.update((state) => ({
        ...state,
        requests: { [id]: { ...request, request: { method: 'a', params } } },
      }));
      return createTestApp(app.edges).services.store.read();
    },
  ],
  [
    'passes an owner object that records its comparison',
    async ({ core, imported }) => {
      const seen: unknown[] = [];
      const owner = { toLowerCase: recorder(seen, imported.owner) } as never;
      const [ref] = imported.keys as [KeyRef];
      return [
        seen,
        await core.hasKey({ ...imported, owner }),
        await core.addressOf(ref),
      ];
    },
  ],
  [
    'passes a nonce object that records its calls',
    async ({ core, imported, getApproval }) => {
      const seen: unknown[] = [];
      const nonce = { toString: recorder(seen, '8') } as never;
      const approval = await getApproval({ ...transferOf(imported), open: ['nonce'] });
      const signing = core.signTransaction(approval, 0, { nonce });
      return [seen, await signing.catch((error: unknown) => error)];
    },
  ],
  [
    'searches the errors of refused calls',
    async ({ core, imported, getApproval, context }) => {
      const open = ['nonce' as const];
      const other = messageOf({ ...imported, owner: TO });
      const delegation = delegationOf(imported, { address: ATTACKER });
      const transfer = { ...transferOf(imported), open };
      const approval = await getApproval(other, delegation, transfer);
      return Promise.all([
        failureOf(() => core.signBytes(approval)),
        failureOf(() => core.signAuthorization(approval, 1)),
        failureOf(() => core.signTransaction(approval, 2, { nonce: 2n ** 70n })),
        failureOf(() => core.exportKey(approval)),
        failureOf(() =>
          context.keyring.exportAccount(imported.id, () => getApproval(other)),
        ),
      ]);
    },
  ],
];

type Attack = [
  name: string,
  code: number,
  attack: (hostile: Hostile) => Promise<unknown>,
];

const INTERNAL = -32603;
const REJECTED = 4001;
const NOT_FOUND = -32001;
const UNAVAILABLE = -32002;
const INVALID = -32602;

/** Objects that resemble an approval, or a decision. */
const forgeries: [name: string, forge: (original: object) => unknown][] = [
  ['undefined', () => undefined],
  ['an empty object', () => ({})],
  [
    'an object with its prototype',
    (original) => Object.create(Object.getPrototypeOf(original) as object) as object,
  ],
  [
    'an instance from its constructor',
    (original) => new (original.constructor as new () => object)(),
  ],
  [
    'a copy',
    (original) => {
      const copy = Object.create(Object.getPrototypeOf(original) as object) as object;
      return Object.assign(copy, original);
    },
  ],
  ['a proxy', (original) => new Proxy(original, {})],
];

const attacks: Attack[] = [
  ...forgeries.map(([name, forge]): Attack => [
    `forges an approval: ${name}`,
    INTERNAL,
    async ({ core, imported, getApproval }) => {
      const forged = forge(await getApproval(messageOf(imported))) as Approval;
      return throwIfAllRefused([
        () => core.tasksOf(forged),
        () => core.signBytes(forged),
        () => core.signOperation(forged),
        () => core.signTransaction(forged),
        () => core.signAuthorization(forged),
        () => core.exportKey(forged),
      ]);
    },
  ]),
  [
    'exports a key with an invented approval',
    INTERNAL,
    async ({ context, imported }) =>
      context.keyring.exportAccount(imported.id, () => Promise.resolve({} as Approval)),
  ],
  [
    'exports a key with the approval for a message',
    INTERNAL,
    async ({ context, imported, getApproval }) =>
      context.keyring.exportAccount(imported.id, () =>
        getApproval(messageOf(imported)),
      ),
  ],
  [
    'replaces the consent service',
    INTERNAL,
    async ({ app, context, records }) => {
      await context.grants.set(DAPP, [records[0]?.id ?? '']);
      context.consent.require = () => Promise.resolve({} as Approval);
      const params = [stringToHex('hello'), records[0]?.address ?? ''];
      return callersOf(app).rpc(DAPP, 'personal_sign', params);
    },
  ],
  [
    'signs after the user refused',
    INTERNAL,
    async ({ app, core, imported, getApproval }) => {
      app.edges.dialogs.answer = refuse;
      return core.signBytes(await getApproval(messageOf(imported)));
    },
  ],
  [
    'answers the dialog in place of the user',
    INTERNAL,
    async ({ app, core, imported, getApproval }) => {
      app.edges.dialogs.answer = () => Promise.resolve({ approved: 1 });
      return core.signBytes(await getApproval(messageOf(imported)));
    },
  ],
  ...(
    [
      ['every page is seen', { pages: 2, dangers: [] }],
      ['every danger is acknowledged', { pages: 1, dangers: ['It takes all.'] }],
    ] as const
  ).map(([condition, fields]): Attack => [
    `offers the button before ${condition}`,
    INTERNAL,
    async ({ app, core, imported }) => {
      app.edges.dialogs.answer = async (_content, id) => {
        await click(app.entry, id, 'approve:1');
        return { approved: 1 };
      };
      const view = { ...fields, draw: drawButton };
      const takeSnapshot = () => ({ tasks: [messageOf(imported)], draw: () => view });
      const answer = await core.requestApproval({ takeSnapshot });
      return core.signBytes(answer?.approval as Approval);
    },
  ]),
  [
    'uses an approval twice',
    INTERNAL,
    async ({ core, imported, getApproval }) => {
      const approval = await getApproval(messageOf(imported));
      await core.signBytes(approval);
      return core.signBytes(approval);
    },
  ],
  [
    'uses an approval twice at the same time',
    INTERNAL,
    async ({ core, imported, getApproval }) => {
      const approval = await getApproval(messageOf(imported));
      return Promise.all([core.signBytes(approval), core.signBytes(approval)]);
    },
  ],
  [
    'exports a key twice with one approval',
    INTERNAL,
    async ({ core, imported, getApproval }) => {
      const approval = await getApproval(keyOf(imported));
      await core.exportKey(approval);
      return core.exportKey(approval);
    },
  ],
  [
    'signs tasks that the approval does not contain',
    INTERNAL,
    async ({ core, imported, getApproval }) => {
      const approval = await getApproval(messageOf(imported));
      return throwIfAllRefused(
        [1, -1, 0.5, NaN].map((index) => () => core.signBytes(approval, index)),
      );
    },
  ],
  ...(
    [
      ['a message', messageOf],
      ['a transaction', transferOf],
      ['an authorization', delegationOf],
      ['a user operation', operationOf],
      ['a key export', keyOf],
    ] as const
  ).map(([name, toTask], taskIndex): Attack => [
    `signs ${name} as something else`,
    INTERNAL,
    async ({ core, imported, getApproval }) => {
      const {
        signBytes,
        signTransaction,
        signAuthorization,
        signOperation,
        exportKey,
      } = core;
      const all = [
        signBytes,
        signTransaction,
        signAuthorization,
        signOperation,
        exportKey,
      ];
      const others = all.filter((_sign, index) => index !== taskIndex);
      return throwIfAllRefused(
        others.map((sign) => async () => sign(await getApproval(toTask(imported)))),
      );
    },
  ]),
  [
    "sets a transaction's nonce that was not left open",
    INTERNAL,
    async ({ core, imported, getApproval }) =>
      core.signTransaction(await getApproval(transferOf(imported)), 0, { nonce: 9n }),
  ],
  [
    "sets an authorization's nonce that was not left open",
    INTERNAL,
    async ({ core, imported, getApproval }) =>
      core.signAuthorization(await getApproval(delegationOf(imported)), 0, {
        nonce: 7n,
      }),
  ],
  [
    'omits a deployment that was not left open',
    INTERNAL,
    async ({ core, smart, getApproval }) =>
      core.signOperation(await getApproval(operationOf(smart)), 0, {
        isDeployed: true,
      }),
  ],
  ...(
    [
      ['a contract that Tollkeeper does not offer', { address: ATTACKER }],
      ['every chain', { chainId: 0n }],
      ['a different account', { authority: TO }],
    ] as const
  ).map(([name, changes]): Attack => [
    `signs an authorization for ${name}`,
    INTERNAL,
    async ({ core, imported, getApproval }) =>
      core.signAuthorization(await getApproval(delegationOf(imported, changes))),
  ]),
  [
    'signs a transaction whose own authorization was not approved',
    INTERNAL,
    async ({ core, imported, getApproval }) =>
      core.signTransaction(await getApproval(upgradeOf(imported)[0])),
  ],
  [
    'signs a transaction with an authorization for a different nonce',
    INTERNAL,
    async ({ core, imported, getApproval }) => {
      const [transaction, authorization] = upgradeOf(imported);
      const approval = await getApproval(transaction, {
        ...authorization,
        open: ['nonce'],
      });
      await core.signAuthorization(approval, 1, { nonce: 10n });
      return core.signTransaction(approval);
    },
  ],
  [
    'signs a transaction with the authorization of a different account',
    INTERNAL,
    async ({ core, imported, derived, getApproval }) => {
      const approval = await getApproval(upgradeOf(imported)[0], delegationOf(derived));
      await core.signAuthorization(approval, 1);
      return core.signTransaction(approval);
    },
  ],
  ...(
    [
      ['no placeholder', '0x'],
      ['two placeholders', `0x${PLACEHOLDER.slice(2).repeat(2)}`],
    ] as const
  ).map(([name, data]): Attack => [
    `puts an operation's signature into a transaction with ${name}`,
    INTERNAL,
    async ({ core, imported, smart, getApproval }) => {
      const transaction = {
        ...transferOf(imported, { data }),
        open: ['signatures' as const],
      };
      const approval = await getApproval(transaction, operationOf(smart));
      await core.signOperation(approval, 1);
      return core.signTransaction(approval);
    },
  ]),
  [
    'signs for an account that was removed after the approval',
    NOT_FOUND,
    async ({ context, core, imported, getApproval }) => {
      const approval = await getApproval(messageOf(imported));
      await context.store.update((state) => ({ ...state, accounts: {} }));
      return core.signBytes(approval);
    },
  ],
  [
    'signs for an account whose stored address has changed',
    INVALID,
    async (hostile) => {
      const { core, imported, getApproval } = hostile;
      const approval = await getApproval(messageOf(imported));
      await changeRecord(hostile, imported, (record) => ({ ...record, address: TO }));
      return core.signBytes(approval);
    },
  ],
  [
    'stores a different index for an account',
    UNAVAILABLE,
    async (hostile) => {
      const { core, derived, getApproval } = hostile;
      const changed = await changeRecord(hostile, derived, (record) => ({
        ...record,
        key: { kind: 'derived', index: 7 },
      }));
      return core.signBytes(await getApproval(messageOf(toAccountRef(changed))));
    },
  ],
  [
    "stores another account's imported key for an account",
    UNAVAILABLE,
    async (hostile) => {
      const { core, derived, imported, getApproval } = hostile;
      const changed = await changeRecord(hostile, derived, (record) => ({
        ...record,
        key: { kind: 'imported', held: imported.owner },
      }));
      return core.exportKey(await getApproval(keyOf(toAccountRef(changed))));
    },
  ],
  [
    "names another account's key in a task",
    INVALID,
    async ({ core, imported, derived, getApproval }) =>
      core.signBytes(await getApproval(messageOf({ ...imported, keys: derived.keys }))),
  ],
  ...(
    [
      ['a function', () => 'hello'],
      ['a symbol', Symbol('hello')],
      ['bytes', new Uint8Array(5)],
      ['a date', new Date(0)],
      ['a map', new Map()],
      ['a class instance', new (class Text {})()],
    ] as const
  ).map(([name, bytes]): Attack => [
    `shows ${name} instead of plain data`,
    INTERNAL,
    async ({ imported, getApproval }) =>
      getApproval({
        account: imported,
        payload: { kind: 'message', bytes: bytes as never },
      }),
  ]),
  ...forgeries.map(([name, forge]): Attack => [
    `forges a decision of MetaMask: ${name}`,
    REJECTED,
    async ({ app, core, imported }) => {
      const forged = forge(app.core.admit('signing')) as UserDecision;
      return Promise.resolve(core.acceptDecided([messageOf(imported)], forged));
    },
  ]),
  [
    'uses a decision of MetaMask twice',
    REJECTED,
    async ({ app, core, imported }) => {
      const decided = app.core.admit('signing');
      core.acceptDecided([messageOf(imported)], decided);
      return Promise.resolve(core.acceptDecided([messageOf(imported)], decided));
    },
  ],
];

describe('a hostile feature', () => {
  it.each(thefts)('cannot get a key if it %s', async (_name, steal) => {
    const loot: unknown = await steal(await setup());
    expect(findKeys(loot, KEYS)).toStrictEqual([]);
  });

  it('is checked with a search that finds a planted key', () => {
    class Hiding {
      own = { deep: new Map([[1, [Buffer.from(IMPORTED_KEY.slice(2), 'hex')]]]) };
    }
    const hidden = Object.create(new Hiding()) as object;
    expect(findKeys([hidden, `0x00${keyOfIndex(0).slice(2)}`], KEYS)).toHaveLength(2);
    expect(
      findKeys({ run: Object.assign(() => 1, { key: BigInt(IMPORTED_KEY) }) }, KEYS),
    ).toHaveLength(1);
  });

  it('cannot reach entropy, storage or user input', async () => {
    const { context } = await setup();
    const forbidden = [
      'getEntropy',
      'createStateBackend',
      'showDialog',
      'answerDialog',
      'press',
      'refuse',
      'admit',
    ];
    const names = listFunctions(context);
    expect(names).toContain('exportKey');
    expect(names.filter((name) => forbidden.includes(name))).toStrictEqual([]);
  });

  it.each(attacks)('is rejected if it %s', async (_name, code, attack) => {
    const hostile = await setup();
    const error = await failureOf(() => attack(hostile));
    expect(error).toMatchObject({ code });
  });

  it('gets signing, sending and consent services only in its sign step', async () => {
    const { context, app, imported, draw } = await setup();
    const contexts: Record<string, unknown> = {};
    const confirmation = {
      takeSnapshot: () => ({ tasks: [messageOf(imported)], draw: draw as never }),
    };
    const method = defineMethod({
      parse: () => null,
      accounts: () => [],
      prepare: async (_params, step) => {
        contexts['prepare'] = step;
        return Promise.resolve(null);
      },
      review: (_prepared, step) => {
        contexts['review'] = step;
        return confirmation;
      },
      sign: async (approval, _prepared, step) => step.core.signBytes(approval),
      follow: async (sent, _prepared, step) => {
        contexts['follow'] = step;
        return Promise.resolve(sent);
      },
    });
    const answer = await method
      .read([])
      .run(
        { ...context, cleanups: [] } as unknown as RequestContext,
        async ({ takeSnapshot }) => {
          const { tasks } = takeSnapshot();
          const decided = app.core.admit('signing');
          return Promise.resolve(context.core.acceptDecided(tasks, decided));
        },
      );
    expect(answer).toMatch(/^0x[0-9a-f]{130}$/u);
    const forbidden = [
      'core',
      'consent',
      'broadcast',
      'broadcastOperation',
      'requests',
    ];
    for (const step of Object.values(contexts)) {
      expect(Object.keys(step as object)).not.toContainEqual(
        expect.stringMatching(new RegExp(`^(?:${forbidden.join('|')})$`, 'u')),
      );
    }
    expect(Object.keys(contexts)).toStrictEqual(['prepare', 'review', 'follow']);
  });

  it('cannot change the core', async () => {
    const { core, imported, getApproval } = await setup();
    const before = { ...core };
    for (const name of Object.keys(core) as (keyof typeof core)[]) {
      expect(() => Object.assign(core, { [name]: () => '0x' })).toThrow(TypeError);
      expect(Reflect.deleteProperty(core, name)).toBe(false);
      expect(Reflect.defineProperty(core, name, { value: () => '0x' })).toBe(false);
    }
    expect(Reflect.setPrototypeOf(core, {})).toBe(false);
    expect(core).toStrictEqual(before);
    const approval = await getApproval(messageOf(imported));
    expect(Object.isFrozen(approval)).toBe(true);
  });

  it('cannot change the tasks of an approval', async () => {
    const { core, imported, getApproval } = await setup();
    const approval = await getApproval(documentOf(imported), ...upgradeOf(imported));
    const parts = listReachable(core.tasksOf(approval)).flatMap(({ path, value }) =>
      typeof value === 'object' && !path.includes('prototype') ? [value] : [],
    );
    expect(parts.length).toBeGreaterThan(20);
    expect(parts.every((part) => Object.isFrozen(part))).toBe(true);
  });
});

/** Attacks that worked on an earlier core. */
const fixedAttacks: [name: string, attack: (hostile: Hostile) => Promise<unknown>][] = [
  [
    'finds services of the entry points in its step',
    async (hostile) =>
      asStep(hostile, async (context) => {
        const { entry } = context as unknown as {
          entry: { admit: () => UserDecision };
        };
        const approval = context.core.acceptDecided(
          [keyOf(hostile.imported)],
          entry.admit(),
        );
        return context.core.exportKey(approval);
      }),
  ],
  [
    'exports a key with a decision on a message',
    async ({ app, core, imported }) => {
      const decided = app.core.admit('signing');
      return core.exportKey(core.acceptDecided([keyOf(imported)], decided));
    },
  ],
  [
    'uses an approval twice with an index in a string',
    async ({ core, imported, getApproval }) => {
      const approval = await getApproval(messageOf(imported));
      await core.signBytes(approval);
      return core.signBytes(approval, '0' as never);
    },
  ],
  [
    "names another account's owner and keys",
    async ({ core, imported, derived, getApproval }) => {
      const { owner, keys } = derived;
      return core.signBytes(await getApproval(messageOf({ ...imported, owner, keys })));
    },
  ],
];

type Exchange = [
  name: string,
  exchange: (hostile: Hostile) => Promise<{
    digest: Hex;
    signature: Hex;
    signer?: AccountRef;
  }>,
];

/** Exchanges show one payload and try to sign another. They return viem's digest of the shown
 * payload, and the signature. */
const exchanges: Exchange[] = [
  [
    'the bytes of a message during the dialog and after the approval',
    async ({ app, core, imported, getApproval }) => {
      const task = messageOf(imported);
      whileDialogOpen(app.edges, () => (task.payload.bytes = '0xbad0'));
      const approval = await getApproval(task);
      task.payload.bytes = '0xbad1';
      return { digest: digests.message, signature: await core.signBytes(approval) };
    },
  ],
  [
    'the bytes of a message before they are drawn',
    async ({ core, imported }) => {
      const task = messageOf(imported);
      const draw = () => {
        task.payload.bytes = '0xbad0';
        return { pages: 1, dangers: [], draw: drawButton };
      };
      const takeSnapshot = () => ({ tasks: [task], draw });
      const answer = await core.requestApproval({ takeSnapshot });
      const signature = await core.signBytes(answer?.approval as Approval);
      return { digest: digests.message, signature };
    },
  ],
  [
    'the whole payload',
    async ({ app, core, imported, getApproval }) => {
      const task: SigningTask = messageOf(imported);
      whileDialogOpen(app.edges, () => (task.payload = transferOf(imported).payload));
      const signature = await core.signBytes(await getApproval(task));
      return { digest: digests.message, signature };
    },
  ],
  [
    'the list of tasks',
    async ({ app, core, imported }) => {
      const tasks = [messageOf(imported)];
      const view = { pages: 1, dangers: [], draw: drawButton };
      const snapshot = { tasks, draw: () => view };
      whileDialogOpen(app.edges, () => {
        tasks[0] = {
          ...messageOf(imported),
          payload: { kind: 'message', bytes: '0xbad0' },
        };
        snapshot.tasks = [...tasks];
      });
      const answer = await core.requestApproval({ takeSnapshot: () => snapshot });
      const signature = await core.signBytes(answer?.approval as Approval);
      return { digest: digests.message, signature };
    },
  ],
  [
    'the snapshot between drawing and pressing its button',
    async ({ app, core, imported, draw }) => {
      const tasks = [messageOf(imported)];
      const pending = Promise.resolve();
      app.edges.dialogs.answer = async (_content, id) => {
        await new Promise((resolve) => setImmediate(resolve));
        await click(app.entry, id, 'approve:1');
        return {};
      };
      const takeSnapshot = () => {
        const snapshot = { tasks: [...tasks], draw };
        tasks[0] = {
          ...messageOf(imported),
          payload: { kind: 'message', bytes: '0xbad0' },
        };
        return snapshot;
      };
      const answer = await core.requestApproval({
        takeSnapshot,
        pending: () => pending,
      });
      const signature = await core.signBytes(answer?.approval as Approval);
      return { digest: digests.message, signature };
    },
  ],
  [
    'a nested field of a typed-data document',
    async ({ app, core, imported, getApproval }) => {
      const task = documentOf(imported);
      const { message, types } = task.payload.document;
      whileDialogOpen(app.edges, () =>
        Object.assign(message.to as object, { wallet: ATTACKER }),
      );
      const approval = await getApproval(task);
      types.Mail?.reverse();
      return { digest: digests.document, signature: await core.signBytes(approval) };
    },
  ],
  [
    'the recipient of a transaction during the dialog and after the approval',
    async ({ app, core, imported, getApproval }) => {
      const task = transferOf(imported);
      whileDialogOpen(app.edges, () => (task.payload.transaction.to = ATTACKER));
      const approval = await getApproval(task);
      task.payload.transaction.to = CONTRACT;
      const { signature } = await core.signTransaction(approval);
      return { digest: digests.transfer, signature: toBytes65(signature) };
    },
  ],
  [
    'the open fields of a transaction after the approval',
    async ({ core, imported, getApproval }) => {
      const task: SigningTask = transferOf(imported);
      const approval = await getApproval(task);
      task.open = ['nonce', 'signatures'];
      await failureOf(() => core.signTransaction(approval, 0, { nonce: 1n }));
      const again = await getApproval(transferOf(imported));
      const { signature } = await core.signTransaction(again);
      return { digest: digests.transfer, signature: toBytes65(signature) };
    },
  ],
  [
    'the calldata of an operation',
    async ({ app, core, smart, getApproval }) => {
      const task = operationOf(smart);
      whileDialogOpen(app.edges, () => (task.payload.operation.callData = '0xbad0'));
      const approval = await getApproval(task);
      Object.assign(task.payload.domain, { chainId: 5n });
      const { signature } = await core.signOperation(approval);
      return { digest: digests.operationOf(smart), signature, signer: smart };
    },
  ],
  [
    'the contract of an authorization',
    async ({ core, imported, getApproval }) => {
      const task = delegationOf(imported);
      const approval = await getApproval(task);
      Object.assign(task.payload.authorization, {
        address: implementations[1]?.address,
      });
      const signature = signatureIn(await core.signAuthorization(approval));
      return { digest: digests.delegation, signature };
    },
  ],
  [
    'the account and its key reference',
    async ({ app, core, imported, derived, getApproval }) => {
      const task = messageOf(structuredClone(imported));
      whileDialogOpen(app.edges, () =>
        Object.assign(task.account, structuredClone(derived)),
      );
      const approval = await getApproval(task);
      Object.assign(task.account, { keys: derived.keys, owner: derived.owner });
      return { digest: digests.message, signature: await core.signBytes(approval) };
    },
  ],
  [
    'a value through a getter',
    async ({ core, imported, getApproval }) => {
      const answers = [stringToHex('hello')];
      const payload = {
        kind: 'message' as const,
        get bytes(): Hex {
          return answers.shift() ?? '0xbad0';
        },
      };
      const signature = await core.signBytes(
        await getApproval({ account: imported, payload }),
      );
      return { digest: digests.message, signature };
    },
  ],
  [
    'a value through a proxy',
    async ({ core, imported, getApproval }) => {
      const task = messageOf(imported);
      let reads = 0;
      const payload = new Proxy(task.payload, {
        get: (target, name) => {
          if (name !== 'bytes') return Reflect.get(target, name) as unknown;
          return (reads += 1) === 1 ? target.bytes : '0xbad0';
        },
      });
      const signature = await core.signBytes(
        await getApproval({ account: imported, payload }),
      );
      return { digest: digests.message, signature };
    },
  ],
  [
    'fields other than an open nonce',
    async ({ core, imported, getApproval }) => {
      const task = transferOf(imported, { nonce: 1n });
      const closing = { nonce: 8n, to: ATTACKER, value: 5n };
      const approval = await getApproval({ ...task, open: ['nonce'] });
      const { signature } = await core.signTransaction(approval, 0, closing);
      return { digest: digests.transfer, signature: toBytes65(signature) };
    },
  ],
];

describe('the payload', () => {
  it.each(exchanges)(
    'is signed as shown despite a change of %s',
    async (_name, exchange) => {
      const hostile = await setup();
      const { digest, signature, signer = hostile.imported } = await exchange(hostile);
      const address = await recoverAddress({ hash: digest, signature });
      expect(address.toLowerCase()).toBe(signer.owner);
      expect(hostile.shown.flat().every((task) => Object.isFrozen(task))).toBe(true);
    },
  );

  it('is hashed once if it is a document, and the shown hash is signed', async () => {
    const { core, imported, getApproval } = await setup();
    const hash = jest.spyOn(TypedDataUtils, 'hashStruct');
    const approval = await getApproval(documentOf(imported));
    // Once for the domain, and once for the message.
    expect(hash).toHaveBeenCalledTimes(2);
    hash.mockReturnValue(Buffer.alloc(32, 7));
    const signature = await core.signBytes(approval);
    hash.mockRestore();
    const address = await recoverAddress({ hash: digests.document, signature });
    expect(address.toLowerCase()).toBe(imported.owner);
  });
});

const fixedExchanges: Exchange[] = [
  [
    'tasks with their own copying method',
    async ({ app, core, imported, draw }) => {
      const task = { ...messageOf(imported), digest: digests.message };
      const tasks = Object.assign([task], { map: () => [task] });
      whileDialogOpen(app.edges, () => (task.payload.bytes = '0xbad0'));
      const answer = await core.requestApproval({
        takeSnapshot: () => ({ tasks, draw }),
      });
      const signature = await core.signBytes(answer?.approval as Approval);
      return { digest: digests.message, signature };
    },
  ],
  [
    "an authorization's signature before it enters the transaction",
    async ({ core, imported, getApproval }) => {
      const approval = await getApproval(...upgradeOf(imported));
      const signed = await core.signAuthorization(approval, 1);
      Reflect.set(signed, 'r', 1n);
      const { transaction } = await core.signTransaction(approval);
      const { authorizationList: [carried] = [] } = transaction as {
        authorizationList?: Authorization[];
      };
      return { digest: digests.delegation, signature: signatureIn(carried ?? signed) };
    },
  ],
  [
    'the function that draws the dialog',
    async ({ app, context, core, imported, getApproval }) => {
      const { create } = context.interfaces;
      Reflect.set(context.interfaces, 'create', async () =>
        create(drawButton({ number: 1 }, 'Other')),
      );
      const signature = await core.signBytes(await getApproval(messageOf(imported)));
      const isOther = JSON.stringify(app.edges.dialogs.shown).includes('Other');
      return { digest: isOther ? hashMessage('other') : digests.message, signature };
    },
  ],
];

describe('a hole in an earlier core', () => {
  it.each(fixedAttacks)('stays closed if a feature %s', async (_name, attack) => {
    const hostile = await setup();
    expect(await failureOf(() => attack(hostile))).toHaveProperty('code');
  });

  it.each(fixedExchanges)('does not allow a change of %s', async (_name, exchange) => {
    const hostile = await setup();
    const { digest, signature } = await exchange(hostile);
    const address = await recoverAddress({ hash: digest, signature });
    expect(address.toLowerCase()).toBe(hostile.imported.owner);
  });
});
