// The texts of dialogs, loaded from the shipped files when the first dialog is drawn.
import { record, string } from '@metamask/superstruct';

import { InternalError } from '../errors';
import { matches } from '../parse';
import { createTranslate } from '../ui/i18n';
import type { Texts, Translate } from '../ui/i18n';

const TextsStruct = record(string(), string());

/**
 * Create a loader of texts, which reads the file once while the worker lives.
 *
 * @param readFile - Reads a shipped file; null if it is not there.
 * @returns A function that throws {InternalError} if the texts cannot be had: what cannot
 * be shown must not be signed.
 */
export function createTranslateLoader(
  readFile: (path: string) => Promise<string | null>,
): () => Promise<Translate> {
  let loaded: Translate | undefined;
  return async () => {
    loaded ??= createTranslate(parseTexts(await readFile('locales/ui/en.json')));
    return loaded;
  };
}

function parseTexts(file: string | null): Texts {
  const texts: unknown = file === null ? undefined : JSON.parse(file);
  if (matches(texts, TextsStruct)) return texts as Texts;
  throw new InternalError('The texts of the dialogs are missing.');
}
