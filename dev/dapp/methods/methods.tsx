/** @jsxImportSource preact */
// Section “Methods”: every method that sites may call, each with a form: its params, the request
// as code, the answer, and whether the answer is right.
import { parse, printParseErrorCode, type ParseError } from 'jsonc-parser';
import type { JSX } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';

import { toFailure, useAction, type Outcome } from '../action';
import { Button, Card, Code, Field, Output, Pill, Section } from '../components';
import type { Request } from '../inclusion';
import { useSession } from '../session';
import {
  findFirstStep,
  toGiven,
  type Finding,
  type Given,
  type Known,
  type MethodRow,
  type Params,
} from './given';
import { methodGroups } from './rows';
import { toRequest, tongues, writeSnippet, type Subject } from './snippets';

// What one form was answered is used in the examples of the next.
export function Methods(): JSX.Element {
  const session = useSession();
  const [known, setKnown] = useState<Known>({});
  const given = toGiven(session, known);
  const learn = (more: Known): void => setKnown((before) => ({ ...before, ...more }));
  return (
    <Section
      id="methods"
      title="Methods"
      lead="What any site may ask of the snap. Each form has an example that works; code to copy stands beside it."
    >
      {methodGroups.map(({ title, rows }) => (
        <Card key={title} title={title}>
          <div class="methods">
            {rows.map((row) => (
              <Method key={row.name} row={row} given={given} learn={learn} />
            ))}
          </div>
        </Card>
      ))}
    </Section>
  );
}

type MethodProps = { row: MethodRow; given: Given; learn: (known: Known) => void };

// A form is drawn once it is opened, and keeps what was typed when it is closed.
function Method(props: MethodProps): JSX.Element {
  const { name, about } = props.row;
  const [wasOpened, open] = useState(false);
  return (
    <details class="method" onToggle={() => open(true)}>
      <summary>
        <code>{name}</code> <span class="method-about">{about}</span>
      </summary>
      {wasOpened && <MethodForm {...props} />}
    </details>
  );
}

const SHAPE = 'An array, or { "account", "scope", "params" } to say more.';

function MethodForm({ row, given, learn }: MethodProps): JSX.Element {
  const { name } = row;
  // Params follow the example until somebody types.
  const [edited, edit] = useState<string>();
  const [showsProblem, showProblem] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const { ask, outcome, isBusy, finding } = useAsking(learn);
  const firstStep = findFirstStep(row.needs, given);
  const example =
    firstStep === undefined ? JSON.stringify(row.example(given), null, 2) : '';
  const text = edited ?? example;
  const { params, problem } =
    text.trim() === '' && firstStep ? { problem: firstStep } : readParams(text);
  const submit = (event: Event): void => {
    event.preventDefault();
    showProblem(params === undefined);
    if (params) ask({ row, params, given });
    else form.current?.querySelector('textarea')?.focus();
  };
  return (
    <form ref={form} class="method-form" onSubmit={submit}>
      <div class="method-params">
        <Field
          field={{
            name: 'params',
            label: 'Params (JSON)',
            rows: 12,
            hint: edited === undefined ? (firstStep ?? SHAPE) : SHAPE,
            error: showsProblem ? problem : undefined,
          }}
          value={text}
          onInput={(typed) => {
            showProblem(false);
            edit(typed);
          }}
        />
        <div class="actions">
          <Button kind="primary" type="submit" isBusy={isBusy} label={`Ask ${name}`}>
            Ask
          </Button>
          <Button
            kind="quiet"
            isDisabled={edited === undefined}
            label={`Reset to example: ${name}`}
            onClick={() => edit(undefined)}
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
        {row.verify && (
          <p class="verified" role="status" aria-label={`Verification of ${name}`}>
            <Verified finding={finding} />
          </p>
        )}
      </div>
    </form>
  );
}

type ReadParams =
  { params: Params; problem?: never } | { params?: never; problem: string };

function readParams(text: string): ReadParams {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null
      ? { params: value as Params }
      : {
          problem: 'Params are an array, or an object with account, scope and params.',
        };
  } catch {
    return { problem: findJsonProblem(text) };
  }
}

const expectations: Record<string, string> = {
  PropertyNameExpected: 'a name in double quotes',
  ColonExpected: 'a colon',
  CommaExpected: 'a comma or the closing bracket',
  CloseBraceExpected: 'a closing brace',
  CloseBracketExpected: 'a closing bracket',
  EndOfFileExpected: 'the end',
};

