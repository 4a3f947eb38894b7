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
  let [asked, taken] = [0, 0];
  // What was asked earlier may be answered later: it knows no better then.
  const tell = (accounts: unknown, question: number): void => {
    if (!Array.isArray(accounts) || question < taken) return;
    taken = question;
    if (String(accounts) === String(known)) return;
    known = accounts;
    emit('accountsChanged', [...known]);
  };
  const look = async (): Promise<void> => {
    if (!hasListeners('accountsChanged')) return;
    const question = (asked += 1);
    await findAccounts().then(
      (accounts) => tell(accounts, question),
      () => undefined,
    );
  };
  return {
    watch: async (method, answer) => {
      const question = (asked += 1);
      try {
        const result = await answer;
        if (tellsAccounts.includes(method)) tell(result, question);
        return result;
      } finally {
        if (changesAccounts.includes(method)) await look();
        else if (!tellsAccounts.includes(method)) void look();
      }
    },
  };
}
