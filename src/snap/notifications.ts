// Notifications of the wallet: five a minute, of less than 500 characters.
import { answered } from './answered';

/** Show a message in the wallet. */
export async function notify(message: string): Promise<void> {
  const method = 'snap_notify';
  const params = { type: 'inApp' as const, message };
  await answered(method, snap.request({ method, params }));
}