// Browsers word the errors of JSON.parse differently, and some name no place.
function findJsonProblem(text: string): string {
  const errors: ParseError[] = [];
  parse(text, errors, { disallowComments: true, allowTrailingComma: false });
  const [first] = errors;
  const before = text.slice(0, first?.offset ?? 0).split('\n');
  const place = `Line ${before.length}, column ${(before.at(-1) ?? '').length + 1}`;
  const expected = first && expectations[printParseErrorCode(first.error)];
  return `${place}: ${expected ?? 'a value'} was expected.`;
}

type Tab<Id extends string> = { id: Id; title: string };

// As WAI-ARIA describes tabs: arrow keys go from one to the next, Home and End to the ends.
function Tabs<Id extends string>(props: {
  tabs: readonly [Tab<Id>, ...Tab<Id>[]];
  label: string;
  draw: (id: Id) => JSX.Element;
}): JSX.Element {
  const { tabs, label, draw } = props;
  const own = useId();
  const list = useRef<HTMLDivElement>(null);
  const [chosen, choose] = useState<Id>(tabs[0].id);
  const move = (event: KeyboardEvent): void => {
    const index = tabs.findIndex(({ id }) => id === chosen);
    const targets: Record<string, number> = {
      ArrowLeft: (index + tabs.length - 1) % tabs.length,
      ArrowRight: (index + 1) % tabs.length,
      Home: 0,
      End: tabs.length - 1,
    };
    const target = targets[event.key];
    const tab = target === undefined ? undefined : tabs[target];
    if (target === undefined || !tab) return;
    event.preventDefault();
    choose(tab.id);
    list.current?.querySelectorAll<HTMLElement>('[role=tab]')[target]?.focus();
  };
  return (
    <div class="tabs">
      <div ref={list} role="tablist" aria-label={label} onKeyDown={move}>
        {tabs.map(({ id, title }) => (
          <button
            key={id}
            type="button"
            role="tab"
            id={`${own}-${id}`}
            aria-selected={id === chosen}
            aria-controls={`${own}-panel`}
            tabIndex={id === chosen ? 0 : -1}
            onClick={() => choose(id)}
          >
            {title}
          </button>
        ))}
      </div>
      <div role="tabpanel" id={`${own}-panel`} aria-labelledby={`${own}-${chosen}`}>
        {draw(chosen)}
      </div>
    </div>
  );
}

type Checked = 'none' | 'checking' | Finding;

function Verified({ finding }: { finding: Checked }): JSX.Element {
  if (finding === 'none') return <>The answer will be verified here.</>;
  if (finding === 'checking') return <>Verifying …</>;
  const { isRight, text } = finding;
  if (isRight === undefined) return <>{text}</>;
  return (
    <>
      <Pill tone={isRight ? 'good' : 'bad'}>{isRight ? 'Right' : 'Wrong'}</Pill> {text}
    </>
  );
}

// Makes the request of a form: its answer, what other forms learn of it, whether it is right.
function useAsking(learn: (known: Known) => void): {
  ask: (subject: Subject) => void;
  outcome: Outcome;
  isBusy: boolean;
  finding: Checked;
} {
  const { provider } = useSession();
  const { outcome, isBusy, run } = useAction();
  const [finding, setFinding] = useState<Checked>('none');
  const ending = useRef(new AbortController());
  useEffect(() => () => ending.current.abort(), []);
  const request = provider.request as Request;

  const check = async (subject: Subject, result: unknown): Promise<void> => {
    const { row, params, given } = subject;
    if (!row.verify) return;
    const { signal } = ending.current;
    setFinding('checking');
    const found = await row
      .verify({ params, result, given }, { request, signal })
      .catch((error: unknown) => ({
        text: `It could not be verified. ${toFailure(error).message}`,
      }));
    if (!signal.aborted) setFinding(found ?? 'none');
  };

  // Learning may take another request. The answer is shown even if that one fails.
  const findKnown = async (subject: Subject, result: unknown): Promise<Known> => {
    const { row, params, given } = subject;
    try {
      return (await row.learn?.({ params, result, given }, request)) ?? {};
    } catch {
      return {};
    }
  };

  const ask = (subject: Subject): void => {
    ending.current.abort();
    ending.current = new AbortController();
    setFinding('none');
    void run(async () => {
      const result = await request(toRequest(subject));
      learn(await findKnown(subject, result));
      void check(subject, result);
      return result;
    });
  };
  return { ask, outcome, isBusy, finding };
}
