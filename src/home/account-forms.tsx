// Making accounts: new ones, one whose key is somewhere else, and those that were lost. MetaMask
// asks its user about each account; keys and passwords are used once and are kept nowhere.
import type { EntropySource } from '@metamask/snaps-sdk';
import {
  Box,
  Button,
  Dropdown,
  Field,
  FileInput,
  Form,
  Heading,
  Input,
  Option,
  Row,
  Section,
  Text,
} from '@metamask/snaps-sdk/jsx';
import type { BoxElement, FieldElement, SectionElement } from '@metamask/snaps-sdk/jsx';
import { string, type } from '@metamask/superstruct';
import { base64ToBytes, bytesToString } from '@metamask/utils';
import type { Json } from '@metamask/utils';

import { MAX_ANNOUNCED } from '../accounts/range';
import type { NotTaken, Progress } from '../accounts/range';
import { MAX_GAP, restoreAccounts } from '../accounts/restore';
import type { Restored } from '../accounts/restore';
import { InvalidParamsError } from '../errors';
import { decryptKeystore } from '../eth/keystore';
import { entryPointVersions, EntryPointVersionStruct } from '../eth/user-operation';
import { matches } from '../schema/parse';
import { HOME_ORIGIN } from '../sites/consent';
import { askAboutAccounts } from '../sites/new-accounts';
import { MAX_INDEX } from '../state/account-record';
import { info, warning } from '../ui/components';
import type { Notice } from '../ui/components';
import { toShownChain, toShownCount, toShownLine } from '../ui/format';
import type { TextKey, Translate } from '../ui/i18n';
import {
  ChainChoice,
  emptySecret,
  findTyped,
  inform,
  listOf,
  toFailure,
  typedValue,
} from './tab';
import type { Action, FormState } from './tab';

const CREATE_FORM = 'home.accounts.create';

const IMPORT_FORM = 'home.accounts.import';

const RESTORE_FORM = 'home.accounts.restore';

/** Value of the choice of type that stands for an ordinary account. */
const EOA = 'eoa';

/** Value of the choice of a recovery phrase that stands for the wallet's first. */
const PRIMARY = 'primary';

/** Value of the choice of type that leaves a smart account's EntryPoint to the chain. */
const SMART = 'smart';

/** Value of the choice of type that stands for a Safe. */
const SAFE = 'safe';

/** Least ms between two drawings of how far the work has come. */
const REDRAW_MS = 1_000;

/** Largest keystore file that is read, as the wallet gives it. */
const MAX_FILE = 40_000;

/** Most accounts or chains that one notice names. */
const MAX_NAMED = 5;

const FileStruct = type({ contents: string() });

/** Fields that hold a whole number from one on; people count accounts from one. */
const numberFields = {
  number: { label: 'create.number', most: MAX_INDEX + 1 },
  count: { label: 'create.count', most: MAX_ANNOUNCED },
  gap: { label: 'restore.gap', most: MAX_GAP },
} as const;

const phases: Record<Progress['phase'], TextKey> = {
  checking: 'progress.checking',
  searching: 'progress.searching',
  announcing: 'progress.announcing',
};

/**
 * Creates accounts: the next ones of the wallet's entropy, or those from a number on. The first
 * one that is refused or fails ends it; those before it are there.
 */
export const create: Action = async ({ values, translate }, place, context) => {
  const first = readNumber(values, 'number', translate);
  const count = readNumber(values, 'count', translate) ?? 1;
  const questions = askAboutAccounts(HOME_ORIGIN, context.consent);
  const created: string[] = [];
  const failures: Notice[] = [];
  while (created.length < count && failures.length === 0) {
    const index = first === undefined ? {} : { index: first - 1 + created.length };
    const options = { ...toOptions(values), ...toSource(values), ...index };
    try {
      const { address } = await context.keyring.createAccount(options, questions);
      created.push(address);
    } catch (error) {
      if (created.length === 0) throw error;
      failures.push(toFailure(error, translate));
    }
  }
  const [address = ''] = created;
  const done =
    created.length === 1
      ? translate('create.done', { address })
      : translate('create.several', { count: toShownCount(created.length, translate) });
  // The form is gone, and with it what was typed.
  return { ...listOf(place), notices: [info(done), ...failures] };
};

/** Imports an account: a private key, or a keystore file that a password opens. */
export const importOne: Action = async ({ values, translate }, place, context) => {
  const privateKey = await readKey(values, translate);
  const { address } = await context.keyring.createAccount(
    { ...toOptions(values), privateKey },
    askAboutAccounts(HOME_ORIGIN, context.consent),
  );
  return inform(listOf(place), translate('import.done', { address }));
};

