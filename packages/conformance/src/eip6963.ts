// EIP-6963: how a wallet announces its provider to a page.
import { check, isObject, show, skip } from './expect';
import type { Case, Cases, Context } from './types';

type Detail = { info: Record<string, unknown>; provider: unknown };

const ANNOUNCE = 'eip6963:announceProvider';
const REQUEST = 'eip6963:requestProvider';

const uuidV4 = /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/iu;
const domain = /^(?:[a-z\d](?:[a-z\d-]*[a-z\d])?\.)+[a-z\d](?:[a-z\d-]*[a-z\d])?$/iu;

/** Asks for announcements, and gets that of the provider under test. */
function request({ announce, provider }: Context): Detail {
  if (!announce) return skip('There is no page on which the provider is announced.');
  const details: unknown[] = [];
  const listen = (event: Event): void => {
    details.push((event as CustomEvent<unknown>).detail);
  };
  announce.addEventListener(ANNOUNCE, listen);
  announce.dispatchEvent(new Event(REQUEST));
  announce.removeEventListener(ANNOUNCE, listen);
  const isOwn = (detail: unknown): detail is Detail =>
    isObject(detail) && detail.provider === provider;
  const own = details.find(isOwn);
  check(own !== undefined, 'The provider did not announce itself when asked to.');
  check(isObject(own.info), `The announcement has no info: ${show(own.info)}`);
  return own;
}

const ofInfo = (
  name: string,
  checks: string,
  isRight: (value: unknown) => boolean,
): Case => ({
  section: 'Provider Info',
  checks,
  run: (context) => {
    const value = request(context).info[name];
    check(isRight(value), `${name} is ${show(value)}.`);
  },
});

export const eip6963: Cases = {
  '6963-announce': {
    section: 'Window Events',
    checks: 'Announces itself when a page asks',
    run: (context) => void request(context),
  },
  '6963-again': {
    section: 'Window Events',
    checks: 'Announces itself at every request, with the same uuid',
    run: (context) => {
      const [first, second] = [request(context), request(context)];
      check(first.info['uuid'] === second.info['uuid'], 'The uuid has changed.');
    },
  },
  '6963-frozen': {
    section: 'Announcement and Request Events',
    checks: 'Freezes the detail',
    run: (context) => {
      check(Object.isFrozen(request(context)), 'The detail can be changed.');
    },
  },
  '6963-uuid': ofInfo('uuid', 'Has a UUID of version 4', (value) =>
    uuidV4.test(String(value)),
  ),
  '6963-name': ofInfo(
    'name',
    'Has a name',
    (value) => typeof value === 'string' && value.trim() !== '',
  ),
  '6963-rdns': ofInfo('rdns', 'Has a reverse domain name', (value) =>
    domain.test(String(value)),
  ),
  '6963-icon': ofInfo('icon', 'Has an icon as a data URI of an image', (value) =>
    /^data:image\/[\w.+-]+[;,]/u.test(String(value)),
  ),
};
