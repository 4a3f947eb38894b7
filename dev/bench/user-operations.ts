// User operations: hashing and signing beside viem, and what a preparation asks of servers
// beside MetaMask's example. The second runs the built snap (`npm run build`).
import { printTable } from './measure';
import { measureOperationCpu } from './user-operation-cpu';
import { countPreparations } from './user-operation-trips';

/** Run the bench. */
export async function benchUserOperations(): Promise<number> {
  const cpu = {
    name: 'CPU time of user operations',
    ours: 'tollkeeper',
    theirs: 'viem',
  };
  const trips = {
    name: 'preparing a user operation',
    ours: 'tollkeeper',
    theirs: "MetaMask's example",
  };
  return (
    printTable(cpu, await measureOperationCpu()) +
    printTable(trips, await countPreparations())
  );
}
