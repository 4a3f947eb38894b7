/**
 * Tollkeeper itself for tests of dapps: the snap without MetaMask, with keys in memory.
 *
 * @module testing
 */
export type { CreateAccountOptions } from '../../../src/accounts/create';
export type { AbiValue } from '../../../src/eth/abi';
export type {
  AllowanceEffect,
  CallContent,
  CallEffect,
  ControlEffect,
  RefundEffect,
  DelegationEffect,
  DescribedField,
  DescribedValue,
  Description,
  Effect,
  KnownCall,
  OpaqueEffect,
  StatedToken,
  TransferEffect,
  Unread,
} from '../../../src/review/effects';
export type { ChainConfiguration } from '../../../src/state/chain-row';
export type { TestChain } from './networks';
export type { Decide, Decision, Finding, Review } from './review';
export { createTollkeeper, testKeys } from './tollkeeper';
export type {
  TestAccount,
  TestAccountOptions,
  TestTollkeeper,
  TollkeeperOptions,
} from './tollkeeper';
