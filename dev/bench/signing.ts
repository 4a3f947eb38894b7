// Signing: the CPU time of our functions beside plain noble, whole requests beside an empty
// one, and what filling a transaction asks of servers. The last two run the built snap
// (`npm run build`).
import { countFills } from './fill-trips';
import { printTable } from './measure';
import { measureSigningCpu } from './signing-cpu';
import { measureSigningRequests } from './signing-requests';

/** Run the bench. */
export async function benchSigning(): Promise<number> {
  const cpu = { name: 'CPU time of signing', ours: 'tollkeeper', theirs: 'noble' };
  const whole = {
    name: "a whole request, MetaMask's route",
    ours: 'tollkeeper',
    theirs: 'keyring_listAccounts',
  };
  const fills = { name: 'filling a transaction', ours: 'counted', theirs: 'allowed' };
  return (
    printTable(cpu, await measureSigningCpu()) +
    printTable(whole, await measureSigningRequests()) +
    printTable(fills, await countFills())
  );
}
