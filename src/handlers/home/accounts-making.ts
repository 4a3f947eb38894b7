// Making accounts on the home page, out of what its forms hold. MetaMask asks its user about
// each account; keys and passwords are used once and are kept nowhere.
import { string, type } from '@metamask/superstruct';
import type { Json } from '@metamask/utils';
import { base64ToBytes, bytesToString } from '@metamask/utils';

import { InvalidParamsError } from '../../errors';
import { EntryPointVersionStruct } from '../../eth/entry-point';
import { decryptKeystore } from '../../eth/keystore';
import type { ProgressPort } from '../../keyring/progress';
import { restoreAccounts } from '../../keyring/restore-accounts';
import { matches } from '../../parse';
import { SMART } from '../../ui/home/account-forms';
import type { Translate } from '../../ui/i18n';
import { info } from '../../ui/notice';
import type { Notice } from '../../ui/notice';
import { listOf } from './place';
import type { HomePlace } from './place';
import { describeRestored } from './restored';
import type { Action, HomeInput, HomeServices } from './tab';

/** Least ms between two drawings of how far the work has come. */
const REDRAW_MS = 1_000;

/** Largest keystore file that is read, as the wallet gives it. */
const MAX_FILE = 40_000;

const FileStruct = type({ contents: string() });

/** Create an account: the next one of the wallet's entropy. */
export const createOne: Action = async ({ values }, place, services) => {
  const account = await services.keyring.createAccount(toOptions(values));
  // The form is gone, and with it what was typed.
  const notices = await tell('create.done', account, services);
  return { ...listOf(place), notices };
};

/** Import an account: a private key, or a keystore file that a password opens. */
export const importOne: Action = async ({ values }, place, services) => {
  const privateKey = await readKey(values, await services.loadTranslate());
  const account = await services.keyring.createAccount({
    ...toOptions(values),
    privateKey,
  });
  const notices = await tell('import.done', account, services);
  return { ...listOf(place), notices };
};

/** Bring accounts back; how far it has come is drawn meanwhile. */
export const restoreAll: Action = async (input, place, services) => {
  const { progress, loadTranslate } = services;
  const drawing = createDrawing({ input, place }, services);
  const restored = await progress
    .run(async (port) => {
      const report: ProgressPort['report'] = (each) => {
        port.report(each);
        drawing.draw();
      };
      return restoreAccounts({}, services, { ...port, report });
    })
    .finally(drawing.end);
  const notices = describeRestored(restored, await loadTranslate());
  return { ...listOf(place), notices };
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

async function tell(
  key: 'create.done' | 'import.done',
  { address }: { address: string },
  { loadTranslate }: HomeServices,
): Promise<Notice[]> {
  const translate = await loadTranslate();
  return [info(translate(key, { address }))];
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
