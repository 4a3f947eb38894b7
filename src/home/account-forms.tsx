// Forms that create, import and restore accounts. MetaMask asks the user about each account that it
// will list. Passwords are not stored; imported keys are stored only by the core.
import type { EntropySource } from '@metamask/snaps-sdk';
import { Box, Section, Text } from '@metamask/snaps-sdk/jsx';
import type { BoxElement, FormElement, SectionElement } from '@metamask/snaps-sdk/jsx';
import { base64ToBytes, bytesToString, isObject } from '@metamask/utils';
import type { Json } from '@metamask/utils';

import { MAX_ANNOUNCED } from '../accounts/announce';
import type { Progress } from '../accounts/announce';
import { namePhrase } from '../accounts/phrases';
import { DEFAULT_GAP, MAX_GAP, restoreAccounts } from '../accounts/restore';
import type { Restored } from '../accounts/restore';
import { entryPointVersions } from '../core/entry-points';
import { InvalidParamsError } from '../core/errors';
import { decryptKeystore } from '../eth/keystore';
import { EntryPointVersionStruct } from '../eth/user-operation';
import { matches } from '../schema/parse';
import { askAboutAccounts } from '../sites/accounts';
import { HOME_ORIGIN } from '../sites/consent';
import { MAX_INDEX } from '../state/account-record';
import { bindButton, Field, info, SMALL, warning } from '../ui/components';
import type { Notice } from '../ui/components';
import { toShownChain, toShownLine } from '../ui/format';
import type { Translate } from '../ui/i18n';
import { chainField, drawForm, readForm, upTo } from './form';
import type { ChainView, FormField, FormFields, FormView, HomeForm } from './form';
import { inform, returnToList, Subpage, toFailure } from './tab';
import type { Action } from './tab';

/** Values of the type choice; the other values are EntryPoint versions. With `smart`, the chain
 * decides the EntryPoint. */
const EOA = 'eoa';
const SMART = 'smart';
const SAFE = 'safe';

/** Value of the wallet's first recovery phrase. */
const PRIMARY = 'primary';

const REDRAW_MS = 1_000;

/** Maximum length of a keystore file in Base64. */
const MAX_FILE = 40_000;

const MAX_NAMED = 5;

export const SUBMIT = 'home.accounts.submit';

type PhraseView = FormView & { phrases: readonly EntropySource[] };

/** The field is also an action, because its value decides which fields are shown. */
const KIND = 'home.accounts.kind';

type KindView = FormView & ChainView;

const isSmart = ({ form }: KindView): boolean =>
  Object.values(form.typed).some(
    (values) => isObject(values) && (values[KIND] ?? EOA) !== EOA,
  );

const kindFields = {
  [KIND]: {
    label: 'accounts.type',
    kind: 'choice',
    options: ({ translate }) => [
      [EOA, translate('accounts.eoa')],
      [SMART, translate('accounts.smartNewest')],
      [SAFE, translate('accounts.safe')],
      ...[...entryPointVersions]
        .reverse()
        .map((version) => [version, translate('accounts.smart', { version })] as const),
    ],
  },
  chain: { ...chainField, isShown: isSmart },
  listed: { label: 'create.listed', kind: 'box', isShown: isSmart },
} as const satisfies FormFields<KindView>;

// The field has no options if there is only one phrase.
const phraseField = {
  label: 'accounts.phrase',
  kind: 'choice',
  options: ({ phrases }) =>
    phrases.length < 2
      ? []
      : phrases.map((phrase) => [
          phrase.primary ? PRIMARY : phrase.id,
          toShownLine(namePhrase(phrase, phrases)),
        ]),
  // The first phrase's id is omitted, so that accounts are the same in wallets that cannot list
  // phrases.
  parse: (id: string) => (id === PRIMARY ? {} : { entropySource: id }),
} as const satisfies FormField<PhraseView>;