/** Brings accounts back; how far it has come is drawn meanwhile. */
export const restoreAll: Action = async (input, place, context) => {
  const { values, translate, redraw } = input;
  const gap = readNumber(values, 'gap', translate);
  const questions = askAboutAccounts(HOME_ORIGIN, context.consent);
  let last = -Infinity;
  let drawn = Promise.resolve();
  const draw = (): void => {
    if (context.now() - last < REDRAW_MS) return;
    last = context.now();
    drawn = drawn.then(async () => redraw(place));
  };
  const restored = await context.progress
    .run(async (port) =>
      restoreAccounts(
        { ...toSource(values), ...(gap === undefined ? {} : { gap }) },
        { ...context, questions },
        {
          ...port,
          report: (progress) => {
            port.report(progress);
            draw();
          },
        },
      ),
    )
    // What the action draws in the end must not be overtaken.
    // oxlint-disable-next-line typescript/no-misused-promises -- finally() awaits it.
    .finally(async () => drawn);
  return { ...listOf(place), notices: describeRestored(restored, translate) };
};

/** Has the work end before its next account. */
export const cancelWork: Action = (_input, place, { progress }) => {
  progress.cancel();
  return place;
};

function toOptions({ type: kind, chain }: Record<string, Json>): Record<string, Json> {
  const scopes = typeof chain === 'string' ? { scopes: [chain] } : {};
  const smart = { type: 'eip155:erc4337', ...scopes };
  if (kind === SAFE) return { ...smart, implementation: kind };
  if (matches(kind, EntryPointVersionStruct)) return { ...smart, entryPoint: kind };
  return kind === SMART ? smart : {};
}

// Accounts of the first phrase name none, so that they are the same in wallets that list none.
function toSource({ phrase = PRIMARY }: Record<string, Json>): Record<string, Json> {
  return phrase === PRIMARY ? {} : { entropySource: phrase };
}

async function readKey(
  { key, file, password }: Record<string, Json>,
  translate: Translate,
): Promise<string> {
  const typed = typeof key === 'string' ? key.trim() : '';
  const text = matches(file, FileStruct) ? readFile(file.contents) : undefined;
  if ((typed === '') === (text === undefined)) {
    throw new InvalidParamsError(translate('import.eitherOr'));
  }
  const secret = typeof password === 'string' ? password : '';
  if (text !== undefined) return decryptKeystore(text, secret);
  if (typed.startsWith('{')) return decryptKeystore(typed, secret);
  if (/^(?:0x)?[0-9a-f]{64}$/iu.test(typed)) return typed;
  throw new InvalidParamsError(translate('import.noKey'));
}

function readFile(contents: string): string {
  // What is too large or no text at all is no keystore file either.
  if (contents.length > MAX_FILE) return '';
  try {
    return bytesToString(base64ToBytes(contents));
  } catch {
    return '';
  }
}

// What is left empty is undefined.
function readNumber(
  values: Record<string, Json>,
  field: keyof typeof numberFields,
  translate: Translate,
): number | undefined {
  const { label, most } = numberFields[field];
  const value = values[field];
  const typed = typeof value === 'string' ? value.trim() : '';
  if (typed === '') return undefined;
  const number = /^\d{1,10}$/u.test(typed) ? Number(typed) : 0;
  if (number >= 1 && number <= most) return number;
  throw new InvalidParamsError(
    translate('form.noNumber', {
      name: translate(label),
      least: toShownCount(1, translate),
      most: toShownCount(most, translate),
    }),
  );
}

function describeRestored(restored: Restored, translate: Translate): Notice[] {
  const { accounts, recovered, unchanged, unchecked } = restored;
  const { declined, failed, skipped, unreachable } = restored;
  const count = (total: number): string => toShownCount(total, translate);
  const toNames = (names: readonly string[]): string =>
    names.slice(0, MAX_NAMED).join(', ');
  const warn = (key: TextKey, rows: readonly NotTaken[]): Notice[] => {
    const names = toNames(rows.map(({ name }) => name));
    const words = translate(key, { count: count(rows.length), names });
    return rows.length === 0 ? [] : [warning(words)];
  };
  const chains = toNames(unreachable.map((chain) => toShownChain(chain, translate)));
  return [
    info(
      translate('restore.done', {
        restored: count(accounts.length + recovered.length),
        unchanged: count(unchanged.length),
      }),
    ),
    ...warn('restore.declined', declined),
    ...warn('restore.skipped', skipped),
    ...warn('restore.unchecked', unchecked),
    ...failed.map(({ name, address, message }) =>
      warning(
        translate('restore.failed', { name, address, reason: toShownLine(message) }),
      ),
    ),
    ...(unreachable.length === 0
      ? []
      : [warning(translate('restore.unreachable', { chains }))]),
    ...(restored.isComplete ? [] : [warning(translate('restore.incomplete'))]),
  ];
}

/** What the forms are drawn of. */
type AccountFormView = {
  translate: Translate;
  /** Chains (CAIP-2) that a smart account can be for. */
  chains: readonly string[];
  form: FormState;
};

