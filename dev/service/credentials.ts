// Whether a request brings the key (and the secret) of the service: in the Authorization
// header, or the key in the path (spec section 5).
import { createHash, timingSafeEqual } from 'node:crypto';

/** What callers must bring. With a secret set, the key alone in a header is not enough. */
export type Credentials = { apiKey: string; apiKeySecret?: string | undefined };

/** Tell whether a Basic Authorization header holds the key and the secret. */
export function isAuthorized(
  header: string | undefined,
  { apiKey, apiKeySecret = '' }: Credentials,
): boolean {
  const [, encoded] = /^Basic ([A-Za-z0-9+/=]+)$/u.exec(header ?? '') ?? [];
  if (encoded === undefined) return false;
  return isSame(Buffer.from(encoded, 'base64').toString(), `${apiKey}:${apiKeySecret}`);
}

/** Compare in a time that tells nothing of where, or how long, the strings differ. */
export function isSame(one: string, other: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(one), digest(other));
}
