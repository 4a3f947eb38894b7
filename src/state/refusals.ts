// How often in a row a site's dialogs were refused. Kept, since a site that waits until the
// snap is stopped, after half a minute, must not begin anew.
import { object } from '@metamask/superstruct';
import type { Infer } from '@metamask/superstruct';

import { integerBetween } from '../structs';

/** Most that are counted of a row; from there on the cool-down grows no more. */
export const MAX_COUNTED = 10;

/** Dialogs of an origin that ended without a yes, one after another. */
export const RefusalsStruct = object({
  count: integerBetween(1, MAX_COUNTED),
  /** When the last of them ended, in ms since 1970. */
  last: integerBetween(0, Number.MAX_SAFE_INTEGER),
});

/** Dialogs of an origin that ended without a yes, one after another. */
export type Refusals = Infer<typeof RefusalsStruct>;
