import type { JSXElement } from '@metamask/snaps-sdk/jsx';

import type { OperationAlert } from '../../../../src/eth/alerts';
import type { EntryPointVersion } from '../../../../src/eth/entry-point';
import type { Hex } from '../../../../src/eth/hex';
import type { UserOperation } from '../../../../src/eth/user-operation';
import { UserOperationConfirmation } from '../../../../src/ui/confirm/user-operation';
import type { UserOperationView } from '../../../../src/ui/confirm/user-operation';
import type { TextKey } from '../../../../src/ui/i18n';
import { OPERATION } from '../../../support/plain-operation';
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

describe('the alerts of a user operation', () => {
  it('writes its alerts before anything else', () => {
    const alerts: OperationAlert[] = [
      { kind: 'ownCall', calls: [1, 3] },
      { kind: 'opaque' },
      { kind: 'paymaster' },
    ];
    const content = draw({ callData: '0xdeadbeef' }, '0.6', { alerts });
    expect(warningsOf(content)).toStrictEqual([
      textOf('alert.ownCall', { calls: '1, 3' }),
      textOf('alert.opaque'),
      textOf('alert.paymaster'),
    ]);
    expect(textsOf(content).slice(0, 3)).toStrictEqual([
      textOf('userOperation.title'),
      textOf('danger.title'),
      textOf('alert.ownCall', { calls: '1, 3' }),
    ]);
  });

  it('writes what its calls do with their numbers, the same once', () => {
    const kind = 'call';
    const operator = { kind: 'operator', operator: OTHER } as const;
    const alerts: OperationAlert[] = [
      { kind, number: 1, alert: { kind: 'ownData' } },
      { kind, number: 2, alert: operator },
      { kind, number: 21, alert: operator },
    ];
    const about = (number: string, text: string): string =>
      textOf('userOperation.about', { number, text });
    expect(warningsOf(draw({}, '0.6', { alerts }))).toStrictEqual([
      about('2, 21', textOf('alert.operator', { operator: OTHER })),
      about('1', textOf('alert.ownData')),
    ]);
  });

  it('keeps the worst of many alerts, and counts the others', () => {
    const alerts: OperationAlert[] = Array.from({ length: 40 }, (_, index) => ({
      kind: 'call',
      number: index + 1,
      alert: { kind: 'nobody', value: BigInt(index + 1) },
    }));
    const warnings = warningsOf(draw({}, '0.6', { alerts }));
    expect(warnings).toHaveLength(16);
    expect(warnings.at(-1)).toBe(textOf('alert.more', { count: '25' }));
  });

  it('says that the account pays since its paymaster does not', () => {
    const alerts: OperationAlert[] = [{ kind: 'sponsor', reason: 'Empty.' }];
    const content = draw({}, '0.6', { alerts });
    expect(fieldOf(content, 'field.paidBy')).toBe(textOf('payer.fallback'));
    expect(warningsOf(content)).toStrictEqual([
      textOf('alert.sponsor', { reason: 'Empty.' }),
    ]);
  });
});
