import type { JSXElement } from '@metamask/snaps-sdk/jsx';

import { encodeIntents } from '../../../../src/eth/account-calls';
import type { Intent } from '../../../../src/eth/account-calls';
import { entryPointVersions } from '../../../../src/eth/entry-point';
import type { EntryPointVersion } from '../../../../src/eth/entry-point';
import type { Hex } from '../../../../src/eth/hex';
import type { UserOperation } from '../../../../src/eth/user-operation';
import { UserOperationConfirmation } from '../../../../src/ui/confirm/user-operation';
import { TO } from '../../../support/transactions';
import { textOf, textsOf, translate, warningsOf } from '../../../support/view';

const SENDER = '0x00000000000000000000000000000000005a57a1';
const PAYMASTER = '0x00000000000000000000000000000000000000aa';
const OTHER: Hex = '0x00000000000000000000000000000000000000bb';

const intent: Intent = { to: TO, value: 250_000_000_000_000_000n, data: '0xa9059cbb' };

const operation: UserOperation = {
  sender: SENDER,
  nonce: 7n,
  initCode: '0x',
  callData: encodeIntents('0.6', [intent]),
  callGasLimit: 100_000n,
  verificationGasLimit: 200_000n,
  preVerificationGas: 50_000n,
  maxFeePerGas: 2_000_000_000n,
  maxPriorityFeePerGas: 1_000_000_000n,
  paymasterAndData: '0x',
  signature: '0x',
};

const draw = (
  changes: Partial<UserOperation> = {},
  entryPoint: EntryPointVersion = '0.6',
): JSXElement =>
  UserOperationConfirmation({
    translate,
    origin: 'https://dapp.example',
    chain: 'eip155:1',
    entryPoint,
    operation: { ...operation, ...changes },
  });

const coins = (amount: string): string => textOf('unit.coin', { amount });

describe('the confirmation of a user operation', () => {
  it('shows who asks, the call it makes, who pays and what it costs at most', () => {
    const content = draw();
    expect(textsOf(content).slice(0, -4)).toStrictEqual([
      textOf('userOperation.title'),
      textOf('field.origin'),
      'https://dapp.example',
      textOf('field.account'),
      SENDER,
      textOf('field.chain'),
      'eip155:1',
      textOf('userOperation.call', { number: '1' }),
      TO,
      textOf('field.value'),
      coins('0.25'),
      textOf('field.callData'),
      '4 B',
      textOf('field.paidBy'),
      textOf('self'),
      textOf('field.maxCost'),
      coins('0.0007'),
      textOf('field.entryPoint'),
      '0.6',
      textOf('field.nonce'),
      '7',
    ]);
    expect(warningsOf(content)).toStrictEqual([]);
  });

  it.each(entryPointVersions)('shows each call of a batch of version %s', (version) => {
    const calls = [
      { ...intent, value: 0n },
      { to: OTHER, value: 0n, data: '0x' as Hex },
    ];
    const texts = textsOf(draw({ callData: encodeIntents(version, calls) }, version));
    for (const number of ['1', '2']) {
      expect(texts).toContain(textOf('userOperation.call', { number }));
    }
    expect(texts).toEqual(expect.arrayContaining([TO, OTHER, '4 B', '0 B']));
  });

  it.each([
    ['another function', '0xdeadbeef'],
    ['a call that is cut', encodeIntents('0.6', [intent]).slice(0, 60)],
    ['the batch of another version', encodeIntents('0.8', [intent, intent])],
    ['nothing', '0x'],
  ])('warns that it cannot be read: %s', (_what, callData) => {
    const content = draw({ callData: callData as Hex });
    expect(warningsOf(content)).toStrictEqual([textOf('userOperation.opaque')]);
    expect(textsOf(content)).not.toContain(
      textOf('userOperation.call', { number: '1' }),
    );
  });

  it('tells that the account is deployed by it', () => {
    const deploying = textsOf(draw({ initCode: `${OTHER}5fbfb9cf` }));
    expect(deploying[deploying.indexOf(textOf('field.deploys')) + 1]).toBe(
      textOf('yes'),
    );
    expect(textsOf(draw())).not.toContain(textOf('field.deploys'));
  });

  it('names the paymaster', () => {
    const texts = textsOf(draw({ paymasterAndData: `${PAYMASTER}00ff` }));
    expect(texts[texts.indexOf(textOf('field.paidBy')) + 1]).toBe(PAYMASTER);
  });

  it('shows all of it as it is signed', () => {
    const texts = textsOf(draw());
    const raw = texts[texts.indexOf(textOf('raw.title')) + 1] ?? '';
    expect(JSON.parse(raw)).toStrictEqual({
      sender: SENDER,
      nonce: '0x7',
      initCode: '0x',
      callData: operation.callData,
      callGasLimit: '0x186a0',
      verificationGasLimit: '0x30d40',
      preVerificationGas: '0xc350',
      maxFeePerGas: '0x77359400',
      maxPriorityFeePerGas: '0x3b9aca00',
      paymasterAndData: '0x',
      signature: '0x',
    });
  });

  it('caps long call data and warns', () => {
    const data: Hex = `0x${'ab'.repeat(100_000)}`;
    const content = draw({ callData: encodeIntents('0.6', [{ ...intent, data }]) });
    expect(warningsOf(content)).toHaveLength(1);
    expect(textsOf(content).join('').length).toBeLessThan(15_000);
  });
});
