/** @jsxImportSource preact */
// The calls of a batch: added, changed, removed.
import type { JSX } from 'preact';

import { Button } from '../components';
import { CallFields } from './CallFields';
import { emptyCall, findProblems } from './call';
import type { TypedCall } from './call';

/** Draw them. */
export function CallList({
  calls,
  isTold,
  onChange,
}: {
  calls: readonly TypedCall[];
  /** Whether problems are shown. */
  isTold: boolean;
  onChange: (calls: TypedCall[]) => void;
}): JSX.Element {
  const put = (index: number, call: TypedCall): void =>
    onChange(calls.map((each, at) => (at === index ? call : each)));
  const remove = (index: number): void =>
    onChange(calls.filter((_, at) => at !== index));
  return (
    <div class="calls">
      {calls.map((call, index) => (
        <fieldset key={index} class="call">
          <legend>Call {index + 1}</legend>
          <CallFields
            call={call}
            problems={isTold ? findProblems(call) : {}}
            onChange={(changed) => put(index, changed)}
          />
          <div class="call-end">
            <Button
              kind="quiet"
              label={`Remove call ${index + 1}`}
              isDisabled={calls.length === 1}
              onClick={() => remove(index)}
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
