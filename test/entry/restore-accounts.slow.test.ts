// The upper limit of a search for accounts: 1,000 indices, each with six accounts.
import { createRestoreBench } from '../support/keyring-bench';

it('ends the search for accounts even if a node reports that every account is used', async () => {
  const { restore, app } = createRestoreBench();
  app.edges.wallet.answers.eth_getTransactionCount = '0x1';
  const { accounts, skipped, isComplete } = await restore({ gap: 100 });
  expect([accounts.length, skipped.length, isComplete]).toStrictEqual([
    100,
    5_900,
    false,
  ]);
});
