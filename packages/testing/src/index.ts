// For tests of dapps: Tollkeeper's provider over a wallet that is a script.
export { installMockProvider } from './page';
export type { MockPage } from './page';
export { createMockProvider } from './provider';
export type { MockOptions, MockProvider } from './provider';
export type { MockChain } from './chain';
export type { MockAnswer, MockQuestion, MockUser } from './user';
