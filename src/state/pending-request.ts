// A signing request of MetaMask that waits until its user approves or rejects it.
import { exactOptional, object } from '@metamask/superstruct';
import type { Infer } from '@metamask/superstruct';
import type { Json } from '@metamask/utils';

import { named, text } from '../structs';
import { SessionStruct } from './session';

const ParamsStruct = named<Json[] | Record<string, Json>>(
  'an array or an object',
  (value) => typeof value === 'object' && value !== null,
);

/** A waiting request: the fields of keyring-api's KeyringRequest, and its session. */
export const PendingRequestStruct = object({
  id: text(36),
  /** Account id. */
  account: text(36),
  origin: text(2_048),
  /** As MetaMask wrote it: CAIP-2, or empty. */
  scope: text(256),
  request: object({ method: text(64), params: exactOptional(ParamsStruct) }),
  /** MetaMask keeps who waits for it no longer than this session. */
  session: SessionStruct,
});

/** A request that waits. */
export type PendingRequest = Infer<typeof PendingRequestStruct>;