/** Draws the form for a new account. */
export function CreateForm(
  view: AccountFormView & { phrases: readonly EntropySource[] },
): BoxElement {
  const { translate, form } = view;
  return (
    <Box>
      <Heading>{translate('accounts.create')}</Heading>
      <Text>{translate('create.meaning')}</Text>
      <Form name={CREATE_FORM}>
        {drawType(view, CREATE_FORM)}
        {drawPhrases(view, CREATE_FORM)}
        <Field label={translate('create.number')}>
          <Input name="number" {...typedValue(form, CREATE_FORM, 'number')} />
        </Field>
        <Field label={translate('create.count')}>
          <Input
            name="count"
            placeholder="1"
            {...typedValue(form, CREATE_FORM, 'count')}
          />
        </Field>
        <Button name="home.accounts.submit" type="submit">
          {translate('create.go')}
        </Button>
      </Form>
      <Button name="home.accounts.list">{translate('home.back')}</Button>
    </Box>
  );
}

/** Draws the form for a key from elsewhere. */
export function ImportForm(view: AccountFormView): BoxElement {
  const { translate, form } = view;
  const secret = emptySecret(form);
  return (
    <Box>
      <Heading>{translate('accounts.import')}</Heading>
      <Text>{translate('import.meaning')}</Text>
      <Form name={IMPORT_FORM}>
        <Field label={translate('import.key')}>
          <Input name="key" type="password" {...secret} />
        </Field>
        <Field label={translate('import.file')}>
          <FileInput name="file" compact />
        </Field>
        <Field label={translate('import.password')}>
          <Input name="password" type="password" {...secret} />
        </Field>
        {drawType(view, IMPORT_FORM)}
        <Button name="home.accounts.submit" type="submit">
          {translate('import.go')}
        </Button>
      </Form>
      <Button name="home.accounts.list">{translate('home.back')}</Button>
    </Box>
  );
}

function drawType(
  { translate, chains, form }: AccountFormView,
  name: string,
): BoxElement {
  const [first] = chains;
  return (
    <Box>
      <Field label={translate('accounts.type')}>
        <Dropdown name="type" value={findTyped(form, name, 'type') ?? EOA}>
          <Option value={EOA}>{translate('accounts.eoa')}</Option>
          <Option value={SMART}>{translate('accounts.smartNewest')}</Option>
          <Option value={SAFE}>{translate('accounts.safe')}</Option>
          {[...entryPointVersions].reverse().map((version) => (
            <Option value={version}>{translate('accounts.smart', { version })}</Option>
          ))}
        </Dropdown>
      </Field>
      {first === undefined ? null : (
        <ChainChoice
          translate={translate}
          name="chain"
          label="create.chain"
          chains={chains}
          value={findTyped(form, name, 'chain') ?? first}
        />
      )}
    </Box>
  );
}

function drawPhrases(
  {
    translate,
    phrases,
    form,
  }: Pick<AccountFormView, 'translate' | 'form'> & {
    phrases: readonly EntropySource[];
  },
  name: string,
): FieldElement | null {
  if (phrases.length < 2) return null;
  return (
    <Field label={translate('accounts.phrase')}>
      <Dropdown name="phrase" value={findTyped(form, name, 'phrase') ?? PRIMARY}>
        {phrases.map(({ id, name: shown, primary }) => (
          <Option value={primary ? PRIMARY : id}>{toShownLine(shown)}</Option>
        ))}
      </Dropdown>
    </Field>
  );
}

/** Draws the way to bring accounts back. */
export function RestorePage({
  translate,
  phrases,
  progress,
  gap,
  form,
}: {
  translate: Translate;
  phrases: readonly EntropySource[];
  progress: Progress | undefined;
  /** How far the search goes if nothing is typed. */
  gap: number;
  form: FormState;
}): BoxElement {
  return (
    <Box>
      <Heading>{translate('accounts.restore')}</Heading>
      <Text>{translate('restore.meaning')}</Text>
      {progress ? (
        drawProgress(progress, translate)
      ) : (
        <Form name={RESTORE_FORM}>
          {drawPhrases({ translate, phrases, form }, RESTORE_FORM)}
          <Field label={translate('restore.gap')}>
            <Input
              name="gap"
              placeholder={String(gap)}
              {...typedValue(form, RESTORE_FORM, 'gap')}
            />
          </Field>
          <Button name="home.accounts.submit" type="submit">
            {translate('restore.go')}
          </Button>
        </Form>
      )}
      <Button name="home.accounts.list">{translate('home.back')}</Button>
    </Box>
  );
}

/** Draws how far the work on accounts has come, and a way to end it. */
export function drawProgress(
  { phase, done, total }: Progress,
  translate: Translate,
): SectionElement {
  const values = {
    done: toShownCount(done, translate),
    total: toShownCount(total, translate),
  };
  return (
    <Section>
      <Row label={translate(phases[phase])}>
        <Text>{translate('progress.count', values)}</Text>
      </Row>
      <Button name="home.accounts.cancel" size="sm">
        {translate('progress.cancel')}
      </Button>
    </Section>
  );
}
