// Whether a request brings the key (and the secret) of the service: in the Authorization
// header, or the key in the path (spec section 5). Digests are compared, since they are of
// one length whatever came: the time tells neither how much nor how long a guess fits.
import { hash, timingSafeEqual } from 'node:crypto';

/** What callers must bring. With a secret set, the key alone in a header is not enough. */
export type Credentials = { apiKey: string; apiKeySecret?: string | undefined };

/** Tells whether what a request brings is right. */
export type CredentialCheck = {
  /** The key in a path. */
  isKey: (key: string | undefined) => boolean;
  /** A Basic Authorization header: `key:secret`; without a secret `key:` or `key`. */
  isAuthorization: (header: string | undefined) => boolean;
};

/** Create the check; the digests of what is right are made once. */
export function createCredentialCheck({
  apiKey,
  apiKeySecret = '',
}: Credentials): CredentialCheck {
  const key = digest(apiKey);
  const both = digest(`${apiKey}:${apiKeySecret}`);
  const hasSecret = apiKeySecret !== '';
  return {
    isKey: (given) => given !== undefined && timingSafeEqual(digest(given), key),
    isAuthorization: (header) => {
      const [, encoded] = /^Basic +([A-Za-z0-9+/_=-]+) *$/iu.exec(header ?? '') ?? [];
      if (encoded === undefined) return false;
      const given = digest(Buffer.from(encoded, 'base64').toString());
      const isBoth = timingSafeEqual(given, both);
      const isKeyAlone = timingSafeEqual(given, key);
      return isBoth || (isKeyAlone && !hasSecret);
    },
  };
}

function digest(text: string): Buffer {
  return hash('sha256', text, 'buffer');
}
