// How calls over a socket fail without an answer.
import { UnavailableError } from '../../errors';
import type { Endpoint } from '../endpoint';
import { NetworkError } from '../errors';
import { withAttempts, write } from '../place';
import type { Place } from '../place';

/** Tell that the socket could not be opened or used, and why as far as it may be told. */
export function toNetworkError(
  place: Place,
  cause: unknown,
  { redact }: Pick<Endpoint, 'redact'>,
): NetworkError {
  // Whoever owns the socket may quote its address, with the key in it.
  const message = cause instanceof Error ? cause.message : String(cause);
  return new NetworkError(place, { cause: new Error(redact(message)) });
}

/** Tell that the connection was closed on our side. */
export function toClosedError(place: Place): UnavailableError {
  return new UnavailableError(
    write(place, 'was given up: the connection was closed.', ''),
    withAttempts(place),
  );
}
