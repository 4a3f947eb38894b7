// What the market of fees is told in: its levels, where it is heading, and who says so.
import type { StoredLevels } from '../state/public-state';
import type { TextKey } from './i18n';

/** What each level is called, the cheapest first. */
export const levelKeys = {
  low: 'level.low',
  medium: 'level.medium',
  high: 'level.high',
} as const satisfies Record<string, TextKey>;

/** Name of a level. */
export type LevelName = keyof typeof levelKeys;

/** Where fees came from. */
export const sourceKeys: Record<StoredLevels['source'], TextKey> = {
  'gas-api': 'source.gasApi',
  'rollup-estimate': 'source.rollup',
  'fee-history': 'source.feeHistory',
  'gas-price': 'source.gasPrice',
};

/** Where fees are heading. */
export const trendKeys = {
  up: 'trend.up',
  down: 'trend.down',
} as const satisfies Record<string, TextKey>;

/** Where fees are heading. */
export type Trend = keyof typeof trendKeys;
