// Decides from the wallet's behaviour whether a case fails.
import { setTimeout as sleep } from 'node:timers/promises';

import { isObject, type Json } from '@metamask/utils';

import type { FuzzRequest } from './routes';

export type Sighting = {
  request: FuzzRequest;
  outcome: Outcome;
  /** Whether the worker runs after the case, and did not die before it. */
  isRunning: boolean;
  /** Dialogs, notifications, lines of the console, and the unencrypted state. */
  shown: readonly string[];
  accounts: {
    before: readonly string[];
    metamask: readonly string[];
    snap: readonly string[];
    alone: readonly string[];
    /** Accounts that the snap will reconcile with MetaMask before its next answer. */
    unsettled: readonly string[];
  };
  secrets: readonly string[];
};

/** Each check returns a description of the failure, or undefined. */
const checks: Record<string, (sighting: Sighting) => string | undefined> = {
  'worker died': ({ isRunning, outcome }) =>
    isRunning || (outcome.kind === 'platform' && outcome.isEnd)
      ? undefined
      : JSON.stringify(outcome).slice(0, 500),
  hung: ({ outcome }) => (outcome.kind === 'hung' ? 'no answer came' : undefined),
  'internal error': ({ outcome }) => {
    if (outcome.kind !== 'refused') return undefined;
    const { code, message } = outcome;
    // MetaMask never fails here, so an error from MetaMask means that the snap's call was wrong.
    return code === -32603 || /^MetaMask could not execute/u.test(message)
      ? message
      : undefined;
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

/** Returns the first failure of a case; undefined if there is none. */
export function judge(sighting: Sighting): Failure | undefined {
  for (const [kind, check] of Object.entries(checks)) {
    const details = check(sighting);
    if (details !== undefined) return { kind, details };
  }
  return undefined;
}

export type Failure = { kind: string; details: string };

// Omits the secrets that an answer may contain: a caller may export a key, and MetaMask may get the
// bundler's URL with its API key.
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
  /** The platform refused to pass the request on. If `isEnd`, it also stopped the worker. */
  | { kind: 'platform'; message: string; isEnd: boolean }
  | { kind: 'hung' };

/** The error for invalid arguments of an entry point, after which the platform stops the snap. */
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

/** Minimum length of a secret. Shorter values are words that can appear anywhere. */
const MIN_LENGTH = 16;

/** Lists the values of a request's secret fields, except those that also appear in other fields. */
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

function findSecret(shown: readonly unknown[], secrets: readonly string[]) {
  const text = (JSON.stringify(shown) ?? '').toLowerCase();
  return secrets.find((secret) => {
    const plain = secret.toLowerCase().replace(/^0x/u, '');
    return plain !== '' && text.includes(JSON.stringify(plain).slice(1, -1));
  });
}
