// Decides whether a case fails, by what was seen of the wallet.
import { setTimeout as sleep } from 'node:timers/promises';

import { isObject, type Json } from '@metamask/utils';

import type { FuzzRequest } from './routes';

export type Sighting = {
  request: FuzzRequest;
  outcome: Outcome;
  /** Whether the snap's worker ran after it, and since the case before. */
  isRunning: boolean;
  /** Dialogs, notifications, lines of the console, and the unencrypted state. */
  shown: readonly string[];
  /** Ids of accounts: before it on both sides, and after it on each. */
  accounts: {
    before: readonly string[];
    metamask: readonly string[];
    snap: readonly string[];
    /** Those that the snap keeps out of MetaMask's list. */
    alone: readonly string[];
    /** Those that the snap will ask MetaMask about before it answers again. */
    unsettled: readonly string[];
  };
  secrets: readonly string[];
};

/** What is wrong, by kind; undefined if nothing is. */
const checks: Record<string, (sighting: Sighting) => string | undefined> = {
  'worker died': ({ isRunning, outcome }) =>
    isRunning || (outcome.kind === 'platform' && outcome.isEnd)
      ? undefined
      : JSON.stringify(outcome).slice(0, 500),
  hung: ({ outcome }) => (outcome.kind === 'hung' ? 'no answer came' : undefined),
  'internal error': ({ outcome }) => {
    if (outcome.kind !== 'refused') return undefined;
    const { code, message } = outcome;
    // Nothing fails in MetaMask here: what it refuses was wrong.
    return code === -32603 || /^MetaMask failed/u.test(message) ? message : undefined;
  },
  'secret shown': ({ request, outcome, shown, secrets }) => {
    const own = listOwnSecrets(request.request);
    const answer =
      outcome.kind === 'answered' ? toShown(outcome.value, request) : outcome;
    const secret = findSecret([answer, shown], [...secrets, ...own]);
    return secret && `${secret} in ${JSON.stringify(outcome).slice(0, 500)}`;
  },
  'account lost': ({ request, accounts }) => {
    const { before, metamask, snap, alone, unsettled } = accounts;
    const held = [...metamask, ...alone];
    return [...before, ...metamask, ...snap].find(
      (id) =>
        !(held.includes(id) && snap.includes(id)) &&
        !unsettled.includes(id) &&
        !isRemoval(id, request),
    );
  },
};

export const failureKinds = Object.keys(checks);

/** Judges a case: undefined if nothing is wrong. */
export function judge(sighting: Sighting): Failure | undefined {
  for (const [kind, check] of Object.entries(checks)) {
    const details = check(sighting);
    if (details !== undefined) return { kind, details };
  }
  return undefined;
}

export type Failure = { kind: string; details: string };

// An allowed caller gets a key, and MetaMask itself learns where to
// send an operation, which takes the bundler's key.
function toShown(value: Json, { origin, request }: FuzzRequest): Json {
  if (request.method === 'keyring_exportAccount') return null;
  const { result } = (value ?? {}) as { result?: { bundlerUrl?: Json } | null };
  if (origin !== 'metamask' || result?.bundlerUrl === undefined) return value;
  return { ...(result as Record<string, Json>), bundlerUrl: null };
}

function isRemoval(id: string, { handler, request }: FuzzRequest): boolean {
  const text = JSON.stringify(request);
  return handler === 'onUserInput'
    ? text.includes('home.accounts.delete')
    : request.method === 'keyring_deleteAccount' && text.includes(id);
}

export type Outcome =
  | { kind: 'answered'; value: Json }
  | { kind: 'refused'; code: number; message: string; data: Json }
  /** The platform did not let it come to the snap, whose worker it may end for it. */
  | { kind: 'platform'; message: string; isEnd: boolean }
  | { kind: 'hung' };

/** How the platform refuses an entry point's arguments, for which it ends the snap. */
const PLATFORM = /^Invalid request params/u;

const TIMED_OUT = /failed to respond to the request in time/u;

export async function see(
  request: () => Promise<unknown>,
  limitMs: number,
): Promise<Outcome> {
  const timer = new AbortController();
  const limit = sleep<Outcome>(limitMs, { kind: 'hung' }, { signal: timer.signal });
  const answer = async (): Promise<Outcome> => ({
    kind: 'answered',
    value: (await request()) as Json,
  });
  return Promise.race([answer().catch(toOutcome), limit]).finally(() => timer.abort());
}

function toOutcome(error: unknown): Outcome {
  const { code, message, data } = (isObject(error) ? error : {}) as Record<
    string,
    unknown
  >;
  const text = typeof message === 'string' ? message : String(error);
  if (TIMED_OUT.test(text)) return { kind: 'hung' };
  const isEnd = PLATFORM.test(text);
  if (typeof code !== 'number' || isEnd) {
    return { kind: 'platform', message: text, isEnd };
  }
  return { kind: 'refused', code, message: text, data: (data ?? null) as Json };
}

const SECRET_FIELDS = ['privateKey', 'apiKey', 'apiKeySecret', 'bundlerApiKey'];

/** Shorter ones are words that can appear anywhere. */
const MIN_LENGTH = 16;

/** Lists what a request says under a secret's name, unless it says it elsewhere as well. */
function listOwnSecrets(request: Json): string[] {
  const own = listUnder(request, false).filter((text) => text.length >= MIN_LENGTH);
  const whole = JSON.stringify(request);
  return own.filter((secret) => {
    const times = whole.split(JSON.stringify(secret).slice(1, -1)).length - 1;
    return times === own.filter((each) => each.includes(secret)).length;
  });
}

function listUnder(value: Json, isSecret: boolean): string[] {
  if (typeof value === 'string') return isSecret ? [value] : [];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inside]) =>
    listUnder(
      inside,
      SECRET_FIELDS.includes(name) || (isSecret && Array.isArray(value)),
    ),
  );
}

/** Finds a secret in what is shown, whatever its capitals and with or without the prefix of hex. */
function findSecret(shown: readonly unknown[], secrets: readonly string[]) {
  const text = (JSON.stringify(shown) ?? '').toLowerCase();
  return secrets.find((secret) => {
    const plain = secret.toLowerCase().replace(/^0x/u, '');
    return plain !== '' && text.includes(JSON.stringify(plain).slice(1, -1));
  });
}
