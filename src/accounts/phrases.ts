// The wallet's Secret Recovery Phrases, as accounts of several are told apart: accounts of the first
// have names without one.
import type { EntropySource } from '@metamask/snaps-sdk';

import { tryInTime } from '../../packages/client/src/abort';
import type { AccountRecord } from '../state/account-record';
import { suggestName } from './repository';

/** Longest wait for MetaMask: names do without. */
const LIMIT_MS = 1_500;

type ListSources = () => Promise<readonly EntropySource[]>;

/** Lists the phrases; none if the wallet cannot list them and has only its first. */
export async function listPhrases(
  listEntropySources: ListSources,
): Promise<readonly EntropySource[]> {
  return (await tryInTime(listEntropySources, LIMIT_MS)) ?? [];
}

/** Names a phrase as MetaMask does, or by its number where that tells it from no other. */
export function namePhrase(
  { id, name }: EntropySource,
  phrases: readonly EntropySource[],
): string {
  const isUnique = phrases.filter((each) => each.name === name).length === 1;
  const number = phrases.findIndex((each) => each.id === id) + 1;
  return name !== '' && isUnique ? name : `Phrase ${number}`;
}

/** Finds the phrase of an account; undefined if its key was imported, or the phrase is not in the
 * wallet, or not under its id. */
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

/** Creates what suggests names of accounts that tell those of several phrases apart, such as
 * `Tollkeeper 1 (Phrase 2)`. Asks the wallet only if one of them is of another than the first. */
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
    // The end of the id tells phrases apart that the wallet does not list.
    const { entropySource } = key;
    return `${name} (${phrase ? namePhrase(phrase, phrases) : `…${entropySource.slice(-6)}`})`;
  };
}
