// What the stack's paymaster service does wrong on demand, and what bundlers say to it.

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
import { draftOperation } from '../fixtures/stack/wire-operation';

const all = ['0.6', '0.7', '0.8', '0.9'] as const;

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

describe.each(all)('a fault of the paymaster of %s', (version) => {
  it('refuses on demand, at one call or at both', async () => {
    const account = await createAccount(stack, version);
    const operation = await draftWithLimits(account);
    const refused = { error: { code: -32002, message: expect.any(String) as string } };
    for (const step of ['stub', 'data'] as const) {
      const both = { operation, context: { fault: 'refuse' } };
      expect(await paymaster.ask(step, account, both)).toStrictEqual(refused);
      const late = { operation, context: { fault: 'refuse', at: 'data' } };
      const answer = await paymaster.ask(step, account, late);
      expect('error' in answer).toBe(step === 'data');
    }
  });

  it('signs for another sender on demand, which the EntryPoint notices', async () => {
    const account = await paymaster.createPoor(version);
    const { operation } = await paymaster.sponsor(account, { fault: 'otherSender' });
    const { error } = await bundler.send(version, operation);
    // AA34; the bundler for 0.6 has other words.
    expect(error?.code).toBe(-32507);
  });

  it('gives data of a wrong length on demand, which reverts', async () => {
    const account = await paymaster.createPoor(version);
    const { operation } = await paymaster.sponsor(account, { fault: 'wrongLength' });
    const { error } = await bundler.send(version, operation);
    expect(error?.message).toMatch(/AA33/u);
  });

  it('answers in the form of another EntryPoint on demand', async () => {
    const account = await createAccount(stack, version);
    const operation = await draftWithLimits(account);
    const context = { fault: 'wrongEntryPoint' };
    const names = version === '0.6' ? fieldNames : ['paymasterAndData'];
    for (const step of ['stub', 'data'] as const) {
      const fields = fieldsOf(
        await paymaster.ask(step, account, { operation, context }),
      );
      expect(Object.keys(fields)).toStrictEqual(names);
    }
  });

  it('answers with nothing on demand', async () => {
    const account = await createAccount(stack, version);
    const operation = await draftWithLimits(account);
    const name = version === '0.6' ? 'paymasterAndData' : 'paymasterData';
    const context = { fault: 'empty' };
    const fields = fieldsOf(
      await paymaster.ask('data', account, { operation, context }),
    );
    expect(fields[name]).toBe('0x');
  });

  it('raises the gas limits on demand, and signs that', async () => {
    const account = await paymaster.createPoor(version);
    const context = { fault: 'changeGas' };
    const { operation, hash } = await paymaster.sponsor(account, context);
    expect(operation).toMatchObject({
      callGasLimit: '0x30d40',
      verificationGasLimit: '0x1e8480',
      preVerificationGas: '0x13880',
    });
    expect(await bundler.send(version, operation)).toStrictEqual({ result: hash });
    expect(await bundler.waitForReceipt(hash)).toMatchObject({ success: true });
  });
});

it('never answers on demand', async () => {
  const account = await createAccount(stack, '0.7');
  const operation = await draftOperation(account);
  const params = [
    operation,
    stack.contracts['0.7'].entryPoint,
    '0x7a69',
    { fault: 'hang' },
  ];
  const request = fetch(stack.paymaster.url, {
    method: 'POST',
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: steps.stub, params }),
    signal: AbortSignal.timeout(300),
  });
  await expect(request).rejects.toThrow('aborted due to timeout');
});
