/** @jsxImportSource preact */
// Section “Send”: one call or a batch of calls, and what became of what was sent.
import type { JSX } from 'preact';
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { isAddress, isHex, numberToHex, parseEther, type Hex } from 'viem';

import { toFailure, useAction, type Failure } from './action';
import {
  Button,
  Card,
  Check,
  Field,
  Fields,
  Form,
  Output,
  Pill,
  Section,
  type FieldSpec,
  type Tone,
} from './components';
import { shorten } from './format';
import {
  describeInclusion,
  followAny,
  type Inclusion,
  type Request,
  type Sent,
} from './inclusion';
import { useSession } from './session';

/** Something that the wallet was asked to send. */
type Entry = {
  id: number;
  title: string;
  /** Why it was not sent. */
  failure?: Failure;
  /** It, and what was sent in its place. */
  sent: readonly Sent[];
  /** What the last of them is for. */
  replacing?: Replacing;
  inclusion?: Inclusion;
  /** Index of the one that was included. */
  included?: number;
};

type Replacing = 'speedUp' | 'cancel';

/** Has something sent, and notes it in the list. Never fails. */
type Begin = (title: string, send: () => Promise<Sent>) => Promise<void>;

type Change = (id: number, change: Partial<Entry>) => void;

export function Send(): JSX.Element {
  const { list, begin, change } = useEntries();
  return (
    <Section
      id="send"
      title="Send"
      lead="Fees are filled in and can be changed in MetaMask. Nothing is sent before you approve it there."
    >
      <div class="cards">
        <SendOne begin={begin} />
        <SendBatch begin={begin} />
      </div>
      <Card title="Sent from this page">
        {list.length === 0 && <p class="soft sent-none">Nothing yet.</p>}
        <ul class="sent" aria-live="polite" aria-label="Sent from this page">
          {list.map((entry) => (
            <SentRow key={entry.id} entry={entry} change={change} />
          ))}
        </ul>
      </Card>
    </Section>
  );
}

// The newest entry comes first.
function useEntries(): { list: readonly Entry[]; begin: Begin; change: Change } {
  const [list, setList] = useState<readonly Entry[]>([]);
  const last = useRef(0);
  const change: Change = useCallback((id, changed) => {
    setList((before) =>
      before.map((entry) => (entry.id === id ? { ...entry, ...changed } : entry)),
    );
  }, []);
  const begin: Begin = async (title, send) => {
    const id = (last.current += 1);
    setList((before) => [{ id, title, sent: [] }, ...before]);
    try {
      change(id, { sent: [await send()] });
    } catch (error) {
      change(id, { failure: toFailure(error) });
    }
  };
  return { list, begin, change };
}

function SendOne({ begin }: { begin: Begin }): JSX.Element {
  const { config, provider } = useSession();
  const senders = useSenders();
  const [call, setCall] = useState(() => emptyCall(config.recipient));
  const [showsProblems, showProblems] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const { sender } = senders;
  const submit = async (): Promise<void> => {
    showProblems(!isSound(call));
    if (!sender || isBusy || !isSound(call)) return;
    setBusy(true);
    const title = `${call.amount.trim()} ETH to ${shorten(call.to.trim())}`;
    await begin(title, async () => sendCall(toCall(call), sender, provider.request));
    setBusy(false);
  };
  return (
    <Card title="Send">
      <Form verb="Send" isBusy={isBusy} isDisabled={!sender} onSubmit={submit}>
        <SenderField senders={senders} />
        <CallFields call={call} showsProblems={showsProblems} onChange={setCall} />
      </Form>
    </Card>
  );
}

// Several calls at once (EIP-5792).
function SendBatch({ begin }: { begin: Begin }): JSX.Element {
  const { config, provider } = useSession();
  const senders = useSenders();
  const { recipient } = config;
  const [calls, setCalls] = useState(() => [
    emptyCall(recipient),
    emptyCall(recipient),
  ]);
  const [isAtomic, setAtomic] = useState(false);
  const [paymasterUrl, setPaymasterUrl] = useState('');
  const [showsProblems, showProblems] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const { sender } = senders;
  const submit = async (): Promise<void> => {
    const isWhole = calls.every(isSound);
    showProblems(!isWhole);
    if (!sender || isBusy || !isWhole) return;
    setBusy(true);
    const batch = { calls: calls.map(toCall), isAtomic, paymasterUrl };
    const title = `${calls.length} call${calls.length === 1 ? '' : 's'}${isAtomic ? ', all or none' : ''}`;
    await begin(title, async () => sendCalls(batch, sender, provider.request));
    setBusy(false);
  };
  return (
    <Card title="Batch">
      <Form verb="Send all" isBusy={isBusy} isDisabled={!sender} onSubmit={submit}>
        <SenderField senders={senders} />
        <CallList calls={calls} showsProblems={showsProblems} onChange={setCalls} />
        <Check
          label="All or none (smart accounts)"
          isChecked={isAtomic}
          onChange={setAtomic}
        />
        <Field
          field={{
            name: 'paymasterUrl',
            label: 'Paymaster service (optional)',
            type: 'url',
            placeholder: config.paymasterUrl ?? 'https://',
            hint: 'Pays the fees of a smart account (ERC-7677).',
          }}
          value={paymasterUrl}
          onInput={setPaymasterUrl}
        />
      </Form>
    </Card>
  );
}

