// EIP-6963: how a wallet announces its provider to a page.
import { check, isObject, show, skip } from './expect';
import type { Case, Context } from './types';

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
  const own = details.find(
    (detail) => isObject(detail) && detail.provider === provider,
  );
  check(
    own !== undefined,
    'The provider did not announce itself when it was asked to.',
  );
  const { info } = own as Detail;
  check(isObject(info), `The announcement has no info: ${show(info)}`);
  return own as Detail;
}

const ofInfo = (
  name: string,
  checks: string,
  isRight: (value: unknown) => boolean,
): Case => ({
  id: `6963-${name}`,
  section: 'Provider Info',
  checks,
  run: async (context) => {
    const value = request(context).info[name];
    check(isRight(value), `${name} is ${show(value)}.`);
    return Promise.resolve();
  },
});

export const eip6963: readonly Case[] = [
  {
    id: '6963-announce',
    section: 'Window Events',
    checks: 'Announces itself when a page asks',
    run: async (context) => {
      request(context);
      return Promise.resolve();
    },
  },
  {
    id: '6963-again',
    section: 'Window Events',
    checks: 'Announces itself at every request, with the same uuid',
    run: async (context) => {
      const [first, second] = [request(context), request(context)];
      check(first.info['uuid'] === second.info['uuid'], 'The uuid has changed.');
      return Promise.resolve();
    },
  },
  {
    id: '6963-frozen',
    section: 'Announcement and Request Events',
    checks: 'Freezes the detail',
    run: async (context) => {
      const detail = request(context);
      check(Object.isFrozen(detail), 'The detail can be changed.');
      return Promise.resolve();
    },
  },
  ofInfo('uuid', 'Has a UUID of version 4', (value) => uuidV4.test(String(value))),
  ofInfo(
    'name',
    'Has a name',
    (value) => typeof value === 'string' && value.trim() !== '',
  ),
  ofInfo('rdns', 'Has a reverse domain name', (value) => domain.test(String(value))),
  ofInfo('icon', 'Has an icon as a data URI of an image', (value) =>
    /^data:image\/[\w.+-]+[;,]/u.test(String(value)),
  ),
];
