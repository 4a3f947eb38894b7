// In JSON, an object's keys can shadow methods such as toString, and calling a shadowed method
// throws a TypeError. Wherever a request contains such an object, the snap must answer or refuse
// the request, but never fail.
import type { Json } from '@metamask/utils';
import fc, { type Arbitrary } from 'fast-check';

import { contract, listExamples } from '../../dev/docs/contract';
import { ADDRESS, SMART_ADDRESS } from '../../dev/docs/samples';
import { requestsFor, submission } from '../../dev/wallet/keyring-requests';
import { methods } from '../../src/pipeline';
import { callersOf } from '../support/callers';
import { refusalOf } from '../support/refusal';
import { runs } from '../support/runs';
import {
  COMPANION,
  createAccount,
  createTestApp,
  DAPP,
  refuse,
} from '../support/test-app';
import type { TestApp } from '../support/test-app';
import { advanceTime } from '../support/test-edges';

type Call = {
  route: 'rpc' | 'keyring';
  origin: string;
  method: string;
  params: Json;
};

// JSON.parse makes `__proto__` an ordinary key.
const hostileValues = [
  '{"toString":1}',
  '{"toString":1,"valueOf":1}',
  '{"constructor":1}',
  '{"length":{"toString":1}}',
  '{"then":1,"toJSON":1,"hasOwnProperty":1}',
  '{"__proto__":{"toString":1}}',
  '[{"toString":1,"valueOf":1}]',
].map((text) => JSON.parse(text) as Json);

const keys = ['toString', 'valueOf', 'constructor', 'length', 'then', '__proto__', 'a'];

const hostile: Arbitrary<Json> = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom<Json>(1, null, true, '', '0x', 'toString'),
    fc.array(tie('value'), { maxLength: 2 }),
    fc.dictionary(fc.constantFrom(...keys), tie('value'), { noNullPrototype: true }),
  ),
})).value;

/** Creates accounts that a site may use, and a valid call of every method on every route. */
async function setup() {
  const app = createTestApp();
  app.edges.dialogs.answer = refuse;
  const eoa = await createAccount(app);
  const smart = await createAccount(app, { type: 'eip155:erc4337' });
  const toOwn = (params: Json): Json =>
    JSON.parse(
      JSON.stringify(params)
        .replaceAll(ADDRESS, eoa.address)
        .replaceAll(SMART_ADDRESS, smart.address),
    ) as Json;
  const examples = contract.methods.flatMap((method) =>
    listExamples(method).map(({ params }) => ({
      method: method.name,
      params: toOwn(params),
    })),
  );
  const signing = examples
    .filter(({ method }) => Object.hasOwn(methods, method))
    .flatMap(({ method, params }) =>
      [eoa, smart].map(({ id: account }) =>
        submission({ account, method, params, scope: 'eip155:1' }),
      ),
    );
  const managing = [eoa, smart].flatMap((account) =>
    Object.values(requestsFor(account)).map(({ request }) => request),
  );
  const callers = callersOf(app);
  return {
    app,
    calls: [
      ...[DAPP, COMPANION].flatMap((origin) =>
        examples.map((call) => ({ route: 'rpc', origin, ...call }) as const),
      ),
      ...[...managing, ...signing].map(
        ({ method, params = {} }) =>
          ({ route: 'keyring', origin: 'metamask', method, params }) as const,
      ),
    ],
    send: async ({ route, origin, method, params }: Call) => {
      // Resets rate limits and grants, so no call depends on earlier ones.
      advanceTime(app.edges, 60_000);
      await app.services.grants.set(DAPP, [eoa.id, smart.id]);
      return untilAnswered(app, callers[route](origin, method, params));
    },
  };
}

// Advances the clock, because some calls wait for servers that do not exist.
async function untilAnswered({ edges }: TestApp, sending: Promise<unknown>) {
  let isAnswered = false;
  void Promise.allSettled([sending]).then(() => (isAnswered = true));
  while (!isAnswered) {
    await new Promise((resolve) => setImmediate(resolve));
    advanceTime(edges, 10_000);
  }
  return sending;
}

