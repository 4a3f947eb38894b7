/** Servers of npm start: any port on this machine. */
export const LOOPBACK = ['http://127.0.0.1:*', 'ws://127.0.0.1:*'];

/** Writes the Content-Security-Policy of a page that may also connect to the given origins. Throws
 * if one of them is not a plain origin, since a `;` in it would start another directive. */
export function writePolicy(connect: readonly string[]): string {
  for (const origin of connect) {
    if (/^(?:https?|wss?):\/\/[\w.-]+(?::(?:\d+|\*))?$/u.test(origin)) continue;
    throw new Error(
      `${JSON.stringify(origin)} is not an origin such as https://gas.example or wss://node.example:8546.`,
    );
  }
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    ['connect-src', "'self'", ...connect].join(' '),
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ');
}
