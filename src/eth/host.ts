// Hosts of URLs.

/** Finds the host of a URL, with its port; `undefined` if there is none. */
export function hostOf(url: string): string | undefined {
  try {
    return new URL(url).host || undefined;
  } catch {
    return undefined;
  }
}

/** Returns whether a URL's host name is this machine's own, whoever answers for names. */
export function isLoopback(hostname: string): boolean {
  return /^(?:localhost|\[::1\]|127(?:\.\d{1,3}){3})$/u.test(hostname);
}
