// What the user of the insight snap has set: the names of their Safes, and the language. It is
// public, and kept in the clear. What cannot be read counts as nothing set: insights must not fail.
import { exactOptional, literal, object } from '@metamask/superstruct';
import type { Infer } from '@metamask/superstruct';
import type { Json } from '@metamask/utils';

import { AddressStruct } from '../eth/hex';
import { parse, validate } from '../schema/parse';
import { list, oneOf, text } from '../schema/structs';
import { languages } from '../ui/i18n';
import type { Locale } from '../ui/i18n';

export const locales = Object.keys(languages) as Locale[];

/** A Safe as its owner calls it; it has the same address on every network. */
export const OwnSafeStruct = object({ name: text(40), address: AddressStruct });

const SettingsStruct = object({
  version: literal(1),
  safes: list(OwnSafeStruct, { max: 50 }),
  /** The browser's by default. */
  language: exactOptional(oneOf(locales)),
});

export type Settings = Infer<typeof SettingsStruct>;

const NONE: Settings = { version: 1, safes: [] };

export type SettingsAccess = {
  /** Reads the settings; never fails. */
  read: () => Promise<Settings>;
  /** Changes the settings. @throws If they cannot be loaded or stored, or are too many. */
  update: (change: (settings: Settings) => Settings) => Promise<void>;
};

export function createSettings(storage: {
  load: () => Promise<Json>;
  save: (settings: Json) => Promise<void>;
}): SettingsAccess {
  const toSettings = (stored: Json): Settings => {
    const read = validate(stored, SettingsStruct);
    return 'value' in read ? read.value : NONE;
  };
  return {
    read: async () => toSettings(await storage.load().catch(() => null)),
    update: async (change) => {
      const changed = change(toSettings(await storage.load()));
      await storage.save(parse(changed, SettingsStruct, 'settings'));
    },
  };
}