const createForm = {
  name: 'home.accounts.create',
  fields: {
    ...kindFields,
    phrase: phraseField,
    number: { label: 'create.number', kind: 'text', parse: upTo(MAX_INDEX + 1) },
    count: {
      label: 'create.count',
      kind: 'text',
      hint: '1',
      parse: upTo(MAX_ANNOUNCED),
    },
  },
  submit: { name: SUBMIT, label: 'create.go' },
} as const satisfies HomeForm<KindView & PhraseView>;

const importForm = {
  name: 'home.accounts.import',
  fields: {
    key: { label: 'import.key', kind: 'secret', parse: (text: string) => text.trim() },
    file: { label: 'import.file', kind: 'file', parse: readFile },
    password: { label: 'import.password', kind: 'secret' },
    ...kindFields,
  },
  submit: { name: SUBMIT, label: 'import.go' },
} as const satisfies HomeForm<KindView>;

const restoreForm = {
  name: 'home.accounts.restore',
  fields: {
    phrase: phraseField,
    gap: {
      label: 'restore.gap',
      kind: 'text',
      hint: String(DEFAULT_GAP),
      parse: upTo(MAX_GAP),
    },
  },
  submit: { name: SUBMIT, label: 'restore.go' },
} as const satisfies HomeForm<PhraseView>;

/** Creates the next accounts from the wallet's entropy, or accounts from a given number on. Stops
 * at the first refusal or failure, and keeps the accounts created before it. */
