/** @jsxImportSource preact */
// Fields of forms: a label, what is typed, a hint, an error, tied together for readers.
import type { JSX } from 'preact';
import { useId } from 'preact/hooks';

/** What every field is given. */
type Common = {
  label: string;
  value: string;
  onInput: (value: string) => void;
  hint?: string | undefined;
  error?: string | undefined;
  isDisabled?: boolean;
};

type Tied = {
  id: string;
  value: string;
  disabled: boolean | undefined;
  'aria-describedby': string | undefined;
  'aria-invalid': boolean | undefined;
};

/** Draw a label with its control, and what is to be said of it. */
function Frame({
  field: { label, hint, error, value, isDisabled },
  draw,
}: {
  field: Common;
  draw: (tied: Tied) => JSX.Element;
}): JSX.Element {
  const id = useId();
  const note = error ?? hint;
  const tied: Tied = {
    id,
    value,
    disabled: isDisabled,
    'aria-describedby': note === undefined ? undefined : `${id}-note`,
    'aria-invalid': error === undefined ? undefined : true,
  };
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {draw(tied)}
      {note !== undefined && (
        <p id={`${id}-note`} class={error === undefined ? 'hint' : 'hint error'}>
          {note}
        </p>
      )}
    </div>
  );
}

/** A line of text, a number or a password. */
export type TextFieldProps = Common & {
  type?: 'text' | 'number' | 'password' | 'url';
  placeholder?: string;
  isMono?: boolean;
  /** What a browser may fill in; nothing if it is not given. */
  autocomplete?: 'off' | 'new-password';
};

/** Draw a field of one line. */
export function TextField(props: TextFieldProps): JSX.Element {
  const { type = 'text', placeholder, isMono = false, autocomplete = 'off' } = props;
  return (
    <Frame
      field={props}
      draw={(tied) => (
        <input
          {...tied}
          type={type}
          class={isMono ? 'mono' : undefined}
          placeholder={placeholder}
          autocomplete={autocomplete}
          spellcheck={false}
          onInput={({ currentTarget }) => props.onInput(currentTarget.value)}
        />
      )}
    />
  );
}

/** Draw a field of several lines, for JSON and the like. */
export function AreaField(
  props: Common & { rows?: number; placeholder?: string },
): JSX.Element {
  const { rows = 6, placeholder } = props;
  return (
    <Frame
      field={props}
      draw={(tied) => (
        <textarea
          {...tied}
          class="mono"
          rows={rows}
          placeholder={placeholder}
          spellcheck={false}
          onInput={({ currentTarget }) => props.onInput(currentTarget.value)}
        />
      )}
    />
  );
}

/** Draw a choice of several. */
export function SelectField(
  props: Common & { options: readonly { value: string; label: string }[] },
): JSX.Element {
  return (
    <Frame
      field={props}
      draw={({ value, ...tied }) => (
        <select
          {...tied}
          value={value}
          onChange={({ currentTarget }) => props.onInput(currentTarget.value)}
        >
          {props.options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.label}
            </option>
          ))}
        </select>
      )}
    />
  );
}
