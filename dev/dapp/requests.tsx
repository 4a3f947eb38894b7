/** @jsxImportSource preact */
// The last step: every method that sites can call, as a form with an example.
import type { JSX } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';

import { toFailure, useAction } from './action';
import { check, type Answered } from './checks';
import { Button, Choice, Output } from './components';
import {
  findMissing,
  learn,
  writeAccounts,
  writeExample,
  type Given,
  type Method,
  type Values,
} from './examples';
import { nameAccount, translate, type Session } from './session';

export function Requests({ session }: { session: Session }): JSX.Element {
  const { provider, isReady, connected, chainId = '0x1' } = session;
  const [methods, setMethods] = useState<readonly Method[]>([]);
  const [problem, setProblem] = useState<string>();
  const [chosen, choose] = useState('');
  const [filter, setFilter] = useState('');
  const [values, setValues] = useState<Values>({});
  useEffect(() => {
    if (!isReady) return;
    provider
      .request<{ methods: Method[] }>({ method: 'rpc.discover' })
      .then((document) => setMethods(document.methods.filter(isForSites)))
      .catch((error: unknown) => setProblem(toFailure(error).text));
  }, [isReady, provider]);
  const first = connected.find(({ id }) => id === chosen) ?? connected[0];
  const accounts = first ? [first, ...connected.filter((each) => each !== first)] : [];
  return (
    <>
      {first ? (
        <Choice
          label={translate('field.account')}
          value={first.id}
          options={connected.map((account) => [account.id, nameAccount(account)])}
          onChange={choose}
        />
      ) : (
        <p class="hint">
          No account is connected. Requests that need an account are rejected.
        </p>
      )}
      {problem !== undefined && <p role="alert">{problem}</p>}
      <label class="field">
        Filter
        <input
          type="search"
          value={filter}
          onInput={({ currentTarget }) => setFilter(currentTarget.value)}
        />
      </label>
      <ul class="methods">
        {methods.map((method) => (
          <li key={method.name} hidden={!isMatch(method, filter)}>
            <Fold
              method={method}
              given={{ methods, accounts, chainId, values }}
              session={session}
              onAnswer={(result) =>
                setValues((before) => ({ ...before, ...learn(method, result) }))
              }
            />
          </li>
        ))}
      </ul>
    </>
  );
}

const isForSites = (method: Method): boolean => method['x-open-to'].includes('dapp');

const isMatch = (method: Method, filter: string): boolean =>
  `${method.name} ${method.summary} ${writeAccounts(method)}`
    .toLowerCase()
    .includes(filter.trim().toLowerCase());

type FormProps = {
  method: Method;
  given: Given;
  session: Session;
  onAnswer: (result: unknown) => void;
};

// The form is drawn when it is first opened, and keeps its input when it is closed.
function Fold(props: FormProps): JSX.Element {
  const [wasOpened, open] = useState(false);
  const { name, summary } = props.method;
  const accounts = writeAccounts(props.method);
  return (
    <details onToggle={() => open(true)}>
      <summary>
        <code>{name}</code> <span>{summary.replaceAll('`', '')}</span>
        {accounts && <span class="hint"> Needs: {accounts}.</span>}
      </summary>
      {wasOpened && <Form {...props} />}
    </details>
  );
}

function Form({ method, given, session, onAnswer }: FormProps): JSX.Element {
  const { name } = method;
  const { provider } = session;
  const id = useId();
  // The example follows the account and earlier answers until it is edited.
  const [edited, edit] = useState<string>();
  const [finding, setFinding] = useState('');
  const round = useRef(0);
  useEffect(() => () => void (round.current += 1), []);
  const text = edited ?? writeExample(method, given);
  const missing = edited === undefined ? findMissing(method, given) : undefined;
  const follow = async (answered: Answered, own: number): Promise<void> => {
    try {
      for await (const known of check(answered, provider)) {
        if (own !== round.current) return;
        setFinding(known);
      }
    } catch (error) {
      setFinding(toFailure(error).text);
    }
  };
  const action = useAction(async () => {
    const own = (round.current += 1);
    setFinding('');
    const params = parseParams(text);
    const result = await provider.request({ method: name, params });
    onAnswer(result);
    void follow({ name, params, result }, own);
    return result;
  });
  return (
    <div class="form">
      <label for={id}>Params (JSON)</label>
      <textarea
        id={id}
        class="mono"
        spellcheck={false}
        rows={Math.min(text.split('\n').length, 16)}
        value={text}
        onInput={({ currentTarget }) => edit(currentTarget.value)}
      />
      {missing !== undefined && (
        <p class="hint">
          Send <code>{missing}</code> first: its answer is filled in here.
        </p>
      )}
      <div class="actions">
        <Button
          isMain
          isBusy={action.isBusy}
          label={`Send ${name}`}
          onClick={action.run}
        >
          Send
        </Button>
        <Button
          isDisabled={edited === undefined}
          label={`Reset ${name}`}
          onClick={() => edit(undefined)}
        >
          Reset
        </Button>
      </div>
      <Output outcome={action.outcome} label={`Answer of ${name}`} />
      <p class="hint" role="status" aria-label={`Check of ${name}`}>
        {finding}
      </p>
    </div>
  );
}

function parseParams(text: string): readonly unknown[] | Record<string, unknown> {
  const explain = (problem: string): never => {
    throw new Error(
      `${problem} Enter an array, or an object with account, scope and params. Nothing was sent.`,
    );
  };
  try {
    const params: unknown = JSON.parse(text);
    if (Object(params) === params) return params as unknown[];
  } catch (error) {
    return explain(`The params are not valid JSON: ${(error as Error).message}.`);
  }
  return explain('The params are neither an array nor an object.');
}
