// The user of a mock wallet: a script that answers its questions.
import type { Address } from 'viem';

import { fail } from './errors';

/** What the user is asked. */
export type MockQuestion = { method: string; params: unknown };

/**
 * How the user answers: `{ accounts }` approves and chooses the accounts to connect; `approve`
 * connects the first.
 */
export type MockAnswer = 'approve' | 'reject' | { accounts: readonly Address[] };

/**
 * The script: one answer to everything; a queue, of which each question takes the first; or a
 * function.
 */
export type MockUser =
  | MockAnswer
  | MockAnswer[]
  | ((question: MockQuestion) => MockAnswer | Promise<MockAnswer>);

/**
 * Asks the user.
 *
 * @returns The accounts that the user chose, if any.
 * @throws {ProviderRpcError} 4001 if the user refuses; -32603 if the queue is empty.
 */
export async function askUser(
  user: MockUser,
  question: MockQuestion,
): Promise<readonly Address[] | undefined> {
  const answer = await findAnswer(user, question);
  if (answer === 'reject') fail('rejected', 'The user refused the request.');
  return answer === 'approve' ? undefined : answer.accounts;
}

async function findAnswer(user: MockUser, question: MockQuestion): Promise<MockAnswer> {
  if (typeof user === 'function') return user(question);
  if (!Array.isArray(user)) return user;
  return (
    user.shift() ??
    fail('internal', `The user's queue has no answer left for ${question.method}.`)
  );
}
