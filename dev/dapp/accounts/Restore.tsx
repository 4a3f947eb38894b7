/** @jsxImportSource preact */
// Bringing accounts back, with how far it has come: MetaMask asks about each of them.
import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';

import { Button, Card, Output, TextField, useAction } from '../components';
import { useSession } from '../session';

type Progress = { phase: string; done: number; total: number };

const phases: Record<string, string> = {
  checking: 'Looking at what there is',
  searching: 'Searching for used accounts',
  announcing: 'MetaMask asks about each account',
};

const INTERVAL_MS = 400;

/** Draw the form. */
export function Restore(): JSX.Element {
  const { provider, refresh, status } = useSession();
  const [gap, setGap] = useState('20');
  const action = useAction('Restoring …');
  const progress = useProgress(action.isBusy);
  const isWrong = !/^(?:[1-9]\d?|100)$/u.test(gap);
  const restore = async (): Promise<string> => {
    const params = [{ gap: Number(gap) }];
    const restored = await provider.request({
      method: 'tollkeeper_restoreAccounts',
      params,
    });
    await refresh();
    return describe(restored as Restored);
  };
  const cancel = async (): Promise<void> => {
    await provider
      .request({ method: 'tollkeeper_cancelProgress' })
      .catch(() => undefined);
  };
  return (
    <Card title="Restore">
      <p class="soft small">
        After the snap was removed, or when MetaMask lacks accounts: derived ones come
        back with the same addresses and ids.
      </p>
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault();
          if (!isWrong) void action.run(restore);
        }}
      >
        <TextField
          label="Unused accounts in a row that end the search"
          value={gap}
          onInput={setGap}
          error={isWrong ? 'A number from 1 to 100.' : undefined}
        />
        <div class="actions">
          <Button
            type="submit"
            kind="primary"
            isBusy={action.isBusy}
            isDisabled={status?.state !== 'ready'}
          >
            Restore the accounts
          </Button>
          <Button isDisabled={!action.isBusy} onClick={() => void cancel()}>
            Stop
          </Button>
        </div>
      </form>
      <div class="progress">
        <progress
          aria-label="Progress of restoring"
          max={Math.max(progress?.total ?? 1, 1)}
          value={progress?.done ?? 0}
        />
        <span class="soft small">
          {progress
            ? `${phases[progress.phase]}: ${progress.done} of ${progress.total}`
            : ' '}
        </span>
      </div>
      <Output outcome={action.outcome} label="Answer of restoring" />
    </Card>
  );
}

function useProgress(isRunning: boolean): Progress | undefined {
  const { provider } = useSession();
  const [progress, setProgress] = useState<Progress>();
  useEffect(() => {
    if (!isRunning) return undefined;
    const look = async (): Promise<void> => {
      const found = await provider
        .request({ method: 'tollkeeper_getProgress' })
        .catch(() => null);
      setProgress((found as Progress | null) ?? undefined);
    };
    const timer = setInterval(() => void look(), INTERVAL_MS);
    return () => {
      clearInterval(timer);
      setProgress(undefined);
    };
  }, [isRunning, provider]);
  return progress;
}

const counted = [
  ['accounts', 'announced'],
  ['recovered', 'taken back'],
  ['unchanged', 'unchanged'],
  ['unchecked', 'not checked'],
  ['declined', 'declined'],
  ['failed', 'failed'],
  ['skipped', 'skipped'],
] as const;

type Restored = Record<
  (typeof counted)[number][0] | 'unreachable',
  readonly unknown[]
> & {
  isComplete: boolean;
};

function describe(restored: Restored): string {
  const parts = counted
    .map(([name, words]) => [restored[name].length, words] as const)
    .filter(([count]) => count > 0)
    .map(([count, words]) => `${count} ${words}`);
  const { unreachable, isComplete } = restored;
  const unasked =
    unreachable.length > 0 ? ` Not asked: ${unreachable.join(', ')}.` : '';
  const more = isComplete ? '' : ' There may be more: restore again.';
  return `${parts.length > 0 ? parts.join(', ') : 'Nothing was found'}.${unasked}${more}`;
}
