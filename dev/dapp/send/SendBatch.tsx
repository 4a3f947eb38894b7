/** @jsxImportSource preact */
// Several calls at once (EIP-5792).
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';

import { Button, Card, TextField } from '../components';
import { useSession } from '../session';
import { CallList } from './CallList';
import { SenderField } from './SenderField';
import { emptyCall, findProblems, isSound, toCall } from './call';
import { sendBatch } from './requests';
import type { Request } from './requests';
import type { Entries } from './use-entries';
import { useSenders } from './use-senders';

/** Draw its form. */
export function SendBatch({ begin }: Pick<Entries, 'begin'>): JSX.Element {
  const { config, provider } = useSession();
  const senders = useSenders();
  const { recipient } = config;
  const [calls, setCalls] = useState(() => [
    emptyCall(recipient),
    emptyCall(recipient),
  ]);
  const [isAtomic, setAtomic] = useState(false);
  const [paymasterUrl, setPaymasterUrl] = useState('');
  const [isTold, tell] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const { sender } = senders;
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    const isWhole = calls.map(findProblems).every(isSound);
    tell(!isWhole);
    if (!sender || isBusy || !isWhole) return;
    setBusy(true);
    const batch = { calls: calls.map(toCall), isAtomic, paymasterUrl };
    const title = `${calls.length} call${calls.length === 1 ? '' : 's'}${isAtomic ? ', all or none' : ''}`;
    const request = provider.request as Request;
    await begin(title, async () => sendBatch(batch, sender, request));
    setBusy(false);
  };
  return (
    <Card title="Batch">
      <form class="send-form" onSubmit={(event) => void submit(event)}>
        <SenderField senders={senders} />
        <CallList calls={calls} isTold={isTold} onChange={setCalls} />
        <label class="check">
          <input
            type="checkbox"
            checked={isAtomic}
            onChange={({ currentTarget }) => setAtomic(currentTarget.checked)}
          />
          All or none (smart accounts)
        </label>
        <TextField
          label="Paymaster service (optional)"
          type="url"
          value={paymasterUrl}
          placeholder={config.paymasterUrl ?? 'https://'}
          hint="Pays the fees of a smart account (ERC-7677)."
          onInput={setPaymasterUrl}
        />
        <div class="actions">
          <Button kind="primary" type="submit" isBusy={isBusy} isDisabled={!sender}>
            Send all
          </Button>
        </div>
      </form>
    </Card>
  );
}
