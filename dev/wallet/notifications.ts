// What snap_notify showed, within MetaMask's limits.
import { rpcErrors } from '@metamask/rpc-errors';
import type { Json } from '@metamask/utils';

/** A notification as the snap sent it. */
export type Notification = { type: string; message: string; [field: string]: Json };

/** The notifications shown, with the hooks that show them. */
export type Notifications = {
  readonly shown: Notification[];
  showInApp(snapId: string, notification: Notification): Promise<null>;
  showNative(snapId: string, notification: Notification): Promise<null>;
};

const MINUTE = 60_000;

/**
 * Create an empty tray.
 *
 * @param now - The clock, in milliseconds.
 * @returns Hooks that throw -32005 above 5 in-app notifications a minute or 2 native
 * ones in five.
 */
export function createNotifications(now: () => number = Date.now): Notifications {
  const shown: Notification[] = [];

  function createLimit(type: string, limit: { count: number; window: number }) {
    let times: number[] = [];
    return (_snapId: string, notification: Notification) => {
      times = times.filter((time) => time > now() - limit.window);
      if (times.length >= limit.count) {
        throw rpcErrors.limitExceeded({
          message: `"${type}" is currently rate-limited. Please try again later.`,
        });
      }
      times.push(now());
      shown.push(notification);
      return Promise.resolve(null);
    };
  }

  return {
    shown,
    showInApp: createLimit('showInAppNotification', { count: 5, window: MINUTE }),
    showNative: createLimit('showNativeNotification', { count: 2, window: 5 * MINUTE }),
  };
}
