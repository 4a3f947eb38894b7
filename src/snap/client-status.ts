// Whether the wallet is locked: encrypted state would ask its user to unlock.

/** Tell whether the wallet is locked. */
export async function isLocked(): Promise<boolean> {
  const { locked } = await snap.request({ method: 'snap_getClientStatus' });
  return locked;
}
