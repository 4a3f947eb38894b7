/** @jsxImportSource preact */
// One payment or call.
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';

import { Button, Card } from '../components';
import { shorten } from '../format';
import { useSession } from '../session';
import { CallFields } from './CallFields';
import { SenderField } from './SenderField';
import { emptyCall, findProblems, isSound, toCall } from './call';
import { sendOne } from './requests';
import type { Request } from './requests';
import type { Entries } from './use-entries';
import { useSenders } from './use-senders';

/** Draw its form. */
export function SendOne({ begin }: Pick<Entries, 'begin'>): JSX.Element {
  const { config, provider } = useSession();
  const senders = useSenders();
  const [call, setCall] = useState(() => emptyCall(config.recipient));
  const [isTold, tell] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const problems = findProblems(call);
  const { sender } = senders;
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    tell(!isSound(problems));
    if (!sender || isBusy || !isSound(problems)) return;
    setBusy(true);
    const request = provider.request as Request;
    const title = `${call.amount.trim()} ETH to ${shorten(call.to.trim())}`;
    await begin(title, async () => sendOne(toCall(call), sender, request));
    setBusy(false);
  };
  return (
    <Card title="Send">
      <form class="send-form" onSubmit={(event) => void submit(event)}>
        <SenderField senders={senders} />
        <CallFields call={call} problems={isTold ? problems : {}} onChange={setCall} />
        <div class="actions">
          <Button kind="primary" type="submit" isBusy={isBusy} isDisabled={!sender}>
            Send
          </Button>
        </div>
      </form>
    </Card>
  );
}
