/**
 * Tollkeeper itself for tests of dapps: the snap without MetaMask, with keys in memory.
 *
 * @module testing
 */
export type { Effect } from '../../../src/review/effects';
export type { TestChain } from './networks';
export type { Decide, Decision, Finding, Review } from './review';
export { createTollkeeper, testKeys } from './tollkeeper';
export type {
  TestAccount,
  TestAccountOptions,
  TestTollkeeper,
  TollkeeperOptions,
} from './tollkeeper';
