// Making accounts on the home page, out of what its forms hold. MetaMask asks its user about
// each account; keys and passwords are used once and are kept nowhere.
import { string, type } from '@metamask/superstruct';
import { base64ToBytes, bytesToString } from '@metamask/utils';
import type { Json } from '@metamask/utils';

import { InvalidParamsError } from '../../errors';
import { decryptKeystore } from '../../eth/keystore';
import { EntryPointVersionStruct } from '../../eth/user-operation';
import { MAX_ANNOUNCED } from '../../keyring/announce';
import type { ProgressPort } from '../../keyring/progress';
import { MAX_GAP, restoreAccounts } from '../../keyring/restore-accounts';
import { matches } from '../../schema/parse';
import { MAX_INDEX } from '../../state/account-record';
import { toShownCount } from '../../ui/format';
import { SMART } from '../../ui/home/account-forms';
import type { Translate } from '../../ui/i18n';
import { info } from '../../ui/notice';
import type { Notice } from '../../ui/notice';
import { confirmFactory } from '../confirm-factory';
import { toFailure } from './failure';
import { listOf } from './place';
import type { HomePlace } from './place';
import { describeRestored } from './restored';
import { HOME_ORIGIN } from './signing';
import type { Action, HomeInput, HomeServices } from './tab';

/** Least ms between two drawings of how far the work has come. */
const REDRAW_MS = 1_000;

/** Largest keystore file that is read, as the wallet gives it. */
const MAX_FILE = 40_000;

const FileStruct = type({ contents: string() });

/** Fields that hold a whole number from one on; people count accounts from one. */
const numberFields = {
  number: { name: 'number', label: 'create.number', most: MAX_INDEX + 1 },
  count: { name: 'count', label: 'create.count', most: MAX_ANNOUNCED },
  gap: { name: 'gap', label: 'restore.gap', most: MAX_GAP },
} as const;

/**
 * Create accounts: the next ones of the wallet's entropy, or those from a number on. The first
 * one that is refused or fails ends it; those before it are there.
 */
export const create: Action = async ({ values }, place, services) => {
  const translate = await services.loadTranslate();
  const first = readNumber(values, numberFields.number, translate);
  const count = readNumber(values, numberFields.count, translate) ?? 1;
  const confirm = confirmFactory(HOME_ORIGIN, services.consent);
  const created: string[] = [];
  let failure: Notice[] = [];
  while (created.length < count && failure.length === 0) {
    const index = first === undefined ? {} : { index: first - 1 + created.length };
    const options = { ...toOptions(values), ...index };
    try {
      const { address } = await services.keyring.createAccount(options, confirm);
      created.push(address);
    } catch (error) {
      if (created.length === 0) throw error;
      failure = [toFailure(error, translate)];
    }
  }
  const [address = ''] = created;
  const done =
    created.length === 1
      ? translate('create.done', { address })
      : translate('create.several', { count: toShownCount(created.length, translate) });
  // The form is gone, and with it what was typed.
  return { ...listOf(place), notices: [info(done), ...failure] };
};

/** Import an account: a private key, or a keystore file that a password opens. */
export const importOne: Action = async ({ values }, place, services) => {
  const translate = await services.loadTranslate();
  const privateKey = await readKey(values, translate);
  const { address } = await services.keyring.createAccount(
    { ...toOptions(values), privateKey },
    confirmFactory(HOME_ORIGIN, services.consent),
  );
  const notices = [info(translate('import.done', { address }))];
  return { ...listOf(place), notices };
};

/** Bring accounts back; how far it has come is drawn meanwhile. */
export const restoreAll: Action = async (input, place, services) => {
  const { progress } = services;
  const translate = await services.loadTranslate();
  const gap = readNumber(input.values, numberFields.gap, translate);
  const confirm = confirmFactory(HOME_ORIGIN, services.consent);
  const drawing = createDrawing({ input, place }, services);
  const restored = await progress
    .run(async (port) => {
      const report: ProgressPort['report'] = (each) => {
        port.report(each);
        drawing.draw();
      };
      const options = gap === undefined ? {} : { gap };
      return restoreAccounts(options, { ...services, confirm }, { ...port, report });
    })
    .finally(drawing.end);
  return { ...listOf(place), notices: describeRestored(restored, translate) };
};

/** Have the work end before its next account. */
export const cancelWork: Action = (_input, place, { progress }) => {
  progress.cancel();
  return place;
};

// What the action draws in the end must not be overtaken.
function createDrawing(
  { input, place }: { input: HomeInput; place: HomePlace },
  { now }: HomeServices,
): { draw: () => void; end: () => Promise<void> } {
  let last = -Infinity;
  let drawn = Promise.resolve();
  return {
    draw: () => {
      if (now() - last < REDRAW_MS) return;
      last = now();
      drawn = drawn.then(async () => input.redraw(place));
    },
    end: async () => drawn,
  };
}

function toOptions({ type: kind, chain }: Record<string, Json>): Record<string, Json> {
  const version = matches(kind, EntryPointVersionStruct) ? { entryPoint: kind } : {};
  if (kind !== SMART && !('entryPoint' in version)) return {};
  const scopes = typeof chain === 'string' ? { scopes: [chain] } : {};
  return { type: 'eip155:erc4337', ...version, ...scopes };
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

// What is left empty is undefined.
function readNumber(
  values: Record<string, Json>,
  { name, label, most }: (typeof numberFields)[keyof typeof numberFields],
  translate: Translate,
): number | undefined {
  const value = values[name];
  const typed = typeof value === 'string' ? value.trim() : '';
  if (typed === '') return undefined;
  const number = /^\d{1,10}$/u.test(typed) ? Number(typed) : 0;
  if (number >= 1 && number <= most) return number;
  const bounds = {
    least: toShownCount(1, translate),
    most: toShownCount(most, translate),
  };
  throw new InvalidParamsError(
    translate('form.noNumber', { name: translate(label), ...bounds }),
  );
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