type Sender = { address: Hex; isSmart: boolean; chainId: Hex };

type Senders = {
  options: readonly { value: string; label: string }[];
  value: string;
  choose: (id: string) => void;
  /** Undefined while nobody can send. */
  sender: Sender | undefined;
};

// Until a sender is chosen here, it is the account that is selected on the page.
function useSenders(): Senders {
  const { usable, selected, chainId } = useSession();
  const [chosen, choose] = useState<string>();
  const account =
    usable.find(({ id }) => id === chosen) ??
    usable.find(({ id }) => id === selected?.id) ??
    usable[0];
  const isSmart = account?.type !== 'eip155:eoa';
  return {
    options: usable.map(({ id, address, type }) => ({
      value: id,
      label: `${shorten(address)}${type === 'eip155:eoa' ? '' : ' (smart)'}`,
    })),
    value: account?.id ?? '',
    choose,
    sender:
      account && chainId !== undefined
        ? { address: account.address as Hex, isSmart, chainId: chainId as Hex }
        : undefined,
  };
}

function SenderField({ senders }: { senders: Senders }): JSX.Element {
  const { options, value, choose, sender } = senders;
  const isEmpty = options.length === 0;
  const hint = sender
    ? `Sends ${sender.isSmart ? 'user operations' : 'transactions'}.`
    : 'Create an account and connect this site to it first.';
  const field = {
    name: 'from',
    label: 'From',
    options: isEmpty ? [{ value: '', label: 'No account' }] : options,
    isDisabled: isEmpty,
    hint,
  };
  return <Field field={field} value={value} onInput={choose} />;
}

/** A call as it is typed. */
type TypedCall = Record<'to' | 'amount' | 'data', string>;

/** A call as the wallet is asked for it. */
type Call = { to: Hex; value: Hex; data: Hex };

const callFields: readonly (FieldSpec<keyof TypedCall> & {
  problem: string;
  isRight: (value: string) => boolean;
})[] = [
  {
    name: 'to',
    label: 'To',
    isMono: true,
    placeholder: '0x…',
    problem: 'An address: 0x and 40 hex digits.',
    isRight: (to) => isAddress(to),
  },
  {
    name: 'amount',
    label: 'Amount (ETH)',
    problem: 'An amount in ETH, such as 0.001.',
    isRight: (amount) => /^\d+(?:\.\d{1,18})?$/u.test(amount),
  },
  {
    name: 'data',
    label: 'Data (optional)',
    isMono: true,
    placeholder: '0x',
    problem: 'Bytes in hex: 0x and pairs of digits.',
    isRight: (data) => data === '' || (isHex(data) && data.length % 2 === 0),
  },
];

function emptyCall(to = ''): TypedCall {
  return { to, amount: '0.001', data: '' };
}

function isSound(call: TypedCall): boolean {
  return callFields.every(({ name, isRight }) => isRight(call[name].trim()));
}

function toCall({ to, amount, data }: TypedCall): Call {
  return {
    to: to.trim() as Hex,
    value: numberToHex(parseEther(amount.trim())),
    data: (data.trim() || '0x') as Hex,
  };
}

function CallFields(props: {
  call: TypedCall;
  showsProblems: boolean;
  onChange: (call: TypedCall) => void;
}): JSX.Element {
  const { call, showsProblems, onChange } = props;
  const fields = callFields.map(({ problem, isRight, ...field }) => ({
    ...field,
    error: showsProblems && !isRight(call[field.name].trim()) ? problem : undefined,
  }));
  return <Fields fields={fields} values={call} onChange={onChange} />;
}

