// What the market of fees is told in: its levels, where it is heading, and who says so.
import type { LevelName, StoredLevels } from '../state/public-state';
import type { TextKey, Translate } from './i18n';

/** What each level is called, the cheapest first. */
export const levelKeys = {
  low: 'level.low',
  medium: 'level.medium',
  high: 'level.high',
} as const satisfies Record<LevelName, TextKey>;

/** What the modes of approval are called. */
export const modeKeys = {
  synchronous: 'settings.atOnce',
  asynchronous: 'settings.later',
} as const satisfies Record<string, TextKey>;

/** Where fees came from, and what was passed over for it. */
export type ShownSource = {
  source: StoredLevels['source'];
  passedOver?: StoredLevels['passedOver'] | undefined;
};

const sourceKeys: Record<StoredLevels['source'], TextKey> = {
  'gas-api': 'source.gasApi',
  'rollup-estimate': 'source.rollup',
  'fee-history': 'source.feeHistory',
  'gas-price': 'source.gasPrice',
};

/** Writes where fees came from. */
export function writeSource(
  { source, passedOver }: ShownSource,
  translate: Translate,
): string {
  const text = translate(sourceKeys[source]);
  return passedOver ? translate('source.passedOver', { source: text }) : text;
}

/** Where fees are heading. */
export const trendKeys = {
  up: 'trend.up',
  down: 'trend.down',
} as const satisfies Record<string, TextKey>;

/** Where fees are heading. */
export type Trend = keyof typeof trendKeys;
