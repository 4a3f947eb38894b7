// Where fees came from, in words.
import type { StoredLevels } from '../state/public-state';
import type { TextKey } from './i18n';

/** What each source is called. */
export const sourceKeys: Record<StoredLevels['source'], TextKey> = {
  'gas-api': 'source.gasApi',
  'rollup-estimate': 'source.rollup',
  'fee-history': 'source.feeHistory',
  'gas-price': 'source.gasPrice',
};
