// Which accounts a site has. Nothing pushes from a snap to a page: a change is seen in what
// the snap answers, and looked for after whatever else it answers.
import type { Emitter } from './emitter';

/** Watches answers for a change of accounts. */
export type AccountWatch = {
  watch: (method: string, answer: Promise<unknown>) => Promise<unknown>;
};

const tellsAccounts = ['eth_requestAccounts', 'eth_accounts'];

/** What changes them: its caller finds the change told when it gets its answer. */
const changesAccounts = ['wallet_requestPermissions', 'wallet_revokePermissions'];

/** Create a watch that tells `accountsChanged`; finding accounts may not ask the user. */
export function createAccountWatch(
  findAccounts: () => Promise<unknown>,
  { emit, hasListeners }: Emitter,
): AccountWatch {
  let known: readonly unknown[] = [];
  const tell = (accounts: unknown): void => {
    if (!Array.isArray(accounts) || String(accounts) === String(known)) return;
    known = accounts;
    emit('accountsChanged', [...known]);
  };
  const look = async (): Promise<void> => {
    if (!hasListeners('accountsChanged')) return;
    await findAccounts().then(tell, () => undefined);
  };
  return {
    watch: async (method, answer) => {
      try {
        const result = await answer;
        if (tellsAccounts.includes(method)) tell(result);
        return result;
      } finally {
        if (changesAccounts.includes(method)) await look();
        else if (!tellsAccounts.includes(method)) void look();
      }
    },
  };
}
