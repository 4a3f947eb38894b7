// Background events of the snap, which come by the client's clock: none that an earlier job
// has set shall come into a later one.
import type { Case } from '../bench';

/** Cancel every background event of the snap. */
export async function cancelEvents({ wallet }: Case): Promise<void> {
  const all = await wallet.perform({ method: 'snap_getBackgroundEvents' });
  for (const { id } of all as { id: string }[]) {
    await wallet.perform({ method: 'snap_cancelBackgroundEvent', params: { id } });
  }
}
