// What the development page may do, as its Content-Security-Policy says it: run and show its own
// files alone, and talk to the servers that it was built for.

/** Servers of npm start: this machine's, whatever their ports are. */
export const LOOPBACK = ['http://127.0.0.1:*', 'ws://127.0.0.1:*'];

/**
 * Write the policy.
 *
 * @param connect - Origins that the page may talk to beside its own.
 * @throws {Error} If one is not an origin: what follows a `;` would be a rule of its own.
 */
export function writePolicy(connect: readonly string[]): string {
  for (const origin of connect) assertOrigin(origin);
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

function assertOrigin(origin: string): void {
  if (/^(?:https?|wss?):\/\/[\w.-]+(?::(?:\d+|\*))?$/u.test(origin)) return;
  throw new Error(
    `${JSON.stringify(origin)} is no origin such as https://gas.example or wss://node.example:8546.`,
  );
}
