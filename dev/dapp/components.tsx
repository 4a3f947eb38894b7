/** @jsxImportSource preact */
// What every section is drawn with: sections, cards, buttons, fields, forms, outputs.
import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';

import type { Action, Outcome } from './action';

/** A section of the page, which the navigation links to by its id. */
export function Section(props: {
  id: string;
  title: string;
  lead: string;
  children: ComponentChildren;
}): JSX.Element {
  const { id, title, lead, children } = props;
  return (
    <section id={id} class="section" aria-labelledby={`${id}-title`} tabIndex={-1}>
      <header>
        <h2 id={`${id}-title`}>{title}</h2>
        <p>{lead}</p>
      </header>
      {children}
    </section>
  );
}

/** A card of a section; `aside` stands beside its title. */
export function Card(props: {
  title: string;
  aside?: ComponentChildren;
  children: ComponentChildren;
}): JSX.Element {
  const id = useId();
  return (
    <article class="card" aria-labelledby={id}>
      <header class="card-head">
        <h3 id={id}>{props.title}</h3>
        {props.aside}
      </header>
      {props.children}
    </article>
  );
}

/** Says that there is nothing yet, and what to do about it. */
export function Empty({ children }: { children: ComponentChildren }): JSX.Element {
  return <p class="empty">{children}</p>;
}

/** How serious a state is. */
export type Tone = 'good' | 'warn' | 'bad' | 'quiet';

/** A state in a word or two. */
export function Pill(props: { tone?: Tone; children: ComponentChildren }): JSX.Element {
  return <span class={`pill ${props.tone ?? 'quiet'}`}>{props.children}</span>;
}

/** Names and values, each with the class of its value. */
export function Facts(props: {
  facts: readonly (readonly [name: string, value: string, className?: string])[];
  class?: string;
}): JSX.Element {
  return (
    <dl class={`facts ${props.class ?? ''}`}>
      {props.facts.map(([name, value, className]) => [
        <dt key={name}>{name}</dt>,
        <dd class={className}>{value}</dd>,
      ])}
    </dl>
  );
}

/** A button. While it is busy a click does nothing, and it keeps its width and the focus. */
export function Button(props: {
  children: ComponentChildren;
  kind?: 'primary' | 'plain' | 'danger' | 'quiet';
  type?: 'button' | 'submit';
  isBusy?: boolean;
  isDisabled?: boolean;
  onClick?: () => unknown;
  /** Its accessible name, where its text alone does not say enough. */
  label?: string;
}): JSX.Element {
  const { children, kind = 'plain', type = 'button', label } = props;
  const { isBusy = false, isDisabled = false, onClick } = props;
  const click = (event: Event): void => {
    if (isBusy) event.preventDefault();
    else onClick?.();
  };
  return (
    <button
      class={`button ${kind}`}
      type={type}
      aria-label={label}
      aria-busy={isBusy}
      disabled={isDisabled}
      onClick={click}
    >
      <span class="button-text">{children}</span>
    </button>
  );
}

const COPIED_MS = 2_000;

/** A button that copies a text. */
export function CopyButton(props: { text: string; label: string }): JSX.Element {
  const [word, setWord] = useState<'Copy' | 'Copied' | 'Failed'>('Copy');
  useEffect(() => {
    if (word === 'Copy') return undefined;
    const timer = setTimeout(() => setWord('Copy'), COPIED_MS);
    return () => clearTimeout(timer);
  }, [word]);
  const copy = async (): Promise<void> =>
    navigator.clipboard.writeText(props.text).then(
      () => setWord('Copied'),
      () => setWord('Failed'),
    );
  return (
    <button
      class="button quiet copy"
      type="button"
      aria-label={`${word} ${props.label}`}
      onClick={() => void copy()}
    >
      <span class="button-text">{word}</span>
    </button>
  );
}

/** A block of code to copy. It can be scrolled by keys. */
export function Code({ text, label }: { text: string; label: string }): JSX.Element {
  return (
    <div class="code">
      <pre tabIndex={0} role="group" aria-label={label}>
        <code>{text}</code>
      </pre>
      <CopyButton text={text} label={label} />
    </div>
  );
}

/**
 * The outcome of an action, announced to screen readers. Its place is kept while there is none,
 * so that nothing moves.
 *
 * @param label - Names the region, and what is copied.
 */
