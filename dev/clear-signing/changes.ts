// Compares two registries contract by contract.
import type { Bound } from './build';

export type Change = {
  what: 'added' | 'changed' | 'removed';
  /** CAIP-10 account of the contract. */
  contract: string;
  owner: string;
  /** Intents of the descriptions, such as `Swap`. */
  intents: string[];
};

export function listChanges(
  before: readonly Bound[],
  after: readonly Bound[],
): Change[] {
  const [old, now] = [describe(before), describe(after)];
  const changes = new Map<string, Change>();
  for (const [key, described] of new Map([...now, ...old, ...now])) {
    const [was, is] = [old.get(key), now.get(key)];
    if (was?.content === is?.content) continue;
    const { contract, owner, intent } = described;
    const kept = is ? 'changed' : 'removed';
    const what = was ? kept : 'added';
    const place = `${what} ${contract} ${owner}`;
    const change = changes.get(place) ?? { what, contract, owner, intents: [] };
    changes.set(place, change);
    if (!change.intents.includes(intent)) change.intents.push(intent);
  }
  return [...changes.values()];
}

function describe(all: readonly Bound[]) {
  const entries = all.flatMap(({ deployments, formats, ...bound }) =>
    Object.entries(deployments).flatMap(([address, chains]) =>
      chains.flatMap((chain) =>
        Object.entries(formats).map(([key, [, format]]) => {
          const { eip712, metadata, definitions } = bound;
          const contract = `eip155:${chain}:${address}`;
          const described = {
            contract,
            owner: metadata.owner ?? bound.name,
            intent: typeof format.intent === 'string' ? format.intent : key,
            content: JSON.stringify({ eip712, metadata, definitions, format }),
          };
          // Documents with the same type differ in their domain.
          return [`${contract} ${key} ${JSON.stringify(eip712)}`, described] as const;
        }),
      ),
    ),
  );
  return new Map(entries);
}
