// The tree of effects: its actors, the addresses in it, and facts that the chain adds.
import type { Hex } from 'viem';

import {
  addFacts,
  listActingAccounts,
  listAddresses,
} from '../../../src/review/effects';
import { readCall } from '../../../src/review/read';
import { callOf, dataOf, transactionOf } from '../../fixtures/trust/call';
import { ACCOUNT, STRANGER, USDC } from '../../fixtures/trust/document';

const SAFE: Hex = '0x00000000000000000000000000000000000005af';
const SPENDER: Hex = '0x00000000000000000000000000000000000000bb';

const TOKEN = USDC.toLowerCase() as Hex;

const toLower = (address: string): string => address.toLowerCase();

const approve = (amount: bigint): Hex =>
  dataOf('approve(address,uint256)', SPENDER, amount);

const ofToken = (data: Hex) => readCall(transactionOf({ to: TOKEN, data }));

const bySafe = (data: Hex) =>
  readCall(callOf(SAFE, 'execute(address,uint256,bytes)', TOKEN, 0n, data));

const facts = {
  signer: ACCOUNT as Hex,
  balances: new Map([[TOKEN, 7n]]),
  upgradeable: [],
  codeless: [],
  divisible: [TOKEN],
};

it("adds a balance to the signer's allowance, and to no other", () => {
  const own = addFacts(ofToken(approve(5n)), facts);
  expect(own.inside).toMatchObject([{ amount: 5n, balance: 7n }]);
  const [others] = addFacts(bySafe(approve(5n)), facts).inside;
  expect(others).toHaveProperty('inside.0.amount', 5n);
  expect(others).not.toHaveProperty('inside.0.balance');
});

it('treats only an allowance of zero as a revocation', () => {
  const isRevocation = (data: Hex): boolean =>
    addFacts(ofToken(data), facts).isRevocation ?? false;
  expect(isRevocation(approve(0n))).toBe(true);
  expect(isRevocation(approve(1n))).toBe(false);
  expect(isRevocation(dataOf('deposit()'))).toBe(false);
});

it('lists the signer, makers of inner calls, and owners of moved assets as actors', () => {
  const signature = 'transferFrom(address,address,uint256)';
  const moving = ofToken(dataOf(signature, STRANGER, ACCOUNT, 1n));
  const actors = listActingAccounts(ACCOUNT, [moving, bySafe('0x12345678')]);
  expect(actors.map(toLower)).toStrictEqual([ACCOUNT, STRANGER, SAFE].map(toLower));
});

it('lists recipients, address arguments, and spenders in truncated arguments', () => {
  // Old contracts read missing bytes as zeros.
  const truncated = approve(0x500n).slice(0, -2) as Hex;
  const transfer = dataOf('transfer(address,uint256)', STRANGER, 1n);
  const effects = [ofToken(truncated), bySafe(transfer)];
  const found = listAddresses(effects).map(toLower);
  for (const each of [TOKEN, SPENDER, SAFE, STRANGER].map(toLower)) {
    expect(found).toContain(each);
  }
});
