// A row for each kind of alert that there is: the compiler names those without one.
import type { Notice } from '../../src/ui/notice';

/** A row for each kind: the alert without it, and what is said. */
export type AlertRows<Alert extends { kind: string }> = {
  [Kind in Alert['kind']]: [
    alert: Omit<Extract<Alert, { kind: Kind }>, 'kind'>,
    said: Notice,
  ];
};

/** List rows as `it.each` takes them: kind, alert, what is said. */
export const listAlertRows = <Alert extends { kind: string }>(
  rows: AlertRows<Alert>,
): [string, Alert, Notice][] =>
  Object.entries<[object, Notice]>(rows).map(([kind, [alert, said]]) => [
    kind,
    { kind, ...alert } as Alert,
    said,
  ]);
