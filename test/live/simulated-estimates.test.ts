// Gas limits that we find without a bundler: the real EntryPoints carry out with them what
// they were found for, and pay whoever brought it all the gas that it took.
import { concat, pad, parseEther, stringToHex } from 'viem';
import type { Hex } from 'viem';
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts';

import { startChainStack } from '../../dev/stack/stack';
import type { ChainStack } from '../../dev/stack/stack';
import type { Intent } from '../../src/eth/account-calls';
import { entryPointVersions } from '../../src/eth/entry-point';
import type { UserOperation } from '../../src/eth/user-operation';
import { send } from '../fixtures/stack/requests';
import {
  carryOut,
  createLiveAccount,
  fillBySimulation,
} from '../support/live-operations';
import type { LiveAccount } from '../support/live-operations';

let stack: ChainStack;

beforeAll(async () => {
  stack = await startChainStack();
});
afterAll(async () => {
  await stack?.stop();
});

/** To an address that nobody has used, which costs most. */
const transfer = (value: bigint): Intent => ({
  to: privateKeyToAddress(generatePrivateKey()),
  value,
  data: '0x',
});

/** Makes a contract of a thousand bytes; other bytes, another address. */
const createContract = (bytes: Hex): Intent => ({
  to: null,
  value: 0n,
  data: concat([
    '0x6103e880600b6000396000f3',
    pad(bytes, { dir: 'right', size: 1_000 }),
  ]),
});

describe.each(entryPointVersions)('limits found by simulation for %s', (version) => {
  let account: LiveAccount;

  beforeAll(async () => {
    account = createLiveAccount(version);
    await send(stack, { to: account.record.address, value: parseEther('5') });
  });

  const batchValue = version === '0.6' ? 0n : 1n;
  const cases: [string, Intent[]][] = [
    ['the first, which deploys the account', [transfer(1n)]],
    ['a second one', [transfer(2n)]],
    ['a batch of three', [batchValue, batchValue, batchValue].map(transfer)],
    ['a contract creation', [createContract(stringToHex(version))]],
  ];

  it.each(cases)('suffice for %s, and pay for it', async (_name, intents) => {
    const operation = await fillBySimulation(account, intents, stack);
    const { success, paidGas, usedGas } = await carryOut(operation, account, stack);
    expect(success).toBe(true);
    expect(paidGas).toBeGreaterThanOrEqual(usedGas);
  });

  const tenthOf = (
    operation: UserOperation,
    limit: keyof UserOperation,
  ): UserOperation => ({
    ...operation,
    [limit]: BigInt(operation[limit]) / 10n,
  });

  it('would not suffice if they were a tenth', async () => {
    const operation = await fillBySimulation(account, [transfer(3n)], stack);
    const unverified = tenthOf(operation, 'verificationGasLimit');
    await expect(carryOut(unverified, account, stack)).rejects.toThrow(/AA\d\d/u);
    const unpaid = tenthOf(operation, 'preVerificationGas');
    const { paidGas, usedGas } = await carryOut(unpaid, account, stack);
    expect(paidGas).toBeLessThan(usedGas);
    const next = await fillBySimulation(account, [transfer(3n)], stack);
    const failing = tenthOf(next, 'callGasLimit');
    expect(await carryOut(failing, account, stack)).toHaveProperty('success', false);
  });
});