function CallList(props: {
  calls: readonly TypedCall[];
  showsProblems: boolean;
  onChange: (calls: TypedCall[]) => void;
}): JSX.Element {
  const { calls, showsProblems, onChange } = props;
  const put = (index: number, call: TypedCall): void =>
    onChange(calls.map((each, at) => (at === index ? call : each)));
  return (
    <div class="calls">
      {calls.map((call, index) => (
        <fieldset key={index} class="call">
          <legend>Call {index + 1}</legend>
          <CallFields
            call={call}
            showsProblems={showsProblems}
            onChange={(changed) => put(index, changed)}
          />
          <div class="call-end">
            <Button
              kind="quiet"
              label={`Remove call ${index + 1}`}
              isDisabled={calls.length === 1}
              onClick={() => onChange(calls.filter((_, at) => at !== index))}
            >
              Remove
            </Button>
          </div>
        </fieldset>
      ))}
      <div class="actions">
        <Button onClick={() => onChange([...calls, emptyCall(calls[0]?.to)])}>
          Add a call
        </Button>
      </div>
    </div>
  );
}

// By a transaction, or by a user operation.
async function sendCall(
  call: Call,
  { address, isSmart, chainId }: Sender,
  request: Request,
): Promise<Sent> {
  const scope = `eip155:${BigInt(chainId)}`;
  const hash = isSmart
    ? await request({
        method: 'eth_sendUserOperation',
        params: { account: address, scope, params: [call] },
      })
    : await request({
        method: 'eth_sendTransaction',
        params: [{ from: address, ...call, chainId }],
      });
  return { kind: isSmart ? 'operation' : 'transaction', hash: hash as Hex, chainId };
}

async function sendCalls(
  batch: { calls: readonly Call[]; isAtomic: boolean; paymasterUrl: string },
  { address, chainId }: Sender,
  request: Request,
): Promise<Sent> {
  const url = batch.paymasterUrl.trim();
  const params = {
    version: '2.0.0',
    from: address,
    chainId,
    atomicRequired: batch.isAtomic,
    calls: batch.calls,
    ...(url === '' ? {} : { capabilities: { paymasterService: { url } } }),
  };
  const sent = await request({ method: 'wallet_sendCalls', params: [params] });
  return { kind: 'calls', id: (sent as { id: string }).id };
}

type RowProps = { entry: Entry; change: Change };

// An entry of the list: followed while it is pending, sped up or cancelled on demand.
function SentRow({ entry, change }: RowProps): JSX.Element {
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

// Ends when the row goes, and starts again when something was sent in its place.
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
  const replace = (action: Replacing): void => {
    const last = sent.at(-1);
    if (last?.kind !== 'transaction') return;
    void run(async () => {
      const hash = await provider.request<Hex>({
        method: 'tollkeeper_replaceTransaction',
        params: [last.hash, { action }],
      });
      change(id, { sent: [...sent, { ...last, hash }], replacing: action });
      return '';
    });
  };
  return (
    <>
      <span class="actions">
        <Button
          isBusy={isBusy}
          label={`Speed up ${title}`}
          onClick={() => replace('speedUp')}
        >
          Speed up
        </Button>
        <Button
          kind="danger"
          isBusy={isBusy}
          label={`Cancel ${title}`}
          onClick={() => replace('cancel')}
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

const marks = {
  included: { tone: 'good', mark: 'Included' },
  failed: { tone: 'bad', mark: 'Failed' },
  replaced: { tone: 'warn', mark: 'Replaced' },
  dropped: { tone: 'bad', mark: 'Dropped' },
  unknown: { tone: 'warn', mark: 'Unknown' },
} as const;

const pendingWords = { speedUp: 'Sped up. ', cancel: 'Being cancelled. ' };

function describeEntry(entry: Entry): {
  tone: Tone;
  mark: string;
  words: string;
  isSettled: boolean;
} {
  const { failure, sent, inclusion, replacing } = entry;
  if (failure) {
    const code = failure.code === undefined ? '' : `${failure.code}: `;
    const words = `${code}${failure.message}`;
    return { tone: 'bad', mark: 'Not sent', words, isSettled: true };
  }
  if (sent.length === 0) {
    const words = 'Waiting for MetaMask …';
    return { tone: 'quiet', mark: 'Asking', words, isSettled: false };
  }
  if (!inclusion || inclusion.state === 'pending') {
    const words = `${replacing ? pendingWords[replacing] : ''}Waiting for a block …`;
    return { tone: 'warn', mark: 'Sent', words, isSettled: false };
  }
  const words = `${describeReplacement(entry)}${describeInclusion(inclusion)}`;
  return { ...marks[inclusion.state], words, isSettled: true };
}

function describeReplacement({ replacing, sent, included }: Entry): string {
  if (!replacing || included === undefined) return '';
  if (included < sent.length - 1) return 'It was quicker than its replacement. ';
  return replacing === 'cancel' ? 'Cancelled. ' : 'Sped up. ';
}
