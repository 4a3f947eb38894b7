// The wallet's Secret Recovery Phrases. Account names mention the phrase, unless it is the first.
import type { EntropySource } from '@metamask/snaps-sdk';

import { tryInTime } from '../../packages/client/src/abort';
import type { AccountRecord } from '../state/account-record';
import { suggestName } from './repository';

/** Time limit for MetaMask in ms; after that, names contain the end of the phrase's id. */
const LIMIT_MS = 1_500;

type ListSources = () => Promise<readonly EntropySource[]>;

/** Returns an empty list if the wallet cannot list its phrases in time. */
export async function listPhrases(
  listEntropySources: ListSources,
): Promise<readonly EntropySource[]> {
  return (await tryInTime(listEntropySources, LIMIT_MS)) ?? [];
}

/** Names a phrase as MetaMask does, or by its number if the name is empty or ambiguous. */
export function namePhrase(
  { id, name }: EntropySource,
  phrases: readonly EntropySource[],
): string {
  const isUnique = phrases.filter((each) => each.name === name).length === 1;
  const number = phrases.findIndex((each) => each.id === id) + 1;
  return name !== '' && isUnique ? name : `Phrase ${number}`;
}

/** Finds an account's phrase; undefined if its key was imported, or the wallet has no phrase with
 * its id. */
export function findPhrase(
  { key }: AccountRecord,
  phrases: readonly EntropySource[],
): EntropySource | undefined {
  if (key.kind !== 'derived') return undefined;
  const { entropySource } = key;
  return phrases.find(({ id, primary }) =>
    entropySource === undefined ? primary : id === entropySource,
  );
}

/** Creates a function that suggests account names including the phrase, such as `Tollkeeper 1
 * (Phrase 2)`. Asks the wallet only if a record contains the id of a phrase. */
export async function createNaming(
  records: readonly AccountRecord[],
  listEntropySources: ListSources,
): Promise<(record: AccountRecord) => string> {
  const isOther = ({ key }: AccountRecord): boolean =>
    key.kind === 'derived' && key.entropySource !== undefined;
  const phrases = records.some(isOther) ? await listPhrases(listEntropySources) : [];
  return (record) => {
    const name = suggestName(record);
    const { key } = record;
    if (key.kind !== 'derived' || key.entropySource === undefined) return name;
    const phrase = findPhrase(record, phrases);
    if (phrase?.primary) return name;
    // Phrases that the wallet does not list are distinguished by the end of their id.
    const { entropySource } = key;
    return `${name} (${phrase ? namePhrase(phrase, phrases) : `…${entropySource.slice(-6)}`})`;
  };
}
