// The address of a server as callers give it.
import { named } from '../structs';

/** An absolute URL of a scheme that a transport has. */
export const UrlStruct = named<string>(
  'an absolute URL with https, http, wss or ws',
  (value) => typeof value === 'string' && isUrl(value),
);

function isUrl(value: string): boolean {
  try {
    return /^(?:https?|wss?):$/u.test(new URL(value).protocol);
  } catch {
    return false;
  }
}
