// URLs and their hosts.

export function findUrl(value: unknown): URL | undefined {
  try {
    return typeof value === 'string' ? new URL(value) : undefined;
  } catch {
    return undefined;
  }
}

/** Finds a URL's host and port; undefined if the URL is invalid or has no host. */
export function hostOf(url: string): string | undefined {
  return findUrl(url)?.host || undefined;
}

export function isLoopback(hostname: string): boolean {
  return /^(?:localhost|\[::1\]|127(?:\.\d{1,3}){3})$/u.test(hostname);
}
