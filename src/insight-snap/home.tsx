// The home page of the insight snap: what the snap does, the user's Safes by name, and the
// language.
import type { UserInputEvent } from '@metamask/snaps-sdk';
import {
  Box,
  Button,
  Dropdown,
  Field,
  Form,
  Heading,
  Input,
  Option,
  Section,
  Text,
} from '@metamask/snaps-sdk/jsx';
import type { JSXElement } from '@metamask/snaps-sdk/jsx';

import { LimitExceededError } from '../core/errors';
import { isSameAddress } from '../eth/hex';
import { matches } from '../schema/parse';
import { AddressField, danger, drawNotices } from '../ui/components';
import { languages } from '../ui/i18n';
import type { Locale, Translate } from '../ui/i18n';
import { locales, MAX_SAFES, OwnSafeStruct } from './app';
import type { InsightApp, Settings } from './app';

/** Names of the controls. `remove:` is followed by a Safe's address. */
const controls = { add: 'add', remove: 'remove:', language: 'language' } as const;

/** Input that cannot be stored, and is shown again in the form. */
type Refused = { name?: unknown; address?: unknown };

type ActionResult = {
  refused?: Refused | undefined;
  isFull?: boolean;
  hasFailed?: boolean;
};

type HomeView = Settings & ActionResult & { translate: Translate };

export async function drawHomePage(
  { loadTranslate, settings }: InsightApp,
  outcome: ActionResult = {},
): Promise<JSXElement> {
  const [translate, stored] = await Promise.all([loadTranslate(), settings.read()]);
  return <HomePage {...stored} {...outcome} translate={translate} />;
}

/** Performs a user's action. Returns the new page; undefined if nothing changes. */
export async function handleInput(
  event: UserInputEvent,
  app: InsightApp,
): Promise<JSXElement | undefined> {
  try {
    return await applyInput(event, app);
  } catch (error) {
    const isFull = error instanceof LimitExceededError;
    const refused = readSafe(event);
    return drawHomePage(app, { refused, isFull, hasFailed: !isFull });
  }
}

/** Reads the form that adds a Safe; undefined for other events. */
function readSafe(
  event: UserInputEvent,
): { name: string; address: string } | undefined {
  const value = 'value' in event ? event.value : undefined;
  const isForm = event.name === controls.add && typeof value === 'object';
  if (!isForm || value === null) return undefined;
  const { name, address } = value as Refused;
  return { name: toTrimmed(name), address: toTrimmed(address) };
}

async function applyInput(
  event: UserInputEvent,
  app: InsightApp,
): Promise<JSXElement | undefined> {
  const { update } = app.settings;
  const { name = '' } = event;
  const value = 'value' in event ? event.value : undefined;
  const safe = readSafe(event);
  if (safe) {
    const isSafe = matches(safe, OwnSafeStruct) && safe.name !== '';
    if (!isSafe) return drawHomePage(app, { refused: safe });
    await update(({ safes, ...settings }) => {
      const others = without(safes, safe.address);
      if (others.length < MAX_SAFES) return { ...settings, safes: [...others, safe] };
      throw new LimitExceededError(`At most ${MAX_SAFES} Safes can be stored.`);
    });
  } else if (name.startsWith(controls.remove)) {
    const address = name.slice(controls.remove.length);
    await update(({ safes, ...settings }) => ({
      ...settings,
      safes: without(safes, address),
    }));
  } else if (name === controls.language) {
    const language = locales.find((each) => each === value);
    await update(({ language: _before, ...settings }) => ({
      ...settings,
      ...(language && { language }),
    }));
  } else {
    return undefined;
  }
  return drawHomePage(app);
}

export function HomePage(view: HomeView): JSXElement {
  const { translate, safes, language, refused, isFull, hasFailed = false } = view;
  const problem = isFull
    ? translate('home.insight.full', { count: MAX_SAFES })
    : translate('home.insight.invalid');
  const notices = hasFailed ? [danger(translate('home.failed'))] : [];
  return (
    <Box>
      {drawNotices(notices, translate)}
      <Text>{translate('home.insight')}</Text>
      <Heading>{translate('home.insight.safes')}</Heading>
      {safes.length === 0 ? <Text>{translate('home.insight.noSafes')}</Text> : null}
      {safes.map(({ name, address }) => (
        <Section>
          <AddressField label={name} address={address} isWhole={true} />
          <Button name={`${controls.remove}${address}`}>
            {translate('settings.remove')}
          </Button>
        </Section>
      ))}
      <Form name={controls.add}>
        <Field label={translate('field.name')}>
          <Input name="name" {...valueOf(refused?.name)} />
        </Field>
        <Field
          label={translate('home.insight.address')}
          error={refused && !hasFailed ? problem : undefined}
        >
          <Input name="address" {...valueOf(refused?.address)} />
        </Field>
        <Button type="submit">{translate('home.insight.add')}</Button>
      </Form>
      <Field label={translate('home.insight.language')}>
        <Dropdown name={controls.language} value={language ?? ''}>
          <Option value="">{translate('home.insight.browser')}</Option>
          {locales.map((locale) => (
            <Option value={locale}>{nameOf(locale)}</Option>
          ))}
        </Dropdown>
      </Field>
    </Box>
  );
}

function without(safes: Settings['safes'], removed: string): Settings['safes'] {
  return safes.filter(({ address }) => !isSameAddress(address, removed));
}

// Returns a language's own name for itself.
function nameOf(locale: Locale): string {
  const tag = languages[locale];
  return new Intl.DisplayNames([tag], { type: 'language' }).of(tag) ?? tag;
}

function toTrimmed(value: unknown): string {
  return typeof value === 'string' ? value.trim() : '';
}

function valueOf(typed: unknown): { value?: string } {
  return typeof typed === 'string' ? { value: typed } : {};
}
