// What abi-utils takes of @metamask/superstruct, for the reason in metamask-utils.ts.
export {
  boolean,
  coerce,
  create,
  instance,
  literal,
  object,
  union,
} from '@metamask/superstruct';
