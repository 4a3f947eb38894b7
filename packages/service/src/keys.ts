// The accepted API keys by name: one from the options, or the keys of a file that is read again
// when it changes. Logs, metrics and Redis use the names. Error messages give an entry's position
// instead, because a broken file can have a key where a name should be.
import { hash } from 'node:crypto';
import { unwatchFile, watchFile } from 'node:fs';

import { check, FlagError, MAX_NUMBER, readJsonFile } from './config';
import { servedNames } from './methods';
import type { Limits, ServiceOptions } from './options';

/** A caller's key. Missing limits default to those of the service. */
export type ApiKey = {
  name: string;
  key: string;
  secret?: string | undefined;
  rate?: number | undefined;
  dailyLimit?: number | undefined;
  /** The methods that the caller may use; all by default. */
  methods?: readonly string[] | undefined;
  /** Whether a key in the path also needs its secret in the header. */
  requireSecret?: boolean | undefined;
};

const KEY = { type: 'string', pattern: '^[\\w.~-]{1,200}$' };
const LIMIT = { type: 'integer', minimum: 0, maximum: MAX_NUMBER };

/** An entry of the file. Keys contain only characters that are allowed in a URL. */
const entrySchema = {
  type: 'object',
  required: ['key'],
  additionalProperties: false,
  properties: {
    key: KEY,
    secret: { type: 'string', minLength: 1, maxLength: 200 },
    rate: LIMIT,
    dailyLimit: LIMIT,
    methods: { type: 'array', items: { enum: servedNames } },
    requireSecret: { type: 'boolean' },
  },
};

export class Keys {
  #index = toIndex([]);

  /** Called with the number of keys after a reload of the file. */
  onReload?: (count: number) => void;

  /** Called if the file is invalid; the old keys stay valid. */
  onBroken?: (reason: string) => void;

  /** Loads a service's keys. Throws if the key in the options, or the file, is invalid. */
  constructor(
    private readonly options: ServiceOptions,
    { keysCheckMs: interval }: Pick<Limits, 'keysCheckMs'>,
  ) {
    const { keysFile } = options;
    // Starts watching before the first read, so no change is missed. Watching by stat also notices
    // a swapped mount.
    if (keysFile) watchFile(keysFile, { interval }, this.#reload);
    try {
      this.#index = toIndex(loadAll(options));
    } catch (error) {
      this.stop();
      throw error;
    }
  }

  get count(): number {
    return this.#index.byPath.size;
  }

  /** Finds a key by the path; if the key requires its secret, the header must match as well.
   * Without a key in the path, finds it by Basic credentials: `key:secret`, or `key:` or `key` for
   * a key without a secret. */
  find(key: string | undefined, header = ''): ApiKey | undefined {
    const { byPath, byHeader } = this.#index;
    const found = key === undefined ? undefined : byPath.get(digest(key));
    if (key !== undefined && !found?.requireSecret) return found;
    const [, encoded] = /^Basic +([A-Za-z0-9+/_=-]+) *$/iu.exec(header) ?? [];
    if (encoded === undefined) return undefined;
    const named = byHeader.get(digest(Buffer.from(encoded, 'base64').toString()));
    return key === undefined || named === found ? named : undefined;
  }

  stop(): void {
    const { keysFile } = this.options;
    if (keysFile) unwatchFile(keysFile, this.#reload);
  }

  readonly #reload = (): void => {
    try {
      const keys = loadAll(this.options);
      this.#index = toIndex(keys);
      this.onReload?.(keys.length);
    } catch (error) {
      this.onBroken?.((error as Error).message);
    }
  };
}

function loadAll(options: ServiceOptions): ApiKey[] {
  const { keysFile, requireSecret = false, apiKey = '' } = options;
  if (!keysFile) check(apiKey, KEY, { toPlace: () => 'The API key' });
  const found: ApiKey[] = keysFile
    ? readKeys(keysFile)
    : [{ name: 'default', key: apiKey, secret: options.apiKeySecret }];
  const keys = found.map((each) => ({ requireSecret, ...each }));
  const bare = keys.findIndex((each) => each.requireSecret && !each.secret);
  if (bare < 0) return keys;
  const which = keysFile ? `keys[${bare}]` : 'The API key';
  throw new FlagError(`${which} has no secret: one is required.`);
}

const fileSchema = { type: 'object', minProperties: 1 };

function readKeys(path: string): ApiKey[] {
  const value = readJsonFile(path, 'The key file');
  check(value, fileSchema, { toPlace: () => 'The key file' });
  const keys = Object.entries(value as object).map(([name, entry], index) =>
    toKey(name, entry, `keys[${index}]`),
  );
  const isRepeated = new Set(keys.map(({ key }) => key)).size < keys.length;
  if (isRepeated) throw new FlagError('The key file has the same key twice.');
  return keys;
}

function toKey(name: string, entry: unknown, root: string): ApiKey {
  if (!/^[\w.-]{1,64}$/u.test(name)) {
    throw new FlagError(
      `The name of ${root} must have 1 to 64 characters: letters, digits, - . _.`,
    );
  }
  const toPlace = (path: string): string => (path ? `${root}.${path}` : root);
  check(entry, entrySchema, { toPlace, isSecret: true });
  return { name, ...(entry as Omit<ApiKey, 'name'>) };
}

// Looks up digests instead of keys, so that the duration of a look-up reveals nothing about a key.
function toIndex(keys: readonly ApiKey[]) {
  const toHeaderForms = ({ key, secret }: ApiKey): string[] =>
    secret === undefined ? [`${key}:`, key] : [`${key}:${secret}`];
  return {
    byPath: new Map(keys.map((each) => [digest(each.key), each])),
    byHeader: new Map(
      keys.flatMap((each) => toHeaderForms(each).map((form) => [digest(form), each])),
    ),
  };
}

function digest(value: string): string {
  return hash('sha256', value, 'base64');
}
