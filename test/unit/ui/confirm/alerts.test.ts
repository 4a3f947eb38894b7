import { writeAlert } from '../../../../src/ui/confirm/alerts';
import { textOf, translate } from '../../../support/view';

const HASH = `0x${'ab'.repeat(32)}` as const;

const gwei = (amount: string): string => textOf('unit.gwei', { amount });
const coins = (amount: string): string => textOf('unit.coin', { amount });

const rows: [Parameters<typeof writeAlert>[0], string][] = [
  [
    { kind: 'fee', fee: 4_000_000_000n, high: 1_000_000_000n },
    textOf('alert.fee', { fee: gwei('4'), high: gwei('1') }),
  ],
  [
    { kind: 'balance', cost: 10n ** 18n, balance: 0n },
    textOf('alert.balance', { cost: coins('1'), balance: coins('0') }),
  ],
  [{ kind: 'unchecked' }, textOf('alert.unchecked')],
  [{ kind: 'upgrade', calls: [2] }, textOf('alert.upgrade', { calls: '2' })],
  [{ kind: 'ownCall', calls: [1, 3] }, textOf('alert.ownCall', { calls: '1, 3' })],
  [
    { kind: 'burn', calls: [1], value: 10n ** 17n },
    textOf('alert.burn', { calls: '1', value: coins('0.1') }),
  ],
  [{ kind: 'paymaster' }, textOf('alert.paymaster')],
  [
    { kind: 'priority', priority: 3_000_000_000n, fee: 2_000_000_000n },
    textOf('alert.priority', { priority: gwei('3'), fee: gwei('2') }),
  ],
  [
    { kind: 'gasLimit', field: 'callGasLimit', gas: 9n, bound: 8n },
    textOf('alert.gasLimit', { field: textOf('field.callGas'), gas: '9', bound: '8' }),
  ],
  [
    { kind: 'gasEstimate', field: 'callGasLimit', gas: 9n, estimate: 4n },
    textOf('alert.gasEstimate', {
      field: textOf('field.callGas'),
      gas: '9',
      estimate: '4',
    }),
  ],
  [
    { kind: 'preVerificationGas', gas: 9n, estimate: 4n },
    textOf('alert.preVerificationGas', { gas: '9', estimate: '4' }),
  ],
  [
    { kind: 'willFail', reason: 'no\u202e' },
    textOf('alert.willFail', { reason: 'no\\u{202e}' }),
  ],
  [{ kind: 'mayFail', reason: 'no' }, textOf('alert.mayFail', { reason: 'no' })],
  [{ kind: 'replay', hash: HASH }, textOf('alert.replay', { hash: HASH })],
  [{ kind: 'deployed' }, textOf('alert.deployed')],
  [{ kind: 'undeployed' }, textOf('alert.undeployed')],
  [{ kind: 'factory' }, textOf('alert.factory')],
];

describe('alerts', () => {
  it.each(rows)('are written: %p', (alert, text) => {
    expect(writeAlert(alert, translate).text).toBe(text);
  });

  it('show what a paymaster said without its tricks', () => {
    const reason = `No\nmore\u202e. ${'x'.repeat(1_000)}`;
    expect(writeAlert({ kind: 'sponsor', reason }, translate).text).toBe(
      textOf('alert.sponsor', { reason: `No more\\u{202e}. ${'x'.repeat(183)}…` }),
    );
  });

  it('name no more calls than a line takes', () => {
    const calls = Array.from({ length: 10_000 }, (_, index) => index);
    expect(writeAlert({ kind: 'ownCall', calls }, translate).text.length).toBeLessThan(
      400,
    );
  });
});
