// The stack's paymaster service (ERC-7677) beside its bundler, with viem alone.
import { createTestClient, http, size } from 'viem';

import { callRpc } from '../../dev/stack/server';
import { type DevStack, startDevStack } from '../../dev/stack/stack';
import { type BundlerUser, useBundler } from '../fixtures/stack/bundler';
import {
  draftWithLimits,
  fieldNames,
  fieldsOf,
  type PaymasterUser,
  steps,
  usePaymaster,
} from '../fixtures/stack/paymaster';
import { createAccount } from '../fixtures/stack/simple-account';
import {
  ampleLimits,
  draftOperation,
  signOperation,
  type WireOperation,
} from '../fixtures/stack/wire-operation';
import { without } from '../support/without';

const all = ['0.6', '0.7', '0.8', '0.9'] as const;
const sponsor = { name: 'Tollkeeper development paymaster' };

let stack: DevStack;
let bundler: BundlerUser;
let paymaster: PaymasterUser;

beforeAll(async () => {
  stack = await startDevStack();
  bundler = useBundler(stack);
  paymaster = usePaymaster(stack);
});
afterAll(async () => {
  await stack?.stop();
});

describe.each(all)('the paymaster of %s', (version) => {
  it('pays for two operations of an account without money', async () => {
    const account = await paymaster.createPoor(version);
    for (const nonce of ['0x0', '0x1']) {
      const draft = await draftOperation(account);
      const stub = await paymaster.ask('stub', account, {
        operation: without(draft, 'signature'),
      });
      expect(stub.result).toMatchObject({ sponsor, isFinal: false });
      const withStub = { ...draft, ...fieldsOf(stub) };
      const estimate = await bundler.estimate(version, withStub);
      const limits =
        version === '0.6' ? ampleLimits : (estimate.result as WireOperation);
      expect(estimate).toHaveProperty('result.preVerificationGas');
      const operation = { ...withStub, ...limits };
      const data = await paymaster.ask('data', account, { operation });
      const names = version === '0.6' ? ['paymasterAndData'] : fieldNames;
      expect(Object.keys(data.result as object)).toStrictEqual(names);
      const signed = await signOperation(account, { ...operation, ...fieldsOf(data) });
      expect(await bundler.send(version, signed.operation)).toStrictEqual({
        result: signed.hash,
      });
      expect(await bundler.waitForReceipt(signed.hash)).toMatchObject({
        nonce,
        success: true,
      });
    }
  });

  it('has a stub as long as its data', async () => {
    const account = await createAccount(stack, version);
    const operation = await draftWithLimits(account);
    const name = version === '0.6' ? 'paymasterAndData' : 'paymasterData';
    const [stub, data] = await Promise.all(
      (['stub', 'data'] as const).map(async (step) =>
        fieldsOf(await paymaster.ask(step, account, { operation })),
      ),
    );
    expect(size(stub?.[name] ?? '0x')).toBe(size(data?.[name] ?? '0x'));
    expect(stub?.[name]).not.toBe(data?.[name]);
  });

  it('refuses what it cannot pay for', async () => {
    const account = await createAccount(stack, version);
    const operation = await draftWithLimits(account);
    const { entryPoint } = stack.contracts[version];
    const coloured = { ...operation, colour: '0x' };
    const unlimited = without(operation, 'callGasLimit');
    const rows: [unknown[], string][] = [
      [[operation, entryPoint, '0x1'], 'The chain 0x1 is not sponsored; 0x7a69 is.'],
      [
        [operation, account.address, '0x7a69'],
        `There is no paymaster for the EntryPoint ${account.address}.`,
      ],
      [
        [operation],
        'An operation, an EntryPoint, a chain id and a context are expected.',
      ],
      [[operation, entryPoint, '0x7a69', 7], 'The context must be an object.'],
      [
        [coloured, entryPoint, '0x7a69'],
        'colour is not a field of this user operation.',
      ],
      [[unlimited, entryPoint, '0x7a69'], 'callGasLimit is missing.'],
      [
        [operation, entryPoint, '0x7a69', { fault: 'none' }],
        'There is no fault "none".',
      ],
    ];
    for (const [params, message] of rows) {
      expect(await callRpc(stack.paymaster.url, steps.data, params)).toStrictEqual({
        error: { code: -32602, message },
      });
    }
  });
});

it('keeps the gas limits of the paymaster that the wallet chose', async () => {
  const account = await paymaster.createPoor('0.8');
  const chosen = {
    paymasterVerificationGasLimit: '0x11170',
    paymasterPostOpGasLimit: '0x0',
  } as const;
  const { verifyingPaymaster } = stack.contracts['0.8'];
  const operation = {
    ...(await draftOperation(account)),
    ...ampleLimits,
    paymaster: verifyingPaymaster,
    paymasterData: '0x' as const,
    ...chosen,
  };
  const data = fieldsOf(await paymaster.ask('data', account, { operation }));
  expect(data).toMatchObject(chosen);
  const signed = await signOperation(account, { ...operation, ...data });
  expect(await bundler.send('0.8', signed.operation)).toStrictEqual({
    result: signed.hash,
  });
});

it('knows its two methods alone', async () => {
  expect(await callRpc(stack.paymaster.url, 'eth_chainId', [])).toStrictEqual({
    error: { code: -32601, message: 'The method eth_chainId is not served.' },
  });
});

// Last: the clock does not go back.
it.each(['0.7', '0.8', '0.9'] as const)('pays for an hour: %s', async (version) => {
  const account = await paymaster.createPoor(version);
  const { operation } = await paymaster.sponsor(account);
  const client = createTestClient({ mode: 'anvil', transport: http(stack.chain.url) });
  await client.increaseTime({ seconds: 3_700 });
  await client.mine({ blocks: 1 });
  expect(await bundler.send(version, operation)).toStrictEqual({
    error: { code: -32503, message: 'AA32 paymaster expired or not due' },
  });
});
