/**
 * Tollkeeper's provider over a scripted wallet, for the tests of dapps.
 *
 * @module testing
 */
export { installMockProvider } from './page';
export type { MockPage } from './page';
export { createMockProvider } from './provider';
export type { MockOptions, MockProvider } from './provider';
export type { MockChain } from './chain';
export type { MockAnswer, MockQuestion, MockUser } from './user';
