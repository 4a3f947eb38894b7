// Who may call what. The platform's origin decides, never one that stands in the params.
import { UnauthorizedError, UnsupportedMethodError } from '../errors';
import { entryOf, findRoute } from '../routes';
import type { Caller, EntryRoute, Route } from '../routes';

/**
 * Tell what kind of caller an origin is.
 *
 * @param companionOrigin - Undefined where the snap was built without a companion page.
 */
export function classifyOrigin(
  origin: string,
  companionOrigin: string | undefined,
): Caller {
  if (origin === 'metamask') return 'metamask';
  if (origin === companionOrigin) return 'companion';
  // Our own page's name is nobody's who calls us.
  return /^(?:npm:|local:|Tollkeeper$)/u.test(origin) ? 'snap' : 'dapp';
}

/**
 * Get the row of a method that an origin calls.
 *
 * @throws {UnsupportedMethodError} If the method is unknown on this route.
 * @throws {UnauthorizedError} If it is for others.
 */
export function requirePermitted(
  entry: EntryRoute,
  method: string,
  caller: Caller,
): Route {
  const route = entryOf(method) === entry ? findRoute(method) : undefined;
  if (!route) {
    throw new UnsupportedMethodError(`The method ${shown(method)} is unknown.`);
  }
  if (route.by.includes(caller)) return route;
  throw new UnauthorizedError(`${method} is not open to this origin.`);
}

// A method's name comes from the caller, and can be anything.
function shown(method: string): string {
  return JSON.stringify(method.slice(0, 64));
}