/** Lists variants of params with a value in place of each part, or added to it. */
function spoil(params: Json, value: Json): Json[] {
  if (typeof params !== 'object' || params === null) return [value];
  const inside = Object.entries(params).flatMap(([key, part]) =>
    spoil(part, value).map((spoilt) => assign(params, { [key]: spoilt })),
  );
  const beside = Array.isArray(params) ? [...params, value] : assign(params, value);
  return [value, beside, ...inside];
}

// Plain assignment of a field named `__proto__` would set the prototype.
function assign(params: object, fields: Json): Json {
  const copy = structuredClone(params);
  for (const [key, value] of Object.entries(fields ?? {})) {
    const kind = { writable: true, enumerable: true, configurable: true };
    Object.defineProperty(copy, key, { value: value as Json, ...kind });
  }
  return copy as Json;
}

async function isInternal(sending: Promise<unknown>): Promise<boolean> {
  try {
    await sending;
    return false;
  } catch (error) {
    const { name, code } = error as { name: string; code: unknown };
    return name !== 'SnapError' || code === -32603;
  }
}

describe('an object that shadows methods', () => {
  it('causes no internal error, wherever it is', async () => {
    const { calls, send } = await setup();
    // `npm run test:all` tests all values, and `npm test` two of them.
    const { seed, numRuns } = runs(hostileValues.length);
    const values = hostileValues.filter(
      (_value, index) => (index + seed) % hostileValues.length < numRuns,
    );
    const failed: string[] = [];
    let count = 0;
    for (const call of calls) {
      for (const params of values.flatMap((value) => spoil(call.params, value))) {
        count += 1;
        if (await isInternal(send({ ...call, params }))) {
          failed.push(`${call.route} ${call.method} ${JSON.stringify(params)}`);
        }
      }
    }
    expect(failed).toStrictEqual([]);
    expect(count).toBeGreaterThan(1_000 * values.length);
  });

  it('causes no internal error in repeated calls, whatever its form and place', async () => {
    const { calls, send } = await setup();
    const property = fc.asyncProperty(
      fc.constantFrom(...calls),
      hostile,
      fc.nat(),
      async (call, value, place) => {
        const all = spoil(call.params, value);
        const params = all[place % all.length] ?? value;
        expect(await isInternal(send({ ...call, params }))).toBe(false);
        // The second call reads the state that the first one stored.
        expect(await isInternal(send({ ...call, params }))).toBe(false);
      },
    );
    await fc.assert(property, runs(500));
  });

  it('is refused as an entropy type by keyring_updateAccount', async () => {
    const app = createTestApp();
    const account = await createAccount(app);
    const options = { entropy: { type: { toString: 1 } } };
    const { keyring } = callersOf(app);
    const updating = keyring('metamask', 'keyring_updateAccount', {
      account: { ...account, options },
    });
    expect(await refusalOf(updating)).toStrictEqual({
      code: -32602,
      message: 'keyring_updateAccount must be in an accepted format.',
    });
  });

  it("is allowed in a paymaster's context, which can be set again", async () => {
    const { rpc } = callersOf(createTestApp());
    for (let times = 0; times < 2; times += 1) {
      const paymasterContext = { valueOf: 1, toString: 2 };
      const row = { chainId: '0x1', paymasterContext };
      const shown = await rpc(COMPANION, 'tollkeeper_setChain', [row]);
      expect(shown).toMatchObject({ paymasterContext });
    }
  });

  it('causes no internal error in insights into transactions and signatures', async () => {
    const { entry } = createTestApp();
    const transaction = { from: ADDRESS, to: ADDRESS, value: '0x1', data: '0x' };
    const signature = {
      from: ADDRESS,
      data: { types: {}, primaryType: 'A', domain: {}, message: {} },
      signatureMethod: 'eth_signTypedData_v4',
    };
    for (const value of hostileValues) {
      for (const spoilt of spoil(transaction, value)) {
        const event = { transaction: spoilt, chainId: 'eip155:1' } as never;
        expect(await isInternal(entry.onTransaction(event))).toBe(false);
      }
      for (const spoilt of spoil(signature, value)) {
        const event = { signature: spoilt, signatureOrigin: DAPP } as never;
        expect(await isInternal(entry.onSignature(event))).toBe(false);
      }
    }
  });
});