export function Output(props: { outcome: Outcome; label: string }): JSX.Element {
  const { outcome, label } = props;
  const text = describe(outcome);
  // What programs read and people copy: JSON, hex.
  const isData = /^(?:[[{"]|0x[\da-f]+$)/u.test(text);
  const isCopied = outcome.state === 'done' && isData;
  return (
    <div class={`output ${outcome.state}`}>
      <output
        aria-live="polite"
        aria-label={label}
        // What is longer than its place is scrolled by keys.
        tabIndex={isCopied ? 0 : undefined}
      >
        {outcome.state === 'failed' && (
          <strong class="output-code">{outcome.failure.code ?? 'Error'}: </strong>
        )}
        {text !== '' && <span class={isData ? 'output-data' : undefined}>{text}</span>}
      </output>
      {isCopied && <CopyButton text={text} label={label} />}
    </div>
  );
}

function describe(outcome: Outcome): string {
  if (outcome.state === 'idle') return '';
  return outcome.state === 'failed' ? outcome.failure.message : outcome.text;
}

/**
 * A question before what cannot be undone, in the browser's own dialog, which holds the focus.
 * Escape and “Cancel” close it.
 */
export function Dialog(props: {
  isOpen: boolean;
  title: string;
  /** What the dangerous button says. */
  verb: string;
  onConfirm: () => unknown;
  onClose: () => void;
  children: ComponentChildren;
}): JSX.Element {
  const { isOpen, title, verb, onConfirm, onClose, children } = props;
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    if (isOpen) dialog.current?.showModal();
    else dialog.current?.close();
  }, [isOpen]);
  const confirm = (): void => {
    onClose();
    onConfirm();
  };
  return (
    <dialog ref={dialog} class="dialog" aria-labelledby={id} onClose={onClose}>
      {isOpen && (
        <>
          <h3 id={id}>{title}</h3>
          {children}
          <div class="actions">
            <Button kind="danger" onClick={confirm}>
              {verb}
            </Button>
            <Button onClick={onClose}>Cancel</Button>
          </div>
        </>
      )}
    </dialog>
  );
}

/** A field of a form: a choice where it has options, an area where it has rows, else a line. */
export type FieldSpec<Name extends string = string> = {
  name: Name;
  label: string;
  type?: 'text' | 'password' | 'url';
  options?: readonly { value: string; label: string }[];
  rows?: number;
  placeholder?: string;
  hint?: string | undefined;
  error?: string | undefined;
  isMono?: boolean;
  isDisabled?: boolean;
};

/** A label, its control, and a hint or an error, tied together for screen readers. */
export function Field(props: {
  field: FieldSpec;
  value: string;
  onInput: (value: string) => void;
}): JSX.Element {
  const { label, type = 'text', options, rows, hint, error, ...field } = props.field;
  const id = useId();
  const note = error ?? hint;
  const control = {
    id,
    value: props.value,
    disabled: field.isDisabled,
    class: (field.isMono ?? rows !== undefined) ? 'mono' : undefined,
    'aria-describedby': note === undefined ? undefined : `${id}-note`,
    'aria-invalid': error === undefined ? undefined : true,
    onInput: ({ target }: Event) => props.onInput((target as HTMLInputElement).value),
  };
  const typed = { placeholder: field.placeholder, spellcheck: false };
  const autocomplete = type === 'password' ? 'new-password' : 'off';
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {options ? (
        <select {...control}>
          {options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.label}
            </option>
          ))}
        </select>
      ) : rows === undefined ? (
        <input {...control} {...typed} type={type} autocomplete={autocomplete} />
      ) : (
        <textarea {...control} {...typed} rows={rows} />
      )}
      {note !== undefined && (
        <p id={`${id}-note`} class={error === undefined ? 'hint' : 'hint error'}>
          {note}
        </p>
      )}
    </div>
  );
}

/** The values of a form by the names of its fields. */
export type Values<Name extends string> = Record<Name, string>;

/** Several fields. */
export function Fields<Name extends string>(props: {
  fields: readonly FieldSpec<Name>[];
  values: Values<Name>;
  onChange: (values: Values<Name>) => void;
}): JSX.Element {
  const { fields, values, onChange } = props;
  return (
    <>
      {fields.map((field) => (
        <Field
          key={field.name}
          field={field}
          value={values[field.name]}
          onInput={(value) => onChange({ ...values, [field.name]: value })}
        />
      ))}
    </>
  );
}

/** A checkbox with its label. */
export function Check(props: {
  label: string;
  isChecked: boolean;
  isDisabled?: boolean;
  onChange: (isChecked: boolean) => void;
}): JSX.Element {
  return (
    <label class="check">
      <input
        type="checkbox"
        checked={props.isChecked}
        disabled={props.isDisabled}
        onChange={({ currentTarget }) => props.onChange(currentTarget.checked)}
      />
      {props.label}
    </label>
  );
}

/** A form: what is filled in, and a button that submits it. */
export function Form(props: {
  verb: string;
  isBusy: boolean;
  isDisabled: boolean;
  onSubmit: () => unknown;
  children: ComponentChildren;
  /** Other buttons. */
  buttons?: ComponentChildren;
}): JSX.Element {
  const submit = (event: Event): void => {
    event.preventDefault();
    props.onSubmit();
  };
  return (
    <form class="form" onSubmit={submit}>
      {props.children}
      <div class="actions">
        <Button
          type="submit"
          kind="primary"
          isBusy={props.isBusy}
          isDisabled={props.isDisabled}
        >
          {props.verb}
        </Button>
        {props.buttons}
      </div>
    </form>
  );
}

/** A card with a form of fields whose submission is an action. */
export function FormCard<Name extends string>(props: {
  title: string;
  lead?: string;
  fields: readonly FieldSpec<Name>[];
  values: Values<Name>;
  onChange: (values: Values<Name>) => void;
  verb: string;
  isDisabled: boolean;
  action: Action;
  /** Does what is asked for; its result is shown. Not called while a field has an error. */
  submit: () => Promise<unknown>;
  /** Names the output. */
  answer: string;
  isWide?: boolean;
  buttons?: ComponentChildren;
  children?: ComponentChildren;
}): JSX.Element {
  const { fields, values, onChange, action, submit } = props;
  const isWrong = fields.some(({ error }) => error !== undefined);
  return (
    <Card title={props.title}>
      {props.lead !== undefined && <p class="soft small">{props.lead}</p>}
      <Form
        verb={props.verb}
        isBusy={action.isBusy}
        isDisabled={props.isDisabled}
        onSubmit={() => isWrong || void action.run(submit)}
        buttons={props.buttons}
      >
        <div class={props.isWide ? 'fields' : 'form'}>
          <Fields fields={fields} values={values} onChange={onChange} />
        </div>
      </Form>
      {props.children}
      <Output outcome={action.outcome} label={props.answer} />
    </Card>
  );
}
