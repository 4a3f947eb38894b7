/** @jsxImportSource preact */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';

import { listExamples } from './examples';
import { Button, Output, Step, useAction } from './parts';
import type { Session } from './session';

export function Requests({ session }: { session: Session }): JSX.Element {
  const { provider, isReady, refresh } = session;
  const [filter, setFilter] = useState('');
  const [method, setMethod] = useState('');
  const [params, setParams] = useState('[]');
  const [sentId, setSentId] = useState('');
  const action = useAction(async () => {
    const result = await provider.request({
      method,
      params: JSON.parse(params) as unknown[],
    });
    const { id = result } = Object(result) as { id?: unknown };
    if (typeof id === 'string') setSentId(id);
    await refresh();
    return result;
  });
  const examples = listExamples(session, sentId).filter((example) =>
    `${example.title} ${example.method}`
      .toLowerCase()
      .includes(filter.trim().toLowerCase()),
  );
  return (
    <Step
      title="Try each request"
      lead="An example fills in the form, for a connected account that can answer it. Any other method can be sent as well."
    >
      <label>
        Filter
        <input
          type="search"
          value={filter}
          onInput={({ currentTarget }) => setFilter(currentTarget.value)}
        />
      </label>
      <ul class="examples">
        {examples.map((example) => (
          <li key={example.title}>
            <Button
              onClick={() => {
                setMethod(example.method);
                setParams(JSON.stringify(example.params, null, 2));
              }}
            >
              {example.title}
            </Button>
            <code>{example.method}</code>
          </li>
        ))}
      </ul>
      <label>
        Method
        <input
          value={method}
          onInput={({ currentTarget }) => setMethod(currentTarget.value)}
        />
      </label>
      <label>
        Params (JSON)
        <textarea
          spellcheck={false}
          rows={8}
          value={params}
          onInput={({ currentTarget }) => setParams(currentTarget.value)}
        />
      </label>
      <Button isDisabled={!isReady || method === ''} onClick={action.run}>
        Send
      </Button>
      <Output outcome={action.outcome} label="Answer of the request" />
    </Step>
  );
}
