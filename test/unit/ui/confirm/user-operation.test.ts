import type { JSXElement } from '@metamask/snaps-sdk/jsx';

import { encodeIntents } from '../../../../src/eth/account-calls';
import { entryPoints, entryPointVersions } from '../../../../src/eth/entry-point';
import type { EntryPointVersion } from '../../../../src/eth/entry-point';
import type { Hex } from '../../../../src/eth/hex';
import type { UserOperation } from '../../../../src/eth/user-operation';
import { UserOperationConfirmation } from '../../../../src/ui/confirm/user-operation';
import type { UserOperationView } from '../../../../src/ui/confirm/user-operation';
import type { TextKey } from '../../../../src/ui/i18n';
import {
  INTENT,
  OPERATION,
  PAYMASTER,
  SENDER,
  packPaymaster,
} from '../../../support/plain-operation';
import { TO } from '../../../support/transactions';
import {
  drawPage,
  textOf,
  textsOf,
  translate,
  warningsOf,
} from '../../../support/view';

const OTHER: Hex = '0x00000000000000000000000000000000000000bb';

const draw = (
  changes: Partial<UserOperation> = {},
  entryPoint: EntryPointVersion = '0.6',
  about: Partial<UserOperationView> = {},
): JSXElement =>
  drawPage(
    UserOperationConfirmation({
      translate,
      origin: 'https://dapp.example',
      chain: 'eip155:1',
      entryPoint,
      operation: { ...OPERATION, ...changes },
      alerts: [],
      ...about,
    }),
  );

/** Get what stands beside a label. */
function fieldOf(content: JSXElement, key: TextKey): string | undefined {
  const texts = textsOf(content);
  const index = texts.indexOf(textOf(key));
  return index < 0 ? undefined : texts[index + 1];
}

const coins = (amount: string): string => `${amount} ETH`;

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
      'Ethereum (eip155:1)',
      textOf('userOperation.call', { number: '1' }),
      TO,
      textOf('field.value'),
      coins('0.25'),
      textOf('field.meaning'),
      textOf('call.transfer'),
      textOf('field.function'),
      'transfer(address,uint256)',
      textOf('field.arguments'),
      textOf('arguments.unread'),
      textOf('data.call', { size: '4 B' }),
      '0xa9059cbb',
      textOf('field.paidBy'),
      textOf('self'),
      textOf('field.maxCost'),
      coins('0.0007'),
      textOf('field.callGas'),
      '100,000',
      textOf('field.verificationGas'),
      '200,000',
      textOf('field.preVerificationGas'),
      '50,000',
      textOf('field.maxFee'),
      textOf('unit.gwei', { amount: '2' }),
      textOf('field.priorityFee'),
      textOf('unit.gwei', { amount: '1' }),
      textOf('field.entryPoint'),
      '0.6',
      textOf('field.entryPointAddress'),
      entryPoints['0.6'].entryPoint,
      textOf('field.nonce'),
      '7',
      textOf('field.expiry'),
      textOf('expiry.none'),
    ]);
    expect(warningsOf(content)).toStrictEqual([]);
  });

  it.each(entryPointVersions)('shows each call of a batch of version %s', (version) => {
    const calls = [
      { ...INTENT, value: 0n },
      { to: OTHER, value: 0n, data: '0x' as Hex },
    ];
    const texts = textsOf(draw({ callData: encodeIntents(version, calls) }, version));
    for (const number of ['1', '2']) {
      expect(texts).toContain(textOf('userOperation.call', { number }));
    }
    expect(texts).toEqual(
      expect.arrayContaining([
        TO,
        OTHER,
        textOf('data.call', { size: '4 B' }),
        textOf('data.none'),
      ]),
    );
  });

  it.each([
    ['another function', '0xdeadbeef'],
    ['a call that is cut', encodeIntents('0.6', [INTENT]).slice(0, 60)],
    ['the batch of another version', encodeIntents('0.8', [INTENT, INTENT])],
    ['nothing', '0x'],
  ])('shows no call of what cannot be read: %s', (_what, callData) => {
    const content = draw({ callData: callData as Hex });
    expect(textsOf(content)).not.toContain(
      textOf('userOperation.call', { number: '1' }),
    );
  });

  it('tells that the account is deployed by it, and by which factory', () => {
    const deploying = draw({ initCode: `${OTHER}5fbfb9cf` });
    expect(fieldOf(deploying, 'field.deploys')).toBe(textOf('yes'));
    expect(fieldOf(deploying, 'field.factory')).toBe(OTHER);
    const cut = draw({ initCode: '0xabcd' });
    expect(fieldOf(cut, 'field.deploys')).toBe(textOf('yes'));
    expect(fieldOf(cut, 'field.factory')).toBeUndefined();
    expect(textsOf(draw())).not.toContain(textOf('field.deploys'));
  });

  it('names the paymaster, what it calls itself, and its gas', () => {
    const name = 'Sponsor\u202e\nof   all';
    const paymasterAndData = packPaymaster(PAYMASTER, 500_000n, 60_000n);
    const content = draw({ paymasterAndData }, '0.7', { sponsor: { name } });
    expect(fieldOf(content, 'field.paidBy')).toBe(PAYMASTER);
    expect(fieldOf(content, 'field.sponsor')).toBe('Sponsor\\u{202e} of all');
    expect(fieldOf(content, 'field.paymasterVerificationGas')).toBe('500,000');
    expect(fieldOf(content, 'field.paymasterPostOpGas')).toBe('60,000');
    expect(fieldOf(content, 'field.maxCost')).toBe(coins('0.00182'));
    expect(textsOf(draw())).not.toContain(textOf('field.sponsor'));
  });

  it('names no payer for bytes that are no paymaster', () => {
    const content = draw({ paymasterAndData: '0xabcd' });
    const length = '2';
    expect(fieldOf(content, 'field.paidBy')).toBe(
      textOf('payer.malformed', { length }),
    );
  });

  it('has the title of what is done with it', () => {
    const content = draw({}, '0.6', { title: 'userOperation.send' });
    expect(textsOf(content)[0]).toBe(textOf('userOperation.send'));
  });

  it('shows all of it as it is signed', () => {
    const texts = textsOf(draw());
    const raw = texts[texts.indexOf(textOf('raw.title')) + 1] ?? '';
    expect(JSON.parse(raw)).toStrictEqual({
      sender: SENDER,
      nonce: '0x7',
      initCode: '0x',
      callData: OPERATION.callData,
      callGasLimit: '0x186a0',
      verificationGasLimit: '0x30d40',
      preVerificationGas: '0xc350',
      maxFeePerGas: '0x77359400',
      maxPriorityFeePerGas: '0x3b9aca00',
      paymasterAndData: '0x',
      signature: '0x',
    });
  });

  it('shows a long call whole, without a warning', () => {
    const data: Hex = `0x${'ab'.repeat(40_000)}`;
    const content = draw({ callData: encodeIntents('0.6', [{ ...INTENT, data }]) });
    expect(warningsOf(content)).toStrictEqual([]);
    expect(textsOf(content)).toContain(data);
  });
});
