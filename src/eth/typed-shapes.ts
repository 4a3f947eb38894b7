// Typed data that people meet often, as a table: how each is told by its name and its
// fields, and where in it amounts, deadlines and those who gain by it stand. A path goes
// through arrays by itself.
import type { TypedData } from './typed-data';
import { orderShapes } from './typed-order-shapes';
import type { Shape } from './typed-shape';

/** The table; the first that fits counts. */
const shapes: readonly Shape[] = [
  {
    name: 'permit',
    primaryType: /^Permit$/u,
    fields: ['owner', 'spender', 'value', 'deadline'],
    amounts: ['value'],
    deadlines: ['deadline'],
    spenders: ['spender'],
    owners: ['owner'],
  },
  {
    name: 'daiPermit',
    primaryType: /^Permit$/u,
    fields: ['holder', 'spender', 'expiry', 'allowed'],
    deadlines: ['expiry'],
    spenders: ['spender'],
    owners: ['holder'],
  },
  {
    name: 'nftPermit',
    primaryType: /^Permit$/u,
    fields: ['spender', 'deadline'],
    deadlines: ['deadline'],
    spenders: ['spender'],
  },
  {
    name: 'permit2Allowance',
    primaryType: /^Permit(?:Single|Batch)$/u,
    fields: ['details', 'spender', 'sigDeadline'],
    amounts: ['details.amount'],
    deadlines: ['details.expiration', 'sigDeadline'],
    spenders: ['spender'],
  },
  {
    name: 'permit2Transfer',
    primaryType: /^Permit(?:Batch)?(?:Witness)?TransferFrom$/u,
    fields: ['permitted', 'spender', 'deadline'],
    amounts: ['permitted.amount'],
    deadlines: ['deadline'],
    spenders: ['spender'],
  },
  ...orderShapes,
  {
    name: 'transfer',
    primaryType: /^(?:Transfer|Receive)WithAuthorization$/u,
    fields: ['from', 'to', 'value', 'validBefore'],
    amounts: ['value'],
    deadlines: ['validBefore'],
    spenders: ['to'],
    owners: ['from'],
  },
  {
    name: 'safeTransaction',
    primaryType: /^SafeTx$/u,
    fields: ['to', 'value', 'data', 'operation'],
    calls: ['data'],
  },
  { name: 'safeMessage', primaryType: /^SafeMessage$/u, fields: ['message'] },
  {
    name: 'delegation',
    primaryType: /^Delegation$/u,
    fields: ['delegate', 'caveats'],
    owners: ['delegator'],
  },
  {
    name: 'voteDelegation',
    primaryType: /^Delegation$/u,
    fields: ['delegatee', 'nonce', 'expiry'],
  },
  {
    name: 'userOperation',
    primaryType: /^(?:Packed)?UserOperation$/u,
    fields: ['sender', 'callData'],
    calls: ['callData'],
  },
  {
    name: 'metaTransaction',
    primaryType: /^ForwardRequest/u,
    fields: ['from', 'to', 'data'],
    owners: ['from'],
    calls: ['data'],
  },
  {
    name: 'metaTransaction',
    primaryType: /^MetaTransaction$/u,
    fields: ['from', 'functionSignature'],
    owners: ['from'],
    calls: ['functionSignature'],
  },
  {
    name: 'signIn',
    primaryType: /^(?:SignIn|Login|Auth|Authentication)(?:Message|Request)?$/u,
    fields: [],
  },
];

/** Find what typed data are. */
export function findShape({ primaryType, message }: TypedData): Shape | undefined {
  return shapes.find(
    (shape) =>
      shape.primaryType.test(primaryType) &&
      shape.fields.every((field) => Object.hasOwn(message, field)),
  );
}
