// What people read for the states, levels and modes that the code has names for.
import type { Implementation } from '../eth/delegation';
import type { StoredLevels } from '../state/public-state';
import type { TextKey, Translate } from './i18n';

export const levelNames = ['low', 'medium', 'high'] as const;

export type LevelName = (typeof levelNames)[number];

export const levelKeys = {
  low: 'level.low',
  medium: 'level.medium',
  high: 'level.high',
} as const satisfies Record<LevelName, TextKey>;

/** How MetaMask's signing requests are approved. */
export const modeKeys = {
  synchronous: 'settings.atOnce',
  asynchronous: 'settings.later',
} as const satisfies Record<string, TextKey>;

/** Where fees came from, and the source that was not used. */
export type ShownSource = {
  source: StoredLevels['source'];
  passedOver?: StoredLevels['passedOver'] | undefined;
};

const sourceKeys: Record<StoredLevels['source'], TextKey> = {
  'gas-api': 'source.gasApi',
  'rollup-estimate': 'source.rollup',
  'fee-history': 'source.feeHistory',
  'base-fee': 'source.baseFee',
  'gas-price': 'source.gasPrice',
};

export function writeSource(
  { source, passedOver }: ShownSource,
  translate: Translate,
): string {
  const text = translate(sourceKeys[source]);
  return passedOver ? translate('source.passedOver', { source: text }) : text;
}

/** Writes which contract an account delegates to, by our table. */
export function writeImplementation(
  implementation: Implementation | undefined,
  translate: Translate,
): string {
  if (!implementation) return translate('delegation.foreign');
  const { name, entryPoint: version } = implementation;
  return translate('delegation.contract', { name, version });
}

/** Final states of a sent transaction or operation. */
export const stateKeys = {
  pending: 'sent.pending',
  included: 'sent.included',
  failed: 'sent.failed',
  replaced: 'sent.replaced',
  dropped: 'sent.dropped',
  unknown: 'sent.unknown',
} as const satisfies Record<string, TextKey>;

export type SentState = keyof typeof stateKeys;
