// Asking what a form says: its answer, what other forms learn of it, whether it is right.
import { useEffect, useRef, useState } from 'preact/hooks';

import { toFailure, useAction } from '../components';
import type { Action } from '../components';
import { useSession } from '../session';
import type { Known } from './given';
import type { Request } from './row';
import { toRequest } from './snippets';
import type { Subject } from './snippets';
import type { Finding } from './verify/check';

/** A look at the last answer. */
export type Look = 'none' | 'looking' | Finding;

/** Asking, as a form uses it. */
export type Asking = Pick<Action, 'outcome' | 'isBusy'> & {
  ask: (subject: Subject) => void;
  look: Look;
};

/** Keep what a form asked last. */
export function useAsking(learn: (known: Known) => void): Asking {
  const { provider } = useSession();
  const { outcome, isBusy, run } = useAction();
  const [look, setLook] = useState<Look>('none');
  const ending = useRef(new AbortController());
  useEffect(() => () => ending.current.abort(), []);
  const request = provider.request as Request;

  const check = async (subject: Subject, result: unknown): Promise<void> => {
    const { row, params, given } = subject;
    if (!row.verify) return;
    const { signal } = ending.current;
    setLook('looking');
    const finding = await row
      .verify({ params, result, given }, { request, signal })
      .catch((error: unknown) => ({
        text: `It could not be verified. ${toFailure(error).message}`,
      }));
    if (!signal.aborted) setLook(finding ?? 'none');
  };

  const ask = (subject: Subject): void => {
    ending.current.abort();
    ending.current = new AbortController();
    setLook('none');
    void run(async () => {
      const result = await request(toRequest(subject));
      learn(await findKnown(subject, result, request));
      void check(subject, result);
      return result;
    });
  };
  return { outcome, isBusy, ask, look };
}

// What the next form needs may take another question; the answer is shown even if that fails.
async function findKnown(
  { row, params, given }: Subject,
  result: unknown,
  request: Request,
): Promise<Known> {
  try {
    return (await row.learn?.({ params, result, given }, request)) ?? {};
  } catch {
    return {};
  }
}
