// Checks a provider against EIP-1193, EIP-6963, EIP-2255 and EIP-5792.
export { runConformance } from './run';
export { formatTable } from './table';
export type {
  Call,
  ConformanceOptions,
  ConformanceProvider,
  Outcome,
  Result,
  Standard,
  UserHooks,
} from './types';
