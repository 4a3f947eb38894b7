// Notifications of the wallet: five a minute, of less than 500 characters.

/** Show a message in the wallet. */
export async function notify(message: string): Promise<void> {
  await snap.request({ method: 'snap_notify', params: { type: 'inApp', message } });
}
