/** @jsxImportSource preact */
// The form of a method: its params, the request as code, the answer, whether it is right.
import type { JSX } from 'preact';
import { useRef, useState } from 'preact/hooks';

import { AreaField, Button, Code, Output } from '../components';
import { Tabs } from './Tabs';
import { Verified } from './Verified';
import type { Given, Known } from './given';
import type { MethodRow } from './row';
import { tongues, writeSnippet } from './snippets';
import { useAsking } from './use-asking';
import { useParams } from './use-params';

/** What a form is given. */
export type MethodFormProps = {
  row: MethodRow;
  given: Given;
  learn: (known: Known) => void;
};

const SHAPE = 'An array, or { "account", "scope", "params" } to say more.';

/** Draw a form. */
export function MethodForm({ row, given, learn }: MethodFormProps): JSX.Element {
  const { name } = row;
  const edited = useParams(row, given);
  const { ask, outcome, isBusy, look } = useAsking(learn);
  const [isTold, tell] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const { params, problem, firstStep } = edited;
  const submit = (event: Event): void => {
    event.preventDefault();
    tell(params === undefined);
    if (params) ask({ row, params, given });
    else form.current?.querySelector('textarea')?.focus();
  };
  const edit = (text: string): void => {
    tell(false);
    edited.edit(text);
  };
  return (
    <form ref={form} class="method-form" onSubmit={submit}>
      <div class="method-params">
        <AreaField
          label="Params (JSON)"
          value={edited.text}
          onInput={edit}
          rows={12}
          hint={edited.isEdited ? SHAPE : (firstStep ?? SHAPE)}
          error={isTold ? problem : undefined}
        />
        <div class="actions">
          <Button kind="primary" type="submit" isBusy={isBusy} label={`Ask ${name}`}>
            Ask
          </Button>
          <Button
            kind="quiet"
            isDisabled={!edited.isEdited}
            label={`Reset to example: ${name}`}
            onClick={edited.reset}
          >
            Reset to example
          </Button>
        </div>
      </div>
      <Tabs
        tabs={tongues}
        label={`Request ${name}`}
        draw={(tongue) => (
          <Code
            label={`${name}: ${tongue}`}
            text={
              params === undefined
                ? `// ${problem ?? ''}`
                : writeSnippet(tongue, { row, params, given })
            }
          />
        )}
      />
      <div class="method-answer">
        <Output outcome={outcome} label={`Answer of ${name}`} />
        {row.verify && <Verified look={look} label={`Verification of ${name}`} />}
      </div>
    </form>
  );
}