export const create: Action = async ({ values, translate }, place, context) => {
  const filled = readForm(createForm.fields, values, translate);
  const { number: first, count = 1 } = filled;
  const questions = askAboutAccounts(HOME_ORIGIN, context.consent);
  const created: string[] = [];
  const failures: Notice[] = [];
  while (created.length < count && failures.length === 0) {
    const index = first === undefined ? {} : { index: first - 1 + created.length };
    const options = { ...toOptions(filled), ...filled.phrase, ...index };
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
      : translate('create.several', { count: created.length });
  return { ...returnToList(place), notices: [info(done), ...failures] };
};

export const importOne: Action = async ({ values, translate }, place, context) => {
  const filled = readForm(importForm.fields, values, translate);
  const privateKey = await readKey(filled, translate);
  const { address } = await context.keyring.createAccount(
    { ...toOptions(filled), privateKey },
    askAboutAccounts(HOME_ORIGIN, context.consent),
  );
  return inform(returnToList(place), translate('import.done', { address }));
};

export const restoreAll: Action = async (input, place, context) => {
  const { values, translate, redraw } = input;
  const { phrase, gap } = readForm(restoreForm.fields, values, translate);
  const questions = askAboutAccounts(HOME_ORIGIN, context.consent);
  let last = -Infinity;
  let drawn = Promise.resolve();
  const restored = await context.progress
    .run(async (port) => {
      const report = (progress: Progress): void => {
        port.report(progress);
        if (context.now() - last < REDRAW_MS) return;
        last = context.now();
        drawn = drawn.then(async () => redraw(place));
      };
      return restoreAccounts(
        { ...phrase, ...(gap === undefined ? {} : { gap }) },
        { ...context, questions, keepsSmart: true },
        { ...port, report },
      );
    })
    // A late redraw of the progress must not replace the result.
    // oxlint-disable-next-line typescript/no-misused-promises -- finally() awaits it.
    .finally(async () => drawn);
  return { ...returnToList(place), notices: describeRestored(restored, translate) };
};

export const cancelWork: Action = (_input, place, { progress }) => {
  progress.cancel();
  return place;
};

type Filled<Name extends string> = Record<Name, string | undefined>;

function toOptions({
  [KIND]: kind,
  chain,
  listed = false,
}: Filled<typeof KIND | 'chain'> & {
  listed: boolean | undefined;
}): Record<string, Json> {
  const scopes = chain === undefined ? {} : { scopes: [chain] };
  // MetaMask plans to drop this account type. A listed account of a dropped type could hide all our
  // accounts.
  const smart = { type: 'eip155:erc4337', unlisted: !listed, ...scopes };
  if (kind === SAFE) return { ...smart, implementation: kind };
  if (matches(kind, EntryPointVersionStruct)) return { ...smart, entryPoint: kind };
  return kind === SMART ? smart : {};
}

async function readKey(
  { key = '', file, password = '' }: Filled<'key' | 'file' | 'password'>,
  translate: Translate,
): Promise<string> {
  if ((key === '') === (file === undefined)) {
    throw new InvalidParamsError(translate('import.eitherOr'));
  }
  if (file !== undefined || key.startsWith('{')) {
    return decryptKeystore(file ?? key, password);
  }
  if (/^(?:0x)?[0-9a-f]{64}$/iu.test(key)) return key;
  throw new InvalidParamsError(translate('import.noKey'));
}

function readFile(contents: string): string {
  // A file that is too large or not text cannot be a keystore file.
  if (contents.length > MAX_FILE) return '';
  try {
    return bytesToString(base64ToBytes(contents));
  } catch {
    return '';
  }
}

function describeRestored(restored: Restored, translate: Translate): Notice[] {
  const { accounts, recovered, unchanged, failed, unreachable } = restored;
  const toNames = (names: readonly string[]): string =>
    names.slice(0, MAX_NAMED).join(', ');
  const done = translate('restore.done', {
    restored: accounts.length + recovered.length,
    unchanged: unchanged.length,
  });
  const notRestored = (['declined', 'skipped', 'unchecked'] as const).flatMap(
    (outcome) => {
      const names = toNames(restored[outcome].map(({ name }) => name));
      const values = { count: restored[outcome].length, names };
      return restored[outcome].length === 0
        ? []
        : translate(`restore.${outcome}`, values);
    },
  );
  const chains = toNames(unreachable.map(toShownChain));
  const warnings = [
    ...notRestored,
    ...failed.map(({ name, address, message }) =>
      translate('restore.failed', { name, address, reason: toShownLine(message) }),
    ),
    ...(chains === '' ? [] : [translate('restore.unreachable', { chains })]),
    ...(restored.isComplete ? [] : [translate('restore.incomplete')]),
  ];
  return [info(done), ...warnings.map(warning)];
}

export function CreateForm(view: KindView & PhraseView): BoxElement {
  const form = drawForm(createForm, view);
  return drawStep('create', view.translate, withListing(view, form));
}

export function ImportForm(view: KindView): BoxElement {
  const form = drawForm(importForm, view);
  return drawStep('import', view.translate, withListing(view, form));
}

function withListing(view: KindView, form: FormElement): BoxElement {
  return (
    <Box>
      {isSmart(view) ? <Text>{view.translate('create.listing')}</Text> : null}
      {form}
    </Box>
  );
}

export function RestorePage(
  view: PhraseView & { progress: Progress | undefined },
): BoxElement {
  const { translate, progress } = view;
  const content = progress
    ? drawProgress(progress, translate)
    : drawForm(restoreForm, view);
  return drawStep('restore', translate, content);
}

function drawStep(
  step: 'create' | 'import' | 'restore',
  translate: Translate,
  content: BoxElement | FormElement | SectionElement,
): BoxElement {
  return (
    <Subpage
      translate={translate}
      title={translate(`accounts.${step}`)}
      list="home.accounts.list"
    >
      <Text>{translate(`${step}.meaning`)}</Text>
      {content}
    </Subpage>
  );
}

export function drawProgress(
  { phase, done, total }: Progress,
  translate: Translate,
): SectionElement {
  const value = translate('progress.count', { done, total });
  return (
    <Section>
      <Field label={translate(`progress.${phase}`)} value={value} />
      {bindButton(translate)('home.accounts.cancel', 'progress.cancel', SMALL)}
    </Section>
  );
}
