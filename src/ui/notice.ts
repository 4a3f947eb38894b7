// What a user should know before anything else, and how bad it is.

/** How bad it is, the worst first. */
export const severities = ['danger', 'warning', 'info'] as const;

/** How bad something is. */
export type Severity = (typeof severities)[number];

/** A text that stands above all others. */
export type Notice = { severity: Severity; text: string };

/** Say what can cost the user everything: nobody honest asks for it. */
export function danger(text: string): Notice {
  return { severity: 'danger', text };
}

/** Say what deserves a second look. */
export function warning(text: string): Notice {
  return { severity: 'warning', text };
}

/** Say what is good to know. */
export function info(text: string): Notice {
  return { severity: 'info', text };
}

/** Puts the worst first; what is equally bad stays in order. */
export function sortBySeverity<Each extends { severity: Severity }>(
  all: readonly Each[],
): Each[] {
  const rank = ({ severity }: Each): number => severities.indexOf(severity);
  return [...all].sort((one, other) => rank(one) - rank(other));
}
