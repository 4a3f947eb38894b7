/** @jsxImportSource preact */
// Something that was sent: followed while it is pending, sped up or cancelled on demand.
import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';

import { Button, Output, Pill, useAction } from '../components';
import { followAny } from '../inclusion/follow';
import { useSession } from '../session';
import { describeEntry } from './entry';
import type { Entry } from './entry';
import { replace } from './requests';
import type { Replacing, Request } from './requests';
import type { Entries } from './use-entries';

type RowProps = { entry: Entry } & Pick<Entries, 'change'>;

/** Draw it. */
export function SentRow({ entry, change }: RowProps): JSX.Element {
  useFollowing({ entry, change });
  const { tone, mark, words, isSettled } = describeEntry(entry);
  const last = entry.sent.at(-1);
  return (
    <li>
      <div class="sent-row">
        <span>
          <Pill tone={tone}>{mark}</Pill> <strong>{entry.title}</strong>
        </span>
        {last?.kind === 'transaction' && !isSettled && (
          <Replace entry={entry} change={change} />
        )}
      </div>
      <p class="small">{words}</p>
      {last && <code class="soft">{last.kind === 'calls' ? last.id : last.hash}</code>}
    </li>
  );
}

// Ends when the row goes, and begins anew when something was sent in its place.
function useFollowing({ entry, change }: RowProps): void {
  const { provider } = useSession();
  const { id, sent } = entry;
  useEffect(() => {
    if (sent.length === 0) return undefined;
    const ending = new AbortController();
    const { signal } = ending;
    const request = provider.request as Request;
    void followAny(sent, { request, signal }).then(({ inclusion, index }) => {
      if (!signal.aborted) change(id, { inclusion, included: index });
    });
    return () => ending.abort();
  }, [provider, id, sent, change]);
}

function Replace({ entry, change }: RowProps): JSX.Element {
  const { provider } = useSession();
  const { outcome, isBusy, run } = useAction();
  const { id, title, sent } = entry;
  const act = (action: Replacing): void => {
    const last = sent.at(-1);
    if (last?.kind !== 'transaction') return;
    void run(async () => {
      const replacement = await replace(last, action, provider.request);
      change(id, { sent: [...sent, replacement], replacing: action });
      return '';
    });
  };
  return (
    <>
      <span class="actions">
        <Button
          isBusy={isBusy}
          label={`Speed up ${title}`}
          onClick={() => act('speedUp')}
        >
          Speed up
        </Button>
        <Button
          kind="danger"
          isBusy={isBusy}
          label={`Cancel ${title}`}
          onClick={() => act('cancel')}
        >
          Cancel
        </Button>
      </span>
      {outcome.state === 'failed' && (
        <Output outcome={outcome} label={`Replacing ${title}`} />
      )}
    </>
  );
}
