/** @jsxImportSource preact */
// The fields of a call.
import type { JSX } from 'preact';

import { TextField } from '../components';
import type { CallProblems, TypedCall } from './call';

/** Draw them. */
export function CallFields({
  call,
  problems,
  onChange,
}: {
  call: TypedCall;
  problems: CallProblems;
  onChange: (call: TypedCall) => void;
}): JSX.Element {
  return (
    <>
      <TextField
        label="To"
        isMono
        value={call.to}
        placeholder="0x…"
        error={problems.to}
        onInput={(to) => onChange({ ...call, to })}
      />
      <TextField
        label="Amount (ETH)"
        value={call.amount}
        error={problems.amount}
        onInput={(amount) => onChange({ ...call, amount })}
      />
      <TextField
        label="Data (optional)"
        isMono
        value={call.data}
        placeholder="0x"
        error={problems.data}
        onInput={(data) => onChange({ ...call, data })}
      />
    </>
  );
}
