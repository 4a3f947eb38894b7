// Secrets in what is shown: those of the scene, and those that a request brings itself.
import type { Json } from '@metamask/utils';

/** Fields of requests that hold secrets. */
const SECRET_FIELDS = new Set([
  'privateKey',
  'apiKey',
  'apiKeySecret',
  'bundlerApiKey',
]);

/** Shorter ones are words that stand anywhere. */
const MIN_LENGTH = 16;

/**
 * List what a request says under a secret's name, unless it says it elsewhere as well.
 */
export function listOwnSecrets(request: Json): string[] {
  const own = listUnder(request, false).filter((text) => text.length >= MIN_LENGTH);
  const whole = JSON.stringify(request);
  return own.filter((secret) => {
    const times = whole.split(JSON.stringify(secret).slice(1, -1)).length - 1;
    return times === own.filter((each) => each.includes(secret)).length;
  });
}

function listUnder(value: Json, isSecret: boolean): string[] {
  if (typeof value === 'string') return isSecret ? [value] : [];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inside]) =>
    listUnder(inside, SECRET_FIELDS.has(name) || (isSecret && Array.isArray(value))),
  );
}

/** Find a secret in what is shown; capitals and the prefix of hex make no difference. */
export function findSecret(
  shown: readonly unknown[],
  secrets: readonly string[],
): string | undefined {
  const text = (JSON.stringify(shown) ?? '').toLowerCase();
  return secrets.find((secret) => {
    const plain = secret.toLowerCase().replace(/^0x/u, '');
    return plain !== '' && text.includes(JSON.stringify(plain).slice(1, -1));
  });
}
